"""The order of the list: the row that is clicked is the card that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.core.recipe import Form
from ascend_kb.ui.models.cards import COLUMNS
from tests.gui import CTRL, KEY, clipboard

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from tests.gui import Desk, Opener

REPO = Filter(Facet.REPO, "msopcom")


@pytest.mark.parametrize("column", COLUMNS)
def test_a_heading_orders_up_then_down_then_best_first(desk: Desk, library: Library, column: SortColumn) -> None:
    for sort in (Sort(column), Sort(column, descending=True), Sort()):
        desk.click_header(column)
        assert desk.window.session.sort == sort
        assert desk.listed() == [str(row.key) for row in library.select(SearchQuery(), sort, "en").rows(0, 100)]
    header = desk.window.cards.table.horizontalHeader()
    assert header.sortIndicatorSection() == -1


def test_the_heading_shows_by_which_column_and_which_way_the_list_is_ordered(desk: Desk) -> None:
    header = desk.window.cards.table.horizontalHeader()
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        desk.click_header(SortColumn.DATE)
        assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (COLUMNS.index(SortColumn.DATE), order)


@pytest.mark.parametrize("column", COLUMNS)
def test_open_and_copy_act_on_the_row_that_is_clicked(
    desk: Desk, library: Library, opener: Opener, column: SortColumn
) -> None:
    desk.click_filter(REPO)
    for row in (0, 7, 14):
        desk.click_header(column)
        key = desk.listed()[row]
        card = library.card(library.catalog.key(key))
        assert card is not None
        desk.select(key)
        assert desk.shown == key
        desk.press(KEY.Key_C, CTRL)
        assert clipboard()[0] == library.recipes([card], Form.PLAIN, "en")
        desk.run("card.open-source")
        assert opener.opened[-1] == card.source_url


@pytest.mark.parametrize("key", ["msopcom#4", "ascendc-kernelgen-data#12"])
def test_the_same_card_stays_selected_and_visible_in_every_order(desk: Desk, key: str) -> None:
    desk.select(key)
    for column in COLUMNS:
        desk.click_header(column)
        assert (desk.selected(), desk.shown) == ([key], key)
        assert desk.is_selected_row_visible


def test_the_order_stays_when_the_query_changes(desk: Desk, library: Library) -> None:
    desk.click_header(SortColumn.DATE)
    desk.search("误报")
    desk.click_filter(REPO)
    query, sort = SearchQuery("误报", (REPO,)), Sort(SortColumn.DATE)
    assert desk.listed() == [str(row.key) for row in library.select(query, sort, "en").rows(0, 100)]


def test_titles_are_ordered_in_the_language_that_is_shown(desk: Desk, library: Library) -> None:
    desk.click_header(SortColumn.TITLE)
    desk.run("view.language-zh")
    chinese = [str(row.key) for row in library.select(SearchQuery(), Sort(SortColumn.TITLE), "zh").rows(0, 100)]
    english = [str(row.key) for row in library.select(SearchQuery(), Sort(SortColumn.TITLE), "en").rows(0, 100)]
    assert desk.listed() == chinese != english


def test_a_theme_that_is_read_stays_while_its_list_is_ordered(desk: Desk) -> None:
    desk.click_filter(Filter(Facet.THEME, "hook-surface"))
    desk.click_header(SortColumn.DATE)
    assert (desk.title, desk.selected()) == ("Theme", [])


def test_a_page_over_a_selected_card_stays_while_the_list_is_ordered(desk: Desk) -> None:
    desk.select("msopcom#57")
    desk.run("help.manual")
    desk.click_header(SortColumn.DATE)
    assert (desk.title, desk.selected()) == ("Manual", ["msopcom#57"])
    desk.select("msopcom#57")
    assert desk.shown == "msopcom#57"
