"""Words that hold a part: the index of trigrams and reading from end to end agree with Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.store import models as m
from ascend_kb.store import vocabulary
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.vocabulary import Vocabulary
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

SOME = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ALL = 1_000_000


@pytest.fixture(scope="module")
def file() -> Iterator[KnowledgeFile]:
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def words(file: KnowledgeFile) -> dict[str, int]:
    return dict(m.Word.select(m.Word.text, m.Word.cards).tuples().execute(file.file.database))


@pytest.fixture(params=[True, False], ids=["small", "large"])
def held(file: KnowledgeFile, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Vocabulary:
    """The vocabulary, taken for a small and for a large one."""
    if not request.param:
        monkeypatch.setattr(vocabulary, "SMALL", 10)
    made = Vocabulary(file.file.database)
    assert made.is_small is request.param
    return made


def part_of(data: st.DataObject, words: dict[str, int]) -> str:
    word = data.draw(st.sampled_from(sorted(words)))
    start = data.draw(st.integers(0, len(word) - 1))
    part = word[start : data.draw(st.integers(start + 1, len(word)))]
    return part + data.draw(st.sampled_from(["", "", "", "_", "x"]))


@SOME
@given(st.data())
def test_all_words_that_hold_a_part_are_found(held: Vocabulary, words: dict[str, int], data: st.DataObject) -> None:
    part = part_of(data, words)
    found = held.holding(part, ALL)
    expected = {word: cards for word, cards in words.items() if part in word}
    if held.is_small or (len(part.replace("_", "")) >= vocabulary.TRIGRAM and part.isascii()):
        assert (found.words, found.is_all) == (expected, True)
    elif not found.is_all:  # a short part: those that begin with it
        assert found.words == {word: cards for word, cards in words.items() if word.startswith(part)}
    in_order = [(word != part, not word.startswith(part), -cards) for word, cards in found.words.items()]
    assert in_order == sorted(in_order)


@SOME
@given(st.data(), st.integers(1, 5))
def test_a_limit_takes_the_first_and_says_that_there_are_more(
    held: Vocabulary, words: dict[str, int], data: st.DataObject, limit: int
) -> None:
    part = part_of(data, words)
    whole, some = held.holding(part, ALL), held.holding(part, limit)
    assert list(some.words) == list(whole.words)[:limit]
    assert some.is_all == (whole.is_all and len(whole.words) <= limit)


@SOME
@given(st.data())
def test_endings_and_other_spellings(held: Vocabulary, words: dict[str, int], data: st.DataObject) -> None:
    part = part_of(data, words)
    assert held.ending_in(part, ALL).words == {word: cards for word, cards in words.items() if word.endswith(part)}
    bare = part.replace("_", "")
    if bare and part.isascii():
        expected = {word: n for word, n in words.items() if word.isascii() and bare in word.replace("_", "")}
        found = held.spelt_otherwise(part, ALL)
        assert {word: n for word, n in found.items() if word.isascii()} == expected


def test_looking_words_up(held: Vocabulary, words: dict[str, int]) -> None:
    assert (held.cards("误报"), held.cards("鼷鼷")) == (words["误报"], 0)
    assert held.known(["误报", "鼷鼷"]) == {"误报"}
    assert held.known([]) == set()
    assert held.cards_beginning_with("误") == sum(n for word, n in words.items() if word.startswith("误"))
    assert set(held.sounding(sound := "wu bao".replace(" ", ""), 10)) == {
        str(row[0]) for row in m.Word.select(m.Word.text).where(m.Word.sound == sound).tuples().execute(held._database)
    }
    near = held.of_length("a", 3, 5)
    assert near
    assert all(word[0] == "a" and 3 <= len(word) <= 5 for word in near)
    assert (
        list(held.beginning_with("acl", 3).values())
        == sorted((n for word, n in words.items() if word.startswith("acl")), reverse=True)[:3]
    )
