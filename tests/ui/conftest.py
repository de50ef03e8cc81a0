"""Panels, models and dialogs by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.gui import abandoned_clipboard, clear_clipboard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

__all__ = ["abandoned_clipboard"]

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says that it has no size hints; that is no fault of ours."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints", extend=True))


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interface in Chinese."""
    from ascend_kb.app import translation

    translation.use("zh")


@pytest.fixture
def _empty_clipboard(qapp: QApplication) -> None:
    clear_clipboard()
