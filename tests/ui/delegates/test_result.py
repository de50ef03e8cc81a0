"""Rows of a diagnosis are drawn: readable, high enough, and nothing in them is markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QRect, QSize
from PySide6.QtGui import QImage, QPainter, QPalette, QTextDocument
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem

from ascend_kb.core.language import Bilingual
from ascend_kb.ui import theme
from ascend_kb.ui.delegates.result import ResultDelegate, html_of
from ascend_kb.ui.models.results import Part, ResultsModel, Row, RowKind
from tests.logs import SIGNED, UNKNOWN, answer
from tests.ui.delegates.test_match import contrast

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library
    from ascend_kb.core.diagnosis import Diagnosis

HOSTILE = '<h1>big</h1><img src="file:///etc/passwd">&lt;&amp;"\'</p><a href="x">y</a>'


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest, qtbot: QtBot) -> QPalette:
    return theme._palette(theme._LIGHT if request.param == "light" else theme._DARK)


def view(qtbot: QtBot, found: Diagnosis, width: int = 500) -> QListView:
    made, model = QListView(), ResultsModel()
    qtbot.addWidget(made)
    model.setParent(made)
    model.show(found)
    made.setModel(model)
    made.setItemDelegate(ResultDelegate(made))
    made.resize(width, 400)
    made.show()
    return made


def hint(shown: QListView, row: int) -> QSize:
    option = QStyleOptionViewItem()
    shown.initViewItemOption(option)
    return shown.itemDelegate().sizeHint(option, shown.model().index(row, 0))


def drawn(shown: QListView, row: int, palette: QPalette, *, chosen: bool = False) -> QImage:
    option = QStyleOptionViewItem()
    shown.initViewItemOption(option)
    option.palette = palette
    option.rect = QRect(0, 0, shown.viewport().width(), hint(shown, row).height())
    if chosen:
        option.state |= QStyle.StateFlag.State_Selected
    image = QImage(option.rect.size(), QImage.Format.Format_RGB32)
    image.fill(palette.color(QPalette.ColorRole.Base))
    painter = QPainter(image)
    shown.itemDelegate().paint(painter, option, shown.model().index(row, 0))
    painter.end()
    return image


def colours_in(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def text_of(html: str) -> str:
    document = QTextDocument()
    document.setHtml(html)
    return document.toPlainText()


@pytest.mark.parametrize("style", ["plain", "strong", "quiet", "marked", "differs", "place"])
@pytest.mark.parametrize("kind", [RowKind.MATCH, RowKind.DRAFT, RowKind.HEADING])
def test_nothing_in_a_row_is_markup(qtbot: QtBot, kind: RowKind, style: str) -> None:
    html = html_of(Row(kind, ((Part(HOSTILE, style),),)), QPalette(), chosen=False)
    assert text_of(html).replace("\xa0", " ") == HOSTILE
    document = QTextDocument()
    document.setHtml(html)
    assert "<img" not in document.toHtml()
    assert "<a " not in document.toHtml()


def test_a_hostile_title_is_drawn_as_text(qtbot: QtBot, library: Library) -> None:
    found = answer(library, SIGNED).diagnosis
    match = found.matches[0]._replace(title=Bilingual(HOSTILE, HOSTILE))
    plain = found.matches[0]._replace(title=Bilingual("x" * len(HOSTILE), "x" * len(HOSTILE)))
    heights = [hint(view(qtbot, found._replace(matches=(m,))), 0).height() for m in (match, plain)]
    assert abs(heights[0] - heights[1]) < 30  # no heading, no picture


def test_the_lines_of_a_draft_stand_as_they_are(qtbot: QtBot) -> None:
    row = Row(RowKind.DRAFT, ((Part("## Log"),), (Part("    indented  twice"),), (Part(""),), (Part("end"),)))
    assert text_of(html_of(row, QPalette(), chosen=False)) == "## Log\n    indented  twice\n\nend"


def test_short_parts_are_kept_together_and_long_ones_may_break(qtbot: QtBot) -> None:
    short = html_of(Row(RowKind.FACT, ((Part("a b", "marked"),),)), QPalette(), chosen=False)
    long = html_of(Row(RowKind.FACT, ((Part("a b" * 30, "marked"),),)), QPalette(), chosen=False)
    assert "a&nbsp;b" in short
    chinese = html_of(Row(RowKind.FACT, ((Part("kind"), Part("错误 x", "marked")),)), QPalette(), chosen=False)
    assert "错\u2060误&nbsp;x" in chinese
    assert "&nbsp;" not in long


def test_a_row_is_as_high_as_its_text_needs(qtbot: QtBot, library: Library) -> None:
    found = answer(library, SIGNED).diagnosis
    wide, narrow = view(qtbot, found, 1200), view(qtbot, found, 220)
    assert hint(narrow, 0).height() > hint(wide, 0).height()
    for shown in (wide, narrow):
        image = drawn(shown, 0, shown.palette())
        last = {image.pixelColor(x, image.height() - 1).name() for x in range(image.width())}
        assert len(last) == 1, "the text is cut off"


def test_marks_can_be_seen_on_plain_and_on_chosen_rows(qtbot: QtBot, library: Library, colours: QPalette) -> None:
    shown = view(qtbot, answer(library, SIGNED).diagnosis)
    background, _ = theme.match(colours)
    for chosen in (False, True):
        assert background.name() in colours_in(drawn(shown, 0, colours, chosen=chosen))


def test_quiet_and_warning_text_can_be_read(colours: QPalette) -> None:
    base = colours.color(QPalette.ColorRole.Base)
    assert contrast(theme.muted(colours), base) >= 4.5
    assert contrast(theme.warning(colours), base) >= 4.5


def test_on_a_chosen_row_no_colour_of_the_unchosen_is_left() -> None:
    row = Row(RowKind.MATCH, ((Part("a", "quiet"), Part("b", "differs"), Part("c", "place")),))
    palette = QPalette()
    for colour in (theme.muted(palette), theme.warning(palette)):
        assert colour.name() in html_of(row, palette, chosen=False)
        assert colour.name() not in html_of(row, palette, chosen=True)


def test_every_row_of_every_kind_is_drawn(qtbot: QtBot, library: Library, colours: QPalette) -> None:
    shown = view(qtbot, answer(library, UNKNOWN).diagnosis)
    for row in range(shown.model().rowCount()):
        assert len(colours_in(drawn(shown, row, colours))) > 1


def test_a_row_that_is_gone_has_a_height(qtbot: QtBot, library: Library) -> None:
    shown = view(qtbot, answer(library, SIGNED).diagnosis)
    option = QStyleOptionViewItem()
    shown.initViewItemOption(option)
    assert shown.itemDelegate().sizeHint(option, QModelIndex()).isValid()
