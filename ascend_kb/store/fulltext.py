"""Free text into full-text expressions, and the ranked cards that they find.

A term is a substring of the text. Its tokens form a phrase (core.text); where a term begins or ends inside a word, the
vocabulary says which words that can be.
"""

from __future__ import annotations

import json
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import JOIN, SQL, EnclosedNodeList, NodeList, fn

from ascend_kb.core.query import Match
from ascend_kb.core.syntax import AllOf, AnyOf, Node, Term
from ascend_kb.core.text import SPACE, atoms, encode, is_cjk, normalise, searchable, terms
from ascend_kb.store.models import INDEX_WEIGHTS, Card, CardIndex, CardText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ascend_kb.store.conditions import Asked
    from ascend_kb.store.knowledge import KnowledgeFile

MAX_TERMS = 40  # of a pasted text that are looked up in the index; further ones are looked up in the cards it names
MAX_TERM = 150  # characters of a term that are looked up in the index, likewise
MOST_WORDS = 64  # of one expression; with thousands of them each card takes long to rank
MOST_ENDS = 8  # words in which a term of several pieces begins or ends
_COLUMNS = ("title", "phrasings entities", "")  # where the first cards are looked for, in this order


class Hit(NamedTuple):
    """A card that was found: its id, a score (higher is better) and how it matches.

    ``coverage`` is the share of the question that it answers, 0 to 1.
    """

    card_id: int
    score: float
    match: Match = Match.FULL
    coverage: float = 1.0


