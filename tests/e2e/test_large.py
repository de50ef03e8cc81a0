"""Many cards and long cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from ascend_kb.core.query import SearchQuery, SortColumn
from ascend_kb.core.recipe import Form
from ascend_kb.core.vocabulary import SectionId
from ascend_kb.ui.models.cards import PAGE
from ascend_kb.ui.session import MOST_COPIED
from tests.gui import CTRL, KEY, clipboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card
    from tests.gui import Desk

CARDS = 650


@pytest.fixture
def large(start: Callable[..., Desk], large_kb: Path) -> Desk:
    return start(large_kb)


@pytest.fixture
def large_library(large_kb: Path) -> Iterator[Library]:
    from ascend_kb.app.library import Library

    opened = Library(large_kb)
    yield opened
    opened.close()


def pages(desk: Desk) -> set[int]:
    return set(desk.window.cards.cards._pages)


def test_only_what_is_looked_at_is_fetched_by_row_number(large: Desk) -> None:
    model, table = large.window.cards.cards, large.window.cards.table
    assert model.rowCount() == CARDS
    assert pages(large) == {0}
    table.scrollTo(model.index(450, 0))
    table.viewport().grab()
    large.settle()
    assert pages(large) == {0, 4}
    row = model.row(420)
    assert row is not None
    assert str(row.key) == "msopcom#421"


def test_a_row_that_is_on_its_way_shows_dots_and_then_its_card(large: Desk) -> None:
    model = large.window.cards.cards
    assert model.index(333, 0).data() == "…"
    assert model.index(333, 1).data() is None
    large.settle()
    assert model.index(333, 0).data() == "msopcom#334"


def test_the_text_follows_to_rows_that_were_not_fetched_yet(large: Desk) -> None:
    table = large.window.cards.table
    table.setFocus()
    for _ in range(CARDS // 10):
        QTest.keyClick(table, KEY.Key_PageDown)
    large.settle()
    assert table.currentIndex().row() == CARDS - 1
    assert (large.selected(), large.shown) == ([f"msopcom#{CARDS}"], f"msopcom#{CARDS}")
    assert large.action("card.copy-commands").isEnabled()


def test_a_selected_card_far_down_stays_selected_and_visible_in_another_order(large: Desk) -> None:
    large.search("msopcom#612")
    large.run("view.clear")
    assert (large.selected(), large.shown) == (["msopcom#612"], "msopcom#612")
    for column in (SortColumn.KEY, SortColumn.KEY):
        large.click_header(column)
        assert (large.selected(), large.shown) == (["msopcom#612"], "msopcom#612")
        assert large.is_selected_row_visible
    assert large.window.cards.table.currentIndex().row() == CARDS - 612


def test_select_all_is_one_range_and_copies_as_many_as_is_sensible(large: Desk, large_library: Library) -> None:
    large.window.cards.table.setFocus()
    large.press(KEY.Key_A, CTRL)
    assert large.window.cards.selected_ranges() == [(0, CARDS - 1)]
    assert len(pages(large)) < CARDS / PAGE
    with large.qtbot.waitSignal(large.window.session.copy_ready, timeout=20_000):
        large.action("card.copy-commands").trigger()
    rows = large_library.select(SearchQuery()).rows(0, MOST_COPIED)
    cards = [card for row in rows if (card := large_library.card(row.key)) is not None]
    assert len(cards) == MOST_COPIED == 500
    assert clipboard()[0] == large_library.recipes(cards, Form.COMMANDS, "en")
    assert large.said.startswith("Copied 500 lines of commands from msopcom#1, msopcom#2, msopcom#3 and 497 more ")
    assert large.said.endswith("(the first 500; 150 were left out)")


def test_the_window_answers_while_a_long_copy_runs(large: Desk) -> None:
    large.window.cards.table.setFocus()
    large.press(KEY.Key_A, CTRL)
    large.action("card.copy-markdown").trigger()
    assert not large.runner.is_idle
    large.window.search.box.setText("x")
    assert large.window.search.box.text() == "x"
    large.window.close()


@pytest.fixture
def open_long(
    start: Callable[..., Desk], write_kb: Callable[..., Path], cards: dict[str, Card]
) -> Callable[[int], Desk]:
    """Open a knowledge file whose first card has a symptom of about so many bytes, and a second one."""

    def open_it(size: int) -> Desk:
        card = cards["msopcom#4"]
        line = "One **line** of a long report.\n\n"
        symptom = line * (size // len(line)) + "The very end."
        sections = {lang: {**parts, SectionId.SYMPTOM: symptom} for lang, parts in card.sections.items()}
        return start(write_kb(card._replace(sections=sections), cards["msopcom#57"]))

    return open_it


def test_a_long_card_shows_its_beginning_and_all_of_it_on_a_click(open_long: Callable[[int], Desk]) -> None:
    desk = open_long(30_000)
    assert "The very end." not in desk.text
    assert desk.text.endswith("Show all")
    assert 10_000 < len(desk.text) < 21_000
    desk.click_link("ascend-kb://show-all")
    assert "The very end." in desk.text
    assert "Show all" not in desk.text
    assert desk.shown == "msopcom#4"
    assert not desk.action("go.back").isEnabled()


def test_a_card_of_common_length_is_shown_whole(open_long: Callable[[int], Desk]) -> None:
    desk = open_long(10_000)
    assert "The very end." in desk.text
    assert "Show all" not in desk.text


def test_a_huge_card_is_plain_text(open_long: Callable[[int], Desk]) -> None:
    desk = open_long(1_100_000)
    assert "One **line** of a long report." in desk.text
    assert "The very end." in desk.text
    desk.press(KEY.Key_Down)
    assert desk.shown == "msopcom#57"
    assert "**" not in desk.text
