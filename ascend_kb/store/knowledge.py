"""Reading a knowledge file: catalog, cards, themes, guide and pages of the card list."""

from __future__ import annotations

import json
import sqlite3
from functools import cached_property
from typing import TYPE_CHECKING, Any

from peewee import DatabaseError

from ascend_kb.core import vocabulary as v
from ascend_kb.core.card import (
    Card,
    Change,
    Entity,
    ForeignRepo,
    Ground,
    GuideEntry,
    Reference,
    Related,
    Repo,
    SectionName,
    Tag,
    Theme,
    Version,
)
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import LANGUAGES, Bilingual, Language
from ascend_kb.store import models as m
from ascend_kb.store.database import ReadOnlyFile, damaged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from peewee import Field, SqliteDatabase

    from ascend_kb.store.vocabulary import Vocabulary


class reading:  # noqa: N801  (reads like a statement)
    """Turns database errors of a block into a KBError that names the file."""

    def __init__(self, file: ReadOnlyFile) -> None:
        self._file = file

    def __enter__(self) -> SqliteDatabase:
        return self._file.database

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # peewee passes on what sqlite3 itself raises while rows are fetched.
        if isinstance(error, (DatabaseError, sqlite3.DatabaseError)) and "interrupted" not in str(error):
            raise damaged(self._file.path, error) from error
        if isinstance(error, (ValueError, UnicodeDecodeError)) and kind is not None:
            raise damaged(self._file.path, error) from error


