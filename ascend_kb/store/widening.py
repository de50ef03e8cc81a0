"""Matches in part: which cards answer a question best that no card holds word for word.

A question is cut into *units*: words and pairs of CJK characters. What tells more weighs more (how rare it is among the
cards). A unit may be met by other *spellings* for less: another spelling of an identifier, another term for the same
concept (glossary), a word that sounds or is written alike. A card's coverage is the share of the weight that it meets,
in the whole card and in the one line of it that is most like the question.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.pinyin import sound, sound_phrases
from ascend_kb.core.query import Match
from ascend_kb.core.text import atoms, encode, normalise, searchable
from ascend_kb.store.fulltext import FullText, Hit, quoted
from ascend_kb.store.models import CardIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ascend_kb.store.knowledge import KnowledgeFile

CONFIDENT = 3.25  # what the evidence for the first card must reach to count as an answer; see Widening._confidence
COMPLETE = 0.85  # coverage, in one line too, that is an answer whatever else speaks against it
SHORT = 8  # units of a question in which homophones are looked for; in longer ones they are noise
SPREAD = 0.6  # what the whole card counts beside its best line, for full matches
TITLE = 1.1  # what a line of the title counts beside other lines
AHEAD = 2.0  # the part of it for a card that leaves all others behind
IN_ONE_LINE = 1.5  # the part of it for one line like the question
CANDIDATES = 200  # cards whose coverage is measured
CLOSE = 40  # of those, the ones that are compared line by line
MAX_UNITS = 120  # of a long question; the first ones
MAX_SPELLINGS = 40
POSTINGS = 30_000  # entries of the index that are read to find candidates
LEAST_PART = 3  # letters of a word inside an unknown one
LEAST_FUZZY = 4  # letters of a word that may be misspelt
ALIKE = 78  # of 100: how alike two spellings of a word are
SAME_CONCEPT, SAME_LETTERS, ALMOST = 0.75, 0.9, 0.7  # what a spelling is worth beside the unit itself
UNKNOWN_WORD, UNKNOWN_PAIR = 1.0, 0.4  # weight of what no card holds; pairs are often the seam of two words
_STOP = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "do", "does", "for", "from", "get",
        "has", "have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "so", "that", "the",
        "then", "there", "this", "to", "was", "what", "when", "where", "which", "why", "will", "with", "you", "should",
    }
)  # fmt: skip


class Spelling(NamedTuple):
    """Text by which a unit is met, what that is worth (0 to 1), and whether it is only written or spoken alike."""

    text: str
    worth: float
    fuzzy: bool = False


class Unit(NamedTuple):
    """A piece of a question: its weight, its spellings, and the cards that hold its sound."""

    weight: float
    spellings: tuple[Spelling, ...]
    expression: str
    postings: int
    is_word: bool
    sounding: frozenset[int] = frozenset()

    def worth_in(self, text: str, card_id: int = 0) -> tuple[float, bool]:
        """Return what a text meets of the unit, 0 to 1, and whether only by a fuzzy spelling."""
        for spelling in self.spellings:
            if spelling.text in text:
                return spelling.worth, spelling.fuzzy
        return (SAME_LETTERS, False) if card_id in self.sounding else (0.0, False)


class Widened(NamedTuple):
    """Matches in part, best first, and whether the first of them answers the question."""

    hits: tuple[Hit, ...]
    is_answer: bool


class Widening:
    """Finds matches in part in one knowledge file."""

    def __init__(self, knowledge: KnowledgeFile) -> None:
        self._database = knowledge.file.database
        self._vocabulary = knowledge.vocabulary
        self._fulltext = FullText(knowledge)
        self._total = knowledge.card_count()

    def find(self, text: str) -> Widened:
        """Return the cards that answer ``text`` in part, best first."""
        units = self._units(text)
        candidates = self._candidates(units)
        whole = sum(unit.weight for unit in units)
        if not candidates or not whole:
            return Widened((), is_answer=False)
        bodies = self._fulltext.bodies(candidates)
        measured = [_Measured.of(units, bodies.get(hit.card_id, ""), hit) for hit in candidates]
        measured.sort(key=lambda m: (-m.met, -m.hit.score, m.hit.card_id))
        close = [m.with_line(units) for m in measured[:CLOSE]]
        close.sort(key=lambda m: (-m.answer, -m.hit.score, m.hit.card_id))
        hits = (
            Hit(
                m.hit.card_id,
                m.answer / whole * 100 + min(m.hit.score, 50.0) / 100,
                Match.PARTIAL if m.sure * 2 >= m.met else Match.FUZZY,
                m.answer / whole,
            )
            for m in close
        )
        is_complete = close[0].answer >= COMPLETE * whole
        return Widened(
            tuple(sorted(hits, key=lambda hit: (-hit.score, hit.card_id))),
            is_complete or self._confidence(units, close) >= CONFIDENT,
        )

    def ranked(self, text: str, full: list[Hit]) -> list[Hit]:
        """Return full matches in order: first those that hold the question in one line, of the title above all."""
        units = self._units(text)
        if len(units) < 2 or len(full) < 2:
            return full
        bodies = self._fulltext.bodies(full[:CANDIDATES])
        whole = sum(unit.weight for unit in units)
        measured = [
            _Measured(hit, bodies.get(hit.card_id, ""), whole, whole).with_line(units) for hit in full[:CANDIDATES]
        ]
        best = max(hit.score for hit in full)
        scored = [m.hit._replace(score=best * (1 + m.line / whole) + m.hit.score * SPREAD) for m in measured]
        return [*sorted(scored, key=lambda hit: (-hit.score, hit.card_id)), *full[CANDIDATES:]]

    def _confidence(self, units: list[Unit], found: list[_Measured]) -> float:
        """Return how much speaks for the first card, in words that only one card holds.

        What the question says by name and the card does not hold speaks against it, more so if no card does; that one
        line holds most of the question and that the other cards are far behind speaks for it.
        """
        first = found[0]
        lacking = sum(u.weight * (0.5 if u.expression else 1.0) for u in units if u.is_word and not first.holds(u))
        known = sum(u.weight for u in units if u.expression)
        others = found[1].answer / first.answer if len(found) > 1 and first.answer else 0.0
        evidence = (first.answer - lacking) / math.log(1 + self._total)
        return evidence + AHEAD * (1 - others) + IN_ONE_LINE * first.line / max(known, first.line, 1e-9)

    def _candidates(self, units: list[Unit]) -> list[Hit]:
        chosen: list[str] = []
        postings = 0
        for unit in sorted((u for u in units if u.expression), key=lambda u: -u.weight):
            if chosen and postings + unit.postings > POSTINGS:
                break
            chosen.append(unit.expression)
            postings += unit.postings
        return self._fulltext.ranked(" OR ".join(dict.fromkeys(chosen)), CANDIDATES) if chosen else []

    # --- units -------------------------------------------------------------------------------------------------------

    def _units(self, text: str) -> list[Unit]:
        pieces = list(dict.fromkeys(_pieces(searchable(text))))[:MAX_UNITS]
        concepts = self._concepts(searchable(text))
        parts = {normalise(word): _parts(word) for word in _IDENTIFIER.findall(text)}
        units = []
        for piece in pieces:
            unit = self._unit(piece, concepts, is_short=len(pieces) <= SHORT)
            inside = [] if unit.expression else [self._unit(part, concepts) for part in parts.get(piece, ())]
            inside = inside or ([] if unit.expression else self._two_words(piece))
            units += inside if any(part.expression for part in inside) else [unit]
        return units

    def _two_words(self, piece: str) -> list[Unit]:
        """Return the units of the two known words that an unknown one is made of: ``torchcompile``."""
        cuts = range(LEAST_PART, len(piece) - LEAST_PART + 1) if piece.isascii() else range(0)
        halves = [(piece[:cut], piece[cut:]) for cut in cuts][:MAX_UNITS]
        known = self._vocabulary.known([half for pair in halves for half in pair])
        whole = [pair for pair in halves if known.issuperset(pair)]
        return [self._unit(half, []) for half in max(whole, key=lambda pair: len(pair[0]))] if whole else []

    def _unit(self, piece: str, concepts: list[tuple[str, tuple[str, ...]]], *, is_short: bool = False) -> Unit:
        is_word = next(atoms(piece))[0] == "word"
        known = self._holding(piece) if is_word else self._pair(piece)
        spellings = [Spelling(piece, 1.0)] if known else []
        if not known and is_word:
            known = self._spelt_otherwise(piece)
            spellings = [Spelling(word, SAME_LETTERS) for word in known]
        others = [term for inside, terms in concepts if piece in inside for term in terms]
        spellings += [Spelling(term, SAME_CONCEPT) for term in others]
        sounding: frozenset[int] = frozenset()
        if not known and not others:
            sounding = self._sounding(piece) if is_word else frozenset()
            alike = {} if sounding else self._alike(piece) if is_word else self._homophones(piece) if is_short else {}
            spellings += [Spelling(word, ALMOST, fuzzy=True) for word in alike]
            known = alike
        expressions = [quoted(encode(word)) for word in known]
        expressions += [e for term in others if (e := self._fulltext.expression(term).text)]
        holders = sum(known.values()) or len(sounding)
        if holders or others:
            weight = math.log(1 + self._total / max(1, min(holders or self._total // 10, self._total)))
        else:
            weight = math.log(1 + self._total) * (UNKNOWN_WORD if is_word else UNKNOWN_PAIR)
        expression = " OR ".join(f"({e})" for e in dict.fromkeys(expressions))
        if sounding and not expression:
            expression = " OR ".join(self._sound_expressions(piece))
        return Unit(weight, tuple(spellings), expression, max(holders, 1), is_word, sounding)

    def _pair(self, pair: str) -> dict[str, int]:
        cards = self._vocabulary.cards(pair)
        return {pair: cards} if cards else {}

    def _holding(self, part: str) -> dict[str, int]:
        """Return the words that are or begin with ``part``, or else those that contain it."""
        found = self._vocabulary.beginning_with(part, MAX_SPELLINGS)
        return found or self._vocabulary.holding(part, MAX_SPELLINGS).words

    def _spelt_otherwise(self, part: str) -> dict[str, int]:
        """Return the words that contain ``part`` in another spelling."""
        is_long = len(part.replace("_", "")) >= LEAST_FUZZY
        return self._vocabulary.spelt_otherwise(part, MAX_SPELLINGS) if is_long else {}

    def _alike(self, word: str) -> dict[str, int]:
        """Return the known words that are written almost like ``word``."""
        if len(word) < LEAST_FUZZY or not word.isascii() or word.isdigit():
            return {}
        from rapidfuzz import fuzz, process

        known = self._vocabulary.of_length(word[0], len(word) - 2, len(word) + 2)
        near = process.extract(word, list(known), scorer=fuzz.ratio, score_cutoff=ALIKE, limit=3)
        return {found[0]: known[found[0]] for found in near}

    def _homophones(self, pair: str) -> dict[str, int]:
        spoken = sound(pair)
        return self._vocabulary.sounding(spoken, MAX_SPELLINGS) if spoken else {}

    def _sound_expressions(self, letters: str) -> list[str]:
        return [" + ".join(map(quoted, phrase)) + "*" for phrase in sound_phrases(letters)]

    def _sounding(self, letters: str) -> frozenset[int]:
        """Return cards whose title or tags sound like ``letters``, as pinyin or by its initials."""
        for expression in self._sound_expressions(letters):
            query = CardIndex.select(CardIndex.rowid).where(CardIndex.match(expression)).limit(CANDIDATES)
            found = frozenset(int(row[0]) for row in query.tuples().execute(self._database))
            if found:
                return found
        return frozenset()

    def _concepts(self, text: str) -> list[tuple[str, tuple[str, ...]]]:
        """Return the terms of the glossary that stand in ``text``, with the other terms of their concepts."""
        return [
            (term, tuple(filter(_is_telling, others)))
            for term, others in self._vocabulary.concepts
            if term in text and stands_in(term, text)
        ]


_IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]{2,199}", re.ASCII)
_PART = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def _parts(word: str) -> list[str]:
    """Return the parts of an identifier: ``AscendCApi`` -> ``ascend``, ``capi``... as its capitals cut it."""
    parts = [part.lower() for part in _PART.findall(word) if len(part) >= 2]
    return list(dict.fromkeys(parts)) if len(parts) > 1 else []


def stands_in(term: str, text: str) -> bool:
    """Whether a term stands in a text as a word of its own; Chinese needs no blanks around it."""
    start = text.find(term)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(term) : start + len(term) + 1]
        if not (_is_letter(before) and _is_letter(term[0])) and not (_is_letter(after) and _is_letter(term[-1])):
            return True
        start = text.find(term, start + 1)
    return False


def _is_letter(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def _is_telling(term: str) -> bool:
    """Whether a term may be looked for as a part of a text: short ones stand in too many words."""
    return len(term) > 3 or (len(term) > 1 and not term.isascii())


def _pieces(text: str) -> Iterator[str]:
    found = list(atoms(text))
    for i, (kind, atom) in enumerate(found):
        follower = found[i + 1] if i + 1 < len(found) else ("", "")
        if kind == "word" and atom not in _STOP:
            yield atom
        elif kind == "cjk" and follower[0] == "cjk":
            yield atom + follower[1]
        elif kind == "cjk" and (i == 0 or found[i - 1][0] != "cjk"):
            yield atom


class _Measured(NamedTuple):
    """A candidate and the weight of the question that it meets: in the whole card and in its best line."""

    hit: Hit
    body: str
    met: float
    sure: float  # not only by fuzzy spellings
    line: float = 0.0

    @classmethod
    def of(cls, units: Iterable[Unit], body: str, hit: Hit) -> _Measured:
        met, sure = _met(units, body, hit.card_id)
        return cls(hit, body, met, sure)

    def with_line(self, units: list[Unit]) -> _Measured:
        """Return it with the best line of title, phrasings and symptom."""
        fields = self.body.split("\f")
        titles = [TITLE * _met(units, line, self.hit.card_id)[0] for line in fields[0].split("\n")]
        others = [_met(units, line, 0)[0] for field in (*fields[1:2], *fields[3:4]) for line in field.split("\n")]
        return self._replace(line=max(titles + others))

    @property
    def answer(self) -> float:
        """What both together meet."""
        return (self.met + self.line) / 2

    def holds(self, unit: Unit) -> bool:
        """Whether the card meets anything of a unit."""
        return unit.worth_in(self.body, self.hit.card_id)[0] > 0


def _met(units: Iterable[Unit], text: str, card_id: int) -> tuple[float, float]:
    """Return the weight that a text meets, and how much of it not only by fuzzy spellings."""
    met = sure = 0.0
    for unit in units:
        worth, fuzzy = unit.worth_in(text, card_id)
        met += unit.weight * worth
        sure += 0.0 if fuzzy else unit.weight * worth
    return met, sure
