"""The query language: what the user typed, as a tree of terms and filters.

Operators act only when they are complete; whatever is not is text, so that every keystroke is a legal query:

- white space between terms means AND; ``OR`` in capitals joins the two terms beside it and binds tighter than AND;
- ``-`` directly before a term excludes it, where the query also holds something to find;
- parentheses group when all of them are balanced around terms;
- ``"..."`` is exact text, blanks included; ``field:value`` of a known field and a known value is a filter.

What a query may hold of them is bounded, for every one is a condition of the database.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.core.query import Filter

    Resolve = Callable[[str, str], Filter | None]

MAX_DEPTH = 10  # nested parentheses; deeper ones are text
MAX_OPERATORS = 100  # where a text has more of them and of filters, it was pasted: all of it is text


class Term(NamedTuple):
    """Text to find; ``start`` and ``end`` say where it stands in the query."""

    text: str
    start: int
    end: int
    exact: bool = False


class Restriction(NamedTuple):
    """A filter written as ``field:value``."""

    filter: Filter
    start: int
    end: int


class Not(NamedTuple):
    """What must not hold."""

    node: Node
    start: int
    end: int


class AllOf(NamedTuple):
    """Everything must hold."""

    nodes: tuple[Node, ...]
    start: int
    end: int


class AnyOf(NamedTuple):
    """One of them must hold."""

    nodes: tuple[Node, ...]
    start: int
    end: int


Node = Term | Restriction | Not | AllOf | AnyOf


def parse(text: str, resolve: Resolve, *, minus: bool = True) -> AllOf:
    """Read a query. ``resolve(field, value)`` gives the filter, or None where there is no such field or value.

    Without ``minus`` nothing is excluded: ``-h`` is the option of a command.
    """
    tokens = list(_tokens(text, resolve, parentheses=True, minus=minus))
    if not _is_balanced(tokens):
        tokens = list(_tokens(text, resolve, parentheses=False, minus=minus))
    if sum(map(_operates, tokens)) > MAX_OPERATORS:
        return AllOf(tuple(Term(found.group(), *found.span()) for found in re.finditer(r"\S+", text)), 0, len(text))
    tree = _Reader(tokens).read(len(text))
    if _finds(tree):
        return tree
    return _Reader(list(_tokens(text, resolve, parentheses=False, minus=False))).read(len(text))


def terms_of(node: Node) -> Iterator[Term]:
    """Yield the terms that are looked for, wherever they stand; excluded ones are left out."""
    if isinstance(node, Term):
        yield node
    elif isinstance(node, (AllOf, AnyOf)):
        for inner in node.nodes:
            yield from terms_of(inner)


def _finds(node: Node) -> bool:
    if isinstance(node, (AllOf, AnyOf)):
        return any(map(_finds, node.nodes))
    return not isinstance(node, Not)


class _Token(NamedTuple):
    kind: str  # "(", ")", "-", "or", "operand"
    start: int
    end: int
    node: Term | Restriction | None = None


def _tokens(text: str, resolve: Resolve, *, parentheses: bool, minus: bool) -> Iterator[_Token]:
    at, depth = 0, 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif parentheses and text[at] == "(":
            depth += 1
            yield _Token("(", at, at + 1)
            at += 1
        elif parentheses and depth and text[at] == ")":
            depth -= 1
            yield _Token(")", at, at + 1)
            at += 1
        elif minus and text[at] == "-" and _can_be_excluded(text, at + 1, depth, parentheses=parentheses):
            yield _Token("-", at, at + 1)
            at += 1
        else:
            end = _operand_end(text, at, depth)
            yield _operand(text, at, end, resolve)
            at = end


def _can_be_excluded(text: str, at: int, depth: int, *, parentheses: bool) -> bool:
    """Return whether a whole term or group begins at ``at``."""
    first = text[at : at + 1]
    if first == "(":
        return parentheses
    if first == '"':
        return _quoted_end(text, at, depth) > 0
    return first != "-" and bool(first.strip())


def _quoted_end(text: str, quote: int, depth: int) -> int:
    """Return where the quoted text that begins at ``quote`` ends; 0 where none does."""
    closing = text.find('"', quote + 1)
    follower = text[closing + 1 : closing + 2]
    is_closed = closing > 0 and (not follower or follower.isspace() or (depth and follower == ")"))
    return closing + 1 if is_closed and text[quote + 1 : closing].strip() else 0


def _operand_end(text: str, at: int, depth: int) -> int:
    """Return where the word or quoted text that begins at ``at`` ends."""
    colon = 0
    while text[at + colon : at + colon + 1].isalpha() and text[at + colon].isascii():
        colon += 1
    quote = at + colon + 1 if text[at + colon : at + colon + 2] == ':"' and colon else at
    if text[quote] == '"' and (closed := _quoted_end(text, quote, depth)):
        return closed
    end, inner = at, 0
    while end < len(text) and not text[end].isspace():
        inner += text[end] == "("
        if text[end] == ")":
            if not inner and depth:
                break
            inner = max(0, inner - 1)
        end += 1
    return end


def _operand(text: str, start: int, end: int, resolve: Resolve) -> _Token:
    word = text[start:end]
    if word == "OR" and (not start or text[start - 1] != "-"):
        return _Token("or", start, end)
    field, _, value = word.partition(":")
    is_quoted = len(value) > 2 and value[0] == value[-1] == '"'
    if value and (is_quoted or value[0] != '"'):
        found = resolve(field, value[1:-1] if is_quoted else value)
        if found is not None:
            return _Token("operand", start, end, Restriction(found, start, end))
    if len(word) > 2 and word[0] == word[-1] == '"' and word[1:-1].strip():
        return _Token("operand", start, end, Term(word[1:-1].strip(), start, end, exact=True))
    return _Token("operand", start, end, Term(word, start, end))


def _operates(token: _Token) -> bool:
    return token.kind in ("-", "or") or isinstance(token.node, Restriction)


def _is_balanced(tokens: list[_Token]) -> bool:
    """Return whether all parentheses are balanced around terms, and not nested too deep."""
    depth = 0
    for i, token in enumerate(tokens):
        if token.kind == "(":
            depth += 1
        elif token.kind == ")":
            if i == 0 or tokens[i - 1].kind not in ("operand", ")"):
                return False
            depth -= 1
        if depth > MAX_DEPTH:
            return False
    return depth == 0


class _Reader:
    """Reads tokens into a tree."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def read(self, length: int) -> AllOf:
        return AllOf(tuple(self._sequence()), 0, length)

    def _kind(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place].kind if place < len(self._tokens) else ""

    def _sequence(self) -> Iterator[Node]:
        while self._kind() not in ("", ")"):
            node = self._unit()
            choices = [node]
            while self._kind() == "or" and self._kind(1) in ("operand", "(", "-"):
                self._at += 1
                choices.append(self._unit())
            yield node if len(choices) == 1 else AnyOf(tuple(choices), node.start, choices[-1].end)

    def _unit(self) -> Node:
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "(":
            nodes = tuple(self._sequence())
            closing = self._tokens[self._at]
            self._at += 1
            return AllOf(nodes, token.start, closing.end)
        if token.kind == "-" and self._kind() in ("operand", "("):
            node = self._unit()
            return Not(node, token.start, node.end)
        if token.node is not None:
            return token.node
        return Term("OR" if token.kind == "or" else "-", token.start, token.end)
