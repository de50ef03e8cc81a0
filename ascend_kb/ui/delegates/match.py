"""Draws the text of a cell with what the search found marked in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ascend_kb.ui import theme
from ascend_kb.ui.models.cards import MATCHES_ROLE, RELATED_ROLE

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QPainter


class MatchDelegate(QStyledItemDelegate):
    """Marks the places that ``MATCHES_ROLE`` gives; rows that are no answer are drawn in the colour of quiet text."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Take what the model says of a cell."""
        super().initStyleOption(option, index)
        if index.data(RELATED_ROLE):
            option.palette.setColor(QPalette.ColorRole.Text, theme.muted(option.palette))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a cell."""
        places = index.data(MATCHES_ROLE)
        if not places:
            super().paint(painter, option, index)
            return
        cell = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        text, cell.text = cell.text, ""
        style = cell.widget.style() if cell.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, cell.widget)
        area = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, cell, cell.widget)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, cell.widget) + 1
        area.adjust(margin, 0, -margin, 0)
        shown = cell.fontMetrics.elidedText(text, cell.textElideMode, area.width())
        layout = QTextLayout(shown, cell.font)
        option_of_text = QTextOption()
        option_of_text.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option_of_text)
        layout.setFormats(_ranges(places, text, shown, cell.palette))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        chosen = bool(cell.state & QStyle.StateFlag.State_Selected)
        group = (
            QPalette.ColorGroup.Active if cell.state & QStyle.StateFlag.State_Active else QPalette.ColorGroup.Inactive
        )
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        painter.save()
        painter.setClipRect(area)
        painter.setPen(cell.palette.color(group, role))
        layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2))
        painter.restore()


def _ranges(
    places: tuple[tuple[int, int], ...], text: str, shown: str, palette: QPalette
) -> list[QTextLayout.FormatRange]:
    """Return the marks of the part of the text that is shown."""
    kept = len(shown.encode("utf-16-le", "surrogatepass")) // 2 - (shown != text)  # without the sign of the cut
    background, foreground = theme.match(palette)
    found = []
    for start, end in places:
        if start < kept:
            mark = QTextLayout.FormatRange()
            mark.start, mark.length = start, min(end, kept) - start
            mark.format = QTextCharFormat()
            mark.format.setBackground(background)
            mark.format.setForeground(foreground)
            found.append(mark)
    return found
