"""Patterns of made-up cards: every slot is filled, and a card has its subject."""

from __future__ import annotations

import re
from random import Random

import pytest

from ascend_kb.app.synthesis_text import HEAD, NAMES, NUMBERS, SECTIONS, pattern
from ascend_kb.app.synthesis_words import material

OTHERS = [*(f"name{i}" for i in range(NAMES)), *(f"77{i}" for i in range(NUMBERS)), "CANN 8.5.0", "2026-01-02", "4711"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("parts", [HEAD, SECTIONS])
def test_a_pattern_has_its_parts_and_fills_every_slot(language: str, parts: tuple[str, ...]) -> None:
    for seed in range(60):
        made = pattern(Random(seed), language, parts)
        words = [f"w{i}" for i in range(made.words)]
        texts = made.fill(words, OTHERS)
        assert len(texts) == len(parts)
        whole = "\n".join(texts)
        assert not re.search(r"\{[winvdp]\}|%s|\0", whole)
        assert {word for word in words if word not in whole} == set()
        assert all(text.strip() for text in texts)


def test_the_same_seed_gives_the_same_pattern() -> None:
    made = [pattern(Random(3), "zh", SECTIONS).fill(["词"] * 200, OTHERS) for _ in range(2)]
    assert made[0] == made[1]


def test_a_recipe_is_numbered_and_evidence_is_a_list() -> None:
    for seed in range(20):
        made = pattern(Random(seed), "zh", SECTIONS)
        _, _, _, recipe, evidence = made.fill(["词"] * made.words, OTHERS)
        assert recipe.startswith("1. ")
        assert "\n2. " in recipe
        assert evidence.startswith("- ")


def test_patterns_differ() -> None:
    texts = {pattern(Random(seed), "zh", SECTIONS).text for seed in range(50)}
    assert len(texts) > 40


def test_a_sign_of_formatting_in_a_sentence_would_break_a_pattern() -> None:
    for parts in material()["sentences"].values():
        for sentences in parts.values():
            for sentence in sentences:
                assert "%" not in sentence.replace("%%", ""), sentence
