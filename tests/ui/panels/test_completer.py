"""The list under the search box helps and never takes a key that belongs to typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ascend_kb.app.completion import Completions, Item
from ascend_kb.ui.panels.completer import Completer
from ascend_kb.ui.panels.search import SearchBox

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

KEY = Qt.Key
VALUES = (Item("tag:hook", "API hooking", 7), Item("tag:docs", "", 0), Item("tag:fft", "FFT", None))


class Bench:
    """A window with a box and what it asked for."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.box = SearchBox()
        layout = QVBoxLayout(self.window)
        layout.addWidget(self.box)
        layout.addStretch(1)
        self.completer = Completer(self.box)
        self.asked: list[tuple[str, int, bool]] = []
        self.recent_asked = 0
        self.completer.wanted.connect(lambda *what: self.asked.append(what))
        self.completer.recent_wanted.connect(self._on_recent)
        self.window.resize(500, 300)
        self.window.show()
        self.window.activateWindow()
        self.box.setFocus()
        qtbot.waitUntil(self.box.hasFocus)

    def _on_recent(self) -> None:
        self.recent_asked += 1

    def offer(
        self, text: str, start: int, *items: Item, is_value: bool = True, asked: bool = False, total: int = 0
    ) -> None:
        self.box.setText(text)
        found = Completions(start, len(text), items, total or len(items), is_value)
        self.completer.show_completions(text, found, asked=asked)

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.box, key)

    def rows(self) -> list[list[str]]:
        listed = self.completer.popup.list
        items = (listed.topLevelItem(row) for row in range(listed.topLevelItemCount()))
        return [[item.text(column) for column in range(3)] for item in items if item is not None]


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_typing_asks_and_says_where_the_cursor_is(bench: Bench) -> None:
    QTest.keyClicks(bench.box, "re")
    assert bench.asked == [("r", 1, False), ("re", 2, False)]
    bench.box.setText("by program")
    assert len(bench.asked) == 2


def test_rows_show_text_meaning_and_number(bench: Bench) -> None:
    bench.offer("误报 tag:", 3, *VALUES)
    assert bench.completer.is_open
    assert bench.rows() == [["tag:hook", "API hooking", "7"], ["tag:docs", "", "0"], ["tag:fft", "FFT", ""]]
    assert bench.box.hasFocus()
    popup, box = bench.completer.popup, bench.box
    assert popup.y() >= box.mapTo(bench.window, QPoint(0, box.height())).y()
    assert bench.window.rect().contains(popup.geometry().topRight())


@pytest.mark.parametrize(
    ("steps", "text"), [(0, "tag:hook"), (1, "tag:docs"), (2, "tag:fft"), (3, "tag:hook"), (-1, "tag:fft")]
)
@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Tab, KEY.Key_Enter])
def test_arrows_choose_and_a_key_inserts(bench: Bench, steps: int, text: str, key: Qt.Key) -> None:
    bench.offer("误报 tag:", 3, *VALUES)
    for _ in range(abs(steps)):
        bench.press(KEY.Key_Down if steps > 0 else KEY.Key_Up)
    bench.press(key)
    assert bench.box.text() == f"误报 {text} "
    assert not bench.completer.is_open
    assert bench.box.hasFocus()
    bench.box.undo()
    assert bench.box.text() == "误报 tag:"


def test_a_click_inserts_and_the_rest_of_the_query_stays(bench: Bench, qtbot: QtBot) -> None:
    bench.box.setText("tag:h 误报")
    bench.completer.show_completions("tag:h 误报", Completions(0, 5, VALUES, 3, is_value=True), asked=False)
    listed = bench.completer.popup.list
    place = listed.visualItemRect(listed.topLevelItem(1)).center()  # type: ignore[arg-type]
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert bench.box.text() == "tag:docs 误报"
    assert bench.box.hasFocus()


def test_a_field_goes_on_to_its_values(bench: Bench) -> None:
    bench.offer("ta", 0, Item("tag:", "tag"), is_value=False)
    bench.press(KEY.Key_Tab)
    assert bench.box.text() == "tag:"
    assert bench.asked[-1] == ("tag:", 4, True)


def test_fields_that_nobody_asked_for_take_no_arrow_and_no_enter(bench: Bench) -> None:
    for key in (KEY.Key_Down, KEY.Key_Up, KEY.Key_PageDown, KEY.Key_Return):
        bench.offer("re", 0, Item("repo:", "repo"), is_value=False)
        assert bench.completer.is_open
        assert bench.completer.popup.current() == -1
        bench.press(key)
        assert bench.box.text() == "re"
        assert not bench.completer.is_open


def test_letters_go_on_to_the_box(bench: Bench) -> None:
    bench.offer("tag:", 0, *VALUES)
    QTest.keyClicks(bench.box, "h o")
    assert bench.box.text() == "tag:h o"
    assert bench.asked[-1] == ("tag:h o", 7, False)


def test_escape_closes_and_leaves_the_text(bench: Bench) -> None:
    bench.offer("tag:", 0, *VALUES)
    bench.press(KEY.Key_Escape)
    assert not bench.completer.is_open
    assert bench.box.text() == "tag:"


def test_an_answer_that_comes_too_late_is_dropped(bench: Bench) -> None:
    bench.box.setText("tag:x")
    bench.completer.show_completions("tag:", Completions(0, 4, VALUES, 3, is_value=True), asked=False)
    assert not bench.completer.is_open
    bench.offer("tag:", 0, *VALUES)
    bench.box.setText("gone on")
    bench.press(KEY.Key_Tab)
    assert bench.box.text() == "gone on"


def test_what_is_typed_already_is_not_offered(bench: Bench) -> None:
    bench.offer("tag:hook", 0, VALUES[0])
    assert not bench.completer.is_open
    bench.offer("tag:hook", 0, VALUES[0], Item("tag:hooks", "", 1))
    bench.press(KEY.Key_Return)
    assert bench.box.text() == "tag:hook"


def test_nothing_is_offered_where_the_focus_has_gone(bench: Bench) -> None:
    bench.offer("tag:", 0, *VALUES)
    bench.box.clearFocus()
    assert not bench.completer.is_open
    bench.offer("tag:", 0, *VALUES)
    assert not bench.completer.is_open


def test_a_list_that_was_cut_says_so(bench: Bench) -> None:
    bench.offer("tag:", 0, *VALUES, total=70)
    assert bench.completer.popup._note.text() == "first 3 of 70"
    bench.offer("tag:", 0, *VALUES)
    assert bench.completer.popup._note.text() == ""


def test_recent_searches_are_offered_in_the_empty_box_only(bench: Bench) -> None:
    bench.press(KEY.Key_Down)
    assert bench.recent_asked == 0
    bench.completer.has_recent = True
    bench.press(KEY.Key_Down)
    bench.completer.ask()
    assert bench.recent_asked == 2
    bench.completer.show_recent(["误报 tag:hook", "b"])
    bench.press(KEY.Key_Down)
    bench.press(KEY.Key_Up)
    bench.press(KEY.Key_Return)
    assert bench.box.text().strip() == "误报 tag:hook"
    bench.completer.ask()
    assert bench.recent_asked == 2
    assert bench.asked[-1][2] is True


def test_the_list_scrolls_page_by_page(bench: Bench) -> None:
    items = tuple(Item(f"pr:{number}", "", 1) for number in range(40))
    bench.offer("pr:", 0, *items)
    for key, row in ((KEY.Key_PageDown, 9), (KEY.Key_PageDown, 18), (KEY.Key_PageUp, 9), (KEY.Key_PageUp, 0)):
        bench.press(key)
        assert bench.completer.popup.current() == row
