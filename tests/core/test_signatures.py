"""Signatures: literals in order, close together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core.loglines import lines
from ascend_kb.core.logtext import clean
from ascend_kb.core.signatures import WINDOW, Haystack

LOG = "[ERROR] RegisterAscendBinary return ret 500000\n[ERROR] origin func is NULL\n"


def places(text: str, *literals: str) -> list[str]:
    return [p.line.text[p.start : p.end] for p in Haystack(lines(text)).find(literals)]


def test_literals_are_found_in_order_whatever_their_case() -> None:
    assert places(LOG, "registerascendbinary", "RET 500000", "null") == ["RegisterAscendBinary", "ret 500000", "NULL"]


@pytest.mark.parametrize(
    "literals", [("null", "RegisterAscendBinary"), ("absent",), ("ret 500000", "ret 500000"), (), ("",)]
)
def test_other_orders_and_missing_literals_are_no_match(literals: tuple[str, ...]) -> None:
    assert places(LOG, *literals) == []


def test_literals_far_apart_are_no_match_but_a_later_pair_is() -> None:
    between = "".join(f"[ERROR] {chr(97 + i % 26) * (i // 26 + 1)} failed\n" for i in range(WINDOW + 1))
    assert places(f"[ERROR] first\n{between}[ERROR] second\n", "first", "second") == []
    assert places(f"[ERROR] first\n{between}[ERROR] first again\n[ERROR] second", "first", "second") == [
        "first",
        "second",
    ]


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=5), max_size=3))
def test_places_lie_in_their_lines(text: str, literals: list[str]) -> None:
    for place in Haystack(lines(clean(text))).find(literals):
        assert 0 <= place.start <= place.end <= len(place.line.text)


@given(st.text(alphabet="ıİßKſAa\n", max_size=60))
def test_letters_whose_length_changes_with_their_case_keep_their_places(text: str) -> None:
    for row in clean(text).split("\n"):
        for place in Haystack(lines(clean(text))).find([row]) if row else ():
            assert len(place.line.text[place.start : place.end]) == len(row)
