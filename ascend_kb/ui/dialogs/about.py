"""The versions of program and knowledge, to read and to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout

from ascend_kb.app import paths
from ascend_kb.app.about import versions
from ascend_kb.core.i18n import tr
from ascend_kb.core.recipe import Copied
from ascend_kb.ui import clipboard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ascend_kb.app.library import Library


class AboutDialog(QDialog):
    """Shows what runs here and where it keeps its data."""

    def __init__(self, parent: QWidget | None, library: Library) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About Ascend KB"))
        details = "\n".join(
            [
                *versions(library),
                tr("Knowledge file: {path}", path=library.path),
                tr("Data folder: {path}", path=paths.home()),
            ]
        )
        text = QLabel(details)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(tr("Copy details"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: clipboard.put(Copied(details)))
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(buttons)
