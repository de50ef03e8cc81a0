"""The card list: which cards a query selects, in which order, page by page and by row number; and facet counts."""

from __future__ import annotations

import re
from array import array
from functools import reduce
from operator import and_
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
from ascend_kb.store.fulltext import FullText, Hit, Wanted, among, matching
from ascend_kb.store.knowledge import KnowledgeFile, reading
from ascend_kb.store.widening import CLOSE, Widening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from peewee import SqliteDatabase

FEW = 3  # full matches below which the list goes on with partial ones
RELATED = 0.1  # partial matches that cover less of the question are noise
MOST_PARTIAL = 20
MANY = 2_000  # full matches above which not all of them are held with their scores
COSTLY = 20_000  # entries of the index that are not ranked at once while someone types
FIRST = 200  # cards among which the first page is chosen then
AMONG_FIRST = 100  # rows among which a card is put that has no place yet
_OPTION = re.compile(r"[A-Za-z]\W*", re.ASCII)  # behind a `-`: of a command that was pasted


class _Found(NamedTuple):
    """What free text finds: hits in order of rank, and whether none of them is an answer.

    Without ``is_all`` the hits are the first of very many cards, which ``conditions`` describe; they are ``exact`` when
    all cards were ranked for them. ``expression`` ranks the others.
    """

    hits: tuple[Hit, ...]
    refused: bool = False
    left_out: tuple[int, ...] = ()  # further cards that match in part
    is_all: bool = True
    conditions: tuple[Any, ...] = ()
    expression: str = ""
    is_exact: bool = True


class Selection:
    """The cards that a query selects, in one order.

    ``total`` is their number; ``refused`` says that none of them answers the free text; ``left_out`` is how many more
    match in part, at least where ``is_open_ended``. ``terms`` are the texts that were looked for.

    With ``quick`` it takes a short time however many cards match: when there are very many it may not be ``is_exact``.
    Then the first rows are the best of some candidates, and ``total`` may be too small.
    """

    def __init__(
        self, knowledge: KnowledgeFile, query: SearchQuery, sort: Sort, language: Language, *, quick: bool = False
    ) -> None:
        self._knowledge = knowledge
        self._sort = sort
        self._language = language
        self.query = query
        with reading(knowledge.file) as db:
            asked = _asked(knowledge, db, query)
            self._where = conditions(asked, FullText(knowledge).holding)
            found = _Search(knowledge, db, asked, tuple(self._where), quick).found()
            self.terms = asked.texts
            self.refused = found is not None and found.refused
            self.is_exact = found is None or found.is_exact
            self._found = found
            self._hits = {hit.card_id: hit for hit in found.hits} if found else {}
            self._ids: Sequence[int] | None = None  # in order, the first ones or all; None where SQL gives each page
            self._is_complete = True
            self.left_out, self.is_open_ended = 0, False
            if found is not None and found.left_out:
                self.is_open_ended = MOST_PARTIAL + len(found.left_out) >= CLOSE
                self.left_out = int(_selected([*self._where, among(m.Card.id, found.left_out)]).count(db))
            if found is None:
                self.total = int(_selected(self._where).count(db)) if self._where else knowledge.card_count()
            elif found.is_all:
                self._where.append(among(m.Card.id, self._hits))
                self._take_all(db, found)
            else:
                self._take_first(db, found)

    def _take_all(self, db: SqliteDatabase, found: _Found) -> None:
        """Hold the order of few cards."""
        kept = {row[0] for row in _selected(self._where).tuples().execute(db)}
        self.total = len(kept)
        if self._sort.column is SortColumn.RANK:
            order = [hit.card_id for hit in found.hits if hit.card_id in kept]
            self._ids = order[::-1] if self._sort.descending else order

    def _take_first(self, db: SqliteDatabase, found: _Found) -> None:
        """Hold the beginning of the order of very many cards."""
        if found.is_exact:
            self._where += found.conditions
            self.total = int(_selected(self._where).count(db))
        else:
            self.total = int(matching(found.expression, self._where).count(db))
            self._where += found.conditions
        self._is_complete = False
        if self._sort.column is not SortColumn.RANK:
            self._ids = self._by_column(db, MANY)
        elif self._sort.descending:
            self._ids = ()
        else:
            self._ids = [hit.card_id for hit in found.hits]

    @property
    def full(self) -> int:
        """The number of full matches; all rows where there is no free text."""
        if self._ids is None:
            return self.total
        return self.total - sum(self._hits[i].match is not Match.FULL for i in self._ids if i in self._hits)

    def rows(self, offset: int, limit: int) -> tuple[CardRow, ...]:
        """Return up to ``limit`` rows from row number ``offset`` on, counted from 0."""
        with reading(self._knowledge.file) as db:
            if self._ids is not None:
                ids = list(self._known(db, min(offset + limit, self.total))[offset : offset + limit])
            else:
                query = _selected(self._where).order_by(*self._order()).offset(offset).limit(limit)
                ids = [row[0] for row in query.tuples().execute(db)]
            return self._read(db, ids)

    def _known(self, db: SqliteDatabase, end: int) -> Sequence[int]:
        """Return the order of the cards up to a row at least."""
        if self._ids is None or (len(self._ids) < end and not self._is_complete):
            self._ids = self._by_column(db) if self._sort.column is not SortColumn.RANK else self._by_rank(db)
            self._is_complete = True
        return self._ids

    def _by_rank(self, db: SqliteDatabase) -> Sequence[int]:
        """Return the order of very many cards: the best ones, the others as they are ranked, those without a rank."""
        found = self._found
        first = [hit.card_id for hit in found.hits] if found is not None else []
        seen = set(first)
        order = array("q", first)
        if found is not None:
            rows = FullText(self._knowledge).in_order(found.expression, self._where)
            order.extend(card_id for card_id in rows if card_id not in seen)
        if len(order) < self.total:
            seen.update(order)
            rows = (row[0] for row in _selected(self._where).order_by(m.Card.id).tuples().execute(db))
            order.extend(card_id for card_id in rows if card_id not in seen)
        return order[::-1] if self._sort.descending else order

    def _by_column(self, db: SqliteDatabase, limit: int | None = None) -> Sequence[int]:
        query = _selected(self._where).order_by(*self._order()).limit(limit)
        return array("q", (row[0] for row in query.tuples().execute(db)))

    def complete(self) -> Selection:
        """Put all cards in order now, so that every row and position is at hand."""
        with reading(self._knowledge.file) as db:
            if self._ids is not None:
                self._known(db, self.total)
        return self

    def position(self, key: CardKey) -> int | None:
        """Return the row number of a card, or None if it is not selected.

        Before the order is exact, a selected card stands among the first ones.
        """
        card_id = self._knowledge.card_id(key)
        if card_id is None:
            return None
        with reading(self._knowledge.file) as db:
            if self._ids is not None:
                if card_id in self._ids:
                    return self._ids.index(card_id)
                if self._is_complete or not _selected([*self._where, m.Card.id == card_id]).exists(db):
                    return None
                if self.is_exact:
                    return self._known(db, self.total).index(card_id)
                place = min(len(self._ids), AMONG_FIRST - 1)
                self._ids = [*self._ids[:place], card_id, *self._ids[place:]]
                return place
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
            hit = self._hits.get(card_id, Hit(card_id, 0.0))
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
    fulltext = FullText(knowledge)
    wanted = fulltext.wanted(asked)
    if wanted is None or _selected([*conditions(asked, fulltext.holding), *wanted.conditions]).exists(db):
        return asked
    literal = take_apart(query, knowledge.catalog, minus=False)
    options = all(
        _OPTION.fullmatch(node.node.text)
        for node in asked.others
        if isinstance(node, Not) and isinstance(node.node, Term)
    )
    as_text = fulltext.wanted(literal)
    return literal if options or (as_text is not None and fulltext.exists(as_text)) else asked


