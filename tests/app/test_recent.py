"""Recent searches: newest first, each once, no pasted logs."""

from __future__ import annotations

import pytest

from ascend_kb.app.recent import LONGEST, MOST, noted


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ([], "误报", ["误报"]),
        (["a"], "b ", ["b", "a"]),
        (["b", "a"], "a", ["a", "b"]),
        (["误"], "误报", ["误报"]),
        (["a", "误"], "误报", ["误报", "a", "误"]),
        (["a"], "  ", ["a"]),
        (["a"], "x" * (LONGEST + 1), ["a"]),
        (["a"], "a", ["a"]),
    ],
)
def test_a_search_goes_to_the_front(before: list[str], text: str, after: list[str]) -> None:
    assert noted(before, text) == after


def test_only_so_many_are_kept() -> None:
    kept: list[str] = []
    for number in range(100, 200):
        kept = noted(kept, str(number))
    assert kept == [str(number) for number in range(199, 199 - MOST, -1)]
