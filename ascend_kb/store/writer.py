"""Knowledge into a new SQLite file: rows, links and the search index.

The file belongs to nobody before it is whole: it is written without a journal and without waiting for the disk, and
what goes wrong leaves a file that is good for nothing.
"""

from __future__ import annotations

import errno
import hashlib
import json
import sqlite3
from functools import partial
from typing import TYPE_CHECKING

from peewee import OperationalError, SqliteDatabase

from ascend_kb.core.pinyin import sound
from ascend_kb.core.recipe import commands
from ascend_kb.core.text import SPACE, decode, is_cjk, is_word, normalise
from ascend_kb.core.vocabulary import Evidence, Outcome
from ascend_kb.store import models as m
from ascend_kb.store.indexing import indexed
from ascend_kb.store.inserts import Inserts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ascend_kb.core.card import Card, Knowledge, Related
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Language

_EVERY = 200  # cards between two reports
_PRAGMAS = {
    "journal_mode": "off", "synchronous": "off", "locking_mode": "exclusive", "cache_size": -65_536,
    "application_id": m.APPLICATION_ID, "user_version": m.FORMAT_VERSION,
}  # fmt: skip
_HASHED = 64 << 20  # bytes of the index that are put in order in memory; few large pieces are merged faster
_OUTCOME_RANKS = {outcome: i for i, outcome in enumerate(Outcome)}
_EVIDENCE_RANKS = {evidence: i for i, evidence in enumerate(Evidence)}


def _silent(_done: int, _total: int) -> None:
    pass


def write(
    knowledge: Knowledge,
    digest: str,
    html: Mapping[tuple[CardKey, Language], str],
    path: Path,
    report: Callable[[int, int], None] = _silent,
) -> None:
    """Write ``knowledge`` to a new file at ``path``.

    ``digest`` names the sources; ``html`` holds rendered documents by card and language. ``report`` is told how many
    cards of how many are written, and of all of them when the file is whole; what it raises ends the work.

    Raises:
        OSError: the file cannot be written.
    """
    # One connection for two threads, which take turns.
    database = SqliteDatabase(str(path), pragmas=_PRAGMAS, thread_safe=False, check_same_thread=False)
    try:
        with database.connection_context(), Inserts(database.connection()) as inserts:
            _Writer(database, inserts, knowledge, report).write(digest, html)
        report(len(knowledge.cards), len(knowledge.cards))
    except (OperationalError, sqlite3.OperationalError) as error:  # a full disk, a folder that vanished
        raise OSError(errno.EIO, str(error)) from error


