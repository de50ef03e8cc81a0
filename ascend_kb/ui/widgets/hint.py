"""What to do in an empty pane: lines in the middle of a frame that something can be dropped into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPalette, QPen

from ascend_kb.ui import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

_AROUND = 16  # pixels around the frame, and within it around the text
_LARGE = 1.25  # of the first line
_ABOVE = 0.4  # share of the free room


def draw_hint(painter: QPainter, room: QRectF, lines: Sequence[str], font: QFont, palette: QPalette) -> None:
    """Draw lines; the first stands out. Where there are more, they say what can be dropped into the frame around."""
    muted = theme.muted(palette)
    frame = room.adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if len(lines) > 1:
        painter.setPen(QPen(muted, 1, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(frame, 8, 8)
    large = QFont(font)
    large.setPointSizeF(font.pointSizeF() * _LARGE)
    large.setBold(True)
    styles = [(large, palette.color(QPalette.ColorRole.Text)), *[(font, muted)] * (len(lines) - 1)]
    inner = frame.adjusted(_AROUND, _AROUND, -_AROUND, -_AROUND)
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
    heights = [
        QFontMetricsF(used).boundingRect(inner, flags, line).height() + _AROUND / 2
        for (used, _colour), line in zip(styles, lines, strict=True)
    ]
    top = inner.top() + max(0.0, inner.height() - sum(heights)) * _ABOVE
    for (used, colour), line, height in zip(styles, lines, heights, strict=True):
        painter.setFont(used)
        painter.setPen(colour)
        painter.drawText(QRectF(inner.left(), top, inner.width(), height), int(flags), line)
        top += height
