"""A text browser that shows only what it is given: no file, no network, no page of its own accord."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class SafeBrowser(QTextBrowser):
    """Shows safe HTML. Links are never followed by the widget itself; ``anchorClicked`` says that one was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: ARG002
        """Load nothing: neither images nor style sheets nor pages."""
        return ""

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return what is copied: rich text, and plain text with line feeds as line ends and plain blanks."""
        data = super().createMimeDataFromSelection()
        text = self.textCursor().selection().toPlainText().replace("\u00a0", " ")
        data.setText(text)
        return data

    def count(self, words: str) -> int:
        """Return how often ``words`` stand in the text, letter case aside."""
        return self.toPlainText().lower().count(words.lower()) if words else 0

    def find_from_here(self, words: str, *, backward: bool) -> bool:
        """Select the next match, going round at the end; False where there is none."""
        flags = QTextDocument.FindFlag.FindBackward if backward else QTextDocument.FindFlag(0)
        if self.find(words, flags):
            return True
        cursor = self.textCursor()
        start = QTextCursor(self.document())
        start.movePosition(QTextCursor.MoveOperation.End if backward else QTextCursor.MoveOperation.Start)
        self.setTextCursor(start)
        if self.find(words, flags):
            return True
        self.setTextCursor(cursor)
        return False
