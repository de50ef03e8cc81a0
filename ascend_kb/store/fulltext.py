"""Free text into full-text expressions, and the ranked cards that they find.

A term is a substring of the text. Its tokens form a phrase (core.text); where a term begins or ends inside a word, the
vocabulary says which words that can be.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import SQL, EnclosedNodeList, fn

from ascend_kb.core.text import MAX_WORD, SPACE, atoms, encode, normalise, searchable, terms
from ascend_kb.store.conditions import text_expression
from ascend_kb.store.models import INDEX_WEIGHTS, CardIndex, CardText, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from peewee import SqliteDatabase

    from ascend_kb.store.conditions import Asked

MAX_TERMS = 40  # of a pasted text that are looked up in the index; further ones are looked up in the cards it names
MAX_TERM = 150  # characters of a term that are looked up in the index, likewise
CANDIDATES = 200  # cards whose coverage is measured when no card holds every term
CONFIDENT = 0.5  # share of the question's weight that a card must cover to count as an answer
LEAST_LIKE = 4  # letters of an identifier that are looked for in another spelling
_STOP = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "has", "have", "how", "i",
        "in", "is", "it", "its", "my", "not", "of", "on", "or", "so", "that", "the", "this", "to", "was",
        "what", "when", "where", "which", "why", "will", "with", "you",
    }
)  # fmt: skip


class Hit(NamedTuple):
    """A card that was found: its id, a score (higher is better) and, for partial matches, the share it covers."""

    card_id: int
    score: float
    coverage: float = 1.0


def among(column: Any, ids: Iterable[int]) -> Any:
    """Return the condition that a column holds one of ``ids``.

    It takes one parameter however many they are: a list of them would run into SQLite's limit of variables.
    """
    return column.in_(EnclosedNodeList([SQL("SELECT value FROM json_each(?)", [json.dumps(list(ids))])]))


def _quoted(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'


def _phrase(*words: str) -> str:
    return " + ".join(_quoted(encode(word)) for word in words)


class FullText:
    """Searches the index of one knowledge file."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def expression(self, term: str) -> str:
        """Return the full-text expression for the cards that contain ``term``; empty when none can."""
        pieces = list(atoms(term))
        if len(pieces) == 1 and pieces[0][0] == "word":
            part = pieces[0][1]
            whole = [_quoted(encode(word)) for word in self._words_with(part)]
            cut = [f"{_phrase(word, rest)}*" for word, rest in self._cut_words_with(part)]
            return " OR ".join(whole + cut)
        tail, prefix = _tail(pieces)
        if pieces[0][0] != "word":
            return " + ".join(map(_quoted, tail)) + prefix
        rest = " + ".join(map(_quoted, tail[1:])) + prefix
        part = pieces[0][1]
        first = [_quoted(encode(word)) for word in self._words_ending_in(part)]
        first += [_phrase(word, end) for word, end in self._cut_words_with(part)]
        return " OR ".join(f"{beginning} + {rest}" for beginning in first)

    def _words_with(self, part: str) -> list[str]:
        query = Word.select(Word.text).where(fn.instr(Word.text, part) > 0)
        return [row[0] for row in query.tuples().execute(self._database)]

    def _words_like(self, part: str) -> list[str]:
        """Return the words that contain ``part`` in another spelling: ``sparseBlockSize`` for ``sparse_block_size``."""
        bare = part.replace("_", "")
        if len(bare) < LEAST_LIKE:
            return []
        query = Word.select(Word.text).where(fn.instr(fn.replace(Word.text, "_", ""), bare) > 0)
        return [row[0] for row in query.tuples().execute(self._database)]

    def _words_ending_in(self, part: str) -> list[str]:
        query = Word.select(Word.text).where(fn.substr(Word.text, -len(part)) == part)
        return [row[0] for row in query.tuples().execute(self._database)]

    def _cut_words_with(self, part: str) -> list[tuple[str, str]]:
        """Return where ``part`` may lie across the cut of an overlong word: the piece before it, and the rest of it."""
        query = Word.select(Word.text).where(fn.length(Word.text) == MAX_WORD)
        return [
            (str(row[0]), part[i:])
            for row in query.tuples().execute(self._database)
            for i in range(1, len(part))
            if row[0].endswith(part[:i])
        ]

    def holds(self, card_id: int | None, term: str) -> bool:
        """Return whether the index finds one card by a term."""
        expression = self.expression(searchable(term))
        query = CardIndex.select(CardIndex.rowid).where(CardIndex.rowid == card_id, CardIndex.match(expression))
        return bool(expression) and bool(list(query.tuples().execute(self._database)))

    def expression_of(self, term: str) -> str:
        """Return the full-text expression for a term of a query as it was typed."""
        return self.expression(searchable(normalise(term)[:MAX_TERM].strip()))

    def full(self, asked: Asked) -> list[Hit] | None:
        """Return the cards that contain all text that is asked for, best first; None where none is."""
        wanted = [*terms(" ".join(asked.terms)), *filter(None, (normalise(text).strip() for text in asked.exact))]
        if not wanted and not asked.choices:
            return None
        expressions = [self.expression_of(term) for term in wanted[:MAX_TERMS]]
        expressions += [text_expression(node, self.expression_of) for node in asked.choices]
        if not all(expressions):
            return []
        hits = self._ranked(" AND ".join(f"({expression})" for expression in expressions))
        rest = [term for i, term in enumerate(wanted) if i >= MAX_TERMS or len(term) > MAX_TERM]
        if rest and hits:
            bodies = self._bodies(hits)
            hits = [hit for hit in hits if all(searchable(term) in bodies.get(hit.card_id, "") for term in rest)]
        return hits

    def _bodies(self, hits: Iterable[Hit]) -> dict[int, str]:
        query = CardText.select(CardText.card, CardText.text).where(among(CardText.card, [hit.card_id for hit in hits]))
        return dict(query.tuples().execute(self._database))

    def _ranked(self, expression: str, limit: int | None = None) -> list[Hit]:
        rank = fn.bm25(CardIndex._meta.entity, *INDEX_WEIGHTS)
        query = (
            CardIndex.select(CardIndex.rowid, rank.alias("rank"))
            .where(CardIndex.match(expression))
            .order_by(rank, CardIndex.rowid)
            .limit(limit)
        )
        return [Hit(int(rowid), -float(rank)) for rowid, rank in query.tuples().execute(self._database)]

    def partial(self, text: str) -> list[Hit]:
        """Return the cards that cover most of ``text``, best first, whatever part of it they contain."""
        grams = _grams(text)
        weights = self._weights(grams)
        if not weights:
            return []
        found = self._ranked(" OR ".join(f"({e})" for e in weights), CANDIDATES)
        bodies = self._bodies(found)
        whole = sum(weight for _, weight in weights.values()) + self._unknown_weight * (len(grams) - len(weights))
        hits = []
        for hit in found:
            body = bodies.get(hit.card_id, "")
            coverage = (
                sum(weight for spellings, weight in weights.values() if any(s in body for s in spellings)) / whole
            )
            hits.append(Hit(hit.card_id, coverage * 100 + hit.score, coverage))
        return sorted(hits, key=lambda hit: (-hit.score, hit.card_id))

    @property
    def _unknown_weight(self) -> float:
        return math.log(1 + self._count())

    def _count(self) -> int:
        return int(CardText.select(fn.count(CardText.card)).tuples().execute(self._database)[0][0])

    def _weights(self, grams: list[str]) -> dict[str, tuple[list[str], float]]:
        """Return expression -> (spellings, weight); rare grams weigh more, those that no card holds are left out."""
        total = self._count()
        weights = {}
        for gram in grams:
            spellings = [gram]
            expression = self.expression(gram)
            if not expression:
                spellings = self._words_like(gram)
                expression = " OR ".join(_quoted(encode(word)) for word in spellings)
            if not expression:
                continue
            query = CardIndex.select(fn.count(CardIndex.rowid)).where(CardIndex.match(expression))
            holders = query.tuples().execute(self._database)[0][0]
            if holders:
                weights[expression] = (spellings, math.log(1 + total / holders))
        return weights


