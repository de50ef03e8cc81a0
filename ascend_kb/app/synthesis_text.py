"""Patterns of made-up cards: sentences with slots, put together once and filled for every card."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.app.synthesis_words import material

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

NAMES = 9  # identifiers that a card speaks of
NUMBERS = 6
END = "\0"  # between the texts of a pattern
# w word, i identifier, n number, v version, d date, p number of a change
_SLOT = re.compile(r"\{([winvdp])\}")

_COUNTS = {"title": 1, "summary": 1, "symptom": 2, "cause": 2, "fix": 2, "recipe": 4, "evidence": 2, "phrasing": 1}
SECTIONS = ("symptom", "cause", "fix", "recipe", "evidence")
HEAD = ("title", "summary", "phrasing", "phrasing", "phrasing")


class Pattern(NamedTuple):
    """Texts with slots: ``words`` is how many words they take, ``order`` brings all values into the order of slots."""

    text: str
    words: int
    order: Callable[[list[str]], tuple[str, ...]]

    def fill(self, words: list[str], others: list[str]) -> list[str]:
        """Return the texts. ``others`` are identifiers, numbers, version, date and number of a change."""
        return (self.text % self.order(words + others)).split(END)


def pattern(rng: Random, language: str, parts: tuple[str, ...]) -> Pattern:
    """Put sentences together to a pattern of the named parts."""
    sentences = material()["sentences"][language]
    texts = []
    for part in parts:
        chosen = rng.sample(sentences[part], min(_COUNTS[part], len(sentences[part])))
        if part == "recipe":
            chosen = [f"{i}. {sentence}" for i, sentence in enumerate(chosen, 1)]
        elif part == "evidence":
            chosen = ["- " + sentence for sentence in chosen]
        separator = "\n" if part in ("recipe", "evidence") else " " if language == "en" else ""
        texts.append(separator.join(chosen))
    return _compiled(rng, END.join(texts))


def _compiled(rng: Random, text: str) -> Pattern:
    """Number the slots. A quarter of the words, and most identifiers, are named again: a card has its subject."""
    slots = _SLOT.findall(text)
    words = 0
    places: list[tuple[str, int]] = []
    for slot in slots:
        if slot == "w":
            again = words > 3 and rng.random() < 0.25
            places.append((slot, rng.randrange(words) if again else words))
            words += not again
        else:
            many = {"i": NAMES, "n": NUMBERS}.get(slot, 1)
            places.append((slot, min(int(rng.expovariate(0.4)), many - 1) if many > 1 else 0))
    start = {"w": 0, "i": words}
    start |= {"n": start["i"] + NAMES, "v": start["i"] + NAMES + NUMBERS}
    start |= {"d": start["v"] + 1, "p": start["v"] + 2}
    return Pattern(_SLOT.sub("%s", text), words, itemgetter(*(start[slot] + at for slot, at in places)))
