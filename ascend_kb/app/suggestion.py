"""What was probably meant where a query finds nothing: its unknown words and values, spelt as the knowledge does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.query import Facet, SearchQuery
from ascend_kb.core.syntax import Term, parse, terms_of
from ascend_kb.core.text import atoms, normalise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.app.library import Library

MOST_WORDS = 12  # of a query that are looked up
MOST_TRIED = 12  # queries that are tried
MOST = 3  # that are offered
ALIKE = 0.7  # how alike a value and what was written for it are, 0 to 1; there are only a few of them
LONGEST = 500  # characters of a query that a misspelling is looked for in


def suggestions(library: Library, text: str) -> tuple[str, ...]:
    """Return queries that differ from ``text`` in spelling and that cards match fully, the likeliest first."""
    if len(text) > LONGEST:
        return ()
    changes = list(_changes(library, text))[:MOST_WORDS]
    tried: list[str] = []
    if len(changes) > 1:  # all words at once, each in its nearest spelling
        tried.append(_changed(text, [(start, end, words[0]) for start, end, words in changes]))
    tried += [_changed(text, [(start, end, word)]) for start, end, words in changes for word in words]
    good = (query for query in dict.fromkeys(tried[:MOST_TRIED]) if library.select(SearchQuery(query)).full)
    return tuple(query for query, _ in zip(good, range(MOST), strict=False))


def _changed(text: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, word in sorted(changes, reverse=True):
        text = text[:start] + word + text[end:]
    return text


def _changes(library: Library, text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield where something that nothing knows stands, and what it may have been."""
    for term in terms_of(parse(text, library.catalog.resolve)):
        values = () if term.exact else _values(library, term)
        if values:
            yield term.start, term.end, values
        else:
            yield from _words(library, text, term)


def _words(library: Library, text: str, term: Term) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    at = term.start
    for _kind, atom in atoms(text[term.start : term.end]):
        words = library.spellings(normalise(atom)) if (atom.isascii() and atom.isalnum()) or "_" in atom else ()
        if words:
            yield at, at + len(atom), words
        at += len(atom)


def _values(library: Library, term: Term) -> tuple[str, ...]:
    """Return filters for ``field:value`` of a known field and an unknown value."""
    from ascend_kb.store.names import nearest

    field, colon, value = term.text.partition(":")
    if not colon or not value:
        return ()
    catalog = library.catalog
    if field == Facet.REPO.value:
        known = list(catalog.repo_names)
    elif field in (Facet.TAG.value, Facet.HARDWARE.value):
        known = [name for tag in catalog.tags for name in (tag.id.lower(), tag.label.en.lower())]
    else:
        return ()
    found = (catalog.resolve(field, name) for name in nearest(value.lower(), known, ALIKE))
    return tuple(dict.fromkeys(str(wanted) for wanted in found if wanted is not None))
