"""The translation call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core import i18n
from ascend_kb.core.i18n import current, install, tr

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = dict(i18n._state)
    yield
    i18n._state.update(before)


def test_texts_pass_through_what_is_installed() -> None:
    install({"{shown} of {total} cards": "{total} 条中的 {shown} 条"}.__getitem__, "zh")
    assert tr("{shown} of {total} cards", shown=7, total=50) == "50 条中的 7 条"
    assert current() == "zh"


def test_english_is_the_text_itself() -> None:
    install(str, "en")
    assert tr("{shown} of {total} cards", shown=7, total=50) == "7 of 50 cards"
    assert current() == "en"


def test_a_text_without_values_keeps_its_braces() -> None:
    install(str, "en")
    assert tr("{ and }") == "{ and }"


@pytest.mark.parametrize("value", ["{x}", "{0}", "%s", "{"])
def test_braces_in_values_are_text(value: str) -> None:
    install(str, "en")
    assert tr("found {text}", text=value) == f"found {value}"
