"""Weighing cards against the lines of a log.

Every line is cut into terms; a term counts by how rare it is among the cards, how much it tells by its form, the kind
of its line, and how much of the line the card covers. No number here is shown to anybody: a card is *likely* when
independent facts agree with it, and the facts are shown.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ascend_kb.core.linekinds import WEIGHTS, LineKind
from ascend_kb.core.logterms import Term, parts, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascend_kb.core.loglines import Line

ELSEWHERE = 0.45  # what a term counts that a card has only in its recipe or its grounds
UNKNOWN = 0.75  # rarity of a term that no card has
LEAST = 1.2  # weight of a line that is too short to be covered by chance
NAME = 0.4  # rarity from which a name is a fact
WORDS = 0.9  # weight of the words of a line that make one fact
SENTENCE = 2.6  # ... and two facts: a whole sentence agrees
SEVERAL = 2.0  # words that make a statement; a pair of Chinese characters is half a word
MANY = 4.0  # ... and a sentence that is two facts
COVERED = 0.4  # share of a line's words that a card must have
_TOLD = (LineKind.TELLING, LineKind.REMARK, LineKind.MESSAGE, LineKind.COMMAND)


class Holders(Protocol):
    """The cards that hold a term: anywhere, in a telling place, and how many they are."""

    @property
    def anywhere(self) -> frozenset[int]:
        """All of them."""

    @property
    def telling(self) -> frozenset[int]:
        """Those that hold it in a telling place."""

    @property
    def number(self) -> int:
        """How many they are."""


class Piece(NamedTuple):
    """A term of a line that a card has, and what it counts for the card."""

    term: Term
    line: Line
    value: float


class Covered(NamedTuple):
    """How much of a line's words (names left out) a card has: their weight, their share of the line, their number."""

    line: Line
    weight: float
    share: float
    words: float


class Support:
    """What speaks for one card."""

    def __init__(self) -> None:
        self.pieces: dict[str, Piece] = {}
        self.covered: list[Covered] = []
        self.names: dict[str, float] = {}
        self.values: dict[str, Line] = {}

    @property
    def score(self) -> float:
        """The weight of everything that speaks for the card."""
        return sum(piece.value for piece in self.pieces.values())

    def best(self) -> list[Piece]:
        """Return what speaks for the card, the most telling first."""
        return sorted(self.pieces.values(), key=lambda piece: (-piece.value, piece.line.start))

    def independent(self) -> float:
        """Return how many facts that do not follow from each other agree with the card; codes do not count."""
        return (
            len(families(self.names))
            + len(self.values)
            + sum(2.0 if c.weight >= SENTENCE and c.words >= MANY else 1.0 for c in self._statements())
        )

    def _statements(self) -> list[Covered]:
        """Return the lines whose words agree, each word counted for one line only."""
        return [c for c in self.covered if c.weight >= WORDS and c.share >= COVERED and c.words >= SEVERAL]


def families(names: Iterable[str]) -> list[str]:
    """Return names that share no word with each other: a call and its own parameter are one fact."""
    kept: list[tuple[str, set[str]]] = []
    for name in sorted(names, key=len, reverse=True):
        mine = set(parts(name)) or {name.lower()}
        if not any(mine & other or name.lower() in known.lower() for known, other in kept):
            kept.append((name, mine))
    return [name for name, _ in kept]


def rarity(holders: int, total: int) -> float:
    """Return how much it tells that a card has a term which ``holders`` of ``total`` cards have: 0 to 1."""
    return math.log(1 + total / holders) / math.log(1 + total) if holders else 0.0


class Weighing:
    """Weighs lines, one after the other."""

    def __init__(self, holders: Callable[[Term], Holders], total: int) -> None:
        self._holders = holders
        self._total = max(total, 2)
        self.support: dict[int, Support] = {}

    def add(self, line: Line) -> None:
        """Weigh one line."""
        if not WEIGHTS[line.kind]:
            return
        whole = words = 0.0
        held: dict[int, list[tuple[Term, float, bool]]] = {}
        for term in terms(line.message):
            cards = self._holders(term)
            rare = rarity(cards.number, self._total) if cards.number else UNKNOWN
            value = term.tells * rare
            whole += value
            words += 0.0 if term.is_name else value
            for card in cards.anywhere:
                share = 1.0 if card in cards.telling else ELSEWHERE
                held.setdefault(card, []).append((term, value * share, share == 1.0 and rare >= NAME))
        for card, found in held.items():
            self._support(card, line, found, max(whole, LEAST), max(words, LEAST))

    def agree(self, card: int, setting: str, line: Line) -> None:
        """Note that a card names a setting with the very value that the log has: ``swiglu_mode=3``."""
        self.support.setdefault(card, Support()).values[setting] = line

    def _support(
        self, card: int, line: Line, found: list[tuple[Term, float, bool]], whole: float, words: float
    ) -> None:
        support = self.support.setdefault(card, Support())
        share = sum(value for _, value, _ in found) / whole
        factor = WEIGHTS[line.kind] * (0.35 + 0.65 * share)
        fresh = 0.0
        for term, value, is_fact in found:
            known = support.pieces.get(term.word)
            if known is None or known.value < value * factor:
                support.pieces[term.word] = Piece(term, line, value * factor)
            if term.is_name and is_fact and line.kind in (*_TOLD, LineKind.FRAME):
                support.names[term.spelled] = max(value, support.names.get(term.spelled, 0.0))
            elif not term.is_name and known is None:
                fresh += value
        if line.kind in _TOLD and fresh:
            mine = [(term, value) for term, value, _ in found if not term.is_name]
            number = sum(1.0 if term.word.isascii() else 0.5 for term, _ in mine if term.tells >= 0.5)
            support.covered.append(Covered(line, fresh, sum(value for _, value in mine) / words, number))
