"""The sheet of all commands with their keys: a view of the list of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from ascend_kb.app.commands import COMMANDS
from ascend_kb.core.i18n import tr
from ascend_kb.ui.actions import keys_text, plain_title

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class ShortcutsDialog(QDialog):
    """Lists every command; typing narrows the list."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Shortcuts"))
        self.box = QLineEdit()
        self.box.setPlaceholderText(tr("Narrow the list"))
        self.box.setClearButtonEnabled(True)
        self.box.textChanged.connect(self._on_text_changed)
        self.table = QTableWidget(len(COMMANDS), 3)
        self.table.setHorizontalHeaderLabels([tr("Command"), tr("Keys"), tr("What it does")])
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setAccessibleName(tr("Shortcuts"))
        for row, command in enumerate(COMMANDS):
            for column, text in enumerate(
                (plain_title(command), keys_text(command), tr(command.help) if command.help else "")
            ):
                self.table.setItem(row, column, QTableWidgetItem(text))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self.box, self.table, buttons):
            layout.addWidget(widget)
        self.resize(820, 560)

    def _on_text_changed(self, text: str) -> None:
        wanted = text.lower()
        for row in range(self.table.rowCount()):
            cells = (self.table.item(row, column) for column in range(3))
            self.table.setRowHidden(row, not any(cell and wanted in cell.text().lower() for cell in cells))