class _Search(NamedTuple):
    """What is to be found, in which file; ``where`` is what the cards must fulfil beside the text."""

    knowledge: KnowledgeFile
    db: SqliteDatabase
    asked: Asked
    where: Sequence[Any] = ()
    quick: bool = False
    is_count: bool = False  # the order of very many cards is of no interest

    def found(self) -> _Found | None:
        """Return what the free text finds: a card named by its key, full matches, and partial ones for few of them."""
        fulltext, asked = FullText(self.knowledge), self.asked
        wanted = fulltext.wanted(asked)
        if wanted is None:
            return None
        if fulltext.is_more_than(wanted, MANY):
            return self._first(wanted)
        widening = Widening(self.knowledge)
        is_exact = wanted.is_complete or not self.quick or self.knowledge.vocabulary.is_small
        full = fulltext.all(wanted) if is_exact else fulltext.ranked(wanted.bounded)
        hits = {hit.card_id: hit for hit in widening.ranked(asked.text, full)}
        hits = _with_named(_named(self.knowledge, self.db, " ".join(asked.terms)), hits, set(hits))
        if len(hits) >= FEW or (hits and len(asked.text.split()) == 1):
            return _Found(tuple(hits.values()), is_exact=is_exact)
        widened = widening.find(asked.text)
        partial = [hit for hit in widened.hits if hit.coverage >= RELATED and hit.card_id not in hits]
        if hits and not widened.is_answer:
            partial = []
        refused = not hits and not (partial and widened.is_answer)
        left_out = tuple(hit.card_id for hit in partial[MOST_PARTIAL:])
        return _Found((*hits.values(), *partial[:MOST_PARTIAL]), refused, left_out, is_exact=is_exact)

    def _first(self, wanted: Wanted) -> _Found:
        """Return the first ones of very many full matches."""
        fulltext = FullText(self.knowledge)
        is_exact = not self.quick or (wanted.is_complete and wanted.postings <= COSTLY)
        best: list[Hit] = []
        if not self.is_count:
            if is_exact:
                best = fulltext.ranked(wanted.ranking, MANY, self.where)
            else:
                best = fulltext.first(wanted.bounded, FIRST, self.where)
            best = Widening(self.knowledge).ranked(self.asked.text, best)
        names = dict(_named(self.knowledge, self.db, " ".join(self.asked.terms)))
        named_ones = among(m.Card.id, names)
        kept = self._ids([named_ones, *self.where]) if names else set()
        holding = self._ids([named_ones, *wanted.conditions]) if names else set()
        names = {card_id: is_key for card_id, is_key in names.items() if card_id in kept}
        hits = _with_named(list(names.items()), {hit.card_id: hit for hit in best}, holding)
        conditions = (reduce(and_, wanted.conditions) | named_ones,) if names else wanted.conditions
        expression = wanted.ranking if is_exact else wanted.bounded
        return _Found(
            tuple(hits.values()), is_all=False, conditions=conditions, expression=expression, is_exact=is_exact
        )

    def _ids(self, where: list[Any]) -> set[int]:
        return {row[0] for row in _selected(where).tuples().execute(self.db)}


