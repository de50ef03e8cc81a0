"""Texts that exist in Chinese and English."""

from __future__ import annotations

from typing import Literal, NamedTuple

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


class Bilingual(NamedTuple):
    """One text in Chinese and English; an empty string means that the language is missing."""

    zh: str = ""
    en: str = ""

    def get(self, language: Language) -> str:
        """Return the text in ``language``, or in the other one where it is missing."""
        first, second = (self.en, self.zh) if language == "en" else (self.zh, self.en)
        return first or second

    def as_json(self) -> dict[str, str]:
        """Return both texts as they stand in JSON output."""
        return {"zh": self.zh, "en": self.en}
