"""What can stand at the cursor of a query: fields, values of a field and names, with the number of cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.explain import facet_name
from ascend_kb.core.i18n import tr
from ascend_kb.core.query import HAS_VALUES, Facet, Filter, SearchQuery
from ascend_kb.core.vocabulary import Evidence, Outcome, TagFacet, label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.app.library import Library
    from ascend_kb.core.language import Language

MOST = 50  # items of one list
COUNTED_ONE_BY_ONE = 12  # values whose cards are counted by a query of their own
LEAST_WORD = 2  # characters from which names are looked up
LONGEST = 2_000  # characters of a query that is completed

_FIELDS = tuple(Facet)
_VALUE = re.compile(r'(?:^|(?<=[\s(]))-?(?P<field>[a-z]+):(?P<value>"[^"]*|[^\s"()]*)$')
_WORD = re.compile(r'(?:^|(?<=[\s(]))-?(?P<word>[^\s()":-][^\s()":]*|)$')


class Item(NamedTuple):
    """Something to insert, what it means, and how many cards the query would then select (None: not counted)."""

    text: str
    label: str = ""
    cards: int | None = None


class Completions(NamedTuple):
    """What can replace ``text[start:end]`` of a query: the first items of ``total``."""

    start: int
    end: int
    items: tuple[Item, ...]
    total: int
    is_value: bool = False  # of a field


NOTHING = Completions(0, 0, (), 0)


class _Known(NamedTuple):
    """A value of a field: its id, its name in the language of the interface, and all it is known by."""

    value: str
    name: str
    names: tuple[str, ...]


def complete(library: Library, text: str, cursor: int, language: Language, *, asked: bool = False) -> Completions:
    """Return what can stand at the cursor.

    Values are offered behind ``field:``, fields for the beginning of their name. Where the user ``asked``, a word is
    completed to everything that it is a part of: fields, values of closed fields and names.
    """
    if len(text) > LONGEST or (text[:cursor].count('"') % 2 and ':"' not in text[:cursor]):
        return NOTHING
    found = _VALUE.search(text, 0, cursor)
    if found is not None and found["field"] in {facet.value for facet in _FIELDS}:
        start, end = found.start("field"), _word_end(text, cursor, quoted=found["value"].startswith('"'))
        items = list(
            _values(library, Facet(found["field"]), found["value"].lstrip('"'), _rest(text, start, end), language)
        )
        return Completions(start, end, tuple(items[:MOST]), len(items), is_value=True)
    found = _WORD.search(text, 0, cursor)
    if found is None:
        return NOTHING
    word, start = found["word"], found.start("word")
    end = _word_end(text, cursor, quoted=False)
    items = list(_fields(word, asked=asked))
    if asked and len(word) >= LEAST_WORD:
        items += _named(library, word, _rest(text, start, end), language)
    return Completions(start, end, tuple(items[:MOST]), len(items))


def _word_end(text: str, cursor: int, *, quoted: bool) -> int:
    if quoted:
        closing = text.find('"', cursor)
        return closing + 1 if closing >= 0 else cursor
    end = cursor
    while end < len(text) and not text[end].isspace() and text[end] != ")":
        end += 1
    return end


def _rest(text: str, start: int, end: int) -> SearchQuery:
    """Return the query without the word that is being typed."""
    before = text[:start].removesuffix("-")
    return SearchQuery(f"{before.rstrip()} {text[end:].lstrip()}".strip())


def _fields(word: str, *, asked: bool) -> Iterator[Item]:
    if not word and not asked:
        return
    for facet in _FIELDS:
        if facet.value.startswith(word.lower()) and (asked or len(word) >= LEAST_WORD):
            yield Item(f"{facet.value}:", facet_name(facet))


def _values(library: Library, facet: Facet, part: str, rest: SearchQuery, language: Language) -> Iterator[Item]:
    if facet in (Facet.VERSION, Facet.AFFECTED, Facet.FIXED):
        counts = library.facets(rest)[Facet.VERSION] if facet is Facet.VERSION else {}
        known = [value for value in library.versions() if part.lower() in value.lower()]
        counted = (
            [(value, counts.get(value, 0)) for value in known] if counts else _counted(library, facet, known, rest)
        )
        yield from (Item(str(Filter(facet, value)), "", count) for value, count in counted)
    elif facet in (Facet.API, Facet.PR, Facet.BEFORE, Facet.AFTER, Facet.HAS):
        values = _open_values(library, facet, part)
        yield from (Item(str(Filter(facet, v)), "", count) for v, count in _counted(library, facet, values, rest))
    else:
        yield from _closed(library, facet, part, library.facets(rest), language)


def _open_values(library: Library, facet: Facet, part: str) -> list[str]:
    if facet is Facet.HAS:
        return [value for value in HAS_VALUES if value.startswith(part.lower())]
    if facet is Facet.API and not part:
        return []
    return list(library.names(facet, part))


def _counted(library: Library, facet: Facet, values: list[str], rest: SearchQuery) -> Iterator[tuple[str, int | None]]:
    for i, value in enumerate(values):
        query = SearchQuery(f"{rest.text} {Filter(facet, value)}")
        yield value, library.select(query).total if i < COUNTED_ONE_BY_ONE else None


def _closed(
    library: Library, facet: Facet, part: str, counts: dict[Facet, dict[str, int]], language: Language
) -> list[Item]:
    """Return the values of a field that ``part`` stands in: those that begin with it first, then by cards."""
    wanted = part.lower()
    found = []
    for known in _known(library, facet, language):
        places = [place for name in known.names if (place := name.lower().find(wanted)) >= 0]
        if places:
            count = counts.get(facet, {}).get(known.value, 0)
            name = "" if known.name == known.value else known.name
            found.append((min(places) > 0, -count, Item(str(Filter(facet, known.value)), name, count)))
    return [item for *_, item in sorted(found, key=lambda entry: entry[:2])]


def _known(library: Library, facet: Facet, language: Language) -> Iterator[_Known]:
    if facet is Facet.REPO:
        for repo in library.catalog.repos:
            title = repo.title.get(language)
            yield _Known(repo.name, title, (repo.name, repo.abbreviation, repo.title.zh, repo.title.en))
    elif facet in (Facet.TAG, Facet.HARDWARE):
        for tag in library.catalog.tags:
            if (tag.facet is TagFacet.HARDWARE) is (facet is Facet.HARDWARE):
                yield _Known(tag.id, tag.label.get(language), (tag.id, tag.label.zh, tag.label.en))
    elif facet is Facet.THEME:
        for theme in library.themes():
            yield _Known(theme.id, theme.title.get(language), (theme.id, theme.title.zh, theme.title.en))
    elif facet is Facet.GUIDE:
        for entry in library.guide():
            yield _Known(entry.id, entry.symptom.get(language), (entry.id, entry.symptom.zh, entry.symptom.en))
    else:
        for member in Outcome if facet is Facet.OUTCOME else Evidence:
            both = label(member)
            yield _Known(str(member.value), both.get(language), (str(member.value), both.zh, both.en))


def _named(library: Library, word: str, rest: SearchQuery, language: Language) -> Iterator[Item]:
    """Yield the values of closed fields and the names that ``word`` stands in."""
    counts = library.facets(rest)
    for facet in (Facet.TAG, Facet.HARDWARE, Facet.REPO, Facet.OUTCOME, Facet.EVIDENCE, Facet.THEME, Facet.GUIDE):
        yield from _closed(library, facet, word, counts, language)
    plain = [name for name in library.names(Facet.API, word) if not any(c.isspace() or c in '()":' for c in name)]
    for i, name in enumerate(plain):
        count = library.select(SearchQuery(f"{rest.text} {name}")).full if i < COUNTED_ONE_BY_ONE else None
        yield Item(name, tr("name"), count)
