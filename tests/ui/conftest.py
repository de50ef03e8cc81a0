"""Panels, models and dialogs by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core import i18n
from tests.gui import abandon_clipboard, clear_clipboard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says that it has no size hints; that is no fault of ours."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True))


@pytest.fixture(scope="session", autouse=True)
def _abandon_clipboard() -> Iterator[None]:
    yield
    abandon_clipboard()


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """English, whatever another test has chosen."""
    monkeypatch.setitem(i18n._state, "translate", str)
    monkeypatch.setitem(i18n._state, "language", "en")


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interface in Chinese."""
    from ascend_kb.app import translation

    translation.use("zh")


@pytest.fixture
def _empty_clipboard(qapp: QApplication) -> None:
    clear_clipboard()
