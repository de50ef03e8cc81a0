"""What the cards hold of a log: which cards have a term, and which have log signatures.

Every question is answered by an index and bounded, so that its cost does not grow with the number of cards.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.keys import CardKey
from ascend_kb.core.text import encode
from ascend_kb.store import models as m
from ascend_kb.store.knowledge import KnowledgeFile, reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascend_kb.core.logterms import Term

COMMON = 500  # cards beyond which the cards of a term are not listed, only looked for among some
SCANNED = 20_000  # cards up to which all signatures are tried, not only those of cards that something speaks for
_SLICE = 500  # values of one query
_TELLING = "{title phrasings entities symptom} : "


class Holders(NamedTuple):
    """The cards that hold a term: anywhere, in a telling place (title, phrasings, entities, symptom), and how many."""

    anywhere: frozenset[int]
    telling: frozenset[int]
    number: int


NOBODY = Holders(frozenset(), frozenset(), 0)
MANY = Holders(frozenset(), frozenset(), COMMON + 1)


class EvidenceFile:
    """Look-ups of a knowledge file for the diagnosis of one log after the other. May be used from any thread."""

    def __init__(self, knowledge: KnowledgeFile) -> None:
        self._knowledge = knowledge
        self._signatures: dict[int, tuple[tuple[str, ...], ...]] | None = None
        self.total = max(1, knowledge.card_count())

    def holders(self, term: Term) -> Holders:
        """Return the cards that hold a term; none of them, but a ``number`` above ``COMMON``, where they are many."""
        expression = _expression(term)
        anywhere = self._matching(expression, COMMON + 1)
        if len(anywhere) > COMMON:
            return MANY
        return Holders(anywhere, self._matching(_TELLING + expression, -1), len(anywhere)) if anywhere else NOBODY

    def holders_among(self, term: Term, cards: Iterable[int]) -> Holders:
        """Return which of some cards hold a common term."""
        condition = f" AND rowid IN ({','.join(str(int(card)) for card in cards)})"
        # A beginning would be expanded to all its words anew for every card; the word itself is one look-up.
        expression = _expression(term._replace(prefix=False))
        anywhere = self._matching(expression, -1, condition)
        telling = self._matching(_TELLING + expression, -1, condition) if anywhere else frozenset()
        return Holders(anywhere, telling, COMMON + 1)

    def together(self, terms: Iterable[Term], limit: int) -> frozenset[int]:
        """Return up to ``limit`` cards that hold all of some terms."""
        return self._matching(" AND ".join(map(_expression, terms)), limit)

    def _matching(self, expression: str, limit: int, condition: str = "") -> frozenset[int]:
        # Some hundred of these are asked for a log; building them as objects takes ten times as long as the answer.
        table = m.CardIndex._meta.table_name
        with reading(self._knowledge.file) as db:
            sql = f'SELECT rowid FROM "{table}" WHERE "{table}" MATCH ?{condition} LIMIT ?'  # noqa: S608  (no input)
            return frozenset(int(row[0]) for row in db.execute_sql(sql, (expression, limit)))

    def named(self, names: Iterable[str]) -> dict[str, frozenset[int]]:
        """Return the cards that list an entity of exactly this name, by name; names that none lists are left out."""
        wanted = list(dict.fromkeys(names))
        found: dict[str, set[int]] = {}
        with reading(self._knowledge.file) as db:
            for start in range(0, len(wanted), _SLICE):
                query = (
                    m.Entity.select(m.Entity.name, m.CardEntity.card)
                    .join(m.CardEntity)
                    .where(m.Entity.name.in_(wanted[start : start + _SLICE]))
                    .limit(COMMON)
                )
                for name, card in query.tuples().execute(db):
                    found.setdefault(str(name), set()).add(int(card))
        return {name: frozenset(cards) for name, cards in found.items()}

    def keys(self, ids: Iterable[int]) -> dict[int, CardKey]:
        """Return the keys of cards by their inner ids."""
        wanted = list(ids)
        found: dict[int, CardKey] = {}
        with reading(self._knowledge.file) as db:
            for start in range(0, len(wanted), _SLICE):
                query = (
                    m.Card.select(m.Card.id, m.Repo.name, m.Card.number)
                    .join(m.Repo)
                    .where(m.Card.id.in_(wanted[start : start + _SLICE]))
                )
                found |= {int(row[0]): CardKey(row[1], row[2]) for row in query.tuples().execute(db)}
        return found

    def ids(self, keys: Iterable[CardKey]) -> dict[CardKey, int]:
        """Return the inner ids of cards; keys of no card are left out."""
        found = {key: self._knowledge.card_id(key) for key in keys}
        return {key: card_id for key, card_id in found.items() if card_id is not None}

    def signatures(self, candidates: Sequence[int]) -> dict[int, tuple[tuple[str, ...], ...]]:
        """Return the signatures to try: all of them, or those of ``candidates`` where there are very many cards."""
        if self.total > SCANNED:
            with reading(self._knowledge.file) as db:
                query = m.Card.select(m.Card.id, m.Card.signatures).where(m.Card.id.in_(list(candidates)[:_SLICE]))
                return _read(query.tuples().execute(db))
        if self._signatures is None:
            with reading(self._knowledge.file) as db:
                query = m.Card.select(m.Card.id, m.Card.signatures).where(m.Card.signatures != "[]")
                self._signatures = _read(query.tuples().execute(db))
        return self._signatures


def _read(rows: Iterable[tuple[int, str]]) -> dict[int, tuple[tuple[str, ...], ...]]:
    listed = ((int(card), json.loads(text or "[]")) for card, text in rows)
    return {card: tuple(tuple(map(str, literals)) for literals in found) for card, found in listed if found}


def _expression(term: Term) -> str:
    words = [f'"{encode(term.word)}"' + (" *" if term.prefix else "")]
    words += [f'"{encode(word)}"' for word in term.others if word]
    return "(" + " OR ".join(words) + ")"
