"""The words of made-up cards: the same for the same seed, each once, and drawn by Zipf's law."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from ascend_kb.app.synthesis_words import (
    COMPOUNDS,
    IDENTIFIERS,
    Draw,
    chinese_words,
    fresh_identifier,
    identifiers,
    listed,
    material,
    part_names,
)
from ascend_kb.core.vocabulary import EntityKind


@pytest.mark.parametrize("name", ["chinese", "parts", "syllables", "prefixes", "endings"])
def test_the_lists_of_words_hold_each_word_once(name: str) -> None:
    words = listed(name)
    assert len(words) > 5
    assert [word for word, count in Counter(words).items() if count > 1] == []


def test_sentences_are_there_in_both_languages_for_every_part() -> None:
    sentences = material()["sentences"]
    assert set(sentences["zh"]) == set(sentences["en"])
    for parts in sentences.values():
        assert all(parts.values())


def test_chinese_words_are_those_of_the_field_and_then_compounds() -> None:
    words = chinese_words(Random(1))
    field = listed("chinese")
    assert words[: len(field)] == field
    assert len(words) == len(set(words)) == len(field) + COMPOUNDS
    assert all(re.fullmatch("[一-鿿]+", word) for word in words)
    assert all(len(word) == 2 for word in words[len(field) :])


def test_identifiers_are_many_and_of_every_kind() -> None:
    made = identifiers(Random(2))
    assert len(made) == IDENTIFIERS == len({entity.name for entity in made})
    kinds = Counter(entity.kind for entity in made)
    assert set(kinds) >= {EntityKind.API, EntityKind.OPERATOR, EntityKind.FILE, EntityKind.OPTION, EntityKind.CODE}
    assert not any(re.search(r"\s", entity.name) for entity in made)


def test_parts_begin_with_the_real_ones() -> None:
    parts = part_names(Random(3))
    assert parts[: len(listed("parts"))] == listed("parts")
    assert len(set(parts)) == len(parts)


def test_a_fresh_identifier_is_seldom_one_that_was_there() -> None:
    rng = Random(4)
    draw = Draw(rng, part_names(rng), 0.8)
    names = [fresh_identifier(rng, draw).name for _ in range(1_000)]
    assert len(set(names)) > 950


def test_the_same_seed_gives_the_same_words_and_another_seed_others() -> None:
    assert chinese_words(Random(5)) == chinese_words(Random(5)) != chinese_words(Random(6))
    assert part_names(Random(5)) == part_names(Random(5)) != part_names(Random(6))


def test_values_are_drawn_by_their_rank() -> None:
    draw = Draw(Random(7), list(range(1_000)))
    counted = Counter(value for _ in range(5_000) for value in draw.take(10))
    assert counted[0] > 3 * counted[10] > 3 * counted[200] > 0
    assert len(counted) > 900


@pytest.mark.parametrize("count", [0, 1, 9, 100])
def test_as_many_values_as_asked_for_are_taken(count: int) -> None:
    draw = Draw(Random(8), ["a", "b"])
    assert len(draw.take(count)) == count


def test_drawing_anew_brings_another_order() -> None:
    draw = Draw(Random(9), list(range(100)))
    before = draw.take(50)
    draw.refill()
    assert draw.take(50) != before
