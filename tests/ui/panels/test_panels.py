"""Panels say what happened and know nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QPushButton

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
    made.show_heading(50, 0, 50)
    made.show_ways_out([])
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
    cards.show_heading(shown, partial, 50)
    assert cards.heading.text() == text
    assert cards.table.isVisible() is (shown > 0)


def test_an_empty_list_offers_what_to_drop(cards: CardsPanel) -> None:
    dropped: list[Filter | None] = []
    cards.filter_dropped.connect(dropped.append)
    wanted = Filter(Facet.REPO, "mstt")
    cards.show_heading(0, 0, 50)
    cards.show_ways_out([("text", None), ("repo", wanted)])
    for button in cards.findChildren(QPushButton):
        button.click()
    assert dropped == [None, wanted]
    assert cards.ways_out.text == "No card matches. What you can do:"
    cards.show_heading(0, 0, 0)
    cards.show_ways_out([])
    assert cards.ways_out.text == "There are no cards here."


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


# --- matches in the text ---------------------------------------------------------------------------------------------


def test_going_to_matches_goes_round_in_both_directions(detail: DetailPanel) -> None:
    assert detail.go_to_match(backward=False) == 0
    detail.show_page("Title", Document("ab ab ab", is_plain=True))
    detail.show_matches(((0, 2), (3, 5), (6, 8)))
    assert detail.match_count == 3
    assert [detail.go_to_match(backward=False) for _ in range(4)] == [1, 2, 3, 1]
    assert [detail.go_to_match(backward=True) for _ in range(4)] == [3, 2, 1, 3]
    assert detail.browser.textCursor().selectedText() == "ab"


def test_another_text_has_no_marks_and_another_size_keeps_them(detail: DetailPanel) -> None:
    detail.show_page("Title", Document("ab ab", is_plain=True))
    detail.show_matches(((0, 2), (3, 5)))
    detail.zoom_to(3)
    assert len(detail.browser.extraSelections()) == detail.match_count == 2
    detail.show_page("Title", Document("cd", is_plain=True))
    assert len(detail.browser.extraSelections()) == detail.match_count == 0
    detail.show_matches(((0, 2),))
    detail.show_nothing()
    assert detail.match_count == 0


# --- ways out --------------------------------------------------------------------------------------------------------


def ways(cards: CardsPanel) -> list[str]:
    return [button.text() for button in cards.ways_out.findChildren(QPushButton) if not button.isHidden()]


def test_what_was_meant_stands_before_what_to_drop(qtbot: QtBot, cards: CardsPanel) -> None:
    meant: list[str] = []
    asked: list[bool] = []
    cards.query_suggested.connect(meant.append)
    cards.diagnosis_requested.connect(lambda: asked.append(True))
    cards.show_heading(0, 0, 50)
    cards.show_ways_out([("repo", Filter(Facet.REPO, "mstt"))], has_text=True, can_diagnose=True)
    cards.show_suggestions(["mallochost"])
    wanted = ["Did you mean: mallochost", "Drop repo", "Diagnose instead"]
    qtbot.waitUntil(lambda: ways(cards) == wanted)
    for button in cards.ways_out.findChildren(QPushButton):
        if not button.isHidden():
            button.click()
    assert (meant, asked) == (["mallochost"], [True])


def test_a_list_with_answers_offers_nothing_but_what_was_meant(qtbot: QtBot, cards: CardsPanel) -> None:
    cards.show_heading(3, 3, 50)
    cards.show_ways_out([], has_text=True, can_diagnose=True)
    assert cards.ways_out.isHidden()
    cards.show_suggestions(["mallochost"])
    assert cards.ways_out.text == "No card matches in full."
    qtbot.waitUntil(lambda: ways(cards) == ["Did you mean: mallochost"])


@pytest.mark.parametrize(
    ("more", "open_ended", "end"),
    [
        (0, False, "7 for further reading"),
        (13, False, "first 7 of 20 for further reading"),
        (13, True, "first 7 of 20+ for further reading"),
    ],
)
def test_the_heading_of_related_reading_counts_no_answers(
    cards: CardsPanel, more: int, open_ended: bool, end: str
) -> None:
    cards.show_heading(7, 7, 50, more=more, open_ended=open_ended, refused=True)
    assert cards.heading.text() == f"Cards (0 of 50) · {end}"
    assert cards.table.isVisible()


# --- the box ---------------------------------------------------------------------------------------------------------


def test_the_first_letter_of_another_search_keeps_the_filters(search: SearchPanel) -> None:
    said: list[str] = []
    search.box.setText("old words repo:mstt")
    search.text_changed.connect(said.append)
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_X, Qt.KeyboardModifier.NoModifier, "x")
    search.type_anew("repo:mstt ", event)
    assert search.box.text() == "repo:mstt x"
    assert said == ["repo:mstt x"]
    search.box.undo()
    search.box.undo()
    assert search.box.text() == "old words repo:mstt"


def test_the_box_itself_learns_of_a_text_that_is_shown(search: SearchPanel) -> None:
    """By this it shows and hides its button that clears it."""
    seen: list[str] = []
    said: list[str] = []
    search.box.textChanged.connect(seen.append)
    search.text_changed.connect(said.append)
    for text in ("a", ""):
        search.show_query(text, (), str)
    assert (seen, said) == (["a", ""], [])


def test_an_empty_pane_shows_no_head(detail: DetailPanel) -> None:
    assert not detail.title.isVisible()
    detail.show_page("Title", Document("text", is_plain=True))
    assert detail.title.isVisible()
    detail.show_nothing()
    assert not detail.title.isVisible()
