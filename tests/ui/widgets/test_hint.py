"""What an empty pane says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from ascend_kb.ui import theme
from ascend_kb.ui.widgets.hint import draw_hint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot


def drawn(lines: Sequence[str], width: int, palette: QPalette) -> QImage:
    image = QImage(width, 300, QImage.Format.Format_RGB32)
    image.fill(palette.color(QPalette.ColorRole.Base))
    painter = QPainter(image)
    draw_hint(painter, QRectF(image.rect()), lines, QApplication.font(), palette)
    painter.end()
    return image


def rows_with_text(image: QImage, palette: QPalette) -> list[int]:
    base = palette.color(QPalette.ColorRole.Base)
    inner = range(40, image.width() - 40)
    return [y for y in range(30, 270) if any(image.pixelColor(x, y) != base for x in inner)]


@pytest.mark.parametrize("colours", [theme._LIGHT, theme._DARK])
def test_lines_stand_in_the_middle_and_wrap_where_there_is_little_room(qtbot: QtBot, colours: object) -> None:
    palette = theme._palette(colours)  # type: ignore[arg-type]
    lines = ("What to do", "and a longer line that says more about it")
    wide, narrow = (rows_with_text(drawn(lines, width, palette), palette) for width in (600, 160))
    assert 60 < wide[0] < 150
    assert len(narrow) > len(wide) > 10
    assert rows_with_text(drawn(("What to do",), 600, palette), palette)[-1] < wide[-1]
