"""The search box and the chips of the active filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ascend_kb.core.i18n import tr
from ascend_kb.ui.widgets.action_button import ActionButton
from ascend_kb.ui.widgets.chips import ChipBar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction

    from ascend_kb.core.query import Filter


class SearchPanel(QWidget):
    """What the user types and which filters are on."""

    text_changed = Signal(str)
    filter_removed = Signal(object)
    list_requested = Signal(int)  # go to the list; 1 selects the next row, 0 keeps the row

    def __init__(self, back: QAction, forward: QAction, clear: QAction) -> None:
        super().__init__()
        self.box = QLineEdit()
        self.box.setClearButtonEnabled(True)
        self.box.setMaxLength(100_000)
        self.box.textChanged.connect(self.text_changed)
        self.box.returnPressed.connect(lambda: self.list_requested.emit(0))
        self.chips = ChipBar()
        self.chips.removed.connect(self.filter_removed)
        row = QHBoxLayout()
        row.setSpacing(6)
        for action, sign in ((back, "←"), (forward, "→")):
            row.addWidget(ActionButton(action, sign))
        row.addWidget(self.box, 1)
        self._clear = QToolButton()
        self._clear.setDefaultAction(clear)
        row.addWidget(self._clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self.chips)
        self.retranslate()

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.box.setPlaceholderText(tr("Search: words, API names, numbers, in any order (Ctrl+L)"))
        self.box.setAccessibleName(tr("Search"))

    def show_query(self, text: str, filters: Sequence[Filter], label: Callable[[Filter], str]) -> None:
        """Show a query without saying that it changed."""
        if self.box.text() != text:
            blocked = self.box.blockSignals(True)
            self.box.setText(text)
            self.box.blockSignals(blocked)
        self.chips.show_filters(filters, label)
        before: QWidget = self.box
        for chip in self.chips.chips():
            QWidget.setTabOrder(before, chip)
            before = chip
