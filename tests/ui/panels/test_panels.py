"""Panels say what happened and know nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QPushButton

from ascend_kb.app.library import Document
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.ui.models.cards import COLUMNS, PAGE
from ascend_kb.ui.panels.cards import CardsPanel
from ascend_kb.ui.panels.detail import SHOW_ALL, DetailPanel
from ascend_kb.ui.panels.library import LibraryPanel
from ascend_kb.ui.panels.search import SearchPanel
from ascend_kb.ui.session import shelf_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library

SELECT = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows


@pytest.fixture
def cards(qtbot: QtBot, library: Library) -> CardsPanel:
    made = CardsPanel(str)
    qtbot.addWidget(made)
    selection = library.select(SearchQuery())
    made.cards.show(selection, selection.rows(0, PAGE))
    made.show_heading(50, 0, 50, [])
    made.show()
    return made


@pytest.fixture
def detail(qtbot: QtBot) -> DetailPanel:
    made = DetailPanel(QAction("Copy"), [QAction("One"), QAction("Two")])
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def search(qtbot: QtBot) -> SearchPanel:
    made = SearchPanel(QAction(), QAction(), QAction("Clear"))
    qtbot.addWidget(made)
    made.show()
    return made


# --- cards -----------------------------------------------------------------------------------------------------------


def test_selected_rows_are_ranges_in_table_order(cards: CardsPanel) -> None:
    model = cards.table.selectionModel()
    for row in (9, 3, 4, 20, 5):
        model.select(cards.cards.index(row, 0), SELECT)
    rows = [row for first, last in cards.selected_ranges() for row in range(first, last + 1)]
    assert rows == [3, 4, 5, 9, 20]
    assert cards.selected_count() == 5
    cards.table.selectAll()
    assert cards.selected_ranges() == [(0, 49)]
    cards.select(-1)
    assert (cards.selected_ranges(), cards.selected_count(), cards.current_row()) == ([], 0, None)


def test_selecting_says_so_once(cards: CardsPanel) -> None:
    told: list[int] = []
    cards.current_changed.connect(told.append)
    cards.select(7)
    cards.select(7)
    cards.select(-1)
    assert told == [7, -1]


@pytest.mark.parametrize(
    ("shown", "partial", "text"),
    [(50, 0, "Cards (50 of 50)"), (7, 2, "Cards (7 of 50) · 2 match in part"), (0, 0, "Cards (0 of 50)")],
)
def test_the_heading_counts(cards: CardsPanel, shown: int, partial: int, text: str) -> None:
    cards.show_heading(shown, partial, 50, [])
    assert cards.heading.text() == text
    assert cards.table.isVisible() is (shown > 0)


def test_an_empty_list_offers_what_to_drop(cards: CardsPanel) -> None:
    dropped: list[Filter | None] = []
    cards.filter_dropped.connect(dropped.append)
    wanted = Filter(Facet.REPO, "mstt")
    cards.show_heading(0, 0, 50, [("text", None), ("repo", wanted)])
    for button in cards.findChildren(QPushButton):
        button.click()
    assert dropped == [None, wanted]
    assert any(label.text().startswith("No cards. Drop one") for label in cards.findChildren(QLabel))
    cards.show_heading(0, 0, 0, [])
    assert any(label.text() == "There are no cards here." for label in cards.findChildren(QLabel))


def test_columns_are_kept_and_nonsense_brings_the_first_ones(cards: CardsPanel) -> None:
    header = cards.table.horizontalHeader()

    def columns() -> list[tuple[int, int]]:
        return [(header.visualIndex(section), header.sectionSize(section)) for section in range(len(COLUMNS))]

    first = columns()
    header.resizeSection(2, 222)
    header.moveSection(1, 4)
    changed = cards.columns_state()
    cards.restore_columns("nonsense")
    assert columns() == first
    cards.restore_columns(changed)
    assert (header.sectionSize(2), header.visualIndex(1)) == (222, 4)
    cards.restore_columns("")
    assert columns() == first


def test_showing_an_order_asks_for_nothing(cards: CardsPanel) -> None:
    asked: list[SortColumn] = []
    cards.cards.sort_requested.connect(lambda column, _: asked.append(column))
    for column in COLUMNS:
        cards.show_sort(Sort(column, descending=True))
        assert cards.table.horizontalHeader().sortIndicatorSection() == COLUMNS.index(column)
        assert cards.table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
    cards.show_sort(Sort())
    assert cards.table.horizontalHeader().sortIndicatorSection() == -1
    assert asked == []


def test_rows_are_of_one_height_and_the_first_columns_fit_their_content(cards: CardsPanel) -> None:
    heights = {cards.table.rowHeight(row) for row in range(50)}
    assert len(heights) == 1
    metrics, header = cards.table.fontMetrics(), cards.table.horizontalHeader()
    for row in range(50):
        for section in (2, 3, 4):
            text = cards.cards.index(row, section).data()
            assert metrics.horizontalAdvance(text) < header.sectionSize(section), text


# --- detail ----------------------------------------------------------------------------------------------------------


def test_the_head_shows_the_facts_of_a_card_and_hides_for_a_page(detail: DetailPanel, library: Library) -> None:
    for row in library.select(SearchQuery()).rows(0, 50):
        card = library.card(row.key)
        assert card is not None
        detail.show_card(card, Document("<p>x</p>"), library.catalog)
        facts = detail.facts.text()
        assert (f"changed {card.latest_change}" in facts) is bool(card.latest_change)
        assert all(f"{version}" in facts for version in (*card.affected, *card.fixed))
        assert all(
            library.catalog.tag(tag, "en").replace("&", "&amp;") in facts for tag in (*card.tags, *card.hardware)
        )
        assert card.summary.en in detail.browser.toPlainText()
        assert detail.copy_button.isVisible()
    detail.show_page("A page", Document("<p>y</p>"))
    assert (detail.title.text(), detail.facts.isHidden(), detail.copy_button.isHidden()) == ("A page", True, True)
    assert detail.browser.toPlainText() == "y"
    detail.show_nothing()
    assert detail.is_empty
    assert detail.browser.toPlainText() == "Select a card to read it here."


def test_markup_in_a_title_or_a_summary_is_text(detail: DetailPanel, library: Library) -> None:
    card = library.card(library.catalog.key("msopcom#57"))
    assert card is not None
    evil = '<img src="x">&amp;<b>'
    title, summary = card.title._replace(en=evil), card.summary._replace(en=evil)
    detail.show_card(card._replace(title=title, summary=summary), Document("<p>x</p>"), library.catalog)
    assert detail.title.text() == f"msopcom#57  {evil}"
    assert detail.title.textFormat() is Qt.TextFormat.PlainText
    assert detail.browser.toPlainText() == f"{evil}\nx"


def test_plain_text_stays_plain_and_a_cut_one_offers_the_rest(detail: DetailPanel) -> None:
    detail.show_page("x", Document("<b>x</b>", is_plain=True))
    assert detail.browser.toPlainText() == "<b>x</b>"
    detail.show_page("x", Document("<p>x</p>", cut=True))
    assert detail.browser.toPlainText() == "x\nShow all"
    assert SHOW_ALL in detail.browser.toHtml()


# --- library and search ----------------------------------------------------------------------------------------------


def test_the_tree_says_what_was_chosen(qtbot: QtBot, library: Library) -> None:
    tree = LibraryPanel()
    qtbot.addWidget(tree)
    tree.fill(shelf_of(library), ["repos", "gone"])
    assert tree.expanded_groups() == ["repos"]
    told: list[object] = []
    tree.filter_toggled.connect(told.append)
    tree.all_requested.connect(lambda: told.append("all"))
    tree.clicked.emit(tree.library.index(0, 1))
    repos = tree.library.groups()["repos"]
    tree.clicked.emit(repos.child(0, 1).index())
    tree.clicked.emit(tree.library.groups()["themes"].index())
    assert told == ["all", Filter(Facet.REPO, "msopcom")]
    assert tree.expanded_groups() == ["repos", "themes"]


def test_showing_a_query_says_nothing_but_typing_does(search: SearchPanel) -> None:
    told: list[str] = []
    search.text_changed.connect(told.append)
    search.show_query("误报", [Filter(Facet.REPO, "mstt")], lambda f: f.value)
    assert (search.box.text(), told) == ("误报", [])
    search.box.insert("x")
    assert told == ["误报x"]


def test_showing_the_same_text_leaves_the_cursor_alone(search: SearchPanel) -> None:
    search.show_query("abcdef", [], lambda f: f.value)
    search.box.setCursorPosition(2)
    search.show_query("abcdef", [], lambda f: f.value)
    assert search.box.cursorPosition() == 2
