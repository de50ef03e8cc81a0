"""Filters are read from the text, written into it and taken out again, whatever else stands there."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.editing import (
    filters_alone,
    filters_in,
    toggled,
    with_filter,
    without_facet,
    without_filter,
    words_alone,
    words_span,
)
from ascend_kb.core.query import Facet, Filter

SOME = settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
REPOS = ("msopcom", "mstt")
MSC, MTT = (Filter(Facet.REPO, name) for name in REPOS)
HOOK = Filter(Facet.TAG, "hook")
VERSION = Filter(Facet.VERSION, "PTA 26.1")
PIECES = [
    "误报", "a", "-b", "OR", "(", ")", '"', '"x y"', "repo:msopcom", "repo:mstt", "tag:hook", "-repo:mstt",
    "(repo:mstt)", "(tag:hook a)", "repo:gone", "repo:", '-"', ' version:"PTA 26.1"', "-(a repo:msopcom)", "a:b",
    "  ", "\t", "--",
]  # fmt: skip
queries = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.lists(st.sampled_from(PIECES)).map("".join)
filters = st.sampled_from([MSC, MTT, HOOK, VERSION])


def resolve(field: str, value: str) -> Filter | None:
    known = {"repo": REPOS, "tag": ("hook",), "version": ("PTA 26.1",)}
    return Filter(Facet(field), value) if value in known.get(field, ()) else None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ()),
        ("误报", ()),
        ("误报 repo:mstt", (MTT,)),
        ("repo:mstt repo:msopcom repo:mstt", (MTT, MSC)),
        ("(repo:mstt) tag:hook", (MTT, HOOK)),
        ("-repo:mstt a", ()),
        ("repo:mstt OR repo:msopcom", ()),
        ("repo:gone", ()),
        ('"repo:mstt"', ()),
    ],
)
def test_filters_that_restrict_the_whole_query_are_read(text: str, found: tuple[Filter, ...]) -> None:
    assert filters_in(text, resolve) == found


@pytest.mark.parametrize(
    ("text", "wanted", "longer"),
    [
        ("", MTT, "repo:mstt "),
        ("误报", MTT, "误报 repo:mstt "),
        ("误报  ", MTT, "误报 repo:mstt "),
        ("repo:mstt", MTT, "repo:mstt"),
        ("a OR", MTT, "repo:mstt a OR"),
        ("(a", VERSION, '(a version:"PTA 26.1" '),
    ],
)
def test_a_filter_is_written_behind_the_text(text: str, wanted: Filter, longer: str) -> None:
    assert with_filter(text, wanted, resolve) == longer


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("repo:mstt", ""),
        ("a repo:mstt b", "a b"),
        ("a repo:mstt", "a"),
        ("repo:mstt a", "a"),
        ("a (repo:mstt) b", "a b"),
        ("a (repo:mstt tag:hook) b", "a (tag:hook) b"),
        ("repo:mstt a repo:mstt", "a"),
        ("a -repo:mstt", "a -repo:mstt"),
        ("a  repo:mstt  b", "a   b"),
    ],
)
def test_a_filter_is_taken_out_with_one_blank(text: str, left: str) -> None:
    assert without_filter(text, MTT, resolve) == left


def test_words_and_filters_are_told_apart() -> None:
    text = "误报 repo:mstt -x tag:hook (a OR b)"
    assert words_alone(text, resolve) == "误报 -x (a OR b)"
    assert filters_alone(text, resolve) == "repo:mstt tag:hook "
    assert without_facet(text, Facet.REPO, resolve) == "误报 -x tag:hook (a OR b)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("误报 a", "误报 a"),
        ("误报 a repo:mstt ", "误报 a"),
        ("repo:mstt  误报 -x", "误报 -x"),
        ("repo:mstt", ""),
        ("a repo:mstt b", "a repo:mstt b"),
    ],
)
def test_another_search_replaces_the_words_and_keeps_the_filters(text: str, words: str) -> None:
    start, end = words_span(text, resolve)
    assert text[start:end] == words


@SOME
@given(text=queries, wanted=filters)
def test_a_filter_that_was_added_is_there_and_one_that_was_taken_out_is_not(text: str, wanted: Filter) -> None:
    assert wanted not in filters_in(without_filter(text, wanted, resolve), resolve)
    longer = with_filter(text, wanted, resolve)
    if longer != text:
        assert wanted in filters_in(longer, resolve)
        assert set(filters_in(longer, resolve)) >= set(filters_in(text, resolve))


@SOME
@given(words=st.lists(st.sampled_from(["误报", "a", "-b", "(a OR b)", '"x y"']), max_size=4), chosen=st.lists(filters))
def test_toggling_twice_leaves_what_was_there(words: list[str], chosen: list[Filter]) -> None:
    text = " ".join(["first", *words, *map(str, dict.fromkeys(chosen))])
    for wanted in (MSC, HOOK, VERSION):
        there_and_back = toggled(toggled(text, wanted, resolve), wanted, resolve)
        assert set(filters_in(there_and_back, resolve)) == set(filters_in(text, resolve))
        assert words_alone(there_and_back, resolve) == words_alone(text, resolve)


@SOME
@given(text=queries)
def test_the_words_hold_no_filter_and_the_filters_no_word(text: str) -> None:
    assert filters_in(words_alone(text, resolve), resolve) == ()
    assert filters_in(filters_alone(text, resolve), resolve) == filters_in(text, resolve)