class _Writer:
    def __init__(
        self, database: SqliteDatabase, inserts: Inserts, knowledge: Knowledge, report: Callable[[int, int], None]
    ) -> None:
        self.database = database
        self.inserts = inserts
        self.knowledge = knowledge
        self.report = report
        self.repo_ids = {repo.name: i for i, repo in enumerate(knowledge.repos, 1)}
        self.section_ids = {name.id: i for i, name in enumerate(knowledge.section_names, 1)}
        self.tag_ids = {tag.id: i for i, tag in enumerate(knowledge.tags, 1)}
        self.tags = {tag.id: tag for tag in knowledge.tags}
        self.card_ids: dict[CardKey, int] = {}
        self.entity_ids: dict[tuple[str, str], int] = {}
        self.index_digest = hashlib.sha256()

    def write(self, digest: str, html: Mapping[tuple[CardKey, Language], str]) -> None:
        execute = self.database.execute_sql
        schemas = {
            model: type(model._schema)(model, self.database) for model in m.TABLES
        }  # virtual ones have their own
        execute("BEGIN")
        for schema in schemas.values():
            schema.create_table(safe=False)
        for name, value in (("hashsize", _HASHED), ("automerge", 0)):
            execute("INSERT INTO cardindex(cardindex, rank) VALUES (?, ?)", (name, value))
        self._tables(digest)
        self._cards()
        self._html(html)
        self._collections()
        self.inserts.finish()
        # What the index has no use for any more is taken by what comes next.
        execute("INSERT INTO cardindex(cardindex) VALUES ('optimize')")
        tokens = self._vocabulary()
        for model, schema in schemas.items():
            if model is not m.Word:
                self.inserts.run(partial(schema.create_indexes, safe=False))
        self._words(tokens)
        self.inserts.finish()
        schemas[m.Word].create_indexes(safe=False)
        execute("INSERT INTO wordindex(wordindex) VALUES ('optimize')")
        execute("ANALYZE")
        execute("COMMIT")

    def _tables(self, digest: str) -> None:
        k, put = self.knowledge, self.inserts.put
        facts = {
            "format": str(m.FORMAT_VERSION), "version": k.version, "as_of": k.as_of, "digest": digest,
            "title_zh": k.title.zh, "title_en": k.title.en, "about_zh": k.about.zh, "about_en": k.about.en,
        }  # fmt: skip
        for fact in facts.items():
            put(m.Meta, *fact)
        for source in sorted(k.sources.items()):
            put(m.Source, *source)
        for r in k.repos:
            put(m.Repo, r.name, r.owner, r.abbreviation, *r.title, *r.purpose, r.cards)
        for foreign in k.foreign:
            put(m.ForeignRepo, foreign.owner, foreign.name)
        for name in k.section_names:
            put(m.Section, name.id.value, *name.label)
        for tag in k.tags:
            put(m.Tag, tag.id, tag.facet.value, *tag.label)

    def _cards(self) -> None:
        total = len(self.knowledge.cards)
        related: list[tuple[int, Related]] = []  # the other card may come later
        for i, card in enumerate(self.knowledge.cards, 1):
            self.card_ids[card.key] = i
            related += [(i, other) for other in card.related]
            self._card(i, card)
            self._card_links(i, card)
            self._entities(i, card)
            self._index(i, card)
            if i % _EVERY == 0 and i < total:
                self.report(i, total)
        for i, other in related:
            self.inserts.put(m.Related, i, self.card_ids[other.key], other.reason.value, *other.text)

    def _card(self, me: int, card: Card) -> None:
        labels = [self.tags[tag].label for tag in (*card.tags, *card.hardware)]
        path = f"cards/{card.key.repo}/{card.key.number}.md"
        self.inserts.put(
            m.Card, me, self.repo_ids[card.key.repo], card.key.number, *card.title, *card.summary,
            card.outcome.value, card.evidence.value, _OUTCOME_RANKS[card.outcome], _EVIDENCE_RANKS[card.evidence],
            card.latest_change, "、".join([label.zh for label in labels]), ", ".join([label.en for label in labels]),
            any(commands(card, language) for language in card.sections),
            json.dumps(card.signatures, ensure_ascii=False) if card.signatures else "[]",
            path if path in self.knowledge.sources else None,
        )  # fmt: skip
        put = self.inserts.put
        for language, sections in sorted(card.sections.items()):
            for section, text in sections.items():
                put(m.CardSection, me, self.section_ids[section], language, text)
        for lang, texts in sorted(card.phrasings.items()):
            for text in texts:
                put(m.Phrasing, me, lang, text)

    def _card_links(self, me: int, card: Card) -> None:
        put = self.inserts.put
        for g in card.grounds:
            put(m.Ground, me, g.kind.value, g.evidence.value, *g.text)
        for c in card.changes:
            put(
                m.Change, me, c.repo, c.number, c.branch, c.date, c.date_derived, c.state.value, c.relation.value,
                c.role.value, c.title,
            )  # fmt: skip
        for side, versions in (("affected", card.affected), ("fixed", card.fixed)):
            for version in versions:
                put(m.CardVersion, me, side, version.product, version.number)
        for i, tag in enumerate(dict.fromkeys((*card.tags, *card.hardware))):
            put(m.CardTag, me, self.tag_ids[tag], i)
        for r in card.references:
            put(m.Reference, me, r.kind.value, r.repo, r.number, *r.title)

    def _entities(self, me: int, card: Card) -> None:
        put, ids = self.inserts.put, self.entity_ids
        named = dict.fromkeys([(entity.kind.value, entity.name) for entity in card.entities])
        for place, name in enumerate(named):
            if name not in ids:
                ids[name] = len(ids) + 1
                put(m.Entity, ids[name], *name)
            put(m.CardEntity, me, ids[name], place)

    def _index(self, me: int, card: Card) -> None:
        columns, text = indexed(card, self.tags)
        self.index_digest.update("\0".join(columns).encode())
        self.inserts.put(m.CardIndex, me, *columns)
        self.inserts.put(m.CardText, me, text)

    def _html(self, html: Mapping[tuple[CardKey, Language], str]) -> None:
        for (key, language), made in sorted(html.items()):
            self.inserts.put(m.CardHtml, self.card_ids[key], language, made)

    def _collections(self) -> None:
        k, put = self.knowledge, self.inserts.put
        for i, theme in enumerate(k.themes, 1):
            put(m.Theme, theme.id, *theme.title, *theme.summary, *theme.body)
            for n, key in enumerate(dict.fromkeys(theme.cards)):
                put(m.ThemeCard, i, self.card_ids[key], n)
        for i, entry in enumerate(k.guide, 1):
            put(m.GuideEntry, entry.id, *entry.symptom, *entry.first_action)
            for n, key in enumerate(dict.fromkeys(entry.cards)):
                put(m.GuideCard, i, self.card_ids[key], n)
        put(m.Meta, "index_digest", self.index_digest.hexdigest())
        for i, concept in enumerate(k.glossary, 1):
            for term in concept:
                put(m.GlossaryTerm, normalise(term), i)

    def _vocabulary(self) -> list[tuple[str, int]]:
        """Return every token of the index and how many cards hold it."""
        self.database.execute_sql("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, cardindex, row)")
        tokens: list[tuple[str, int]] = self.database.execute_sql("SELECT term, doc FROM temp.vocabulary").fetchall()
        self.database.execute_sql("DROP TABLE temp.vocabulary")
        return tokens

    def _words(self, tokens: list[tuple[str, int]]) -> None:
        """Insert the words and the CJK pairs that the index holds."""
        found: list[tuple[str, int, str]] = []
        for token, cards in tokens:
            if token.isascii():  # letters and digits, since other characters are written otherwise
                found.append((token, cards, ""))
            elif is_cjk(token[0]):
                if token[1:] != SPACE:
                    found.append((token, cards, sound(token)))
            elif is_word(word := decode(token)):
                found.append((word, cards, ""))
        found.sort()
        for row in found:
            self.inserts.put(m.Word, *row)
            if not is_cjk(row[0][0]):
                self.inserts.put(m.WordIndex, row[0], row[0].replace("_", ""))
