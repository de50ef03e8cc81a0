"""The card list agrees with a plain Python filter, sort and count, page by page and by row number."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import ALL_OF, COUNTED, Facet, Filter, Match, SearchQuery, Sort, SortColumn
from ascend_kb.core.vocabulary import Evidence, Outcome
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection, facet_counts
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.core.card import Card
    from ascend_kb.core.language import Language

SOME = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
TEXTS = [
    "",
    "",
    "",
    "误报",
    "dump",
    "算子 精度",
    "npu_",
    "malloc uint32",
    "how to fix accuracy mismatch",
    "opl#40",
    "鼷",
]


class Model(NamedTuple):
    """The knowledge as plain lists, in the order of the file."""

    file: KnowledgeFile
    cards: list[Card]
    values: dict[Facet, dict[CardKey, set[str]]]  # what every card has of every facet

    def among(self, text: str) -> list[CardKey]:
        """Return the cards that a free text finds, in the order of rank."""
        selection = Selection(self.file, SearchQuery(text), Sort(), "zh")
        return [row.key for row in selection.rows(0, 100)]

    def passes(self, key: CardKey, query: SearchQuery, without: Facet | None = None) -> bool:
        """Whether a card passes all filters but those of one facet."""
        for facet in COUNTED:
            wanted = set(query.values(facet))
            has = self.values[facet][key]
            if facet is without or not wanted:
                continue
            if facet in ALL_OF:
                if not wanted <= has:
                    return False
            elif not wanted & has:
                return False
        return True


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    file = KnowledgeFile(BUNDLE)
    cards = list(file.cards())

    def numbers_of(card: Card) -> set[str]:
        return {version.number for version in (*card.affected, *card.fixed)}

    numbers = set().union(*map(numbers_of, cards))
    facets: dict[Facet, Callable[[Card], set[str]]] = {
        Facet.REPO: lambda card: {card.key.repo},
        Facet.TAG: lambda card: set(card.tags),
        Facet.HARDWARE: lambda card: set(card.hardware),
        Facet.OUTCOME: lambda card: {card.outcome.value},
        Facet.EVIDENCE: lambda card: {card.evidence.value},
        Facet.THEME: lambda card: {theme.id for theme in file.themes() if card.key in theme.cards},
        Facet.VERSION: lambda card: {
            known
            for known in numbers
            for v in numbers_of(card)
            if v == known or v.startswith((f"{known}.", f"{known}-"))
        },
        Facet.GUIDE: lambda card: {entry.id for entry in file.guide() if card.key in entry.cards},
    }
    yield Model(file, cards, {facet: {card.key: of(card) for card in cards} for facet, of in facets.items()})
    file.close()


def draw_query(data: st.DataObject, model: Model) -> SearchQuery:
    """Draw free text and up to four filters, most of them values of one card so that something is left."""
    card = data.draw(st.sampled_from(model.cards)).key
    filters = []
    for _ in range(data.draw(st.integers(0, 4))):
        facet = data.draw(st.sampled_from(COUNTED))
        some = data.draw(st.sampled_from([card, model.cards[0].key, model.cards[-1].key]))
        values = sorted(model.values[facet][some])
        if values:
            filters.append(Filter(facet, data.draw(st.sampled_from(values))))
    return SearchQuery(data.draw(st.sampled_from(TEXTS)), tuple(dict.fromkeys(filters)))


# --- filters ---------------------------------------------------------------------------------------------------------


@SOME
@given(st.data())
def test_filters_and_text_combine_as_a_plain_filter_does(model: Model, data: st.DataObject) -> None:
    query = draw_query(data, model)
    expected = [key for key in model.among(query.text) if model.passes(key, query)]
    selection = Selection(model.file, query, Sort(), "zh")
    assert selection.total == len(expected)
    assert [row.key for row in selection.rows(0, 100)] == expected


@SOME
@given(st.data())
def test_counts_apply_all_filters_but_those_of_their_own_facet(model: Model, data: st.DataObject) -> None:
    query = draw_query(data, model)
    counts = facet_counts(model.file, query)
    assert set(counts) == set(COUNTED)
    for facet in COUNTED:
        expected: dict[str, int] = {}
        for key in model.among(query.text):
            if model.passes(key, query, without=facet):
                for value in model.values[facet][key]:
                    expected[value] = expected.get(value, 0) + 1
        assert counts[facet] == expected, facet


def test_values_of_one_facet_are_ored_or_anded_as_the_contract_says(model: Model) -> None:
    def total(*filters: Filter) -> int:
        return Selection(model.file, SearchQuery("", filters), Sort(), "zh").total

    msc, opl = Filter(Facet.REPO, "msopcom"), Filter(Facet.REPO, "op-plugin")
    assert (total(msc), total(opl), total(msc, opl)) == (15, 13, 28)
    fixed, planned = Filter(Facet.OUTCOME, "fixed"), Filter(Facet.OUTCOME, "planned")
    assert total(fixed, planned) == total(fixed) + total(planned) > total(fixed) > 0
    inferred, unverified = Filter(Facet.EVIDENCE, "inferred"), Filter(Facet.EVIDENCE, "unverified")
    assert (total(inferred), total(unverified), total(inferred, unverified)) == (21, 3, 24)
    hook, crash = Filter(Facet.TAG, "hook"), Filter(Facet.TAG, "crash")
    assert 0 < total(hook, crash) < min(total(hook), total(crash))
    assert total(msc, hook) <= min(total(msc), total(hook))
    assert total(Filter(Facet.TAG, "no-such-tag")) == total(Filter(Facet.REPO, "msc")) == 0


@pytest.mark.parametrize("value", ["%", "_", "msopco_", "'", '"', "\0", "", "msopcom' OR '1'='1"])
@pytest.mark.parametrize("facet", Facet)
def test_filter_values_are_literal(model: Model, facet: Facet, value: str) -> None:
    query = SearchQuery("", (Filter(facet, value),))
    assert Selection(model.file, query, Sort(), "zh").total == 0
    assert all(not counts for other, counts in facet_counts(model.file, query).items() if other is not facet)


# --- order -----------------------------------------------------------------------------------------------------------


def sort_key(model: Model, column: SortColumn, language: Language) -> Callable[[Card], object]:
    """Return what Python sorts by for a column."""
    labels = {tag.id: tag.label.get(language) for tag in model.file.catalog.tags}
    comma = ", " if language == "en" else "、"
    keys: dict[SortColumn, Callable[[Card], object]] = {
        SortColumn.RANK: model.cards.index,
        SortColumn.KEY: model.cards.index,
        SortColumn.TITLE: lambda card: card.title.get(language).encode(),
        SortColumn.OUTCOME: lambda card: list(Outcome).index(card.outcome),
        SortColumn.EVIDENCE: lambda card: list(Evidence).index(card.evidence),
        SortColumn.DATE: lambda card: card.latest_change,
        SortColumn.TAGS: lambda card: comma.join(labels[tag] for tag in (*card.tags, *card.hardware)).encode(),
    }
    return keys[column]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", SortColumn)
@pytest.mark.parametrize("text", ["", "误报"])
def test_every_column_orders_as_a_plain_sort_does(
    model: Model, column: SortColumn, descending: bool, language: Language, text: str
) -> None:
    found = model.among(text)
    cards = [card for card in model.cards if card.key in found]
    expected = sorted(cards, key=sort_key(model, column, language), reverse=descending)  # type: ignore[arg-type]
    keys = [card.key for card in expected]
    if text and column is SortColumn.RANK:
        keys = found[::-1] if descending else found
    selection = Selection(model.file, SearchQuery(text), Sort(column, descending), language)
    assert [row.key for row in selection.rows(0, 100)] == keys
    assert len(keys) > 1


@SOME
@given(st.data())
def test_pages_and_positions_agree_with_the_whole_list(model: Model, data: st.DataObject) -> None:
    query = draw_query(data, model)
    sort = Sort(data.draw(st.sampled_from(SortColumn)), data.draw(st.booleans()))
    selection = Selection(model.file, query, sort, data.draw(st.sampled_from(["zh", "en"])))
    rows = selection.rows(0, 100)
    offset, limit = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 60))
    assert selection.rows(offset, limit) == rows[offset : offset + limit]
    keys = [row.key for row in rows]
    for card in model.cards[::7] + [card for card in model.cards if card.key in keys[:3]]:
        expected = keys.index(card.key) if card.key in keys else None
        assert selection.position(card.key) == expected


@pytest.mark.parametrize("column", SortColumn)
@pytest.mark.parametrize("text", ["", "误报"])
def test_the_position_of_no_card_is_none(model: Model, column: SortColumn, text: str) -> None:
    selection = Selection(model.file, SearchQuery(text), Sort(column), "zh")
    assert selection.position(CardKey("msopcom", 1)) is None
    assert selection.position(CardKey("nowhere", 57)) is None


def test_a_row_shows_what_its_card_says(model: Model) -> None:
    rows = {row.key: row for row in Selection(model.file, SearchQuery(), Sort(), "zh").rows(0, 100)}
    assert len(rows) == 50
    for card in model.cards:
        row = rows[card.key]
        assert (row.title, row.outcome, row.evidence) == (card.title, card.outcome, card.evidence)
        assert row.latest_change == card.latest_change
        assert row.tags == (*card.tags, *card.hardware)
        assert row.has_commands == model.file.has_commands(card.key)
        assert (row.match, row.score, row.related) == (Match.FULL, 0.0, False)


def test_full_counts_the_full_matches_only(model: Model) -> None:
    selection = Selection(model.file, SearchQuery("aclrtMallocHost 误报 申请内存后"), Sort(), "zh")
    kinds = [row.match for row in selection.rows(0, 100)]
    assert selection.full == kinds.count(Match.FULL) < selection.total
    assert Selection(model.file, SearchQuery(), Sort(), "zh").full == 50


# --- threads ---------------------------------------------------------------------------------------------------------


def test_a_running_query_is_interrupted_from_another_thread(model: Model) -> None:
    file = KnowledgeFile(BUNDLE)
    started = threading.Event()
    raised: list[Exception] = []
    stop: list[Callable[[], None]] = []

    def mark() -> int:
        started.set()
        return 1

    def work() -> None:
        stop.append(file.file.interrupter())
        connection = file.file.database.connection()  # type: ignore[no-untyped-call]
        connection.create_function("started", 0, mark)
        endless = "WITH RECURSIVE n(x) AS (SELECT started() UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        try:
            file.file.database.execute_sql(endless).fetchone()  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001  (looked at below)
            raised.append(error)
        raised.append(ValueError(str(Selection(file, SearchQuery("误报"), Sort(), "zh").total)))
        file.close()

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(30)
    stop[0]()
    thread.join(30)
    assert not thread.is_alive()
    assert str(raised[0]) == "interrupted"
    assert str(raised[1]) == str(len(model.among("误报")))  # and the connection is still good
    file.close()


@pytest.mark.parametrize(
    "work",
    [
        lambda file: Selection(file, SearchQuery("误报"), Sort(), "zh"),
        lambda file: facet_counts(file, SearchQuery()),
        lambda file: file.card(CardKey("msopcom", 57)),
    ],
    ids=["selection", "facets", "card"],
)
def test_an_interrupted_query_is_not_taken_for_damage(work: Callable[[KnowledgeFile], object]) -> None:
    file = KnowledgeFile(BUNDLE)
    connection = file.file.database.connection()  # type: ignore[no-untyped-call]
    connection.set_progress_handler(lambda: 1, 1)
    with pytest.raises(Exception, match=r"^interrupted$") as caught:
        work(file)
    assert not isinstance(caught.value, KBError)
    connection.set_progress_handler(None, 1)
    assert work(file) is not None
    file.close()


def test_every_thread_reads_the_same(model: Model) -> None:
    def read(_: int) -> list[CardKey]:
        try:
            return [row.key for row in Selection(model.file, SearchQuery("误报"), Sort(), "zh").rows(0, 100)]
        finally:
            model.file.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(read, range(12)))
    assert found == [model.among("误报")] * 12


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("#40", ["op-plugin#40"]), ("#54", ["msopcom#54", "op-plugin#54"]), ("msopcom-60", ["msopcom#60"]),
        ("msc57", ["msopcom#57"]), ("MSC 57", ["msopcom#57"]), ("!5095", ["op-plugin#143"]),
        ("PR 5095", ["op-plugin#143"]),
        ("pr!183", ["msopcom#57"]), ("Ascend/msopcom#57", ["msopcom#57"]), ("msopcom!183", ["msopcom#57"]),
        ("https://gitcode.com/Ascend/msopcom/issues/57?from=a#b", ["msopcom#57"]),
        ("https://gitcode.com/Ascend/op-plugin/pull/5095", ["op-plugin#143"]),
    ],
)  # fmt: skip
def test_what_a_text_names_by_number_stands_first(text: str, first: list[str]) -> None:
    file = KnowledgeFile(BUNDLE)
    selection = Selection(file, SearchQuery(text), Sort(), "zh")
    assert [str(row.key) for row in selection.rows(0, len(first))] == first
    assert not selection.refused
    file.close()


@pytest.mark.parametrize("text", ["opl#999", "!999999", "foo#57", "msopcom!57", "https://gitcode.com/a/foo/issues/57"])
def test_a_number_that_names_nothing_is_only_text(text: str) -> None:
    file = KnowledgeFile(BUNDLE)
    rows = Selection(file, SearchQuery(text), Sort(), "zh").rows(0, 50)
    assert [row.key for row in rows if row.match is Match.FULL] == []
    file.close()
