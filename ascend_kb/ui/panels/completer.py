"""Completes what is typed into the search box, from answers that come later; it never steals a key from typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from ascend_kb.core.i18n import tr
from ascend_kb.ui.widgets.suggestions import ROWS, Suggestions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLineEdit

    from ascend_kb.app.completion import Completions

_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: ROWS - 1,
    Qt.Key.Key_PageUp: 1 - ROWS,
}


class Completer(QObject):
    """Asks what can stand at the cursor and offers it.

    Arrow keys and Enter belong to the list only where values of a field are offered or the user asked for the list;
    otherwise they do what they always do, and Tab inserts.
    """

    wanted = Signal(str, int, bool)  # text, cursor, whether the user asked
    recent_wanted = Signal()

    def __init__(self, box: QLineEdit) -> None:
        super().__init__(box)
        self._box = box
        self._popup: Suggestions | None = None
        self._offers: tuple[tuple[int, int, str], ...] = ()  # what each row replaces, and by what
        self._made_for = ""
        self._takes_arrows = False
        self.has_recent = False
        box.textEdited.connect(self._on_edited)
        box.installEventFilter(self)

    @property
    def popup(self) -> Suggestions:
        """The list; it is made when it is first needed."""
        if self._popup is None:
            self._popup = Suggestions(self._box)
            self._popup.chosen.connect(self._insert)
        return self._popup

    @property
    def is_open(self) -> bool:
        """Whether the list is shown."""
        return self._popup is not None and self._popup.isVisible()

    def ask(self) -> None:
        """Ask for everything that can stand at the cursor; in the empty box for recent searches."""
        if self._box.text().strip() or not self.has_recent:
            self.wanted.emit(self._box.text(), self._box.cursorPosition(), True)
        else:
            self.recent_wanted.emit()

    def close(self) -> None:
        """Hide the list."""
        if self._popup is not None:
            self._popup.hide()

    def show_completions(self, text: str, found: Completions, *, asked: bool) -> None:
        """Offer what was found for ``text``, unless the user has gone on or has typed it already."""
        if text != self._box.text() or not self._box.hasFocus():
            return
        typed = text[found.start : found.end]
        is_there = any(item.text == typed for item in found.items)
        if not found.items or (is_there and len(found.items) == 1):
            self.close()
            return
        offers = tuple((found.start, found.end, item.text) for item in found.items)
        rows = [(item.text, item.label, "" if item.cards is None else str(item.cards)) for item in found.items]
        shown = len(found.items)
        note = tr("first {shown} of {total}", shown=shown, total=found.total) if shown < found.total else ""
        before = self._box.fontMetrics().horizontalAdvance(text[found.start : self._box.cursorPosition()])
        left = self._box.cursorRect().center().x() - before
        self._offer(text, offers, rows, note, max(0, left), takes_arrows=asked or (found.is_value and not is_there))

    def show_recent(self, recent: Sequence[str]) -> None:
        """Offer recent searches in the empty box."""
        if recent and not self._box.text().strip():
            length = len(self._box.text())
            offers = tuple((0, length, text) for text in recent)
            self._offer(self._box.text(), offers, [(text, "", "") for text in recent], "", 0, takes_arrows=True)

    def _offer(
        self,
        text: str,
        offers: tuple[tuple[int, int, str], ...],
        rows: list[tuple[str, str, str]],
        note: str,
        left: int,
        *,
        takes_arrows: bool,
    ) -> None:
        self._made_for, self._offers, self._takes_arrows = text, offers, takes_arrows
        self.popup.show_rows(rows, note, left, select=takes_arrows)

    def _on_edited(self, text: str) -> None:
        if not text.strip():
            self.close()
        self.wanted.emit(text, self._box.cursorPosition(), False)

    def _insert(self, row: int) -> None:
        """Put an offer in its place; a field goes on to its values."""
        self.close()
        text = self._box.text()
        if text != self._made_for or not 0 <= row < len(self._offers):
            return
        start, end, offer = self._offers[row]
        is_field = offer.endswith(":")
        blank = "" if is_field or text[end : end + 1].isspace() or offer == text.strip() else " "
        self._box.setSelection(start, end - start)
        self._box.insert(offer + blank)
        if is_field:
            self.wanted.emit(self._box.text(), self._box.cursorPosition(), True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of the list while it is open."""
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Resize):
            self.close()
        elif isinstance(event, QKeyEvent) and event.modifiers() in (_NONE, _KEYPAD):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape and self.is_open:
                event.accept()  # the key comes here instead of running the command of Esc
                return True
            if event.type() == QEvent.Type.KeyPress and self._takes(Qt.Key(event.key())):
                return True
        return super().eventFilter(watched, event)

    def _takes(self, key: Qt.Key) -> bool:
        if not self.is_open:
            if key == Qt.Key.Key_Down and not self._box.text().strip() and self.has_recent:
                self.recent_wanted.emit()
                return True
            return False
        if key == Qt.Key.Key_Escape:
            self.close()
        elif key == Qt.Key.Key_Tab:
            self._insert(max(0, self.popup.current()))
        elif self._takes_arrows and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._insert(self.popup.current())
        elif self._takes_arrows and key in _STEPS:
            self.popup.move_current(_STEPS[key])
        else:
            if key in _STEPS or key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.close()
            return False
        return True


_NONE, _KEYPAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
