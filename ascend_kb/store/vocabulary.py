"""The words of the index: which of them hold a part, are written or sound like another, and how many cards hold each.

A file of a million cards has millions of words. Parts of three letters or more are found by an index of trigrams.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import JOIN, SQL, fn

from ascend_kb.core.text import MAX_WORD, searchable
from ascend_kb.store.models import GlossaryTerm, Word, WordIndex

if TYPE_CHECKING:
    from peewee import Expression, SqliteDatabase

TRIGRAM = 3  # characters
SMALL = 20_000  # words of a vocabulary that is read from end to end without delay
_LAST = "\U0010ffff"


class Holding(NamedTuple):
    """Words that hold a part, with the number of cards that hold each; ``is_all`` says that there are no others."""

    words: dict[str, int]
    is_all: bool


class Vocabulary:
    """Looks words up in one knowledge file; what it keeps is small and never changes."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    @cached_property
    def is_small(self) -> bool:
        """Whether it can be read from end to end at each key press."""
        return len(list(Word.select(SQL("1")).limit(SMALL + 1).tuples().execute(self._database))) <= SMALL

    @cached_property
    def cut_words(self) -> tuple[str, ...]:
        """The pieces of overlong words whose rest is a word of its own."""
        query = Word.select(Word.text).where(fn.length(Word.text) == MAX_WORD)
        return tuple(str(row[0]) for row in query.tuples().execute(self._database))

    @cached_property
    def concepts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The terms of the glossary, each with the other terms of its concept."""
        rows = list(GlossaryTerm.select(GlossaryTerm.term, GlossaryTerm.concept).tuples().execute(self._database))
        by_concept: dict[int, list[str]] = {}
        for term, concept in rows:
            by_concept.setdefault(concept, []).append(searchable(term))
        return tuple(
            (searchable(term), tuple(other for other in by_concept[concept] if other != searchable(term)))
            for term, concept in rows
        )

    def holding(self, part: str, limit: int) -> Holding:
        """Return up to ``limit`` words that hold ``part``: itself, those that begin with it, and others.

        Of each kind those come first that most cards hold. Of parts too short for trigrams a large vocabulary gives
        only the words that begin with them.
        """
        is_short = len(_bare(part)) < TRIGRAM and not self.is_small
        where = _range(part) if is_short else fn.instr(Word.text, part) > 0
        begins = fn.substr(Word.text, 1, len(part)) != part
        found = self._found(part, where, [Word.text != part, begins, Word.cards.desc()], limit + 1)
        return Holding(dict(found[:limit]), not is_short and len(found) <= limit)

    def ending_in(self, part: str, limit: int) -> Holding:
        """Return up to ``limit`` words that end in ``part``, those first that most cards hold."""
        where = fn.substr(Word.text, -len(part)) == part
        found = self._found(part, where, [Word.text != part, Word.cards.desc()], limit + 1)
        return Holding(dict(found[:limit]), len(found) <= limit)

    def beginning_with(self, part: str, limit: int) -> dict[str, int]:
        """Return up to ``limit`` words that begin with ``part``, those first that most cards hold."""
        query = Word.select(Word.text, Word.cards).where(_range(part)).order_by(Word.cards.desc()).limit(limit)
        return dict(query.tuples().execute(self._database))

    def spelt_otherwise(self, part: str, limit: int) -> dict[str, int]:
        """Return words that hold ``part`` but for its underscores: ``sparseBlockSize`` for ``sparse_block_size``."""
        bare = _bare(part)
        where = fn.instr(fn.replace(Word.text, "_", ""), bare) > 0
        return dict(self._found(bare, where, [Word.cards.desc()], limit))

    def of_length(self, first: str, least: int, most: int) -> dict[str, int]:
        """Return the words that begin with the letter ``first`` and have ``least`` to ``most`` letters."""
        query = Word.select(Word.text, Word.cards).where(
            _range(first), fn.length(Word.text).between(least, most), Word.sound == ""
        )
        return dict(query.tuples().execute(self._database))

    def sounding(self, sound: str, limit: int) -> dict[str, int]:
        """Return pairs of characters that are spoken alike."""
        query = Word.select(Word.text, Word.cards).where(Word.sound == sound).order_by(Word.cards.desc()).limit(limit)
        return dict(query.tuples().execute(self._database))

    def cards(self, word: str) -> int:
        """Return how many cards hold a word or a pair; 0 for one that none holds."""
        query = Word.select(Word.cards).where(Word.text == word)
        return next((int(row[0]) for row in query.tuples().execute(self._database)), 0)

    def cards_beginning_with(self, part: str) -> int:
        """Return at least how many cards hold a word or a pair that begins with ``part``."""
        query = Word.select(fn.SUM(Word.cards)).where(_range(part))
        return next((int(row[0] or 0) for row in query.tuples().execute(self._database)), 0)

    def known(self, words: list[str]) -> set[str]:
        """Return those of ``words`` that some card holds."""
        query = Word.select(Word.text).where(Word.text.in_(words))
        return {str(row[0]) for row in query.tuples().execute(self._database)} if words else set()

    def _found(self, part: str, where: Expression, order: list[Any], limit: int) -> list[tuple[str, int]]:
        query = Word.select(Word.text, Word.cards).where(where).order_by(*order).limit(limit)
        bare = _bare(part)
        if len(bare) >= TRIGRAM and not self.is_small:
            trigrams = {bare[i : i + TRIGRAM] for i in range(len(bare) - TRIGRAM + 1)}
            # The trigrams name a few words; each of them is then looked at.
            index = WordIndex.select(WordIndex.text).where(
                WordIndex.match(" ".join(f'"{t}"' for t in sorted(trigrams)))
            )
            query = query.join(index.alias("near"), JOIN.INNER, on=(SQL("near.text") == Word.text))
        return [(str(text), int(cards)) for text, cards in query.tuples().execute(self._database)]


def _bare(part: str) -> str:
    return part.replace("_", "")


def _range(part: str) -> Expression:
    return (Word.text >= part) & (Word.text < part + _LAST)
