"""Where the terms of a query stand in a text as it is shown."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from ascend_kb.core.text import atoms, positions, searchable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_TERMS = 60
LEAST_WORD = 3  # letters of a word that is marked where only a part of a term is met


def spans(terms: Iterable[str], text: str, *, parts: bool = False) -> tuple[tuple[int, int], ...]:
    """Return the places (start, end) of all terms in ``text``, in order and without overlaps.

    Terms are compared as the search compares them: width, letter case and Traditional Chinese do not count, nor do
    blanks between Chinese and Latin. With ``parts``, a term that does not stand in the text as a whole is replaced by
    its words and its pairs of Chinese characters.
    """
    wanted = list(dict.fromkeys(filter(None, (searchable(term).strip() for term in terms))))[:MOST_TERMS]
    if not wanted or not text:
        return ()
    plain, places = positions(text)
    found: list[tuple[int, int]] = []
    for term in wanted:
        whole = list(_places_of(term, plain))
        if not whole and parts:
            whole = [place for piece in _pieces(term) for place in _places_of(piece, plain)]
        found += whole
    return _merged((places[start][0], places[end - 1][1]) for start, end in sorted(found))


def _places_of(term: str, text: str) -> Iterator[tuple[int, int]]:
    start = text.find(term)
    while start >= 0:
        yield start, start + len(term)
        start = text.find(term, start + len(term))


def _pieces(term: str) -> Iterator[str]:
    """Yield the words and the pairs of Chinese characters of a normalised term."""
    found = list(atoms(term))
    for i, (kind, atom) in enumerate(found):
        follower = found[i + 1] if i + 1 < len(found) else ("", "")
        if kind == "word" and len(atom) >= LEAST_WORD:
            yield atom
        elif kind == "cjk" and follower[0] == "cjk":
            yield atom + follower[1]


def _merged(places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in places:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def in_utf16(places: Iterable[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """Return places in a text counted as Qt counts: characters beyond U+FFFF take two."""
    if text.isascii() or max(text) <= "\uffff":
        return tuple(places)
    before = list(accumulate((1 + (character > "\uffff") for character in text), initial=0))
    return tuple((before[start], before[end]) for start, end in places)