class KnowledgeFile:
    """An open knowledge file. All methods may be called from any thread; each thread has its own connection.

    Raises:
        KBError: from the constructor when the file cannot be used, from any method when its content is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.file = ReadOnlyFile(path)

    def close(self) -> None:
        """Close the calling thread's connection."""
        self.file.close()

    @cached_property
    def meta(self) -> dict[str, str]:
        """The facts about the file: ``version``, ``as_of``, ``digest``, titles and the page about the knowledge."""
        with reading(self.file) as db:
            return dict(m.Meta.select(m.Meta.name, m.Meta.value).tuples().execute(db))

    @cached_property
    def catalog(self) -> Catalog:
        """Repositories, tags and section names."""
        with reading(self.file) as db:
            return Catalog(
                repos=tuple(
                    Repo(r.name, r.owner, r.abbreviation, Bilingual(r.title_zh, r.title_en),
                         Bilingual(r.purpose_zh, r.purpose_en), r.declared)
                    for r in m.Repo.select().order_by(m.Repo.id).execute(db)
                ),
                foreign=tuple(ForeignRepo(r.owner, r.name) for r in m.ForeignRepo.select().execute(db)),
                section_names=tuple(
                    SectionName(v.SectionId(s.slug), Bilingual(s.zh, s.en))
                    for s in m.Section.select().order_by(m.Section.id).execute(db)
                ),
                tags=tuple(
                    Tag(t.slug, v.TagFacet(t.facet), Bilingual(t.zh, t.en))
                    for t in m.Tag.select().order_by(m.Tag.id).execute(db)
                ),
            )  # fmt: skip

    def card_count(self) -> int:
        """Return the number of cards."""
        return self._card_count

    @cached_property
    def _card_count(self) -> int:
        with reading(self.file) as db:
            return int(m.Card.select(m.Card.id).count(db))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the index."""
        from ascend_kb.store.vocabulary import Vocabulary

        return Vocabulary(self.file.database)

    def card_id(self, key: CardKey) -> int | None:
        """Return the inner id of a card, or None if there is no such card."""
        with reading(self.file) as db:
            query = m.Card.select(m.Card.id).join(m.Repo).where(m.Repo.name == key.repo, m.Card.number == key.number)
            return next((int(row[0]) for row in query.tuples().execute(db)), None)

    def title(self, key: CardKey, language: Language) -> str:
        """Return a card's title, or an empty string if there is no such card."""
        with reading(self.file) as db:
            query = (
                m.Card.select(m.Card.title_zh, m.Card.title_en)
                .join(m.Repo)
                .where(m.Repo.name == key.repo, m.Card.number == key.number)
            )
            return next((Bilingual(*row).get(language) for row in query.tuples().execute(db)), "")

    def has_commands(self, key: CardKey) -> bool:
        """Return whether a card's recipe holds commands."""
        with reading(self.file) as db:
            query = m.Card.select(m.Card.has_commands).where(m.Card.id == self.card_id(key))
            return any(bool(row[0]) for row in query.tuples().execute(db))

    def finds(self, key: CardKey, term: str) -> bool:
        """Return whether the index finds a card by a term."""
        from ascend_kb.store.fulltext import FullText

        with reading(self.file):
            return FullText(self).holds(self.card_id(key), term)

    def html(self, key: CardKey, language: Language) -> str | None:
        """Return the document that was rendered when the file was built, if there is one."""
        with reading(self.file) as db:
            query = m.CardHtml.select(m.CardHtml.html).where(
                m.CardHtml.card == self.card_id(key), m.CardHtml.language == language
            )
            return next((str(row[0]) for row in query.tuples().execute(db)), None)

    def card(self, key: CardKey) -> Card | None:
        """Return a card with everything that belongs to it, or None if there is no such card."""
        card_id = self.card_id(key)
        if card_id is None:
            return None
        with reading(self.file) as db:
            rows = list(m.Card.select().where(m.Card.id == card_id).execute(db))
            if not rows:
                raise damaged(self.file.path, f"the row of {key} is missing")
            return self._read_card(db, rows[0], key)

    def cards(self) -> Iterator[Card]:
        """Yield every card, in the order of their keys."""
        with reading(self.file) as db:
            rows = list(m.Card.select(m.Card, m.Repo).join(m.Repo).order_by(m.Card.id).execute(db))
            for row in rows:
                yield self._read_card(db, row, CardKey(row.repo.name, row.number))

    def _read_card(self, db: SqliteDatabase, row: m.Card, key: CardKey) -> Card:
        def of(model: type[Any]) -> list[Any]:
            return list(model.select().where(model.card == row.id).order_by(model.id).execute(db))

        sections: dict[Language, dict[v.SectionId, str]] = {language: {} for language in LANGUAGES}
        for s in (
            m.CardSection.select(m.CardSection, m.Section)
            .join(m.Section)
            .where(m.CardSection.card == row.id)
            .order_by(m.Section.id)
            .execute(db)
        ):
            sections[s.language][v.SectionId(s.section.slug)] = s.markdown
        tags = list(
            m.Tag.select().join(m.CardTag).where(m.CardTag.card == row.id).order_by(m.CardTag.position).execute(db)
        )
        versions = of_side(m.CardVersion.select().where(m.CardVersion.card == row.id).execute(db))
        entities = (
            m.Entity.select()
            .join(m.CardEntity)
            .where(m.CardEntity.card == row.id)
            .order_by(m.CardEntity.position)
            .execute(db)
        )
        phrasings = of(m.Phrasing)
        hardware = v.TagFacet.HARDWARE.value
        return Card(
            key=key,
            owner=next((r.owner for r in self.catalog.repos if r.name == key.repo), ""),
            title=Bilingual(row.title_zh, row.title_en),
            summary=Bilingual(row.summary_zh, row.summary_en),
            outcome=v.Outcome(row.outcome),
            evidence=v.Evidence(row.evidence),
            sections={language: found for language, found in sections.items() if found},
            grounds=tuple(
                Ground(v.GroundKind(g.kind), v.Evidence(g.evidence), Bilingual(g.zh, g.en)) for g in of(m.Ground)
            ),
            changes=tuple(
                Change(c.repo, c.number, v.ChangeState(c.state), v.Relation(c.relation), v.Role(c.role), c.branch,
                       c.date, c.date_derived, c.title)
                for c in of(m.Change)
            ),
            affected=versions["affected"],
            fixed=versions["fixed"],
            hardware=tuple(t.slug for t in tags if t.facet == hardware),
            tags=tuple(t.slug for t in tags if t.facet != hardware),
            entities=tuple(Entity(v.EntityKind(e.kind), e.name) for e in entities),
            related=self._related(db, row.id),
            references=tuple(
                Reference(v.ReferenceKind(r.kind), Bilingual(r.title_zh, r.title_en), r.repo, r.number)
                for r in of(m.Reference)
            ),
            phrasings={lang: tuple(p.text for p in phrasings if p.language == lang) for lang in LANGUAGES},
            signatures=_signatures(row.signatures),
        )  # fmt: skip

    def _related(self, db: SqliteDatabase, card_id: int) -> tuple[Related, ...]:
        query = (
            m.Related.select(m.Related, m.Card, m.Repo)
            .join(m.Card, on=m.Related.target)
            .join(m.Repo)
            .where(m.Related.card == card_id)
            .order_by(m.Related.id)
        )
        return tuple(
            Related(CardKey(r.target.repo.name, r.target.number), v.Reason(r.reason), Bilingual(r.zh, r.en))
            for r in query.execute(db)
        )

    def themes(self) -> tuple[Theme, ...]:
        """Return all themes, in order."""
        with reading(self.file) as db:
            keys = _keys_by(db, m.ThemeCard, m.ThemeCard.theme)
            return tuple(
                Theme(t.slug, Bilingual(t.title_zh, t.title_en), Bilingual(t.summary_zh, t.summary_en),
                      Bilingual(t.body_zh, t.body_en), tuple(keys.get(t.id, ())))
                for t in m.Theme.select().order_by(m.Theme.id).execute(db)
            )  # fmt: skip

    def guide(self) -> tuple[GuideEntry, ...]:
        """Return all guide entries, in order."""
        with reading(self.file) as db:
            keys = _keys_by(db, m.GuideCard, m.GuideCard.entry)
            return tuple(
                GuideEntry(g.slug, Bilingual(g.symptom_zh, g.symptom_en),
                           Bilingual(g.first_action_zh, g.first_action_en), tuple(keys.get(g.id, ())))
                for g in m.GuideEntry.select().order_by(m.GuideEntry.id).execute(db)
            )  # fmt: skip


def _signatures(text: str | None) -> tuple[tuple[str, ...], ...]:
    listed = json.loads(text or "null")
    if not isinstance(listed, list) or not all(isinstance(literals, list) for literals in listed):
        raise ValueError("signatures are not a list of lists")
    return tuple(tuple(map(str, literals)) for literals in listed)


def of_side(rows: list[m.CardVersion]) -> dict[str, tuple[Version, ...]]:
    """Return the versions of a card by side."""
    return {
        side: tuple(Version(row.product, row.number) for row in rows if row.side == side)
        for side in ("affected", "fixed")
    }


def _keys_by(db: SqliteDatabase, model: type[Any], owner: Field) -> dict[int, list[CardKey]]:
    query = model.select(owner, m.Repo.name, m.Card.number).join(m.Card).join(m.Repo).order_by(owner, model.position)
    keys: dict[int, list[CardKey]] = {}
    for owner_id, repo, number in query.tuples().execute(db):
        keys.setdefault(owner_id, []).append(CardKey(repo, number))
    return keys