def _with_named(names: list[tuple[int, bool]], hits: dict[int, Hit], holding: set[int]) -> dict[int, Hit]:
    """Return hits with those first that the text names by number, whether or not the card holds the text."""
    best = max((hit.score for hit in hits.values()), default=0.0) + 1
    first = {
        card_id: Hit(card_id, best, Match.FULL if is_key or card_id in holding else Match.PARTIAL)
        for card_id, is_key in names
    }
    return first | {card_id: hit for card_id, hit in hits.items() if card_id not in first}


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
        text = _text_conditions(knowledge, db, asked)
        holding = FullText(knowledge).holding
        counts: dict[Facet, dict[str, int]] = {}
        for facet in COUNTED:
            where = [*text, *conditions(asked, holding, without=facet)]
            if facet is Facet.VERSION:
                counts[facet] = _by_version(db, where)
            else:
                counts[facet] = dict(_grouped(facet, where).tuples().execute(db))
        return counts


def _text_conditions(knowledge: KnowledgeFile, db: SqliteDatabase, asked: Asked) -> Sequence[Any]:
    """Return the conditions for the cards that the free text finds."""
    found = _Search(knowledge, db, asked, is_count=True).found()
    if found is None:
        return ()
    return [among(m.Card.id, [hit.card_id for hit in found.hits])] if found.is_all else found.conditions


def _grouped(facet: Facet, where: list[Any]) -> Any:
    number = fn.COUNT(SQL("*"))
    if facet is Facet.REPO:
        return m.Card.select(m.Repo.name, number).join(m.Repo).where(*where or [SQL("1")]).group_by(m.Repo.name)
    if facet in (Facet.OUTCOME, Facet.EVIDENCE):
        column = m.Card.outcome if facet is Facet.OUTCOME else m.Card.evidence
        return m.Card.select(column, number).where(*where or [SQL("1")]).group_by(column)
    link, owner = LINKS[facet]
    query = link.select(owner.slug, number).join(owner).where(*_linked(link, where)).group_by(owner.slug)
    if facet in (Facet.TAG, Facet.HARDWARE):
        query = query.where(m.Tag.facet == "hardware" if facet is Facet.HARDWARE else m.Tag.facet != "hardware")
    return query


def _linked(link: type[Any], where: list[Any]) -> list[Any]:
    """Return conditions on cards as conditions on a table that points to them."""
    return [link.card.in_(_selected(where))] if where else [SQL("1")]


def _by_version(db: SqliteDatabase, where: list[Any]) -> dict[str, int]:
    """Return the number of cards for every version, those of its longer forms included, as its filter finds them."""
    version = m.CardVersion
    names = [str(row[0]) for row in version.select(version.number).distinct().tuples().execute(db)]
    number = fn.COUNT(version.card.distinct())
    chosen = version.select(version.number, number).where(*_linked(version, where))
    counts = dict(chosen.group_by(version.number).tuples().execute(db))
    for name in names:
        wanted = name.lower()
        forms = [n for n in names if n.lower() == wanted or n.lower().startswith((f"{wanted}.", f"{wanted}-"))]
        if len(forms) > 1:  # one card may name several of them
            query = version.select(number).where(version.number.in_(forms), *_linked(version, where))
            counts[name] = next(int(row[0]) for row in query.tuples().execute(db))
    return {name: count for name, count in counts.items() if count}
