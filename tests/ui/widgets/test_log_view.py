"""The log view: every line under its number, marks where they belong, whatever the log is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from ascend_kb.core.diagnosis import Span
from ascend_kb.core.excerpt import WIDTH, Excerpt, Piece, excerpt
from ascend_kb.ui.widgets.log_view import _SLICE, _SLICE_LINES, LogView, _sliced
from tests.gui import CTRL, KEY

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def log(qtbot: QtBot) -> LogView:
    made = LogView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(qtbot: QtBot, log: LogView, shown: Excerpt | str) -> None:
    with qtbot.waitSignal(log.filled):
        log.show_excerpt(excerpt(shown, []) if isinstance(shown, str) else shown)


def span(text: str, found: str) -> Span:
    start = text.index(found)
    return Span(text.count("\n", 0, start) + 1, start, start + len(found))


def rows(log: LogView) -> list[tuple[str, str]]:
    """The number and text of each row."""
    lines = log.toPlainText().split("\n")
    return [(log.number_of(i), line) for i, line in enumerate(lines)]


def test_lines_stand_under_their_numbers(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "one\n\nthree\n")
    assert rows(log) == [("1", "one"), ("2", ""), ("3", "three")]


def test_a_long_line_goes_on_without_a_number(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "first\n" + "x" * (WIDTH + 3) + "\nlast")
    assert rows(log) == [("1", "first"), ("2", "x" * WIDTH), ("", "xxx"), ("3", "last")]


def test_what_is_left_out_is_said(qtbot: QtBot, log: LogView) -> None:
    pieces = (Piece(1, 0, "a\nb"), Piece(1005, 5000, "c"), Piece(1007, 5100, "d"), Piece(1007, 5150, "e"))
    show(qtbot, log, Excerpt(pieces, 2000, is_whole=False))
    assert rows(log) == [
        ("1", "a"), ("2", "b"), ("", "⋯ 1,002 lines left out ⋯"), ("1005", "c"), ("", "⋯ 1 line left out ⋯"),
        ("1007", "d"), ("", "⋯ 49 characters left out ⋯"), ("1007", "e"),
    ]  # fmt: skip


def test_marks_stand_where_the_log_has_them(qtbot: QtBot, log: LogView) -> None:
    text = "first 😀😀 line\n错误 e\u0301e\u0301e\u0301 code 507035 \u05d0\u05d1 end\n"
    show(qtbot, log, text)
    log.mark([span(text, "507035"), span(text, "line"), span(text, "\u05d1 e")], None)
    assert log.marked == ["507035", "line", "\u05d1 e"]


def test_marks_stand_in_broken_lines_and_after_gaps(qtbot: QtBot, log: LogView) -> None:
    text = "x" * (2 * WIDTH) + "HERE" + "x" * 50 + "\nnext THERE"
    show(qtbot, log, text)
    log.mark([span(text, "HERE"), span(text, "THERE")], None)
    assert log.marked == ["HERE", "THERE"]
    show(qtbot, log, Excerpt((Piece(1, 0, "a\nb"), Piece(9, 500, "far AWAY")), 9, is_whole=False))
    log.mark([Span(9, 504, 508), Span(1, 0, 1)], None)
    assert log.marked == ["AWAY", "a"]


def test_places_that_are_left_out_are_not_marked(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, Excerpt((Piece(1, 0, "a"), Piece(9, 500, "b")), 9, is_whole=False))
    log.mark([Span(4, 100, 105)], Span(4, 100, 105))
    assert log.marked == []
    assert not log.go_to(Span(4, 100, 105))
    assert log.go_to(Span(9, 500, 501))
    assert log.textCursor().block().text() == "b"


def test_a_span_over_lines_is_marked_in_its_first(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "abc\ndef")
    log.mark([Span(1, 1, 6)], None)
    assert log.marked == ["bc"]


def test_marks_asked_for_while_a_log_is_filled_in_are_made_after(qtbot: QtBot, log: LogView) -> None:
    text = "line\n" * 5 * _SLICE_LINES + "end"
    with qtbot.waitSignal(log.filled):
        log.show_excerpt(excerpt(text, []))
        assert not log.is_filled
        log.mark([span(text, "end")], None)
        assert log.marked == []
    assert log.is_filled
    assert log.marked == ["end"]


def test_another_log_takes_the_place_of_one_that_is_filled_in(qtbot: QtBot, log: LogView) -> None:
    log.show_excerpt(excerpt("old\n" * 9 * _SLICE_LINES, []))
    show(qtbot, log, "new\n")
    assert rows(log) == [("1", "new")]
    log.show_excerpt(excerpt("old\n" * 9 * _SLICE_LINES, []))
    log.show_excerpt(None)
    assert log.is_filled
    QApplication.processEvents()
    assert log.toPlainText() == ""
    assert log.gutter_width() == 0


def test_a_place_is_brought_into_view(qtbot: QtBot, log: LogView) -> None:
    text = "".join(f"line {i} {'.' * 400} end{i}\n" for i in range(3000))
    show(qtbot, log, text)
    assert log.go_to(span(text, "line 2500"))
    block = log.firstVisibleBlock().blockNumber()
    assert 2480 < block < 2500
    assert log.horizontalScrollBar().value() == 0
    assert log.go_to(span(text, "end2500"))
    assert log.horizontalScrollBar().value() > 0


@pytest.mark.parametrize(
    "text",
    ["", "\n", "a", "\x01\x02\x7f\ufffd", "\x0b\x0c\x1c\x85", "\ufdd0\ufdd1\ufffc", "\u202e\u2066rtl", "é" * 9999],
)
def test_every_character_keeps_its_place(qtbot: QtBot, log: LogView, text: str) -> None:
    whole = text + "\nMARK"
    show(qtbot, log, whole)
    log.mark([span(whole, "MARK")], None)
    assert log.marked == ["MARK"]
    assert rows(log)[-1] == ("2" if text != "\n" else "3", "MARK")


@pytest.mark.parametrize(
    "text", ["", "a", "ab\n" * 5000, "x" * (3 * _SLICE + 5), "错\n" * 700 + "x" * 9000, "\n" * 5000]
)
def test_slices_are_the_text_and_short(text: str) -> None:
    slices = list(_sliced(text))
    assert "".join(slices) == text
    assert all(len(piece) <= _SLICE and piece.count("\n") <= _SLICE_LINES for piece in slices)


def test_the_numbers_have_room_in_every_size_of_text(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "x\n" * 12_345)
    before = log.viewportMargins().left()
    assert before == log.gutter_width() > 0
    log.zoom_to(6)
    assert log.viewportMargins().left() == log.gutter_width() > before
    log.zoom_to(0)
    assert log.viewportMargins().left() == before
    font = QFont(log.font())
    font.setPointSizeF(font.pointSizeF() * 2)
    log.setFont(font)
    assert log.viewportMargins().left() == log.gutter_width() > before


def test_numbers_are_painted_beside_the_lines(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "x\ny\n")
    area = log.grab().toImage()
    left = {area.pixelColor(x, y).name() for x in range(log.gutter_width()) for y in range(40)}
    assert len(left) > 1


def test_paste_asks_for_another_log_and_letters_change_nothing(qtbot: QtBot, log: LogView) -> None:
    show(qtbot, log, "one\n")
    log.setFocus()
    with qtbot.waitSignal(log.paste_requested):
        QTest.keyClick(log, KEY.Key_V, CTRL)
    QTest.keyClicks(log, "abc")
    QTest.keyClick(log, KEY.Key_Delete)
    assert log.toPlainText() == "one"


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)", extend=True)
def test_the_menu_copies_and_offers_another_log(qtbot: QtBot, log: LogView) -> None:
    log.offer([QAction("Open a log", log)])
    show(qtbot, log, "one\n")
    for has_selection in (False, True):
        if has_selection:
            log.selectAll()
        place = QPoint(5, 5)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, log.mapToGlobal(place))
        QApplication.sendEvent(log.viewport(), event)
        (menu,) = log.findChildren(QMenu)
        entries = {action.text(): action for action in menu.actions()}
        assert list(entries) == ["Copy", "Select all", "", "Open a log"]
        assert entries["Copy"].isEnabled() is has_selection
        menu.close()
        QApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
        assert log.findChildren(QMenu) == []


def test_tab_leaves_the_log(qtbot: QtBot, log: LogView) -> None:
    assert log.tabChangesFocus()
    assert log.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
