"""What a window looks at, asked for on the read lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.library import Library
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.core.recipe import Form
from ascend_kb.ui.history import Place, PlaceKind
from ascend_kb.ui.session import CopyReady, Listed, Session, Shown, card_shown, copied_message, names_of, page_markdown
from ascend_kb.ui.tasks import TaskRunner
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from ascend_kb.core.card import Card

FIRST, SECOND, THIRD = CardKey("msopcom", 4), CardKey("msopcom", 20), CardKey("msopcom", 25)
REPO = Filter(Facet.REPO, "mstt")


class Told:
    """A session and everything that it said."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.faults: list[Exception] = []
        self.runner = TaskRunner(Library(BUNDLE).interrupter, self.faults.append)
        self.session = Session(Library(BUNDLE), self.runner)
        self.listed: list[Listed] = []
        self.shown: list[Shown] = []
        self.copied: list[CopyReady] = []
        self.session.listed.connect(self.listed.append)
        self.session.shown.connect(self.shown.append)
        self.session.copy_ready.connect(self.copied.append)

    def settle(self) -> None:
        while not self.runner.is_idle:
            with self._qtbot.waitSignal(self.runner.idle):
                pass
        assert self.faults == []


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[Told]:
    made = Told(qtbot)
    yield made
    made.runner.stop()


def test_the_first_list_brings_the_tree_and_the_card_and_later_ones_do_not(told: Told) -> None:
    told.session.set_query(SearchQuery(), None)
    told.settle()
    told.session.set_query(SearchQuery("误报"), None)
    told.settle()
    first, second = told.listed
    assert (first.shelf is None, first.shown is None, first.row, first.key) == (False, False, 0, FIRST)
    assert (second.shelf, second.shown) == (None, None)
    assert [shown.place.id for shown in told.shown] == [str(FIRST)]
    told.session.forget_shelf()
    told.session.list_cards(None)
    told.settle()
    assert told.listed[-1].shelf is not None


@pytest.mark.parametrize(
    ("query", "keep", "expected"),
    [
        (SearchQuery(), SECOND, SECOND),
        (SearchQuery(), None, FIRST),
        (SearchQuery(), CardKey("msopcom", 9999), FIRST),
        (SearchQuery("", (REPO,)), SECOND, CardKey("mstt", 128)),
        (SearchQuery("zqxjq"), SECOND, None),
    ],
)
def test_the_kept_card_stays_selected_if_it_is_there(
    told: Told, query: SearchQuery, keep: CardKey | None, expected: CardKey | None
) -> None:
    told.session.set_query(query, keep)
    told.settle()
    (listed,) = told.listed
    assert listed.key == expected
    assert (listed.row == -1) is (expected is None)


def test_no_card_is_selected_where_none_is_wanted(told: Told) -> None:
    told.session.set_query(SearchQuery(), None, select=False)
    told.settle()
    assert (told.listed[0].row, told.listed[0].key, told.shown) == (-1, None, [])


def test_only_the_last_of_many_queries_is_answered(told: Told) -> None:
    for text in ("a", "ac", "acl", "aclrt", "mallochost"):
        told.session.set_query(SearchQuery(text), None)
    told.settle()
    assert told.listed[-1].selection.query.text == "mallochost"
    assert len(told.listed) <= 2
    assert told.listed[-1].key == SECOND


def test_a_page_of_an_older_list_does_not_arrive(told: Told) -> None:
    pages: list[int] = []
    told.session.fetch_page(0, lambda page, _: pages.append(page))
    told.session.set_query(SearchQuery(), None)
    told.settle()
    assert pages == []
    told.session.fetch_page(0, lambda page, rows: pages.append(page) if len(rows) == 50 else None)
    told.settle()
    assert pages == [0]
    told.session.set_query(SearchQuery("误报"), None)
    told.session.fetch_page(0, lambda page, _: pages.append(page))
    told.settle()
    assert pages == [0]


def test_a_card_on_its_way_is_not_asked_for_twice_but_the_one_before_is_again(told: Told) -> None:
    told.session.set_query(SearchQuery(), None)
    told.settle()
    told.shown.clear()
    for key in (SECOND, SECOND, THIRD, FIRST):
        told.session.show_card(key, moving=True)
    told.settle()
    assert [shown.place.id for shown in told.shown][-1] == str(FIRST)
    told.shown.clear()
    told.session.show_card(FIRST, moving=True)
    told.settle()
    assert told.shown == []
    told.session.forget_shown()
    told.session.show_card(FIRST, moving=True)
    told.settle()
    assert [shown.place.id for shown in told.shown] == [str(FIRST)]


