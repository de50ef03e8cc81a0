"""Queries are values: every step gives a new one."""

from __future__ import annotations

import pytest

from ascend_kb.core.query import ALL_OF, COUNTED, Facet, Filter, SearchQuery, Sort, SortColumn

MSC = Filter(Facet.REPO, "msopcom")
OPL = Filter(Facet.REPO, "op-plugin")
HOOK = Filter(Facet.TAG, "hook")
FULL = SearchQuery("误报", (MSC, HOOK, OPL))


@pytest.mark.parametrize(
    ("query", "empty"),
    [
        (SearchQuery(), True),
        (SearchQuery(" \u3000\n"), True),
        (SearchQuery("x"), False),
        (SearchQuery("", (MSC,)), False),
        (SearchQuery("-"), False),
    ],
)
def test_a_query_without_text_and_filters_is_empty(query: SearchQuery, empty: bool) -> None:
    assert query.is_empty is empty


def test_values_are_those_of_one_facet_in_order() -> None:
    assert FULL.values(Facet.REPO) == ("msopcom", "op-plugin")
    assert FULL.values(Facet.TAG) == ("hook",)
    assert FULL.values(Facet.OUTCOME) == ()


def test_toggling_adds_a_filter_at_the_end_and_takes_it_out_again() -> None:
    without = FULL.toggled(HOOK)
    assert without == SearchQuery("误报", (MSC, OPL))
    assert without.toggled(HOOK) == SearchQuery("误报", (MSC, OPL, HOOK))


def test_equal_values_of_two_facets_are_two_filters() -> None:
    other = Filter(Facet.HARDWARE, "hook")
    assert SearchQuery("", (HOOK, other)).without(other).filters == (HOOK,)


def test_removing_what_is_not_there_changes_nothing() -> None:
    assert FULL.without(Filter(Facet.REPO, "mstt")) == FULL


def test_a_facet_is_removed_whole() -> None:
    assert FULL.without_facet(Facet.REPO) == SearchQuery("误报", (HOOK,))
    assert FULL.without_facet(Facet.THEME) == FULL


def test_other_text_keeps_the_filters_and_the_old_query() -> None:
    assert FULL.with_text("x") == SearchQuery("x", (MSC, HOOK, OPL))
    assert FULL.text == "误报"


def test_tags_and_hardware_are_anded_and_nothing_else() -> None:
    assert {facet for facet in COUNTED if facet in ALL_OF} == {Facet.TAG, Facet.HARDWARE, Facet.VERSION}


def test_the_order_is_by_rank_unless_asked_otherwise() -> None:
    assert Sort() == (SortColumn.RANK, False)
