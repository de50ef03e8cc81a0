"""What the tests of the store share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.store.knowledge import KnowledgeFile
from tests.conftest import BUNDLE
from tests.unprivileged import public

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["public"]


@pytest.fixture(scope="module")
def bundle() -> Iterator[KnowledgeFile]:
    """The bundled knowledge."""
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()
