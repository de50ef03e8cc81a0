"""What a user sees at the first start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.query import Facet, Filter, SearchQuery
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.app.library import Library
    from tests.gui import Desk


def test_all_cards_are_listed_and_the_first_one_is_open(desk: Desk, library: Library) -> None:
    expected = [str(row.key) for row in library.select(SearchQuery()).rows(0, 100)]
    assert len(expected) == 50
    assert desk.listed() == expected
    assert desk.selected() == [expected[0]]
    card = library.card(library.catalog.key(expected[0]))
    assert card is not None
    assert desk.title == f"{card.key}  {card.title.en}"
    assert desk.window.cards.heading.text() == "Cards (50 of 50)"
    assert desk.window.counts.text().startswith("50 of 50 cards, ")


def test_the_tree_counts_as_the_library_does(desk: Desk, library: Library) -> None:
    counts = library.facets(SearchQuery())
    assert counts[Facet.REPO]["msopcom"] == 15
    for facet, values in counts.items():
        for value, count in values.items():
            assert desk.count_in_tree(Filter(facet, value)) == str(count)


def test_the_text_holds_the_summary_and_every_part_of_the_card(desk: Desk, library: Library) -> None:
    card = library.card(library.catalog.key(desk.shown))
    assert card is not None
    assert card.summary.en in desk.text
    for heading in ("现象", "根因", "修复", "处理步骤", "依据"):
        assert heading in desk.text.split("\n")


def test_the_window_title_names_a_file_that_is_not_the_usual_one(start: Callable[..., Desk], own_copy: Path) -> None:
    assert start(None).window.windowTitle() == start(BUNDLE).window.windowTitle() == "Ascend KB"
    assert start(own_copy).window.windowTitle() == f"Ascend KB — {own_copy}"


@pytest.mark.parametrize("keeps_nothing", [True, False])
def test_a_state_is_kept_unless_the_program_was_told_not_to(
    start: Callable[..., Desk], home: Path, keeps_nothing: bool
) -> None:
    desk = start(keeps_nothing=keeps_nothing)
    desk.search("内存")
    desk.window.close()
    assert home.exists() is not keeps_nothing
    assert keeps_nothing or [file.name for file in home.iterdir()] == ["settings.json"]
