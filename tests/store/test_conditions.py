"""What a query asks beside plain text: each condition agrees with a plain Python reading of all cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ascend_kb.core.query import ALL_OF, Facet, Filter, Match, SearchQuery, Sort
from ascend_kb.core.syntax import MAX_DEPTH, MAX_OPERATORS, AllOf, AnyOf, Not, Restriction, Term, parse
from ascend_kb.core.text import searchable
from ascend_kb.core.vocabulary import EntityKind
from ascend_kb.store.conditions import Asked, take_apart
from ascend_kb.store.indexing import indexed_text
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.core.card import Card, Version
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.syntax import Node

SOME = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


class Model:
    """The knowledge as plain lists, and the cards that a query leaves of all."""

    def __init__(self) -> None:
        self.file = KnowledgeFile(BUNDLE)
        self.cards = list(self.file.cards())
        tags = {tag.id: tag for tag in self.file.catalog.tags}
        self.texts = {card.key: [searchable(t) for t in indexed_text(card, tags).values()] for card in self.cards}
        self.themes = {theme.id: set(theme.cards) for theme in self.file.themes()}
        self.guide = {entry.id: set(entry.cards) for entry in self.file.guide()}

    def kept(self, text: str, *filters: Filter) -> list[CardKey]:
        """Return the cards that match a query fully, in the order of the file."""
        rows = Selection(self.file, SearchQuery(text, filters), Sort(), "zh").rows(0, 100)
        found = {row.key for row in rows if row.match is Match.FULL}
        return [card.key for card in self.cards if card.key in found]

    def holds(self, node: Node, card: Card) -> bool:
        """Whether a node of a query holds for a card, by its meaning."""
        if isinstance(node, Term):
            return any(searchable(node.text) in text for text in self.texts[card.key])
        if isinstance(node, Restriction):
            return self.has(node.filter, card)
        if isinstance(node, Not):
            return not self.holds(node.node, card)
        if isinstance(node, AnyOf):
            return any(self.holds(inner, card) for inner in node.nodes)
        return self.all_hold(node, card)

    def all_hold(self, node: AllOf, card: Card) -> bool:
        """Whether all of some nodes hold; filters of a facet whose values are choices are one condition."""
        choices: dict[Facet, list[Filter]] = {}
        for inner in node.nodes:
            if isinstance(inner, Restriction) and inner.filter.facet not in ALL_OF:
                choices.setdefault(inner.filter.facet, []).append(inner.filter)
            elif not self.holds(inner, card):
                return False
        return all(any(self.has(wanted, card) for wanted in wanteds) for wanteds in choices.values())

    def has(self, wanted: Filter, card: Card) -> bool:
        """Whether a card has a value of a facet."""
        return READ[wanted.facet](self, card, wanted.value)


def of_version(versions: tuple[Version, ...], value: str) -> bool:
    product, _, number = value.strip().lower().rpartition(" ")
    return any(
        (not product or v.product.lower() == product)
        and re.match(rf"{re.escape(number)}(?:[.-]|$)", v.number.lower()) is not None
        for v in versions
    )


def of_api(card: Card, value: str) -> bool:
    names = [e.name.lower() for e in card.entities if e.kind in (EntityKind.API, EntityKind.OPERATOR)]
    return len(value) >= 2 and any(value.lower() in name for name in names)


def has(model: Model, card: Card, value: str) -> bool:
    if value == "command":
        return model.file.has_commands(card.key)
    return value == "change" and bool(card.changes)


READ: dict[Facet, Callable[[Model, Card, str], bool]] = {
    Facet.REPO: lambda _, card, value: card.key.repo == value,
    Facet.TAG: lambda _, card, value: value in card.tags,
    Facet.HARDWARE: lambda _, card, value: value in card.hardware,
    Facet.OUTCOME: lambda _, card, value: card.outcome.value == value,
    Facet.EVIDENCE: lambda _, card, value: card.evidence.value == value,
    Facet.THEME: lambda model, card, value: card.key in model.themes.get(value, ()),
    Facet.GUIDE: lambda model, card, value: card.key in model.guide.get(value, ()),
    Facet.VERSION: lambda _, card, value: of_version((*card.affected, *card.fixed), value),
    Facet.AFFECTED: lambda _, card, value: of_version(card.affected, value),
    Facet.FIXED: lambda _, card, value: of_version(card.fixed, value),
    Facet.API: lambda _, card, value: of_api(card, value),
    Facet.PR: lambda _, card, value: any(str(change.number) == value for change in card.changes),
    Facet.BEFORE: lambda _, card, value: "" < card.latest_change < value,
    Facet.AFTER: lambda _, card, value: card.latest_change[: len(value)] > value,
    Facet.HAS: has,
}


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    opened = Model()
    yield opened
    opened.file.close()


def values(model: Model, facet: Facet) -> list[str]:
    """Return values of a facet: those of the cards, their beginnings where these count too, and some of no card."""
    cards = model.cards
    versions = [v for card in cards for v in (*card.affected, *card.fixed)]
    dates = [date for card in cards if (date := card.latest_change)]
    names = [e.name for card in cards for e in card.entities if e.kind in (EntityKind.API, EntityKind.OPERATOR)]
    listed: dict[Facet, list[str]] = {
        Facet.REPO: [card.key.repo for card in cards],
        Facet.TAG: [tag for card in cards for tag in card.tags],
        Facet.HARDWARE: [name for card in cards for name in card.hardware],
        Facet.OUTCOME: [card.outcome.value for card in cards],
        Facet.EVIDENCE: [card.evidence.value for card in cards],
        Facet.THEME: list(model.themes),
        Facet.GUIDE: list(model.guide),
        Facet.API: [*names, *(name[2:7].upper() for name in names), "a", "%", "_", "acl", "npu_"],
        Facet.PR: [*(str(c.number) for card in cards for c in card.changes), "0", "999999999", "١"],
        Facet.BEFORE: [*(d[:n] for d in dates for n in (4, 7, 10)), "1000", "2999-12-31"],
        Facet.AFTER: [*(d[:n] for d in dates for n in (4, 7, 10)), "1000", "2999-12-31"],
        Facet.HAS: ["command", "change", "note"],
    }
    numbers = [number for v in versions for number in (v.number, v.number.lower(), v.number.rpartition(".")[0])]
    numbers += [f"{v.product} {v.number}" for v in versions] + ["2", "26", "26.1", "26.", "8.3", "1.0", "v2"]
    known = listed.get(facet, [number for number in numbers if number])
    return sorted({*known, "nowhere"} if facet not in (Facet.BEFORE, Facet.AFTER) else set(known))


@pytest.mark.parametrize("facet", Facet)
def test_every_value_of_a_facet_keeps_the_cards_that_have_it(model: Model, facet: Facet) -> None:
    kept = 0
    for value in values(model, facet):
        expected = [card.key for card in model.cards if model.has(Filter(facet, value), card)]
        assert model.kept("", Filter(facet, value)) == expected, value
        kept += bool(expected)
    assert kept >= 1


@pytest.mark.parametrize("facet", Facet)
def test_two_values_of_a_facet_are_choices_or_needed_both(model: Model, facet: Facet) -> None:
    listed = values(model, facet)
    pairs = [(a, b) for a in listed[:: max(1, len(listed) // 8)] for b in listed[:: max(1, len(listed) // 7)] if a != b]
    for one, other in pairs:
        sets = [set(model.kept("", Filter(facet, value))) for value in (one, other)]
        expected = sets[0] & sets[1] if facet in ALL_OF else sets[0] | sets[1]
        assert set(model.kept("", Filter(facet, one), Filter(facet, other))) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2026-03", "2026-02-28"), ("2026-03-01", "2026-02-28"), ("2026", "2025-12-31")],
)
def test_before_leaves_the_named_time_out(model: Model, value: str, expected: str) -> None:
    dates = {card.key: card.latest_change for card in model.cards}
    kept = [dates[key] for key in model.kept("", Filter(Facet.BEFORE, value))]
    assert all("" < date <= expected for date in kept)


@pytest.mark.parametrize(("value", "expected"), [("2026-03", "2026-04-01"), ("2025", "2026-01-01")])
def test_after_leaves_the_named_time_out(model: Model, value: str, expected: str) -> None:
    dates = {card.key: card.latest_change for card in model.cards}
    kept = [dates[key] for key in model.kept("", Filter(Facet.AFTER, value))]
    assert kept
    assert all(date >= expected for date in kept)


@pytest.mark.parametrize("facet", [Facet.BEFORE, Facet.AFTER])
@pytest.mark.parametrize("value", ["", "x", "2026-13", "2026-3", "２０２６", "2026-03-32", "99999"])
def test_what_is_no_date_keeps_nothing(model: Model, facet: Facet, value: str) -> None:
    assert model.kept("", Filter(facet, value)) == []


# --- trees -----------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    ["误报", "malloc", "-误报", "-malloc", "repo:msc", "-repo:mstt", "repo:opl", "tag:hook", "-tag:hook", "has:command",
     "outcome:fixed", "evidence:official", "before:2026-03", "after:2026", "api:aclrt", "pr:5095", "version:26.1",
     '"内存"', "-npu_", "鼷"]
)  # fmt: skip
NODES = st.recursive(
    PIECES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' OR '.join(parts)})"),
        st.lists(inner, min_size=1, max_size=2).map(lambda parts: f"-({' '.join(parts)})"),
    ),
    max_leaves=6,
)


@settings(SOME, max_examples=250)
@given(st.lists(NODES, min_size=1, max_size=3).map(" ".join))
@example("(repo:msc OR 误报) -鼷")
@example("(repo:msc OR (误报 -repo:mstt)) -(has:command malloc)")
def test_any_tree_finds_the_cards_for_which_it_holds(model: Model, text: str) -> None:
    tree = parse(text, model.file.catalog.resolve)
    expected = [card.key for card in model.cards if model.holds(tree, card)]
    if expected or not any(isinstance(node, Not) for node in take_apart(SearchQuery(text), model.file.catalog).others):
        assert model.kept(text) == expected
    else:  # exclusions that leave nothing may have been text
        literal = parse(text, model.file.catalog.resolve, minus=False)
        assert model.kept(text) in ([], [card.key for card in model.cards if model.holds(literal, card)])


@pytest.mark.parametrize(
    "text",
    [
        "误 " + "-内 " * MAX_OPERATORS,
        "误 " + "-pr:7 " * (MAX_OPERATORS // 2),
        " ".join(f"pr:{i}" for i in range(1, MAX_OPERATORS + 1)),
        " ".join(f"version:{i}.1" for i in range(1, MAX_OPERATORS + 1)),
        " OR ".join(f"pr:{i}" for i in range(1, MAX_OPERATORS // 2)),
        " OR ".join(["误", "报"] * (MAX_OPERATORS // 2)),
        "(" * MAX_DEPTH + "误" + " OR repo:msc)" * MAX_DEPTH,
        "误 " + "-(tag:hook OR " * MAX_DEPTH + "内" + ")" * MAX_DEPTH,
        "误 " + "-(内 " * MAX_DEPTH + "x" + ")" * MAX_DEPTH,
    ],
    ids=[
        "exclusions",
        "excluded filters",
        "filters",
        "versions",
        "chosen filters",
        "choices",
        "groups",
        "both",
        "nested",
    ],
)
def test_the_largest_queries_are_answered(model: Model, text: str) -> None:
    tree = parse(text, model.file.catalog.resolve)
    assert not any(isinstance(node, Term) and len(node.text) > 20 for node in tree.nodes)
    assert model.kept(text) == [card.key for card in model.cards if model.holds(tree, card)]


# --- taking apart ----------------------------------------------------------------------------------------------------


def taken(text: str, *filters: Filter, minus: bool = True) -> Asked:
    file = KnowledgeFile(BUNDLE)
    try:
        return take_apart(SearchQuery(text, filters), file.catalog, minus=minus)
    finally:
        file.close()


def test_a_query_is_sorted_by_how_it_is_answered() -> None:
    asked = taken('误报 "graph mode" (a OR b) repo:msc -x (c tag:hook) (repo:opl OR d)', Filter(Facet.OUTCOME, "fixed"))
    assert asked.terms == ("误报", "c")
    assert asked.exact == ("graph mode",)
    assert len(asked.choices) == 1
    assert asked.filters == (Filter(Facet.OUTCOME, "fixed"), Filter(Facet.REPO, "msopcom"), Filter(Facet.TAG, "hook"))
    assert [type(node) for node in asked.others] == [Not, AnyOf]
    assert asked.texts == ("误报", "c", "graph mode", "a", "b")
    assert asked.text == "误报 c graph mode a b"


def test_a_filter_that_stands_twice_is_one() -> None:
    both = taken("repo:msc repo:msopcom", Filter(Facet.REPO, "msopcom"))
    assert both.filters == (Filter(Facet.REPO, "msopcom"),)


def test_without_minus_nothing_is_excluded() -> None:
    assert taken("a -b", minus=False).terms == ("a", "-b")


def test_deeply_nested_queries_are_taken_apart() -> None:
    asked = taken("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH + " b" * 5_000)
    assert asked.terms[:2] == ("a", "b")
    assert len(asked.terms) == 5_001