def _tail(pieces: list[tuple[str, str]]) -> tuple[list[str], str]:
    """Return the tokens of a term and ``*`` where the last one is only a beginning."""
    tokens: list[str] = []
    for i, (kind, atom) in enumerate(pieces):
        follower = pieces[i + 1] if i + 1 < len(pieces) else None
        if kind == "space":
            tokens.append(SPACE)
        elif kind != "cjk":
            tokens.append(encode(atom))
        elif follower is None:
            # The last character: already the second half of the token before it, or the beginning of any token.
            if i and pieces[i - 1][0] == "cjk":
                return tokens, ""
            return [*tokens, atom], "*"
        else:
            tokens.append(atom + (follower[1] if follower[0] == "cjk" else SPACE))
    return tokens, "*" if pieces[-1][0] == "word" else ""


def _grams(text: str) -> list[str]:
    """Return what a question is made of: pairs of CJK characters, words, and words' surroundings left out."""
    pieces = list(atoms(searchable(text)))
    grams: list[str] = []
    for i, (kind, atom) in enumerate(pieces):
        if kind == "word" and atom not in _STOP:
            grams.append(atom)
        elif kind == "cjk" and i + 1 < len(pieces) and pieces[i + 1][0] == "cjk":
            grams.append(atom + pieces[i + 1][1])
    return list(dict.fromkeys(grams))[: MAX_TERMS * 3]
