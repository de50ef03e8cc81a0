"""Draws the rows of a diagnosis: lines of styled text that wrap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QAbstractTextDocumentLayout, QPalette, QTextDocument
from PySide6.QtWidgets import QApplication, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ascend_kb.ui import theme
from ascend_kb.ui.models.results import ROW_ROLE, Part, Row, RowKind, kind_names

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QPainter

_SIDE, _ABOVE = 10, 5  # pixels around the text of a row
_UNBROKEN = 40  # characters of a part that is kept on one line
_KEPT = 200  # rows whose layout is kept
_INDENT = 14  # pixels of what stands below a heading
_BETWEEN_WIDE = re.compile(r"(?<=[^\x00-\xff])(?=[^\x00-\xff])")  # where Chinese may break
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


class ResultDelegate(QStyledItemDelegate):
    """Draws a Row."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._documents: dict[tuple[Any, ...], QTextDocument] = {}

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a row."""
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        cell.text = ""
        row: Row = index.data(ROW_ROLE)
        cell.palette.setCurrentColorGroup(QPalette.ColorGroup.Active)
        cell.state |= QStyle.StateFlag.State_Active  # the choice stays to be seen while the text has the focus
        style = cell.widget.style() if cell.widget is not None else QApplication.style()
        if row.kind is not RowKind.HEADING:
            style.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, cell.widget)
        chosen = bool(cell.state & QStyle.StateFlag.State_Selected)
        document = self._document(row, cell, chosen=chosen)
        painter.save()
        painter.translate(QPointF(cell.rect.left() + _left(row), cell.rect.top() + _top(row)))
        painter.setClipRect(QRectF(0, 0, document.textWidth(), cell.rect.height()))
        context = QAbstractTextDocumentLayout.PaintContext()
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        context.palette.setColor(QPalette.ColorRole.Text, cell.palette.color(QPalette.ColorGroup.Active, role))
        document.documentLayout().draw(painter, context)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the height that the text of a row needs in the width of the view."""
        row: Row | None = index.data(ROW_ROLE)
        if row is None:
            return super().sizeHint(option, index)
        height = self._document(row, option, chosen=False).size().height()
        return QSize(80, round(height) + _top(row) + _below(row))

    def _document(self, row: Row, option: QStyleOptionViewItem, *, chosen: bool) -> QTextDocument:
        """Return a row laid out in the width of the view; views ask for the same row many times."""
        width = max(60, self._view.viewport().width() - _left(row) - _SIDE)
        wanted = (row, width, option.font.key(), option.palette.cacheKey(), chosen)
        document = self._documents.get(wanted)
        if document is None:
            if len(self._documents) >= _KEPT:
                self._documents.clear()
            document = self._documents[wanted] = self._laid_out(row, option, width, chosen=chosen)
        return document

    def _laid_out(self, row: Row, option: QStyleOptionViewItem, width: int, *, chosen: bool) -> QTextDocument:
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(option.font)
        column = 0
        if row.kind is RowKind.FACT:
            column = max(map(option.fontMetrics.horizontalAdvance, kind_names().values())) + _INDENT
        document.setHtml(html_of(row, option.palette, chosen=chosen, column=column))
        document.setTextWidth(width)
        return document


def _left(row: Row) -> int:
    return _SIDE if row.kind is RowKind.HEADING else _SIDE + _INDENT


def _top(row: Row) -> int:
    return {RowKind.HEADING: 3 * _ABOVE, RowKind.FACT: _ABOVE // 2}.get(row.kind, _ABOVE)


def _below(row: Row) -> int:
    return _ABOVE // 2 if row.kind is RowKind.FACT else _ABOVE


def _html_of(part: Part, style: str, *, is_first: bool) -> str:
    """Return a part with the gap before it; short parts are not broken, and what belongs together stands together."""
    text = part.text.translate(_ESCAPES)
    if part.style in ("marked", "place", "strong") and len(part.text) <= _UNBROKEN:
        text = _BETWEEN_WIDE.sub("\u2060", text).replace(" ", "&nbsp;")
    gap = "" if is_first else "&nbsp;" if part.style == "place" else " &nbsp; "
    return f'{gap}<span style="{style}">{text}</span>'


def html_of(row: Row, palette: QPalette, *, chosen: bool, column: int = 0) -> str:
    """Return a row as HTML; every text of it is escaped. The kinds of facts stand in a column of this width."""
    quiet = theme.muted(palette).name()
    background, foreground = (colour.name() for colour in theme.match(palette))
    styles = {
        "plain": "",
        "strong": "font-weight:600",
        "quiet": "" if chosen else f"color:{quiet}",
        "place": "" if chosen else f"color:{quiet}",
        "marked": f"background-color:{background};color:{foreground}",
        "differs": "" if chosen else f"color:{theme.warning(palette).name()}",
    }
    if row.kind is RowKind.DRAFT:
        text = "\n".join(part.text for line in row.lines for part in line)
        return f'<pre style="white-space:pre-wrap;margin:0">{text.translate(_ESCAPES)}</pre>'
    if row.kind is RowKind.FACT:
        kind, *rest = row.lines[0]
        said = "".join(_html_of(part, styles[part.style], is_first=part is rest[0]) for part in rest)
        first = _html_of(kind, styles[kind.style], is_first=True)
        return (
            f'<table cellspacing="0" cellpadding="0"><tr><td width="{column}">{first}</td><td>{said}</td></tr></table>'
        )
    lines = []
    for i, line in enumerate(row.lines):
        parts = "".join(_html_of(part, styles[part.style], is_first=part is line[0]) for part in line)
        lines.append(f'<p style="margin:{4 if i else 0}px 0 0 0;line-height:125%">{parts}</p>')
    return "".join(lines)
