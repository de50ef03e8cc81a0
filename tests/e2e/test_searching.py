"""The query language in the window: one text with its chips and marks, completion, recent searches, ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from ascend_kb.app import paths, settings
from ascend_kb.core.query import Facet, Filter, SearchQuery
from ascend_kb.ui import theme
from ascend_kb.ui.panels.detail import MOST_MARKED
from tests.gui import CTRL, KEY, SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card
    from ascend_kb.core.language import Language
    from ascend_kb.core.vocabulary import SectionId
    from tests.gui import Desk

REPO, HOOK = Filter(Facet.REPO, "msopcom"), Filter(Facet.TAG, "hook")
REFUSED = "内存检测误报了应该怎么处理呢"


def expected(library: Library, text: str) -> list[str]:
    return [str(row.key) for row in library.select(SearchQuery(text)).rows(0, 100)]


def typed(desk: Desk, text: str) -> None:
    """Type without waiting for an answer in between, into the empty search box."""
    desk.window.search.box.setFocus()
    desk.window.search.box.clear()
    for character in text:
        if character.isascii():
            QTest.keyClicks(desk.window.search.box, character)
        else:
            desk.window.search.box.insert(character)
    desk.settle()


def popup(desk: Desk) -> list[str]:
    """Return what the list under the box offers; empty where it is closed."""
    completer = desk.window.search.completer
    if not completer.is_open:
        return []
    rows = completer.popup.list
    return [rows.topLevelItem(row).text(0) for row in range(rows.topLevelItemCount())]  # type: ignore[union-attr]


# --- one value -------------------------------------------------------------------------------------------------------


def test_the_tree_writes_into_the_text_and_the_text_marks_the_tree(desk: Desk, library: Library) -> None:
    desk.search("误报")
    desk.click_filter(REPO)
    desk.click_filter(HOOK)
    assert desk.window.search.box.text() == "误报 repo:msopcom tag:hook "
    assert desk.listed() == expected(library, "误报 repo:msopcom tag:hook")
    desk.search("")
    typed(desk, "tag:接口劫持 ")
    assert [chip.text() for chip in desk.chips] == ["tag: API hooking  ✕"]
    assert desk.count_in_tree(HOOK).startswith("✓ ")
    desk.click(desk.chips[0])
    assert desk.window.search.box.text() == ""
    assert len(desk.listed()) == 50


@pytest.mark.parametrize(
    "text",
    [
        "repo:op-plugin tag:图模式 outcome:fixed",
        "hardware:910B",
        "version:26.1.0 -内存",
        "api:aclrtMallocHost",
        "pr:5095",
        "before:2026-03 has:command",
        "(误报 OR 劫持) -repo:mstt",
        '"图模式" repo:msopcom',
    ],
)
def test_the_list_is_what_the_language_says(desk: Desk, library: Library, text: str) -> None:
    desk.search(text)
    assert desk.listed() == expected(library, text)
    assert desk.window.message_bar.isHidden()


def test_chips_stand_for_every_field(desk: Desk) -> None:
    desk.search("version:26.1 affected:26 fixed:26 api:malloc pr:!5095 before:2027 after:2020 has:command -repo:mstt x")
    assert [chip.text().partition(":")[0] for chip in desk.chips] == [
        "version", "affected version", "fixed in", "API", "change", "merged before", "merged after", "has",
    ]  # fmt: skip


def test_a_version_is_chosen_in_the_tree(desk: Desk, library: Library) -> None:
    wanted = Filter(Facet.VERSION, "9.0")
    desk.click_filter(wanted)
    assert desk.listed() == expected(library, "version:9.0")
    assert desk.count_in_tree(wanted) == f"✓ {len(desk.listed())}"
    group = desk.window.library.library.groups()["versions"]
    assert group.font().bold()


def test_another_search_from_the_list_keeps_the_filters(desk: Desk) -> None:
    desk.search("误报")
    desk.click_filter(REPO)
    desk.window.cards.table.setFocus()
    desk.type("hook")
    assert desk.window.search.box.text() == "repo:msopcom hook"
    assert desk.window.session.filters == (REPO,)


def test_filters_of_older_settings_join_the_text(start: Callable[..., Desk], home: Path) -> None:
    kept = settings.Settings(text="误报", filters=[["repo", "msopcom"], ["tag", "gone"], ["theme", "hook-surface"]])
    settings.save(paths.settings_file(), kept)
    desk = start()
    assert desk.window.search.box.text() == "误报 repo:msopcom theme:hook-surface "
    assert len(desk.chips) == 2
    desk.window.close()
    again = settings.load(paths.settings_file())[0]
    assert (again.text, again.filters) == ("误报 repo:msopcom theme:hook-surface ", [])


# --- completion ------------------------------------------------------------------------------------------------------


def test_a_value_is_completed_with_the_keyboard_alone(desk: Desk, library: Library) -> None:
    typed(desk, "误报 ta")
    assert popup(desk) == ["tag:"]
    desk.press(KEY.Key_Tab)
    assert desk.window.search.box.text() == "误报 tag:"
    assert "tag:memory-check" in popup(desk)
    desk.type("mem")
    assert popup(desk) == ["tag:memory-check"]
    desk.press(KEY.Key_Return)
    assert desk.window.search.box.text() == "误报 tag:memory-check "
    assert QApplication.focusWidget() is desk.window.search.box
    assert desk.listed() == expected(library, "误报 tag:memory-check")


def test_a_filter_that_is_only_begun_is_not_looked_for(desk: Desk, library: Library) -> None:
    typed(desk, "误报 ")
    before = desk.listed()
    for character in "tag:mem":
        desk.type(character)
        if desk.window.search.box.text().startswith("误报 tag:"):
            assert desk.listed() == before
    desk.press(KEY.Key_Escape)  # closes the list
    desk.press(KEY.Key_Return)  # the text is meant as it stands
    assert desk.listed() == expected(library, "误报 tag:mem")
    assert desk.window.search.box.text() == "误报 tag:mem"


def test_arrows_move_through_the_cards_unless_values_are_offered(desk: Desk) -> None:
    typed(desk, "误报 re")
    assert popup(desk) == ["repo:"]
    desk.search("误报")
    desk.press(KEY.Key_Down)
    assert desk.selected() == [desk.listed()[1]]
    desk.type(" repo:")
    desk.press(KEY.Key_Down)
    assert desk.selected() == [desk.listed()[0]]
    assert desk.window.search.completer.popup.current() == 1


def test_escape_first_closes_the_list(desk: Desk) -> None:
    typed(desk, "误报 tag:")
    assert popup(desk)
    desk.press(KEY.Key_Escape)
    assert popup(desk) == []
    assert desk.window.search.box.text() == "误报 tag:"
    desk.press(KEY.Key_Escape)
    assert desk.window.search.box.text() == ""


@pytest.mark.parametrize("key", [KEY.Key_Space, KEY.Key_I])
def test_everything_is_offered_where_it_is_asked_for(desk: Desk, key: Qt.Key) -> None:
    desk.search("mallochos")
    desk.window.cards.table.setFocus()
    desk.press(key, CTRL)
    assert QApplication.focusWidget() is desk.window.search.box
    assert popup(desk) == ["aclrtMallocHost"]
    desk.press(KEY.Key_Return)
    assert desk.window.search.box.text() == "aclrtMallocHost "


# --- explanation -----------------------------------------------------------------------------------------------------


def test_the_query_is_explained_until_it_changes(desk: Desk) -> None:
    assert not desk.action("view.explain").isEnabled()
    desk.search("误报 -4G repo:msc tag:hook")
    sentence = 'Cards: holds "误报"; without "4G"; repo msopcom; tag API hooking'
    assert desk.window.search.box.toolTip() == sentence
    desk.press(KEY.Key_E, CTRL | SHIFT)
    assert desk.window.message_bar.isVisible()
    assert desk.window.message_bar.text == sentence
    desk.type("x")
    assert desk.window.message_bar.isHidden()


def test_a_pasted_log_is_not_read_out(desk: Desk) -> None:
    desk.search("word " * 1000)
    assert desk.window.search.box.toolTip() == ""
    desk.run("view.explain")
    assert desk.window.message_bar.text == "The search text is too long to be explained."


# --- matches ---------------------------------------------------------------------------------------------------------


def marked(desk: Desk) -> list[str]:
    """Return the texts that are marked."""
    marks = desk.window.detail.browser.extraSelections()
    return [mark.cursor.selectedText() for mark in marks]


def test_matches_are_marked_in_the_text_and_gone_through(desk: Desk) -> None:
    assert not desk.action("edit.find-next").isEnabled()
    desk.search("hook")
    total = desk.text.lower().count("hook")
    assert len(marked(desk)) == total > 1
    assert {text.lower() for text in marked(desk)} == {"hook"}
    seen = []
    for _ in range(total + 1):
        desk.press(KEY.Key_F3)
        seen.append(desk.window.detail.browser.textCursor().selectionStart())
    assert seen[:-1] == sorted(set(seen))
    assert seen[-1] == seen[0]
    assert desk.said == f"Match 1 of {total}"
    desk.press(KEY.Key_F3, SHIFT)
    assert desk.said == f"Match {total} of {total}"
    assert desk.window.detail.browser.textCursor().selectionStart() == seen[-2]


def test_marks_follow_the_query_the_card_and_the_size(desk: Desk) -> None:
    desk.search("误报")
    first = marked(desk)
    assert set(first) == {"误报"}
    desk.run("view.zoom-in")
    assert marked(desk) == first
    desk.press(KEY.Key_Down)
    assert set(marked(desk)) == {"误报"}
    desk.search("误报 劫持")
    assert set(marked(desk)) == {"误报", "劫持"}
    desk.run("view.clear")
    assert marked(desk) == []
    assert not desk.action("edit.find-next").isEnabled()


def test_the_find_bar_goes_before_the_search(desk: Desk) -> None:
    desk.search("误报")
    desk.press(KEY.Key_F, CTRL)
    desk.type("26.1.0")
    desk.press(KEY.Key_F3)
    assert desk.window.detail.browser.textCursor().selectedText() == "26.1.0"
    desk.press(KEY.Key_Escape)
    desk.press(KEY.Key_F3)
    assert desk.window.detail.browser.textCursor().selectedText() == "误报"


def test_of_very_many_matches_the_first_are_marked_and_that_is_said(
    start: Callable[..., Desk], write_kb: Callable[..., Path], cards: dict[str, Card]
) -> None:
    card = cards["msopcom#57"]
    parts = {name: text + " 标记词" * 300 for name, text in card.sections["zh"].items()}
    sections: dict[Language, dict[SectionId, str]] = {"zh": parts}
    desk = start(write_kb(card._replace(sections=sections, related=())))
    desk.search("标记词")
    if "Show all" in desk.text:
        desk.click_link("ascend-kb://show-all")
    total = desk.text.count("标记词")
    assert total > MOST_MARKED == len(marked(desk))
    desk.press(KEY.Key_F3)
    assert desk.said == f"Match 1 of {total} · the first {MOST_MARKED} of {total} are marked"


# --- recent searches -------------------------------------------------------------------------------------------------


def recent(desk: Desk) -> list[str]:
    return desk.application.settings.recent


def test_a_search_is_kept_once_something_came_of_it(desk: Desk) -> None:
    desk.search("误报")
    desk.search("hook")
    assert recent(desk) == []
    desk.press(KEY.Key_Return)
    assert recent(desk) == ["hook"]
    desk.search("profiling")
    desk.press(KEY.Key_C, CTRL)
    assert recent(desk) == ["profiling", "hook"]
    desk.search("误报")
    desk.select(desk.listed()[1])
    assert recent(desk) == ["误报", "profiling", "hook"]
    desk.search("劫持")
    desk.window.workbench._searching._rest.timeout.emit()  # nothing was typed for a while
    assert recent(desk)[0] == "劫持"


def test_the_search_rests_before_it_is_kept(desk: Desk) -> None:
    rest = desk.window.workbench._searching._rest
    assert not rest.isActive()
    desk.search("误报")
    assert rest.isActive()
    assert rest.interval() == 2000
    desk.run("view.clear")
    assert not rest.isActive()


def test_recent_searches_come_back_in_the_empty_box_and_in_the_menu(start: Callable[..., Desk]) -> None:
    desk = start()
    for text in ("误报 tag:hook", "profiling"):
        desk.search("")
        desk.window.search.box.clear()
        desk.search(text)
        desk.press(KEY.Key_Return)
    desk.window.close()
    desk = start()
    desk.run("view.clear")
    desk.window.search.box.setFocus()
    desk.press(KEY.Key_Down)
    assert popup(desk) == ["profiling", "误报 tag:hook"]
    desk.press(KEY.Key_Down)
    desk.press(KEY.Key_Return)
    assert desk.window.search.box.text().strip() == "误报 tag:hook"
    assert desk.window.session.filters == (HOOK,)
    menu = desk.window.recent_menu
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["profiling", "误报 tag:hook"]
    menu.actions()[0].trigger()
    desk.settle()
    assert desk.window.search.box.text() == "profiling"
    desk.run("go.clear-recent")
    assert recent(desk) == []
    assert not menu.isEnabled()
    assert not desk.action("go.clear-recent").isEnabled()
    desk.run("view.clear")
    row = desk.listed().index(desk.selected()[0])
    desk.window.search.box.setFocus()
    desk.press(KEY.Key_Down)
    assert popup(desk) == []
    assert desk.selected() == [desk.listed()[row + 1]]


# --- ways out --------------------------------------------------------------------------------------------------------


def names(desk: Desk) -> list[str]:
    return [button.text() for button in desk.ways_out]


def test_a_refused_query_says_so_and_marks_its_rows_as_related(desk: Desk) -> None:
    desk.search(REFUSED)
    cards = desk.window.cards
    assert cards.ways_out.isVisible()
    assert cards.ways_out.text == "No card answers this search. The cards below are related reading only."
    assert cards.heading.text().startswith("Cards (0 of 50)")
    assert cards.heading.text().endswith("for further reading")
    assert cards.table.isVisible()
    for row in range(cards.cards.rowCount()):
        assert cards.cards.index(row, 1).data().startswith("≈ ")
        assert "no answer" in cards.cards.index(row, 1).data(Qt.ItemDataRole.ToolTipRole)
    desk.search("误报")
    assert not cards.ways_out.isVisible()


def test_what_was_meant_is_offered_and_searched_for(desk: Desk) -> None:
    desk.search("repo:msopcom mallochst")
    assert "Did you mean: repo:msopcom mallochost" in names(desk)
    button = next(button for button in desk.ways_out if button.text().startswith("Did you mean"))
    desk.click(button)
    assert desk.window.search.box.text() == "repo:msopcom mallochost"
    assert desk.listed()[0] == "msopcom#20"
    assert names(desk) == []


def test_nothing_is_suggested_where_nothing_would_be_found(desk: Desk) -> None:
    desk.search("zqxjq")
    assert not [name for name in names(desk) if name.startswith("Did you mean")]


def test_the_diagnosis_is_offered_where_there_is_one(desk: Desk) -> None:
    desk.search("zqxjq")
    assert ("Diagnose instead" in names(desk)) is ("go.diagnose" in desk.window.actions_by_id)


def test_every_filter_can_be_dropped_where_no_card_is_left(desk: Desk) -> None:
    desk.search("repo:mstt before:2001 误报")
    assert {"Drop search text: 误报", "Drop repo: mstt", "Drop merged before: 2001"} <= set(names(desk))
    desk.click(next(button for button in desk.ways_out if "before" in button.text()))
    assert desk.window.search.box.text() == "repo:mstt 误报"


def test_a_long_list_of_partial_matches_says_how_many_there_are(desk: Desk, library: Library) -> None:
    selection = library.select(SearchQuery("算子精度比对失败"))
    desk.search("算子精度比对失败")
    shown, left = selection.total - selection.full, selection.left_out
    assert desk.window.cards.heading.text().endswith(f"first {shown} of {shown + left} match in part")


def test_the_ways_out_are_taken_with_the_keyboard_alone(desk: Desk) -> None:
    """Tab goes from the box over the tree to the ways out, in the order in which they stand."""
    typed(desk, "zqxjq repo:mstt ")
    visited: list[str] = []
    for _ in range(20):
        desk.press(KEY.Key_Tab)
        visited.append(getattr(QApplication.focusWidget(), "text", str)())
        if visited[-1] == "Diagnose instead":
            break
    assert visited[-3:] == names(desk) == ["Drop search text: zqxjq", "Drop repo: mstt", "Diagnose instead"]
    desk.press(KEY.Key_Tab, SHIFT)
    desk.press(KEY.Key_Tab, SHIFT)
    desk.press(KEY.Key_Space)
    assert desk.window.search.box.text() == "repo:mstt "
    assert QApplication.focusWidget() is desk.window.cards.table
    assert desk.selected() == [desk.listed()[0]]


def test_what_was_meant_can_be_a_value_of_a_field(desk: Desk, library: Library) -> None:
    desk.search("repo:msopcm 误报")
    assert names(desk)[0] == "Did you mean: repo:msopcom 误报"
    desk.click(desk.ways_out[0])
    assert desk.listed() == expected(library, "repo:msopcom 误报")


def test_a_search_text_of_several_lines_is_offered_to_the_diagnosis(desk: Desk) -> None:
    bar = desk.window.message_bar
    QApplication.clipboard().setText("first line\n[ERROR] aclrtMallocHost failed\n")
    desk.window.search.box.setFocus()
    desk.press(KEY.Key_V, CTRL)
    assert bar.text.startswith("This search text has several lines.")
    assert [button.text() for button in bar.findChildren(QPushButton)] == ["Diagnose this log instead"]
    desk.window.search.box.clear()
    desk.settle()
    assert bar.isHidden()


# --- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["误报", "hook repo:msopcom", "repo:msopcom repo:mstt", "tag:hook", "zqxjq", ""])
def test_the_tree_counts_what_a_click_would_leave(desk: Desk, library: Library, text: str) -> None:
    typed(desk, f"{text} " if text else "")
    counts = library.facets(SearchQuery(text))
    for facet in (Facet.REPO, Facet.OUTCOME, Facet.TAG):
        for value, count in counts[facet].items():
            assert desk.count_in_tree(Filter(facet, value)).removeprefix("✓ ") == str(count), (facet, value)


def test_the_number_beside_an_offer_is_that_of_the_cards_it_leaves(desk: Desk) -> None:
    typed(desk, "误报 tag:")
    rows = desk.window.search.completer.popup.list
    offers = [(item.text(0), item.text(2)) for row in range(3) if (item := rows.topLevelItem(row)) is not None]
    assert len(offers) == 3
    for text, count in offers:
        desk.search("")
        typed(desk, f"误报 {text} ")
        assert len(desk.listed()) == int(count), text


# --- two windows and colours -----------------------------------------------------------------------------------------


def test_a_search_of_one_window_is_offered_in_the_other(desk: Desk, own_copy: Path) -> None:
    desk.application.raise_or_open(str(own_copy))
    other = desk.application.windows[1]
    desk.qtbot.waitUntil(other.isVisible)
    desk.window.activateWindow()
    desk.qtbot.waitUntil(desk.window.isActiveWindow)
    desk.search("误报")
    desk.press(KEY.Key_Return)
    assert other.workbench.recent == ["误报"]
    assert other.search.completer.has_recent
    assert other.actions_by_id["go.clear-recent"].isEnabled()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_matches_are_seen_in_the_table_and_in_the_text(desk: Desk, qapp: QApplication, colours: str) -> None:
    before = qapp.palette()
    try:
        desk.run(f"view.colours-{colours}")
        desk.search("hook")
        table, browser = desk.window.cards.table, desk.window.detail.browser
        wanted = theme.match(table.palette())[0].name()
        for widget in (table.viewport(), browser.viewport()):
            image = widget.grab().toImage()
            seen = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(image.height())}
            assert wanted in seen
    finally:
        qapp.setPalette(before)
