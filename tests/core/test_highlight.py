"""Matches are found in the text as it is shown, compared as the search compares."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.highlight import spans
from ascend_kb.core.text import normalise, positions, searchable

SOME = settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
texts = st.text(st.sampled_from("算子误報报ab1Ａﬁß_ .-#\n\u0301e①"), max_size=25) | st.text(max_size=25)


@pytest.mark.parametrize(
    ("terms", "text", "marked"),
    [
        (["误报"], "内存误报，误报", ["误报", "误报"]),
        (["误报"], "內存誤報", ["誤報"]),
        (["MALLOC"], "aclrtMallocHost", ["Malloc"]),
        (["malloc"], "ＭＡＬＬＯＣ", ["ＭＡＬＬＯＣ"]),
        (["第63行"], "见第 63 行。", ["第 63 行"]),
        (["第"], "第 63 行", ["第"]),
        (["fi"], "ﬁx", ["ﬁ"]),
        (["é"], "caf\u0065\u0301!", ["e\u0301"]),
        (["ss"], "Straße", ["ß"]),
        (["ab", "bc"], "abc", ["abc"]),
        (["a", ""], "", []),
        ([" ", ""], "a b", []),
        (["x"], "abc", []),
    ],
)
def test_terms_are_marked_where_they_stand(terms: list[str], text: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end in spans(terms, text)] == marked


def test_parts_are_marked_only_where_asked_for_and_the_whole_is_missing() -> None:
    assert spans(["内存误报怎么办"], "误报的内存") == ()
    text = "误报的内存"
    assert [text[a:b] for a, b in spans(["内存误报怎么办"], text, parts=True)] == ["误报", "内存"]
    assert spans(["误报"], "误报 误", parts=True) == ((0, 2),)


@SOME
@given(text=texts)
def test_every_character_of_the_indexed_text_knows_its_place(text: str) -> None:
    plain, places = positions(text)
    assert len(plain) == len(places)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@SOME
@given(text=st.text(st.sampled_from("算子误報报ab1Ａß_ .-#\n"), max_size=25))
def test_the_text_is_the_one_that_is_indexed(text: str) -> None:
    assert positions(text)[0] == searchable(text)


@SOME
@given(before=texts, term=st.text(st.sampled_from("算子误报ab1_-#"), min_size=1, max_size=6), after=texts)
def test_a_term_that_stands_there_is_marked(before: str, term: str, after: str) -> None:
    text = f"{before}|{term}|{after}"
    found = spans([term], text)
    start = len(before) + 1
    assert any(a <= start and b >= start + len(term) for a, b in found)
    assert all(normalise(term)[0] in normalise(text[a:b]) for a, b in found)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
