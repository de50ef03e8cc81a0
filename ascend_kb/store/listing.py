"""The card list: which cards a query selects, in which order, page by page and by row number; and facet counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import SQL, fn

from ascend_kb.core.keys import CardKey, named
from ascend_kb.core.language import Bilingual, Language
from ascend_kb.core.query import COUNTED, CardRow, Facet, Match, SearchQuery, Sort, SortColumn
from ascend_kb.core.syntax import Not, Term
from ascend_kb.core.vocabulary import Evidence, Outcome
from ascend_kb.store import models as m
from ascend_kb.store.conditions import LINKS, Asked, conditions, take_apart
from ascend_kb.store.database import damaged
from ascend_kb.store.fulltext import FullText, Hit, among
from ascend_kb.store.knowledge import KnowledgeFile, reading
from ascend_kb.store.widening import CLOSE, Widening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from peewee import SqliteDatabase

FEW = 3  # full matches below which the list goes on with partial ones
RELATED = 0.1  # partial matches that cover less of the question are noise
MOST_PARTIAL = 20
_OPTION = re.compile(r"[A-Za-z]\W*", re.ASCII)  # behind a `-`: of a command that was pasted


class _Found(NamedTuple):
    """What free text finds: hits in order of rank with the kind of match, and whether none of them is an answer."""

    hits: tuple[Hit, ...]
    refused: bool
    left_out: tuple[int, ...] = ()  # further cards that match in part


class Selection:
    """The cards that a query selects, in one order.

    ``total`` is their number; ``refused`` says that none of them answers the free text; ``left_out`` is how many more
    match in part, at least where ``is_open_ended``. ``terms`` are the texts that were looked for.
    """

    def __init__(self, knowledge: KnowledgeFile, query: SearchQuery, sort: Sort, language: Language) -> None:
        self._knowledge = knowledge
        self._sort = sort
        self._language = language
        self.query = query
        with reading(knowledge.file) as db:
            asked = _asked(knowledge, db, query)
            found = _find(knowledge, db, asked)
            self._where = conditions(asked, FullText(db).expression_of)
            self.terms = asked.texts
            self.left_out, self.is_open_ended = 0, False
            if found is not None and found.left_out:
                self.is_open_ended = MOST_PARTIAL + len(found.left_out) >= CLOSE
                self.left_out = int(_selected([*self._where, among(m.Card.id, found.left_out)]).count(db))
            self.refused = found is not None and found.refused
            self._hits = {hit.card_id: hit for hit in found.hits} if found else None
            if self._hits is not None:
                self._where.append(among(m.Card.id, self._hits))
            self.total = int(_selected(self._where).count(db))
            self._ranked = self._by_rank(db) if self._hits is not None and sort.column is SortColumn.RANK else None

    def _by_rank(self, db: SqliteDatabase) -> list[int]:
        kept = {row[0] for row in _selected(self._where).tuples().execute(db)}
        order = [card_id for card_id in self._hits or () if card_id in kept]
        return order[::-1] if self._sort.descending else order

    @property
    def full(self) -> int:
        """The number of full matches; all rows where there is no free text."""
        if self._ranked is None or self._hits is None:
            return self.total
        return sum(self._hits[card_id].match is Match.FULL for card_id in self._ranked)

    def rows(self, offset: int, limit: int) -> tuple[CardRow, ...]:
        """Return up to ``limit`` rows from row number ``offset`` on, counted from 0."""
        with reading(self._knowledge.file) as db:
            if self._ranked is not None:
                ids: Sequence[int] = self._ranked[offset : offset + limit]
            else:
                query = _selected(self._where).order_by(*self._order()).offset(offset).limit(limit)
                ids = [row[0] for row in query.tuples().execute(db)]
            return self._read(db, ids)

    def position(self, key: CardKey) -> int | None:
        """Return the row number of a card, or None if it is not selected."""
        card_id = self._knowledge.card_id(key)
        if card_id is None:
            return None
        if self._ranked is not None:
            return self._ranked.index(card_id) if card_id in self._ranked else None
        with reading(self._knowledge.file) as db:
            number = fn.ROW_NUMBER().over(order_by=self._order()).alias("place")
            inner = m.Card.select(m.Card.id, number).where(*self._where or [SQL("1")])
            query = inner.select_from(inner.c.place).where(inner.c.id == card_id)
            return next((int(row[0]) - 1 for row in query.tuples().execute(db)), None)

    def _order(self) -> list[Any]:
        english = self._language == "en"
        columns: dict[SortColumn, list[Any]] = {
            SortColumn.TITLE: [m.Card.title_en if english else m.Card.title_zh],
            SortColumn.OUTCOME: [m.Card.outcome_rank],
            SortColumn.EVIDENCE: [m.Card.evidence_rank],
            SortColumn.DATE: [m.Card.latest_change],
            SortColumn.TAGS: [m.Card.tag_line_en if english else m.Card.tag_line_zh],
        }
        wanted = columns.get(self._sort.column, [])
        if not wanted:
            return [m.Card.id.desc() if self._sort.descending else m.Card.id]
        return [*(c.desc() if self._sort.descending else c for c in wanted), m.Card.id]

    def _read(self, db: SqliteDatabase, ids: Sequence[int]) -> tuple[CardRow, ...]:
        tags: dict[int, list[str]] = {}
        tag_rows = (
            m.CardTag.select(m.CardTag.card, m.Tag.slug)
            .join(m.Tag)
            .where(m.CardTag.card.in_(ids))
            .order_by(m.CardTag.position)
        )
        for card_id, slug in tag_rows.tuples().execute(db):
            tags.setdefault(card_id, []).append(slug)
        fields = (m.Card.id, m.Repo.name, m.Card.number, m.Card.title_zh, m.Card.title_en, m.Card.outcome,
                  m.Card.evidence, m.Card.latest_change, m.Card.has_commands)  # fmt: skip
        rows = {}
        query = m.Card.select(*fields).join(m.Repo).where(m.Card.id.in_(ids))
        for card_id, repo, number, zh, en, outcome, evidence, date, has_commands in query.tuples().execute(db):
            hit = (self._hits or {}).get(card_id, Hit(card_id, 0.0))
            rows[card_id] = CardRow(
                CardKey(repo, number), Bilingual(zh, en), Outcome(outcome), Evidence(evidence), date,
                tuple(tags.get(card_id, ())), bool(has_commands), hit.match, round(hit.score, 4), self.refused,
            )  # fmt: skip
        if lost := set(ids) - set(rows):
            raise damaged(self._knowledge.file.path, f"card rows {sorted(lost)} are missing")
        return tuple(rows[card_id] for card_id in ids)


def _selected(where: list[Any]) -> Any:
    query = m.Card.select(m.Card.id)
    return query.where(*where) if where else query


def _asked(knowledge: KnowledgeFile, db: SqliteDatabase, query: SearchQuery) -> Asked:
    """Return what a query asks; where its exclusions leave nothing but its words are found, they were text: ``-h``."""
    asked = take_apart(query, knowledge.catalog)
    if not any(isinstance(node, Not) for node in asked.others):
        return asked
    fulltext = FullText(db)
    hits = fulltext.full(asked)
    kept = conditions(asked, fulltext.expression_of)
    if hits is None or _selected([*kept, among(m.Card.id, [hit.card_id for hit in hits])]).exists(db):
        return asked
    literal = take_apart(query, knowledge.catalog, minus=False)
    options = all(
        _OPTION.fullmatch(node.node.text)
        for node in asked.others
        if isinstance(node, Not) and isinstance(node.node, Term)
    )
    return literal if options or fulltext.full(literal) else asked


def _find(knowledge: KnowledgeFile, db: SqliteDatabase, asked: Asked) -> _Found | None:
    """Return what the free text finds: a card named by its key, full matches, and partial ones where those are few."""
    fulltext = FullText(db)
    full = fulltext.full(asked)
    if full is None:
        return None
    widening = Widening(db)
    full = widening.ranked(asked.text, full)
    hits = {hit.card_id: hit for hit in full}
    best = max((hit.score for hit in full), default=0.0) + 1
    # What the text names by number stands first, whether or not the card holds the text.
    first = {
        card_id: Hit(card_id, best, Match.FULL if is_key or card_id in hits else Match.PARTIAL)
        for card_id, is_key in _named(knowledge, db, " ".join(asked.terms))
    }
    hits = first | {card_id: hit for card_id, hit in hits.items() if card_id not in first}
    if len(hits) >= FEW or (hits and len(asked.text.split()) == 1):
        return _Found(tuple(hits.values()), refused=False)
    widened = widening.find(asked.text)
    partial = [hit for hit in widened.hits if hit.coverage >= RELATED and hit.card_id not in hits]
    if hits and not widened.is_answer:
        partial = []
    refused = not hits and not (partial and widened.is_answer)
    left_out = tuple(hit.card_id for hit in partial[MOST_PARTIAL:])
    return _Found((*hits.values(), *partial[:MOST_PARTIAL]), refused, left_out)


def _named(knowledge: KnowledgeFile, db: SqliteDatabase, text: str) -> list[tuple[int, bool]]:
    """Return the cards that a text names by number, and whether it names them by their key."""
    if not text.strip()[-1:].isdigit() and "://" not in text:
        return []
    name = named(text, knowledge.catalog.repo_names)
    if name is None:
        return []
    query = m.Card.select(m.Card.id).order_by(m.Card.id)
    if name.is_change:
        of_repo = m.Change.repo.endswith(f"/{name.repo}") if name.repo else SQL("1")
        query = query.where(
            m.Card.id.in_(m.Change.select(m.Change.card).where(m.Change.number == name.number, of_repo))
        )
    else:
        query = query.join(m.Repo).where(m.Card.number == name.number)
        query = query.where(m.Repo.name == name.repo) if name.repo else query
    is_key = "#" in text and bool(name.repo) and not name.is_change
    return [(int(row[0]), is_key) for row in query.tuples().execute(db)]


def facet_counts(knowledge: KnowledgeFile, query: SearchQuery) -> dict[Facet, dict[str, int]]:
    """Return the number of cards for every value of every facet that is counted.

    The counts of a facet apply the free text and all other filters, but not the facet's own.
    """
    with reading(knowledge.file) as db:
        asked = _asked(knowledge, db, query)
        found = _find(knowledge, db, asked)
        expression = FullText(db).expression_of
        text = [among(m.Card.id, [hit.card_id for hit in found.hits])] if found else []
        counts: dict[Facet, dict[str, int]] = {}
        for facet in COUNTED:
            where = text + conditions(asked, expression, without=facet)
            counts[facet] = dict(_grouped(facet, where or [SQL("1")]).tuples().execute(db))
        return counts


def _grouped(facet: Facet, where: list[Any]) -> Any:
    number = fn.COUNT(m.Card.id)
    if facet is Facet.REPO:
        return m.Card.select(m.Repo.name, number).join(m.Repo).where(*where).group_by(m.Repo.name)
    if facet in (Facet.OUTCOME, Facet.EVIDENCE):
        column = m.Card.outcome if facet is Facet.OUTCOME else m.Card.evidence
        return m.Card.select(column, number).where(*where).group_by(column)
    if facet is Facet.VERSION:
        return _by_version(where)
    link, owner = LINKS[facet]
    query = m.Card.select(owner.slug, number).join(link).join(owner).where(*where).group_by(owner.slug)
    if facet in (Facet.TAG, Facet.HARDWARE):
        kind = m.Tag.facet == "hardware" if facet is Facet.HARDWARE else m.Tag.facet != "hardware"
        query = query.where(kind)
    return query


def _by_version(where: list[Any]) -> Any:
    """Return the number of cards for every version, those of its longer forms included, as its filter finds them."""
    names = m.CardVersion.select(m.CardVersion.number).distinct().alias("names")
    wanted, known = fn.LOWER(names.c.number), fn.LOWER(m.CardVersion.number)
    longer = fn.substr(known, 1, fn.length(wanted) + 1).in_([wanted.concat("."), wanted.concat("-")])
    query = m.CardVersion.select(names.c.number, fn.COUNT(m.Card.id.distinct())).join(m.Card)
    joined = query.switch(m.CardVersion).join(names, on=(known == wanted) | longer)
    return joined.where(*where).group_by(names.c.number)
