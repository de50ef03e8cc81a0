"""Where repositories live, as far as the open knowledge tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascend_kb.core.catalog import Catalog

OWNER = "Ascend"  # of repositories whose owner nothing tells: the organisation that the series is about


def owners_of(catalog: Catalog) -> dict[str, str]:
    """Return ``owner/name`` by lower-case name of the catalog's repositories and of those it refers to."""
    owners = {repo.name.lower(): f"{repo.owner}/{repo.name}" for repo in catalog.foreign}
    return owners | {repo.name.lower(): f"{repo.owner}/{repo.name}" for repo in catalog.repos}
