"""The find bar of the detail pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from ascend_kb.core.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from ascend_kb.ui.widgets.browser import SafeBrowser


class FindBar(QWidget):
    """Finds words in a browser while they are typed."""

    def __init__(self, browser: SafeBrowser) -> None:
        super().__init__()
        self._browser = browser
        self.box = QLineEdit()
        self.box.setClearButtonEnabled(True)
        self.box.textChanged.connect(self._on_text_changed)
        self._matches = QLabel()
        self._previous, self._next, self._close = QToolButton(), QToolButton(), QToolButton()
        for button, sign in ((self._previous, "↑"), (self._next, "↓"), (self._close, "✕")):
            button.setText(sign)
            button.setAutoRaise(True)
        self._previous.clicked.connect(lambda: self.find_match(backward=True))
        self._next.clicked.connect(lambda: self.find_match())  # noqa: PLW0108  (the signal's argument is not for find_match)
        self._close.clicked.connect(self.close_bar)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 2, 8, 4)
        for widget in (self.box, self._matches, self._previous, self._next, self._close):
            layout.addWidget(widget, 1 if widget is self.box else 0)
        self.hide()

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.box.setPlaceholderText(tr("Find in this text"))
        for button, text in (
            (self._previous, tr("Previous match (Shift+F3)")),
            (self._next, tr("Next match (F3)")),
            (self._close, tr("Close (Esc)")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)

    def open_bar(self) -> None:
        """Show the bar, with the selected text in it."""
        selected = self._browser.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.box.setText(selected)
        self.show()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def close_bar(self) -> None:
        """Hide the bar and go back to the text."""
        self.hide()
        self._browser.setFocus(Qt.FocusReason.OtherFocusReason)

    def find_match(self, *, backward: bool = False) -> bool:
        """Go to the next match; False where there is none."""
        return self._browser.find_from_here(self.box.text(), backward=backward) if self.box.text() else False

    def count(self) -> None:
        """Show how many matches there are."""
        words = self.box.text()
        self._matches.setText(tr("{count} matches", count=self._browser.count(words)) if words else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the next match, Shift+Enter to the one before."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.find_match(backward=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            return
        super().keyPressEvent(event)

    def _on_text_changed(self) -> None:
        cursor = self._browser.textCursor()
        cursor.setPosition(cursor.selectionStart())
        self._browser.setTextCursor(cursor)
        self.find_match()
        self.count()
