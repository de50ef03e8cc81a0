"""Names that people type: versions, APIs, changes, months and words of the index, for completion and spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import fn

from ascend_kb.core.query import Facet
from ascend_kb.core.vocabulary import EntityKind
from ascend_kb.store import models as m
from ascend_kb.store.knowledge import KnowledgeFile, reading

if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE = 0.75  # how alike two spellings of a word are, 0 to 1
LEAST = 3  # letters of a word that may be misspelt
NEAREST = 3  # spellings of one word that are offered
_NAMED = (EntityKind.API.value, EntityKind.OPERATOR.value)


def versions(knowledge: KnowledgeFile) -> tuple[str, ...]:
    """Return the numbers of all versions, in order of their components."""
    with reading(knowledge.file) as db:
        rows = m.CardVersion.select(m.CardVersion.number).distinct().tuples().execute(db)
        return tuple(sorted((str(row[0]) for row in rows), key=_components))


def _components(number: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdigit() else -1, part) for part in number.split(".")]


def names(knowledge: KnowledgeFile, facet: Facet, part: str) -> tuple[str, ...]:
    """Return the values of a facet that has no closed list (API, change, date) that ``part`` stands in or begins."""
    with reading(knowledge.file) as db:
        return tuple(str(row[0]) for row in _named(facet, part).tuples().execute(db))


def _named(facet: Facet, part: str) -> Any:
    if facet is Facet.API:
        begins = fn.instr(fn.LOWER(m.Entity.name), part.lower())
        names = m.Entity.select(m.Entity.name).distinct().where(m.Entity.kind.in_(_NAMED), begins > 0)
        return names.order_by(begins, fn.length(m.Entity.name), m.Entity.name)
    if facet is Facet.PR:
        number = m.Change.number.cast("TEXT")
        changes = m.Change.select(m.Change.number).distinct().where(number.startswith(part.lstrip("!#")))
        return changes.order_by(m.Change.number)
    month = fn.substr(m.Card.latest_change, 1, 7)
    months = m.Card.select(month).distinct().where(m.Card.latest_change != "", month.startswith(part))
    return months.order_by(month.desc())


def is_known(knowledge: KnowledgeFile, word: str) -> bool:
    """Return whether a normalised word is, or is a part of, a word of the index."""
    with reading(knowledge.file):
        return bool(knowledge.vocabulary.holding(word, 1).words)


def spellings(knowledge: KnowledgeFile, word: str) -> tuple[str, ...]:
    """Return the words of the index that are written almost like a normalised word, the nearest first."""
    if len(word) < LEAST or not word.isascii() or word.isdigit():
        return ()
    length = fn.length(m.Word.text)
    with reading(knowledge.file) as db:
        query = m.Word.select(m.Word.text).where(length.between(len(word) - 2, len(word) + 2))
        return nearest(word, [str(row[0]) for row in query.tuples().execute(db)])


def nearest(word: str, known: Iterable[str], alike: float = ALIKE) -> tuple[str, ...]:
    """Return the words that are written almost like ``word``, the nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    scorer = DamerauLevenshtein.normalized_similarity
    found = process.extract(word, list(known), scorer=scorer, score_cutoff=alike, limit=NEAREST + 1)
    return tuple(name for name, *_ in found if name != word)[:NEAREST]
