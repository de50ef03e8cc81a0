"""Searching with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ascend_kb.core.query import Facet, Filter, SearchQuery
from tests.gui import ALT, CTRL, KEY, SHIFT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ascend_kb.app.library import Library
    from tests.gui import Desk

HOSTILE = (
    "park.", "torch.compile", "CANN 8.3.RC2", "=", "\\", "a/b", "op-plugin", "#40", "-x", "a - b", "don't", "'", "''",
    '"', '"a', 'a"b', "(", ")", "((a", "NEAR(", "AND", "OR", "NOT", "a AND", "*", "a*", "^a", "{a}", "%", "_", "100%",
    "foo%bar", "\t", "\u3000", "[", "]", "|", ";", "--", "\ud800", "𝒳", "e\u0301", "<b>", "&amp;", "{x}", "{0}", "%s",
)  # fmt: skip


def widget(desk: Desk, name: str) -> QWidget:
    window = desk.window
    return {
        "table": window.cards.table,
        "tree": window.library,
        "text": window.detail.browser,
        "search box": window.search.box,
        "copy button": window.detail.copy_button,
        "chip": desk.chips[0],
    }[name]


@pytest.mark.parametrize("place", ["table", "tree", "text", "search box", "copy button", "chip"])
def test_typing_starts_a_search_wherever_the_focus_is(desk: Desk, place: str) -> None:
    desk.click_filter(Filter(Facet.REPO, "msopcom"))
    widget(desk, place).setFocus(Qt.FocusReason.TabFocusReason)
    assert QApplication.focusWidget() is widget(desk, place)
    desk.type("mallochost")
    assert desk.window.search.box.text() == "repo:msopcom mallochost"
    assert QApplication.focusWidget() is desk.window.search.box
    assert desk.listed()[0] == desk.shown == "msopcom#20"


@pytest.mark.parametrize("place", ["tree", "text", "copy button"])
def test_a_blank_keeps_its_meaning_outside_the_search_box(desk: Desk, place: str) -> None:
    desk.click_filter(Filter(Facet.REPO, "msopcom"))
    widget(desk, place).setFocus(Qt.FocusReason.TabFocusReason)
    desk.press(KEY.Key_Space)
    assert desk.words == ""


@pytest.mark.parametrize("modifier", [CTRL, ALT])
def test_a_letter_with_control_or_alt_is_no_search(desk: Desk, modifier: Qt.KeyboardModifier) -> None:
    desk.window.cards.table.setFocus()
    desk.press(KEY.Key_J, modifier)
    assert desk.window.search.box.text() == ""


@pytest.mark.parametrize("text", ["误报", "内", "算子 精度", "精度\u3000算子"])
def test_chinese_from_an_input_method_is_found_as_the_library_finds_it(desk: Desk, library: Library, text: str) -> None:
    desk.window.search.box.setFocus()
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(desk.window.search.box, event)
    desk.settle()
    expected = [str(row.key) for row in library.select(SearchQuery(text)).rows(0, 100)]
    assert 0 < len(expected) < 50
    assert desk.listed() == expected
    assert desk.shown == expected[0]


def test_no_text_is_an_error(desk: Desk, library: Library) -> None:
    for text in HOSTILE:
        desk.search(text)
        expected = [str(row.key) for row in library.select(SearchQuery(desk.window.search.box.text())).rows(0, 100)]
        assert desk.listed() == expected, text
        assert desk.window.message_bar.isHidden(), text


def test_the_last_key_wins_however_fast_one_types(desk: Desk, library: Library) -> None:
    for character in "aclrtmallochostzz":
        QTest.keyClicks(desk.window.search.box, character)
    QTest.keyClick(desk.window.search.box, KEY.Key_Backspace)
    QTest.keyClick(desk.window.search.box, KEY.Key_Backspace)
    desk.settle()
    assert desk.listed() == [str(row.key) for row in library.select(SearchQuery("aclrtmallochost")).rows(0, 100)]
    assert desk.listed()[0] == desk.shown == "msopcom#20"


def test_a_key_puts_its_card_first(desk: Desk) -> None:
    for text in ("op-plugin#40", "opl#40"):
        desk.search(text)
        assert desk.listed()[0] == desk.shown == "op-plugin#40"


def test_rows_that_match_in_part_are_marked_and_counted(desk: Desk, library: Library) -> None:
    text = "算子精度比对失败"
    selection = library.select(SearchQuery(text))
    partial = selection.total - selection.full
    assert partial > 0 < selection.left_out
    desk.search(text)
    model = desk.window.cards.cards
    titles = [model.index(row, 1).data() for row in range(model.rowCount())]
    assert sum(title.startswith("≈ ") for title in titles) == partial
    assert desk.window.cards.heading.text().endswith(f"first {partial} of {partial + selection.left_out} match in part")


def test_arrows_in_the_search_box_move_the_selection_and_the_text_follows(desk: Desk) -> None:
    keys = desk.listed()
    desk.window.search.box.setFocus()
    for key, row in (
        (KEY.Key_Down, 1),
        (KEY.Key_Down, 2),
        (KEY.Key_Up, 1),
        (KEY.Key_PageDown, 11),
        (KEY.Key_PageUp, 1),
        (KEY.Key_PageUp, 0),
        (KEY.Key_Up, 0),
        *[(KEY.Key_PageDown, row) for row in (10, 20, 30, 40, 49)],
        (KEY.Key_Down, 49),
    ):
        desk.press(key)
        assert (desk.selected(), desk.shown) == ([keys[row]], keys[row])
    assert QApplication.focusWidget() is desk.window.search.box
    assert desk.is_selected_row_visible


def test_alt_and_arrows_move_the_selection_from_anywhere(desk: Desk) -> None:
    keys = desk.listed()
    desk.window.detail.browser.setFocus()
    desk.press(KEY.Key_Down, ALT)
    desk.press(KEY.Key_Down, ALT)
    desk.press(KEY.Key_Up, ALT)
    assert desk.shown == keys[1]


@pytest.mark.parametrize("place", ["search box", "table"])
def test_enter_goes_to_the_text(desk: Desk, place: str) -> None:
    {"search box": desk.window.search.box, "table": desk.window.cards.table}[place].setFocus()
    desk.press(KEY.Key_Return)
    assert QApplication.focusWidget() is desk.window.detail.browser


def test_escape_steps_back_find_bar_text_search_text_chips(desk: Desk) -> None:
    first, second = Filter(Facet.REPO, "msopcom"), Filter(Facet.OUTCOME, "fixed")
    desk.click_filter(first)
    desk.click_filter(second)
    desk.search("误报")
    desk.press(KEY.Key_Return)
    desk.press(KEY.Key_F, CTRL)
    session, window = desk.window.session, desk.window
    assert window.detail.find_bar.isVisible()
    desk.press(KEY.Key_Escape)
    assert not window.detail.find_bar.isVisible()
    assert QApplication.focusWidget() is window.detail.browser
    desk.press(KEY.Key_Escape)
    assert QApplication.focusWidget() is window.cards.table
    assert (desk.words, session.filters) == ("误报", (first, second))
    desk.press(KEY.Key_Escape)
    assert (desk.words, session.filters) == ("", (first, second))
    desk.press(KEY.Key_Escape)
    assert (desk.words, session.filters) == ("", (first,))
    desk.press(KEY.Key_Escape)
    assert session.query == SearchQuery()
    desk.press(KEY.Key_Escape)
    assert session.query == SearchQuery()
    assert len(desk.listed()) == 50


def test_a_card_that_was_read_is_shown_again_after_a_search_without_results(desk: Desk) -> None:
    first = desk.shown
    desk.search("zqxjq")
    assert (desk.listed(), desk.shown) == ([], "")
    assert desk.text == "Select a card to read it here."
    desk.press(KEY.Key_Escape)
    assert desk.selected() == [first]
    assert desk.shown == first
    assert len(desk.text) > 500


def test_control_l_selects_the_search_text_for_the_next_search(desk: Desk) -> None:
    desk.search("误报")
    desk.press(KEY.Key_Return)
    desk.press(KEY.Key_L, CTRL)
    desk.type("mallochost")
    assert desk.window.search.box.text() == "mallochost"
    desk.click_filter(Filter(Facet.REPO, "msopcom"))
    desk.press(KEY.Key_L, CTRL)
    desk.type("hook")
    assert desk.window.search.box.text() == "hook repo:msopcom "


def test_f6_goes_through_the_panes_and_back(desk: Desk) -> None:
    panes = desk.window.panes()
    assert len(panes) == 4
    panes[0].setFocus()
    for pane in (*panes[1:], panes[0]):
        desk.press(KEY.Key_F6)
        assert QApplication.focusWidget() is pane
    desk.press(KEY.Key_F6, SHIFT)
    assert QApplication.focusWidget() is panes[-1]
    desk.run("view.library")
    assert desk.window.library not in desk.window.panes()
    panes[0].setFocus()
    desk.press(KEY.Key_F6)
    assert QApplication.focusWidget() is desk.window.cards.table


def test_tab_reaches_the_chips_the_tree_the_table_the_copy_button_and_the_text(desk: Desk) -> None:
    desk.click_filter(Filter(Facet.REPO, "msopcom"))
    desk.click_filter(Filter(Facet.OUTCOME, "fixed"))
    window = desk.window
    window.search.box.setFocus()
    for expected in (
        *desk.chips,
        window.library,
        window.cards.table,
        window.detail.copy_button,
        window.detail.browser,
    ):
        desk.press(KEY.Key_Tab)
        assert QApplication.focusWidget() is expected
