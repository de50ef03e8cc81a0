"""What the tests of the store share."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core import i18n
from ascend_kb.store.knowledge import KnowledgeFile
from tests.conftest import BUNDLE
from tests.unprivileged import public

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["public"]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages are English, whatever language a window of another test has chosen."""
    monkeypatch.setitem(i18n._state, "translate", str)
    monkeypatch.setitem(i18n._state, "language", "en")


@pytest.fixture
def own_copy(tmp_path: Path) -> Path:
    """A copy of the bundle, to be changed at will."""
    return Path(shutil.copyfile(BUNDLE, tmp_path / "copy.sqlite"))


@pytest.fixture(scope="module")
def bundle() -> Iterator[KnowledgeFile]:
    """The bundled knowledge."""
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()
