"""The one dialog for faults of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout

from ascend_kb.app import paths
from ascend_kb.core.i18n import tr
from ascend_kb.core.recipe import Copied
from ascend_kb.ui import clipboard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class FaultDialog(QDialog):
    """Says that something went wrong and offers the details to copy."""

    def __init__(self, parent: QWidget | None, details: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Ascend KB")
        text = QLabel(
            tr("Something went wrong inside the program. You can go on; nothing of yours was changed.")
            + "\n"
            + tr("The details are in {path}", path=paths.log_file())
        )
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setAccessibleName(tr("Details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(tr("Copy details"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: clipboard.put(Copied(details)))
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (text, self._details, buttons):
            layout.addWidget(widget)
        self.resize(640, 360)
