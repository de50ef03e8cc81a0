"""How the program knows the documents that were rendered when its own bundle was built.

Beside the bundle lies a list with the SHA-256 of every rendered document. HTML from any knowledge file is shown as it
is only where its hash stands in that list; everything else is rendered and sanitised anew.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING

from ascend_kb.app import paths

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def list_file(knowledge: Path) -> Path:
    """Return the place of the list that belongs to a knowledge file."""
    return knowledge.with_name(knowledge.stem + ".rendered.json")


def fingerprint(html: str) -> str:
    """Return the SHA-256 of a rendered document, in hexadecimal."""
    return hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest()


def write_list(documents: Iterable[str], place: Path) -> None:
    """Write the list of documents to a file."""
    place.write_text(json.dumps(sorted(map(fingerprint, documents)), indent=0) + "\n", "ascii")


@cache
def _known(place: Path) -> frozenset[str]:
    try:
        listed = json.loads(place.read_text("ascii"))
    except (OSError, ValueError):
        return frozenset()
    return frozenset(x for x in listed if isinstance(x, str)) if isinstance(listed, list) else frozenset()


def is_ours(html: str) -> bool:
    """Whether a document was rendered by us for the bundle."""
    return fingerprint(html) in _known(list_file(paths.bundled_knowledge()))
