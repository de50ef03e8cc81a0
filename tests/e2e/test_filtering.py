"""Filters from the tree, chips, counts, and what to do when nothing is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from ascend_kb.core.query import Facet, Filter, SearchQuery, SortColumn
from tests.gui import CTRL, KEY, SHIFT

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from tests.gui import Desk

REPO, FIXED = Filter(Facet.REPO, "msopcom"), Filter(Facet.OUTCOME, "fixed")
EACH_FACET = (
    REPO,
    Filter(Facet.TAG, "false-positive"),
    Filter(Facet.HARDWARE, "Ascend950"),
    FIXED,
    Filter(Facet.EVIDENCE, "unverified"),
    Filter(Facet.THEME, "hook-surface"),
    Filter(Facet.GUIDE, "memory-false-report"),
)


def expected(library: Library, *filters: Filter, text: str = "") -> list[str]:
    return [str(row.key) for row in library.select(SearchQuery(text, filters)).rows(0, 100)]


@pytest.mark.parametrize("wanted", EACH_FACET, ids=lambda wanted: wanted.facet.value)
def test_a_filter_is_switched_on_and_off_in_the_tree(desk: Desk, library: Library, wanted: Filter) -> None:
    found = expected(library, wanted)
    assert 0 < len(found) < 50

    def switch(key: Qt.Key | None) -> None:
        if key is None:
            desk.click_filter(wanted)
            return
        desk.window.library.setFocus()
        desk.window.library.setCurrentIndex(desk.tree_index(wanted))
        desk.press(key)

    for key in (None, KEY.Key_Return, KEY.Key_Enter, KEY.Key_Space):
        switch(key)
        assert desk.listed() == found
        assert len(desk.chips) == 1
        assert desk.count_in_tree(wanted) == f"✓ {len(found)}"
        assert desk.tree_index(wanted).data(Qt.ItemDataRole.FontRole).bold()
        switch(key)
        assert len(desk.listed()) == 50
        assert desk.chips == []
        assert not desk.tree_index(wanted).data(Qt.ItemDataRole.FontRole).bold()


def test_filters_combine_and_the_counts_follow(desk: Desk, library: Library) -> None:
    chosen: tuple[Filter, ...] = ()
    for wanted in (REPO, Filter(Facet.REPO, "mstt"), FIXED, Filter(Facet.TAG, "hook"), Filter(Facet.TAG, "runtime")):
        desk.click_filter(wanted)
        chosen += (wanted,)
        assert desk.listed() == expected(library, *chosen)
        counts = library.facets(SearchQuery("", chosen))
        for facet, values in library.facets(SearchQuery()).items():
            for value in values:
                mark = "✓ " if Filter(facet, value) in chosen else ""
                assert desk.count_in_tree(Filter(facet, value)) == f"{mark}{counts[facet].get(value, 0)}"
    desk.search("RegisterAscendBinary")
    assert desk.listed() == expected(library, *chosen, text="RegisterAscendBinary")


def test_a_filter_that_would_leave_nothing_is_greyed_unless_it_is_on(desk: Desk) -> None:
    unsupported = Filter(Facet.OUTCOME, "unsupported")
    desk.click_filter(REPO)
    assert desk.count_in_tree(unsupported) == "0"
    assert not desk.tree_index(unsupported).flags() & Qt.ItemFlag.ItemIsEnabled
    desk.search("zqxjq")
    assert desk.tree_index(REPO).flags() & Qt.ItemFlag.ItemIsEnabled


def test_a_chip_names_its_filter_and_is_removed_by_a_click(desk: Desk, library: Library) -> None:
    desk.click_filter(REPO)
    desk.click_filter(Filter(Facet.TAG, "false-positive"))
    assert [chip.text() for chip in desk.chips] == ["repo: msopcom  ✕", "tag: False positive  ✕"]
    assert desk.chips[1].accessibleName() == "Remove the filter False positive"
    desk.click(desk.chips[0])
    assert desk.listed() == expected(library, Filter(Facet.TAG, "false-positive"))
    assert [chip.text() for chip in desk.chips] == ["tag: False positive  ✕"]


def test_a_chip_is_removed_by_the_keyboard(desk: Desk) -> None:
    desk.click_filter(REPO)
    desk.window.search.box.setFocus()
    desk.press(KEY.Key_Tab)
    assert QApplication.focusWidget() is desk.chips[0]
    desk.press(KEY.Key_Space)
    assert desk.chips == []
    assert len(desk.listed()) == 50


def test_a_long_name_is_shortened_in_its_chip_but_not_in_its_tooltip(desk: Desk) -> None:
    guide = Filter(Facet.GUIDE, "memory-false-report")
    desk.click_filter(guide)
    name = desk.window.library.library.label(guide)
    assert len(name) > 30
    assert desk.chips[0].text() == f"guide: {name[:29]}…  ✕"
    assert name in desk.chips[0].toolTip()


@pytest.mark.parametrize("drop", [0, 1, 2])
def test_no_cards_lists_what_to_drop_and_dropping_works(desk: Desk, library: Library, drop: int) -> None:
    unsupported = Filter(Facet.OUTCOME, "unsupported")
    desk.window.session.set_query(SearchQuery("mallochost", (REPO, unsupported)), keep=None)
    desk.settle()
    assert desk.listed() == []
    assert desk.window.cards.heading.text() == "Cards (0 of 50)"
    assert [button.text() for button in desk.ways_out] == [
        "Drop search text: mallochost",
        "Drop repo: msopcom",
        "Drop outcome: Unsupported",
        "Diagnose instead",
    ]
    desk.click(desk.ways_out[drop])
    left = [
        SearchQuery("", (REPO, unsupported)),
        SearchQuery("mallochost", (unsupported,)),
        SearchQuery("mallochost", (REPO,)),
    ]
    assert (desk.words, desk.window.session.filters) == (left[drop].text, left[drop].filters)
    assert desk.listed() == expected(library, *left[drop].filters, text=left[drop].text)
    assert bool(desk.ways_out) is (not desk.listed())


def test_the_list_is_back_where_the_dropped_filter_was_the_reason(desk: Desk) -> None:
    desk.click_filter(REPO)
    desk.search("zqxjq")
    desk.click(desk.ways_out[0])
    assert len(desk.listed()) == 15
    assert desk.ways_out == []
    assert desk.window.cards.table.isVisible()
    assert desk.shown == desk.listed()[0]


@pytest.mark.parametrize("how", ["keys", "button", "all cards"])
def test_everything_is_cleared_at_once(desk: Desk, how: str) -> None:
    desk.click_filter(REPO)
    desk.click_filter(FIXED)
    desk.search("误报")
    kept = desk.shown
    if how == "keys":
        desk.press(KEY.Key_Backspace, CTRL | SHIFT)
    elif how == "button":
        desk.run("view.clear")
    else:
        tree = desk.window.library
        desk.click(tree.viewport(), tree.visualRect(tree.library.index(0, 0)).center())
    assert desk.window.session.query == SearchQuery()
    assert (len(desk.listed()), desk.chips, desk.window.search.box.text()) == (50, [], "")
    assert desk.selected() == [kept]
    assert not desk.action("view.clear").isEnabled()


def test_a_theme_is_shown_as_well_as_filtered_by_and_another_takes_its_place(desk: Desk, library: Library) -> None:
    first, second = library.themes()[0], library.themes()[1]
    for theme in (first, second):
        wanted = Filter(Facet.THEME, theme.id)
        desk.click_filter(wanted)
        assert desk.title == "Theme"
        assert theme.title.en in desk.text
        assert set(desk.listed()) == {str(key) for key in theme.cards}
        assert desk.window.session.filters == (wanted,)
        assert desk.selected() == []
    desk.click_filter(Filter(Facet.THEME, second.id))
    assert len(desk.listed()) == 50


def test_a_guide_entry_shows_the_first_action_and_its_cards(desk: Desk, library: Library) -> None:
    for entry in library.guide():
        desk.click_filter(Filter(Facet.GUIDE, entry.id))
        assert desk.title == "Guide"
        assert entry.symptom.en in desk.text
        assert set(desk.listed()) == {str(key) for key in entry.cards}
        for key in entry.cards:
            assert str(key) in desk.text


def test_a_theme_and_a_repository_combine(desk: Desk, library: Library) -> None:
    theme = Filter(Facet.THEME, "plugin-checks")
    repos = library.facets(SearchQuery("", (theme,)))[Facet.REPO]
    desk.click_filter(theme)
    for repo, count in repos.items():
        desk.click_filter(Filter(Facet.REPO, repo))
        assert desk.listed() == expected(library, theme, Filter(Facet.REPO, repo))
        assert len(desk.listed()) == count
        assert desk.shown == desk.listed()[0]
        desk.click_filter(Filter(Facet.REPO, repo))


def test_the_facts_of_a_card_are_filters(desk: Desk, library: Library) -> None:
    desk.select("op-plugin#168")
    addresses = re.findall(r'href="(ascend-kb://filter/[^"]*)"', desk.window.detail.facts.text())
    found = [Filter(Facet(facet), value) for facet, value in (a.split("/")[-2:] for a in addresses)]
    assert {f.value for f in found} >= {"fixed", "explicit", "type-error", "Ascend950"}
    for address, wanted in zip(addresses, found, strict=True):
        kind = Facet.HARDWARE if wanted.value == "Ascend950" else wanted.facet
        desk.window.detail.facts.linkActivated.emit(address)
        desk.settle()
        assert desk.listed() == expected(library, Filter(kind, wanted.value))
        assert desk.shown == "op-plugin#168"
        desk.run("view.clear")


@pytest.mark.parametrize("column", [None, SortColumn.DATE, SortColumn.TITLE])
@pytest.mark.parametrize("key", ["msopcom#69", "msopcom#4"])
def test_the_same_card_stays_selected_and_visible(desk: Desk, column: SortColumn | None, key: str) -> None:
    desk.select(key)
    if column is not None:
        desk.click_header(column)
    for wanted in (REPO, FIXED, REPO, FIXED):
        desk.click_filter(wanted)
        assert (desk.selected(), desk.shown) == ([key], key)
        assert desk.is_selected_row_visible


def test_a_card_that_the_filter_takes_away_gives_way_to_the_first(desk: Desk) -> None:
    desk.select("mstt#129")
    desk.click_filter(REPO)
    assert desk.selected() == [desk.shown] == desk.listed()[:1]


def test_a_group_is_opened_and_closed_by_a_click_and_by_enter(desk: Desk) -> None:
    tree = desk.window.library
    index = tree.library.groups()["themes"].index()
    assert not tree.isExpanded(index)
    desk.click(tree.viewport(), tree.visualRect(index).center())
    assert tree.isExpanded(index)
    tree.setFocus()
    tree.setCurrentIndex(index)
    desk.press(KEY.Key_Return)
    assert not tree.isExpanded(index)
    assert len(desk.listed()) == 50
