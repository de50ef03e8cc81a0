"""Matches are drawn in the table: readable, in both sets of colours, whatever is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QTableView

from ascend_kb.core.query import SearchQuery
from ascend_kb.ui import theme
from ascend_kb.ui.delegates.match import MatchDelegate, _ranges
from ascend_kb.ui.models.cards import MATCHES_ROLE, PAGE, RELATED_ROLE, CardTableModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library


def luminance(colour: QColor) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.03928 else float(((c + 0.055) / 1.055) ** 2.4)
        for c in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: QColor, second: QColor) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest, qtbot: QtBot) -> QPalette:
    return theme._palette(theme._LIGHT if request.param == "light" else theme._DARK)


def model(library: Library, text: str) -> CardTableModel:
    made = CardTableModel(str)
    selection = library.select(SearchQuery(text))
    made.show(selection, selection.rows(0, PAGE))
    return made


def test_a_mark_can_be_read_and_seen(colours: QPalette) -> None:
    background, text = theme.match(colours)
    assert contrast(background, text) >= 4.5
    assert background != colours.color(QPalette.ColorRole.Base)
    assert background != colours.color(QPalette.ColorRole.Highlight)


def test_the_model_says_where_the_terms_stand(library: Library) -> None:
    found = model(library, "HOOK")
    marked = 0
    for row in range(found.rowCount()):
        for column in (0, 1):
            index = found.index(row, column)
            for start, end in index.data(MATCHES_ROLE):
                assert index.data()[start:end] in ("hook", "Hook")
                marked += 1
        assert not found.index(row, 2).data(MATCHES_ROLE)
        assert index.data(RELATED_ROLE) is False
    assert marked
    assert model(library, "").index(0, 1).data(MATCHES_ROLE) == ()


def test_rows_of_a_refused_query_are_related(library: Library) -> None:
    found = model(library, "内存检测误报了应该怎么处理呢")
    assert found.selection is not None
    assert found.selection.refused
    index = found.index(0, 1)
    assert index.data(RELATED_ROLE) is True
    assert index.data().startswith("≈ ")


@pytest.mark.parametrize("state", [QStyle.StateFlag.State_Enabled, QStyle.StateFlag.State_Selected])
@pytest.mark.parametrize("width", [400, 60, 8])
def test_a_cell_is_drawn_with_its_mark(
    qtbot: QtBot, library: Library, colours: QPalette, state: QStyle.StateFlag, width: int
) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    cells = model(library, "hook")
    table.setModel(cells)
    delegate = MatchDelegate(table)
    image = QImage(width, 24, QImage.Format.Format_RGB32)
    image.fill(colours.color(QPalette.ColorRole.Base))
    option = QStyleOptionViewItem()
    option.initFrom(table)
    option.widget = table
    option.palette = colours
    option.rect = image.rect()
    option.state = state | QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Active
    option.font = table.font()
    row = next(r for r in range(cells.rowCount()) if cells.index(r, 1).data(MATCHES_ROLE))
    painter = QPainter(image)
    delegate.paint(painter, option, cells.index(row, 1))
    painter.end()
    background = theme.match(colours)[0]
    seen = {image.pixelColor(x, y).name() for x in range(width) for y in range(24)}
    first = cells.index(row, 1).data(MATCHES_ROLE)[0][0]
    fits = table.fontMetrics().horizontalAdvance(cells.index(row, 1).data()[: first + 4]) < width - 20
    assert (background.name() in seen) or not fits


def test_marks_end_where_the_text_is_cut(colours: QPalette) -> None:
    marks = _ranges(((0, 2), (4, 9), (12, 14)), "abcdefghijklmnop", "abcdef…", colours)
    assert [(mark.start, mark.length) for mark in marks] == [(0, 2), (4, 2)]
    whole = _ranges(((0, 2), (4, 9)), "abcdefghi", "abcdefghi", colours)
    assert [(mark.start, mark.length) for mark in whole] == [(0, 2), (4, 5)]


@pytest.mark.parametrize(
    ("text", "places", "marked"),
    [
        ("one hook two", ((4, 8),), [("one ", "hook")]),
        ("误报 hook", ((0, 2), (3, 7)), [("", "误报"), ("误报 ", "hook")]),
        ("\U0001d11e hook", ((3, 7),), [("\U0001d11e ", "hook")]),  # a character that counts as two
    ],
)
def test_a_mark_lies_over_its_letters(
    qtbot: QtBot, colours: QPalette, text: str, places: tuple[tuple[int, int], ...], marked: list[tuple[str, str]]
) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    cells = QStandardItemModel(1, 1)
    cells.setItem(0, 0, QStandardItem(text))
    cells.item(0, 0).setData(places, MATCHES_ROLE)
    image = QImage(400, 24, QImage.Format.Format_RGB32)
    image.fill(colours.color(QPalette.ColorRole.Base))
    option = QStyleOptionViewItem()
    option.initFrom(table)
    option.widget = table
    option.palette = colours
    option.rect = image.rect()
    painter = QPainter(image)
    MatchDelegate(table).paint(painter, option, cells.index(0, 0))
    painter.end()
    background = theme.match(colours)[0].name()
    seen = [x for x in range(image.width()) if background in {image.pixelColor(x, y).name() for y in range(24)}]
    left = table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, table) + 1
    advance = table.fontMetrics().horizontalAdvance
    wanted = [
        x for before, mark in marked for x in range(left + advance(before), left + advance(before) + advance(mark))
    ]
    assert len(set(seen) ^ set(wanted)) <= 2 * len(marked)  # a pixel at each end