@pytest.mark.parametrize(
    "place",
    [
        Place(PlaceKind.THEME, "unheard-of"),
        Place(PlaceKind.GUIDE, "unheard-of"),
        Place(PlaceKind.PAGE, "unheard-of"),
        Place(PlaceKind.CARD, "msopcom#9999"),
    ],
)
def test_a_place_that_does_not_exist_changes_nothing(told: Told, place: Place) -> None:
    told.session.set_query(SearchQuery(), None)
    told.settle()
    before = told.session.history.current
    told.session.show_place(place)
    told.settle()
    assert len(told.shown) == 1
    assert told.session.history.current == before


def test_a_revisited_place_leaves_the_history_alone(told: Told) -> None:
    told.session.show_place(Place(PlaceKind.PAGE, "manual"))
    told.settle()
    told.session.show_place(Place(PlaceKind.PAGE, "knowledge"))
    told.settle()
    told.session.go(-1)
    told.settle()
    assert [shown.title for shown in told.shown] == ["Manual", "About the knowledge", "Manual"]
    assert told.session.history.can_go(1)
    told.session.go(-1)
    told.settle()
    assert len(told.shown) == 3


def test_the_order_is_kept_for_later_queries(told: Told, library: Library) -> None:
    told.session.set_sort(Sort(SortColumn.DATE, descending=True), None)
    told.session.set_query(SearchQuery("", (REPO,)), None)
    told.settle()
    expected = library.select(SearchQuery("", (REPO,)), Sort(SortColumn.DATE, descending=True), "en").rows(0, 100)
    assert told.listed[-1].rows == expected


def test_ranges_are_copied_in_order_and_none_means_the_shown_card(told: Told, library: Library) -> None:
    told.session.set_query(SearchQuery(), None)
    told.settle()
    rows = library.select(SearchQuery(), None, "en").rows(0, 50)

    def plain(*numbers: int) -> str:
        cards = [library.card(rows[number].key) for number in numbers]
        return library.recipes([card for card in cards if card is not None], Form.PLAIN, "en")

    for ranges, numbers in (([(2, 3), (7, 7)], (2, 3, 7)), ([], (0,)), ([(48, 60)], (48, 49))):
        told.session.copy_recipes(ranges, Form.PLAIN)
        told.settle()
        assert told.copied[-1].copied.text == plain(*numbers)
        assert told.copied[-1].copied.html == ""


def test_a_code_block_that_does_not_exist_is_not_copied(told: Told) -> None:
    told.session.copy_code(0)
    told.session.set_query(SearchQuery(), None)
    told.settle()
    told.session.copy_code(99)
    told.settle()
    assert told.copied == []


def card(library: Library, key: CardKey) -> Card:
    found = library.card(key)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("count", "more", "expected"),
    [
        (1, 0, "msopcom#4"),
        (3, 0, "msopcom#4, msopcom#20, msopcom#25"),
        (4, 0, "msopcom#4, msopcom#20, msopcom#25 and 1 more"),
        (4, 6, "msopcom#4, msopcom#20, msopcom#25 and 1 more (the first 4; 6 were left out)"),
    ],
)
def test_cards_are_named_in_short(library: Library, count: int, more: int, expected: str) -> None:
    cards = [card(library, row.key) for row in library.select(SearchQuery()).rows(0, count)]
    assert names_of(cards, more) == expected


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (Form.COMMANDS, "Copied 2 lines of commands from msopcom#4"),
        (Form.PLAIN, "Copied the recipe of msopcom#4 as plain text"),
        (Form.MARKDOWN, "Copied the recipe of msopcom#4 as Markdown"),
        (Form.HTML, "Copied the recipe of msopcom#4 as rich and plain text"),
    ],
)
def test_what_was_copied_is_said(library: Library, form: Form, said: str) -> None:
    assert copied_message([card(library, FIRST)], form, "a\nb\n", 0) == said


def test_a_card_is_ready_with_its_row_or_not_at_all(library: Library) -> None:
    shown = card_shown(library, FIRST, 3, "en")
    assert shown is not None
    assert (shown.place, shown.row, shown.has_commands) == (Place(PlaceKind.CARD, str(FIRST)), 3, True)
    assert card_shown(library, CardKey("msopcom", 9999), 3, "en") is None


def test_pages_have_a_title_and_a_text_in_the_language_of_the_interface(library: Library) -> None:
    for entry in library.guide():
        assert page_markdown(library, Place(PlaceKind.GUIDE, entry.id)) is not None
    for theme in library.themes():
        title, text = page_markdown(library, Place(PlaceKind.THEME, theme.id)) or ("", "")
        assert title == "Theme"
        assert text.startswith(f"# {theme.title.en}")
