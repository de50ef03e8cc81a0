"""The table of Traditional characters is OpenCC's."""

from __future__ import annotations

import pytest

from ascend_kb.core.han import SIMPLIFIED, TRADITIONAL
from tests.generate_han import HAN, pairs, source

TABLE = dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))


def test_the_module_is_what_its_generator_makes() -> None:
    assert HAN.read_text("utf-8") == source(pairs())


def test_every_character_stands_once_and_folding_takes_one_step() -> None:
    assert len(TABLE) == len(TRADITIONAL)
    assert not set(TRADITIONAL) & set(SIMPLIFIED)


@pytest.mark.parametrize(
    ("traditional", "simplified"), [("記", "记"), ("憶", "忆"), ("體", "体"), ("誤", "误"), ("報", "报")]
)
def test_common_characters_are_folded(traditional: str, simplified: str) -> None:
    assert TABLE[traditional] == simplified


@pytest.mark.parametrize("character", "内存算子误报a")
def test_other_characters_are_not_in_the_table(character: str) -> None:
    assert character not in TABLE
