"""Free text into full-text expressions, and the ranked cards that they find.

A term is a substring of the text. Its tokens form a phrase (core.text); where a term begins or ends inside a word, the
vocabulary says which words that can be.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import SQL, EnclosedNodeList, fn

from ascend_kb.core.query import Match
from ascend_kb.core.text import MAX_WORD, SPACE, atoms, encode, normalise, searchable, terms
from ascend_kb.store.conditions import text_expression
from ascend_kb.store.models import INDEX_WEIGHTS, CardIndex, CardText, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from peewee import SqliteDatabase

    from ascend_kb.store.conditions import Asked

MAX_TERMS = 40  # of a pasted text that are looked up in the index; further ones are looked up in the cards it names
MAX_TERM = 150  # characters of a term that are looked up in the index, likewise


class Hit(NamedTuple):
    """A card that was found: its id, a score (higher is better) and how it matches.

    ``coverage`` is the share of the question that it answers, 0 to 1.
    """

    card_id: int
    score: float
    match: Match = Match.FULL
    coverage: float = 1.0


def among(column: Any, ids: Iterable[int]) -> Any:
    """Return the condition that a column holds one of ``ids``.

    It takes one parameter however many they are: a list of them would run into SQLite's limit of variables.
    """
    return column.in_(EnclosedNodeList([SQL("SELECT value FROM json_each(?)", [json.dumps(list(ids))])]))


def quoted(token: str) -> str:
    """Return a token as a string of a full-text expression."""
    return '"' + token.replace('"', '""') + '"'


def _phrase(*words: str) -> str:
    return " + ".join(quoted(encode(word)) for word in words)


class FullText:
    """Searches the index of one knowledge file."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database

    def expression(self, term: str) -> str:
        """Return the full-text expression for the cards that contain ``term``; empty when none can."""
        pieces = list(atoms(term))
        if len(pieces) == 1 and pieces[0][0] == "word":
            part = pieces[0][1]
            whole = [quoted(encode(word)) for word in self._words_with(part)]
            cut = [f"{_phrase(word, rest)}*" for word, rest in self._cut_words_with(part)]
            return " OR ".join(whole + cut)
        tail, prefix = _tail(pieces)
        if pieces[0][0] != "word":
            return " + ".join(map(quoted, tail)) + prefix
        rest = " + ".join(map(quoted, tail[1:])) + prefix
        part = pieces[0][1]
        first = [quoted(encode(word)) for word in self._words_ending_in(part)]
        first += [_phrase(word, end) for word, end in self._cut_words_with(part)]
        return " OR ".join(f"{beginning} + {rest}" for beginning in first)

    def _words_with(self, part: str) -> list[str]:
        query = Word.select(Word.text).where(fn.instr(Word.text, part) > 0)
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
        hits = self.ranked(" AND ".join(f"({expression})" for expression in expressions))
        rest = [term for i, term in enumerate(wanted) if i >= MAX_TERMS or len(term) > MAX_TERM]
        if rest and hits:
            bodies = self.bodies(hits)
            hits = [hit for hit in hits if all(searchable(term) in bodies.get(hit.card_id, "") for term in rest)]
        return hits

    def bodies(self, hits: Iterable[Hit]) -> dict[int, str]:
        """Return the normalised texts of cards."""
        query = CardText.select(CardText.card, CardText.text).where(among(CardText.card, [hit.card_id for hit in hits]))
        texts = dict(query.tuples().execute(self._database))
        if any("\0" in text for text in texts.values()):  # normalised text holds none
            raise ValueError("the text of a card is torn")
        return texts

    def ranked(self, expression: str, limit: int | None = None) -> list[Hit]:
        """Return the cards that an expression finds, best first."""
        rank = fn.bm25(CardIndex._meta.entity, *INDEX_WEIGHTS)
        query = (
            CardIndex.select(CardIndex.rowid, rank.alias("rank"))
            .where(CardIndex.match(expression))
            .order_by(rank, CardIndex.rowid)
            .limit(limit)
        )
        return [Hit(int(rowid), -float(rank)) for rowid, rank in query.tuples().execute(self._database)]


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
