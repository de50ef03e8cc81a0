"""The search box and the chips of the active filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from ascend_kb.core.i18n import tr
from ascend_kb.ui.panels.completer import Completer
from ascend_kb.ui.widgets.action_button import ActionButton
from ascend_kb.ui.widgets.chips import ChipBar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent

    from ascend_kb.core.query import Filter


class SearchBox(QLineEdit):
    """A line that says when it was reached by keys, so that it can be decided what the next letter replaces."""

    reached = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus."""
        super().focusInEvent(event)
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
        if event.reason() in reasons:
            self.reached.emit()


class SearchPanel(QWidget):
    """What the user types and which filters are on."""

    text_changed = Signal(str)
    filter_removed = Signal(object)
    list_requested = Signal(int)  # go to the list; 1 selects the next row, 0 keeps the row

    def __init__(self, back: QAction, forward: QAction, clear: QAction) -> None:
        super().__init__()
        self.box = SearchBox()
        self.box.setClearButtonEnabled(True)
        self.box.setMaxLength(100_000)
        self._is_silent = False  # while a text is shown that nobody typed
        self.box.textChanged.connect(self._on_text_changed)
        self.completer = Completer(self.box)
        self.box.returnPressed.connect(lambda: self.list_requested.emit(0))
        self.chips = ChipBar()
        self._chips_shown: tuple[tuple[Filter, str], ...] = ()
        self.chips.removed.connect(self.filter_removed)
        row = self._row = QHBoxLayout()
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

    def add_button(self, action: QAction) -> None:
        """Show a command at the end of the row."""
        button = QToolButton()
        button.setDefaultAction(action)
        self._row.addWidget(button)

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.box.setPlaceholderText(tr("Search: words, API names, numbers, in any order (Ctrl+L)"))
        self.box.setAccessibleName(tr("Search"))

    def type_anew(self, filters: str, event: QKeyEvent) -> None:
        """Take the focus and the first letter of another search; of the last one only its filters stay."""
        box = self.box
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        if box.text() != filters:
            self._is_silent = True
            box.selectAll()
            box.insert(filters)
            self._is_silent = False
        box.end(False)
        QApplication.sendEvent(box, event)

    def _on_text_changed(self, text: str) -> None:
        # Not by blocking the signal: the box itself shows and hides its clear button by it.
        if not self._is_silent:
            self.text_changed.emit(text)

    def select(self, start: int, end: int) -> None:
        """Select a part of the text, to be replaced by what is typed next."""
        self.box.setCursorPosition(end)
        if end > start:
            self.box.setSelection(start, end - start)

    def show_query(self, text: str, filters: Sequence[Filter], label: Callable[[Filter], str]) -> None:
        """Show a query without saying that it changed."""
        if self.box.text() != text:
            self._is_silent = True
            self.box.setText(text)
            self._is_silent = False
            self.completer.close()
        names = tuple((wanted, label(wanted)) for wanted in filters)
        if names == self._chips_shown:
            return  # a chip that has the focus keeps it
        self._chips_shown = names
        self.chips.show_filters(filters, label)
        before: QWidget = self.box
        for chip in self.chips.chips():
            QWidget.setTabOrder(before, chip)
            before = chip