class Expression(NamedTuple):
    """Full-text expressions for something to find; ``text`` is empty when no card can hold it.

    ``text`` finds the cards, or those with the commonest of very many words. ``whole`` misses none, but unless
    ``is_precise`` it finds others too; it is empty where no expression is worth it. ``postings`` is about how many
    entries of the index have to be read.
    """

    text: str
    whole: str = ""
    is_precise: bool = False
    postings: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether ``text`` finds exactly the cards that hold it."""
        return self.is_precise and self.text == self.whole

    @property
    def best(self) -> str:
        """The expression that finds most of the cards and no others."""
        return self.whole if self.is_precise else self.text


class Wanted(NamedTuple):
    """All text that a card must hold.

    ``bounded`` finds the cards, or most of them where a term is a part of very many words; ``ranking`` finds no fewer,
    but may take long. ``conditions`` on cards are exact; where ``is_complete`` all say the same.
    """

    bounded: str
    ranking: str
    conditions: tuple[Any, ...]
    is_complete: bool
    postings: int = 0


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

    def __init__(self, knowledge: KnowledgeFile) -> None:
        self._database = knowledge.file.database
        self._vocabulary = knowledge.vocabulary
        self._expressions: dict[str, Expression] = {}

    def expression(self, term: str) -> Expression:
        """Return the full-text expression for the cards that contain a normalised ``term``."""
        if term not in self._expressions:
            self._expressions[term] = self._expression(term)
        return self._expressions[term]

    def _expression(self, term: str) -> Expression:
        pieces = list(atoms(term))
        if len(pieces) == 1 and pieces[0][0] == "word":
            return self._of_part(pieces[0][1])
        tail, prefix = _tail(pieces)
        if pieces[0][0] == "word":
            return self._from_word(pieces, tail, prefix)
        ends, is_all = self._ends(pieces[-1][1], tail, prefix, MOST_WORDS if len(tail) == 1 else MOST_ENDS)
        whole = " + ".join(map(quoted, tail)) + prefix
        text = whole if is_all else " OR ".join(ends)
        postings = self._vocabulary.cards_beginning_with(tail[0]) if prefix and len(tail) == 1 else self._fewest(tail)
        return Expression(text, whole, is_precise=True, postings=postings)

    def _of_part(self, part: str) -> Expression:
        """Return the expression for a part of a word."""
        words, is_all = self._vocabulary.holding(part, MOST_WORDS)
        cut = [f"{_phrase(word, rest)}*" for word, rest in self._cut_words_with(part)]
        text = " OR ".join([quoted(encode(word)) for word in words] + cut)
        return Expression(text, text if is_all else "", is_precise=is_all, postings=sum(words.values()))

    def _from_word(self, pieces: list[tuple[str, str]], tail: list[str], prefix: str) -> Expression:
        """Return the expression for a term that begins with the end of a word."""
        part, most = pieces[0][1], MOST_WORDS if self._vocabulary.is_small else MOST_ENDS
        words, is_all = self._vocabulary.ending_in(part, most)
        starts = [quoted(encode(word)) for word in words]
        starts += [_phrase(word, end) for word, end in self._cut_words_with(part)]
        ends, has_all_ends = self._ends(pieces[-1][1], tail[1:], prefix, most)
        text = " OR ".join(f"{start} + {end}" for start in starts for end in ends)
        if is_all and has_all_ends:
            return Expression(text, text, is_precise=True, postings=sum(words.values()))
        return Expression(text, " + ".join(map(quoted, tail[1:])) + prefix, postings=sum(words.values()))

    def _ends(self, last: str, tokens: list[str], prefix: str, most: int) -> tuple[list[str], bool]:
        """Return phrases of tokens of which the last may be a beginning, and whether they are all.

        A beginning that very many words have takes long: then they end in the commonest ones.
        """
        plain = " + ".join(map(quoted, tokens))
        if not prefix or self._vocabulary.is_small:
            return [plain + prefix], True
        found = list(self._vocabulary.beginning_with(last, most + 1))
        words = dict.fromkeys([last + SPACE if is_cjk(last) else last, *found[:most]])
        start = "".join(f"{quoted(token)} + " for token in tokens[:-1])
        return [start + quoted(encode(word)) for word in words], len(found) <= most

    def _fewest(self, tokens: list[str]) -> int:
        """Return in how many cards the rarest pair of characters stands."""
        return min((self._vocabulary.cards(token) for token in tokens if token[:1].isalpha()), default=0)

    def _cut_words_with(self, part: str) -> list[tuple[str, str]]:
        """Return where ``part`` may lie across the cut of an overlong word: the piece before it, and the rest of it."""
        return [
            (word, part[i:])
            for word in self._vocabulary.cut_words
            for i in range(1, len(part))
            if word.endswith(part[:i])
        ]

    def holds(self, card_id: int | None, term: str) -> bool:
        """Return whether the index finds one card by a term."""
        query = Card.select(Card.id).where(Card.id == card_id, self.holding(term))
        return bool(list(query.tuples().execute(self._database)))

    def holding(self, term: str) -> Any:
        """Return the condition that a card holds a term as it was typed."""
        words = [*filter(None, [normalise(term).strip()])]
        return reduce(and_, self._wanted(words, ()).conditions) if words else SQL("0")

    def wanted(self, asked: Asked) -> Wanted | None:
        """Return what a card must hold; None where no text is asked for."""
        words = [*terms(" ".join(asked.terms)), *filter(None, (normalise(text).strip() for text in asked.exact))]
        return self._wanted(words, asked.choices) if words or asked.choices else None

    def _wanted(self, words: Sequence[str], choices: Sequence[Node]) -> Wanted:
        looked_up = [searchable(word[:MAX_TERM].strip()) for word in words[:MAX_TERMS]]
        of_words = [self.expression(word) for word in looked_up]
        of_choices = [self._of_node(node) for node in choices]
        everything = [*of_words, *of_choices]
        bounded = _all_of([found.text for found in everything])
        if not bounded:
            return Wanted("", "", (SQL("0"),), is_complete=True)
        texts = [searchable(word) for i, word in enumerate(words) if i >= MAX_TERMS or len(word) > MAX_TERM]
        texts += [word for word, found in zip(looked_up, of_words, strict=True) if not found.is_precise]
        conditions = [
            self._node_condition(node) for node, found in zip(choices, of_choices, strict=True) if not found.is_precise
        ]
        if wholes := [found.whole for found in (*of_words, *of_choices) if found.whole]:
            conditions.insert(0, Card.id.in_(matching(_all_of(wholes))))
        if texts:
            conditions.append(_in_text(texts))
        return Wanted(
            bounded,
            _all_of([found.best for found in everything]),
            tuple(conditions),
            is_complete=all(found.is_complete for found in everything) and not texts,
            postings=sum(found.postings for found in everything),
        )

    def _of_node(self, node: Node) -> Expression:
        if isinstance(node, (AllOf, AnyOf)):
            inner = [self._of_node(part) for part in node.nodes]
            join = _all_of if isinstance(node, AllOf) else _any_of
            return Expression(
                join([part.text for part in inner]),
                join([part.whole for part in inner]) if all(part.whole or not part.text for part in inner) else "",
                is_precise=all(part.is_precise or not part.text for part in inner),
                postings=sum(part.postings for part in inner),
            )
        text = searchable(normalise(node.text)[:MAX_TERM].strip()) if isinstance(node, Term) else ""
        return self.expression(text) if text else Expression("")

    def _node_condition(self, node: Node) -> Any:
        if isinstance(node, (AllOf, AnyOf)):
            return reduce(and_ if isinstance(node, AllOf) else or_, map(self._node_condition, node.nodes))
        return self.holding(node.text) if isinstance(node, Term) else SQL("0")

    def is_more_than(self, wanted: Wanted, number: int) -> bool:
        """Return whether more cards than a number are wanted; it need not be known that they all are."""
        if not wanted.bounded:
            return False
        query = matching(wanted.bounded).offset(number).limit(1)
        return bool(list(query.tuples().execute(self._database)))

    def exists(self, wanted: Wanted) -> bool:
        """Return whether any card is wanted."""
        query = Card.select(Card.id).where(*wanted.conditions).limit(1)
        return bool(list(query.tuples().execute(self._database)))

    def all(self, wanted: Wanted) -> list[Hit]:
        """Return all cards that are wanted, best first; those without a rank come last."""
        if not wanted.bounded:
            return []
        if wanted.is_complete:
            return self.ranked(wanted.bounded)
        query = Card.select(Card.id).where(*wanted.conditions).order_by(Card.id)
        held = dict.fromkeys(int(row[0]) for row in query.tuples().execute(self._database))
        hits = [hit for hit in self.ranked(wanted.ranking) if held.pop(hit.card_id, 0) is None]
        return hits + [Hit(card_id, 0.0) for card_id in held]

    def in_order(self, expression: str, where: Sequence[Any]) -> Iterator[int]:
        """Yield the ids of the cards that an expression finds and that fulfil conditions on cards, best first."""
        rank = fn.bm25(CardIndex._meta.entity, *INDEX_WEIGHTS)
        query = matching(expression, where).order_by(rank, CardIndex.rowid)
        return (int(row[0]) for row in query.tuples().iterator(self._database))

    def ranked(self, expression: str, limit: int | None = None, where: Sequence[Any] = ()) -> list[Hit]:
        """Return the cards that an expression finds and that fulfil conditions on cards, best first."""
        rank = fn.bm25(CardIndex._meta.entity, *INDEX_WEIGHTS)
        query = matching(expression, where).select(CardIndex.rowid, rank.alias("rank"))
        query = query.order_by(rank, CardIndex.rowid).limit(limit)
        return [Hit(int(rowid), -float(rank)) for rowid, rank in query.tuples().execute(self._database)]

    def first(self, expression: str, limit: int, where: Sequence[Any] = ()) -> list[Hit]:
        """Return some of the cards that an expression finds: those with it in the title, in the phrasings, anywhere.

        It takes the same short time however many there are; to rank them all, all must be read.
        """
        found: dict[int, Hit] = {}
        for i, columns in enumerate(_COLUMNS):
            within = f"{{{columns}}} : ({expression})" if columns else expression
            for row in matching(within, where).limit(limit).tuples().execute(self._database):
                found.setdefault(int(row[0]), Hit(int(row[0]), float(len(_COLUMNS) - i)))
        return list(found.values())[:limit]

    def bodies(self, hits: Iterable[Hit]) -> dict[int, str]:
        """Return the normalised texts of cards."""
        query = CardText.select(CardText.card, CardText.text).where(among(CardText.card, [hit.card_id for hit in hits]))
        texts = dict(query.tuples().execute(self._database))
        if any("\0" in text for text in texts.values()):  # normalised text holds none
            raise ValueError("the text of a card is torn")
        return texts


def matching(expression: str, where: Sequence[Any] = ()) -> Any:
    """Return the query for the ids of the cards that an expression finds and that fulfil conditions on cards."""
    query = CardIndex.select(CardIndex.rowid).where(CardIndex.match(expression))
    if not where:
        return query
    # The index comes first, so that only the cards that it finds are looked at, and no more than are asked for.
    return query.join(Card, JOIN.CROSS).where(Card.id == CardIndex.rowid, *where)


def _in_text(texts: Sequence[str]) -> Any:
    """Return the condition that the text of a card holds all of ``texts``."""
    pieces = SQL("SELECT 1 FROM json_each(?) AS piece WHERE", [json.dumps(list(texts))])
    lacking = fn.EXISTS(NodeList((pieces, fn.instr(CardText.text, SQL("piece.value")) == 0)))
    return fn.EXISTS(CardText.select(SQL("1")).where(CardText.card == Card.id, ~lacking))


def _all_of(expressions: Sequence[str]) -> str:
    return " AND ".join(dict.fromkeys(f"({text})" for text in expressions)) if all(expressions) else ""


def _any_of(expressions: Sequence[str]) -> str:
    return " OR ".join(dict.fromkeys(f"({text})" for text in expressions if text))


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
