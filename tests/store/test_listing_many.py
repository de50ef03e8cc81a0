"""Very many matches: the first rows come quickly, then the exact order of the same cards; with low limits, few do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.query import Match, SearchQuery, Sort, SortColumn
from ascend_kb.store import fulltext, listing, vocabulary
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection, facet_counts
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.keys import CardKey

SOME = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
QUERIES = [
    "误", "误报", "内存", "a", "ge", "get", "tensor", "npu_", "算子 精度", "torch.compile", "mstt#217", "内存 !5095",
    "repo:msopcom 内存", "has:command 内存", "内存 -误报", "内存 -ge", "-内存 算子", "误报 OR 精度", "ge OR 误报",
    '"illegal free"', "tag:graph-mode a", "(ge OR 精度) repo:op-plugin", "鼷", "",
]  # fmt: skip
COLUMNS = [SortColumn.RANK, SortColumn.TITLE, SortColumn.DATE]
ALL = 1_000


@pytest.fixture(scope="module")
def usual() -> Iterator[KnowledgeFile]:
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeFile]:
    """The bundle, taken for a file of very many cards."""
    for module, name, value in (
        (listing, "MANY", 3), (listing, "COSTLY", 0), (listing, "FIRST", 8), (listing, "AMONG_FIRST", 4),
        (fulltext, "MOST_WORDS", 2), (vocabulary, "SMALL", 10),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()


def select(file: KnowledgeFile, text: str, sort: Sort = Sort(), *, quick: bool = False) -> Selection:  # noqa: B008
    return Selection(file, SearchQuery(text), sort, "zh", quick=quick)


def keys(selection: Selection) -> list[CardKey]:
    return [row.key for row in selection.rows(0, ALL)]


@pytest.fixture(scope="module")
def expected(usual: KnowledgeFile) -> dict[str, set[CardKey]]:
    """The full matches of each query with the usual limits."""
    found = {}
    for text in QUERIES:
        rows = select(usual, text).rows(0, ALL)
        found[text] = {row.key for row in rows if row.match is Match.FULL}
    return found


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("text", QUERIES)
def test_many_and_few_are_the_same_cards(
    file: KnowledgeFile, expected: dict[str, set[CardKey]], text: str, column: SortColumn
) -> None:
    for descending in (False, True):
        selection = select(file, text, Sort(column, descending))
        rows = selection.rows(0, ALL)
        assert selection.is_exact
        assert len(rows) == len({row.key for row in rows}) == selection.total
        if len(expected[text]) > 3:
            assert {row.key for row in rows if row.match is Match.FULL} == expected[text]
            assert selection.full == len(expected[text])


@pytest.mark.parametrize("column", [SortColumn.TITLE, SortColumn.DATE, SortColumn.KEY])
@pytest.mark.parametrize("text", ["内存", "误", "a", "repo:msopcom 内存", "内存 -误报"])
def test_the_order_by_a_column_is_that_of_few(
    file: KnowledgeFile, usual: KnowledgeFile, text: str, column: SortColumn
) -> None:
    assert keys(select(file, text, Sort(column))) == keys(select(usual, text, Sort(column)))


@pytest.mark.parametrize("text", QUERIES)
def test_the_first_rows_are_of_the_exact_list(file: KnowledgeFile, text: str) -> None:
    first, exact = select(file, text, quick=True), select(file, text)
    shown = first.rows(0, 3)
    assert {row.key for row in shown} <= set(keys(exact))
    assert len(shown) == min(3, first.total)
    assert first.total <= exact.total
    if first.is_exact:
        assert first.total == exact.total
        assert shown == exact.rows(0, 3)


def test_a_part_of_many_words_and_a_common_word_are_not_exact_at_once(file: KnowledgeFile) -> None:
    assert not select(file, "ge", quick=True).is_exact
    assert not select(file, "内存", quick=True).is_exact
    assert select(file, "鼷", quick=True).is_exact
    assert select(file, "", quick=True).is_exact


@SOME
@given(st.data())
def test_every_row_has_its_position(file: KnowledgeFile, data: st.DataObject) -> None:
    text, column = data.draw(st.sampled_from(QUERIES)), data.draw(st.sampled_from(COLUMNS))
    sort = Sort(column, data.draw(st.booleans()))
    listed = keys(select(file, text, sort))
    selection = select(file, text, sort)
    places = data.draw(st.permutations(range(len(listed))))[:6]
    assert [selection.position(listed[place]) for place in places] == places
    assert selection.complete() is selection
    assert keys(selection) == listed


@pytest.mark.parametrize("text", QUERIES)
def test_a_card_that_is_kept_stands_among_the_first_until_the_order_is_exact(file: KnowledgeFile, text: str) -> None:
    for key in keys(select(file, text)):
        first = select(file, text, quick=True)
        place = first.position(key)
        if place is None:  # held by a rarer word of many: not yet known
            assert not first.is_exact
            continue
        assert first.rows(place, 1)[0].key == key
        if not first.is_exact:
            assert place < max(8, listing.AMONG_FIRST)
        shown = [row.key for row in first.rows(0, 4)]
        assert len(shown) == len(set(shown))


@pytest.mark.parametrize("text", QUERIES)
def test_a_card_that_is_not_selected_has_no_position(file: KnowledgeFile, usual: KnowledgeFile, text: str) -> None:
    listed = set(keys(select(file, text)))
    others = [card.key for card in usual.cards() if card.key not in listed][:5]
    assert [select(file, text, quick=quick).position(key) for key in others for quick in (False, True)] == [
        None for _ in others for _ in range(2)
    ]


@pytest.mark.parametrize("text", [text for text in QUERIES if text != "鼷"])
def test_counts_are_those_of_few(
    file: KnowledgeFile, usual: KnowledgeFile, expected: dict[str, set[CardKey]], text: str
) -> None:
    if len(expected[text]) > 3:
        assert facet_counts(file, SearchQuery(text)) == facet_counts(usual, SearchQuery(text))
