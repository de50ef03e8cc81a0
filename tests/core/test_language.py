"""Texts in two languages."""

from __future__ import annotations

import pytest

from ascend_kb.core.language import LANGUAGES, Bilingual, Language


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        (Bilingual("内存", "memory"), "zh", "内存"),
        (Bilingual("内存", "memory"), "en", "memory"),
        (Bilingual("内存"), "en", "内存"),
        (Bilingual("", "memory"), "zh", "memory"),
        (Bilingual(), "zh", ""),
        (Bilingual(), "en", ""),
    ],
)
def test_a_missing_language_is_stood_in_for_by_the_other(text: Bilingual, language: Language, shown: str) -> None:
    assert text.get(language) == shown


def test_json_keeps_both_and_shows_what_is_missing() -> None:
    assert Bilingual("内存").as_json() == {"zh": "内存", "en": ""}


def test_chinese_and_english_are_the_languages() -> None:
    assert LANGUAGES == ("zh", "en")
