"""A log with line numbers and marks. Long logs are filled in by slices, so that the window is never held up."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeySequence,
    QPainter,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QTextEdit, QWidget

from ascend_kb.core.highlight import in_utf16
from ascend_kb.core.i18n import tr
from ascend_kb.ui import theme
from ascend_kb.ui.widgets.hint import draw_hint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QPaintEvent, QResizeEvent

    from ascend_kb.core.diagnosis import Span
    from ascend_kb.core.excerpt import Excerpt, Piece

_SLICE, _SLICE_WIDE = 24_000, 8_000  # characters filled in at once: of ASCII alone, of any
_SLICE_LINES = 600
_MARGIN = 6  # pixels beside the line numbers


class LogView(QPlainTextEdit):
    """Shows an Excerpt; it is read, not written, so that letters can start a search from here too."""

    paste_requested = Signal()
    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._points = self.font().pointSizeF()
        self.zoom_to(0)
        self.document().setDocumentMargin(_MARGIN)
        self._gutter = _Gutter(self)
        self._excerpt: Excerpt | None = None
        self._rows: list[int] = []  # the first row of each piece
        self._pending: Iterator[str] | None = None
        self._marks: tuple[Sequence[Span], Span | None] = ((), None)
        self._menu_actions: Sequence[QAction] = ()
        self._hint: tuple[str, ...] = ()
        self._caret = self.cursorWidth()
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._fill)
        self.updateRequest.connect(self._on_update_request)

    def show_hint(self, *lines: str) -> None:
        """Say what to do while there is no log; the first line stands out."""
        self._hint = lines
        self.setAccessibleDescription("\n".join(lines))
        self.viewport().update()

    @property
    def hint(self) -> str:
        """What is said in place of a log; empty while there is one."""
        return "\n".join(self._hint) if self._excerpt is None else ""

    def offer(self, actions: Sequence[QAction]) -> None:
        """Offer these commands in the menu of the right mouse button."""
        self._menu_actions = actions

    @property
    def is_filled(self) -> bool:
        """Whether the whole excerpt is there."""
        return self._pending is None

    def show_excerpt(self, excerpt: Excerpt | None) -> None:
        """Show an excerpt, or nothing; ``filled`` says when all of it is there."""
        self._excerpt = excerpt
        self._rows = []
        self._marks = ((), None)
        self.setExtraSelections([])
        self.setCursorWidth(self._caret if excerpt is not None else 0)
        self.clear()
        self._pending = _sliced(self._joined(excerpt.pieces)) if excerpt is not None else None
        self._make_room()
        if self._pending is None:
            self._timer.stop()
        else:
            self._fill()
            self._timer.start()

    def _joined(self, pieces: Sequence[Piece]) -> str:
        """Return the text of the document, and note in which row each piece begins."""
        parts: list[str] = []
        row = 0
        for i, piece in enumerate(pieces):
            if i:
                parts.append("\n" if piece.follows else f"\n{_gap(pieces[i - 1], piece)}\n")
                row += not piece.follows
            self._rows.append(row)
            row += piece.text.count("\n") + 1
            parts.append(piece.text)
        return "".join(parts)

    def _fill(self) -> None:
        if self._pending is None:
            return
        text = next(self._pending, None)
        if text is not None:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text)
        if text is None:
            self._pending = None
            self._timer.stop()
            self.mark(*self._marks)
            self.filled.emit()

    # --- places ------------------------------------------------------------------------------------------------------

    def _selection(self, span: Span) -> QTextCursor | None:
        """Return the place of a span of the log in this document, or None where it was left out."""
        if self._excerpt is None or not self.is_filled:
            return None
        pieces = self._excerpt.pieces
        number = bisect_right([piece.start for piece in pieces], span.start) - 1
        piece = pieces[number]
        if number < 0 or span.start > piece.start + len(piece.text):
            return None
        inside = span.start - piece.start
        row = self._rows[number] + span.line - piece.line
        begin = piece.text.rfind("\n", 0, inside) + 1
        end = piece.text.find("\n", begin)
        line = piece.text[begin : end if end >= 0 else None]
        place = (inside - begin, min(span.end - piece.start - begin, len(line)))
        ((first, last),) = in_utf16([place], line) if line else ((0, 0),)
        block = self.document().findBlockByNumber(row)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + first)
        cursor.setPosition(block.position() + max(first, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def mark(self, spans: Sequence[Span], telling: Span | None) -> None:
        """Mark places of the log, and the line that tells most."""
        self._marks = (spans, telling)
        selections = []
        line = self._selection(telling) if telling is not None else None
        if line is not None:
            line.clearSelection()
            whole = QTextEdit.ExtraSelection()
            whole.cursor = line
            whole.format.setBackground(theme.raised(self.palette()))
            whole.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selections.append(whole)
        background, foreground = theme.match(self.palette())
        for span in spans:
            cursor = self._selection(span)
            if cursor is not None:
                mark = QTextEdit.ExtraSelection()
                mark.cursor = cursor
                mark.format.setBackground(background)
                mark.format.setForeground(foreground)
                selections.append(mark)
        self.setExtraSelections(selections)

    def go_to(self, span: Span) -> bool:
        """Bring a place of the log into view, its line in the middle; False where it was left out."""
        cursor = self._selection(span)
        if cursor is None:
            return False
        cursor.setPosition(cursor.selectionStart())
        self.setTextCursor(cursor)
        self.centerCursor()
        self.horizontalScrollBar().setValue(0)
        self.ensureCursorVisible()
        return True

    @property
    def marked(self) -> list[str]:
        """The texts that are marked."""
        return [text for s in self.extraSelections() if (text := s.cursor.selectedText())]

    # --- painting ------------------------------------------------------------------------------------------------

    def number_of(self, row: int) -> str:
        """Return what stands in front of a row: the number of its line, nothing where a long line goes on."""
        if self._excerpt is None or not self._rows:
            return ""
        pieces = self._excerpt.pieces
        i = bisect_right(self._rows, row) - 1
        is_gap = i + 1 < len(self._rows) and not pieces[i + 1].follows and row == self._rows[i + 1] - 1
        goes_on = pieces[i].follows and row == self._rows[i]
        return "" if is_gap or goes_on else str(pieces[i].line + row - self._rows[i])

    def gutter_width(self) -> int:
        """Return how much room the numbers take."""
        if self._excerpt is None:
            return 0
        return self.fontMetrics().horizontalAdvance("0") * max(3, len(str(self._excerpt.lines))) + 2 * _MARGIN

    def _make_room(self) -> None:
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)
        self._place_gutter()

    def _place_gutter(self) -> None:
        area = self.contentsRect()
        self._gutter.setGeometry(QRect(area.left(), area.top(), self.gutter_width(), area.height()))

    def _on_update_request(self, area: QRect, moved: int) -> None:
        if moved:
            self._gutter.scroll(0, moved)
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the log, or what to do where there is none."""
        super().paintEvent(event)
        if self._excerpt is None and self._hint:
            font = QFont(QApplication.font())
            font.setPointSizeF(max(1.0, font.pointSizeF() + self._level))
            draw_hint(QPainter(self.viewport()), QRectF(self.viewport().rect()), self._hint, font, self.palette())

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Draw the numbers of the visible lines."""
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), theme.raised(self.palette()))
        painter.setFont(self.font())
        painter.setPen(QColor(theme.muted(self.palette())))
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= event.rect().bottom():
            height = self.blockBoundingRect(block).height()
            area = QRect(0, round(top), self._gutter.width() - _MARGIN, round(height))
            painter.drawText(area, Qt.AlignmentFlag.AlignRight, self.number_of(block.blockNumber()))
            block, top = block.next(), top + height

    # --- events ------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line numbers beside the text."""
        super().resizeEvent(event)
        self._place_gutter()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+V gives a new log."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste_requested.emit()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy, to select all and to give another log; Qt's own menu knows one language only."""
        menu = QMenu(self)
        copy = menu.addAction(tr("Copy"), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction(tr("Select all"), self.selectAll)
        menu.addSeparator()
        menu.addActions(list(self._menu_actions))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def zoom_to(self, level: int) -> None:
        """Show the text ``level`` points larger than usual."""
        self._level = level
        self.setFont(theme.fixed_font(max(1.0, self._points + level)))

    def changeEvent(self, event: QEvent) -> None:
        """Keep room for the line numbers in every size of text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_gutter"):
            self._make_room()


def _sliced(text: str) -> Iterator[str]:
    """Cut a text into pieces that take about as long to fill in."""
    most = _SLICE if text.isascii() else _SLICE_WIDE
    start = 0
    while start < len(text):
        end = start
        for _ in range(_SLICE_LINES):
            following = text.find("\n", end, start + most) + 1
            if not following:
                end = start + most
                break
            end = following
        yield text[start:end]
        start = end


def _gap(before: Piece, after: Piece) -> str:
    """Return what stands in place of what was left out between two pieces."""
    lines = after.line - before.line - before.text.count("\n") - 1
    if lines > 0:
        count = f"{lines:,}"
        left_out = tr("1 line left out") if lines == 1 else tr("{count} lines left out", count=count)
    else:
        characters = f"{after.start - before.start - len(before.text):,}"
        left_out = tr("{count} characters left out", count=characters)
    return f"⋯ {left_out} ⋯"


class _Gutter(QWidget):
    """The line numbers beside a log."""

    def __init__(self, view: LogView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self) -> QSize:
        return QSize(self._view.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(event)
