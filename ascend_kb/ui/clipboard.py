"""What goes to the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from ascend_kb.core.recipe import Copied


def put(copied: Copied) -> None:
    """Put plain text, and rich text where there is any, on the clipboard."""
    data = QMimeData()
    data.setText(copied.text)
    if copied.html:
        data.setHtml(f'<html><head><meta charset="utf-8"></head><body>{copied.html}</body></html>')
    QGuiApplication.clipboard().setMimeData(data)
