"""Knowledge into a new SQLite file: rows, links and the search index, in one transaction."""

from __future__ import annotations

import errno
import hashlib
import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from peewee import OperationalError, SqliteDatabase

from ascend_kb.core.pinyin import sound, sound_tokens
from ascend_kb.core.text import SPACE, decode, index_tokens, is_cjk, is_word, normalise, searchable
from ascend_kb.core.vocabulary import Evidence, Outcome, SectionId
from ascend_kb.store import models as m

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ascend_kb.core.card import Card, Knowledge
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Language

_ROWS_AT_ONCE = 5000


def write(knowledge: Knowledge, digest: str, html: Mapping[tuple[CardKey, Language], str], path: Path) -> None:
    """Write ``knowledge`` to a new file at ``path``.

    ``digest`` names the sources; ``html`` holds rendered documents by card and language.

    Raises:
        OSError: the file cannot be written.
    """
    database = SqliteDatabase(
        str(path),
        pragmas={"journal_mode": "delete", "application_id": m.APPLICATION_ID, "user_version": m.FORMAT_VERSION},
    )
    try:
        with database.connection_context(), database.atomic():
            for model in m.TABLES:
                type(model._schema)(model, database).create_all(safe=False)  # virtual tables have their own manager
            _Writer(database, knowledge).write(digest, html)
            database.execute_sql("INSERT INTO cardindex(cardindex) VALUES ('optimize')")
            database.execute_sql("ANALYZE")
    except OperationalError as error:  # a full disk, a folder that vanished
        raise OSError(errno.EIO, str(error)) from error


class _Rows:
    """Collects rows and inserts them by the thousand; building each statement anew takes longer than the insert."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._waiting: dict[type[Any], list[Mapping[str, object]]] = {}
        self._statements: dict[tuple[type[Any], tuple[str, ...]], str] = {}
        self._count = 0

    def add(self, model: type[Any], rows: Iterable[Mapping[str, object]]) -> None:
        waiting = self._waiting.setdefault(model, [])
        before = len(waiting)
        waiting += rows
        self._count += len(waiting) - before
        if self._count >= _ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        cursor = self._database.connection().cursor()
        for model, rows in self._waiting.items():
            if rows:
                names = tuple(rows[0])
                cursor.executemany(self._statement(model, names), [tuple(row.values()) for row in rows])
        self._waiting.clear()
        self._count = 0

    def _statement(self, model: type[Any], names: tuple[str, ...]) -> str:
        if (model, names) not in self._statements:
            fields = model._meta.fields
            columns = ", ".join(f'"{fields[name].column_name if name in fields else name}"' for name in names)
            places = ", ".join("?" * len(names))
            self._statements[model, names] = f'INSERT INTO "{model._meta.table_name}" ({columns}) VALUES ({places})'  # noqa: S608  (our own names)
        return self._statements[model, names]


class _Writer:
    def __init__(self, database: SqliteDatabase, knowledge: Knowledge) -> None:
        self.database = database
        self.knowledge = knowledge
        self.rows = _Rows(database)
        self.repo_ids = {repo.name: i for i, repo in enumerate(knowledge.repos, 1)}
        self.section_ids = {name.id: i for i, name in enumerate(knowledge.section_names, 1)}
        self.tag_ids = {tag.id: i for i, tag in enumerate(knowledge.tags, 1)}
        self.tags = {tag.id: tag for tag in knowledge.tags}
        self.card_ids = {card.key: i for i, card in enumerate(knowledge.cards, 1)}
        self.entity_ids: dict[tuple[str, str], int] = {}
        self.index_digest = hashlib.sha256()

    def insert(self, model: type[Any], rows: Iterable[Mapping[str, object]]) -> None:
        self.rows.add(model, rows)

    def write(self, digest: str, html: Mapping[tuple[CardKey, Language], str]) -> None:
        self._tables(digest)
        for card in self.knowledge.cards:
            self.insert(m.Card, [self._card_row(card)])
            self._card_parts(card)
            self._entities(card)
        self.insert(
            m.CardHtml,
            (
                {"card": self.card_ids[key], "language": lang, "html": made}
                for (key, lang), made in sorted(html.items())
            ),
        )
        self._collections()
        self.insert(m.Meta, [{"name": "index_digest", "value": self.index_digest.hexdigest()}])
        self.insert(
            m.GlossaryTerm,
            (
                {"term": normalise(term), "concept": i}
                for i, concept in enumerate(self.knowledge.glossary, 1)
                for term in concept
            ),
        )
        self.rows.flush()
        self.insert(m.Word, self._words())
        self.rows.flush()

    def _words(self) -> list[dict[str, object]]:
        """Return the words and the CJK pairs that the index holds."""
        self.database.execute_sql("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, cardindex, row)")
        found = []
        for token, cards in self.database.execute_sql("SELECT term, doc FROM temp.vocabulary"):
            if is_cjk(token[0]):
                if token[1:] != SPACE:
                    found.append({"text": token, "cards": cards, "sound": sound(token)})
            elif is_word(word := decode(token)):
                found.append({"text": word, "cards": cards, "sound": ""})
        self.database.execute_sql("DROP TABLE temp.vocabulary")
        return sorted(found, key=itemgetter("text"))

    def _tables(self, digest: str) -> None:
        k = self.knowledge
        facts = {
            "format": str(m.FORMAT_VERSION), "version": k.version, "as_of": k.as_of, "digest": digest,
            "title_zh": k.title.zh, "title_en": k.title.en, "about_zh": k.about.zh, "about_en": k.about.en,
        }  # fmt: skip
        self.insert(m.Meta, ({"name": name, "value": value} for name, value in facts.items()))
        self.insert(m.Source, ({"path": path, "text": text} for path, text in sorted(k.sources.items())))
        self.insert(
            m.Repo,
            (
                {"name": r.name, "owner": r.owner, "abbreviation": r.abbreviation, "title_zh": r.title.zh,
                 "title_en": r.title.en, "purpose_zh": r.purpose.zh, "purpose_en": r.purpose.en, "declared": r.cards}
                for r in k.repos
            ),
        )  # fmt: skip
        self.insert(m.ForeignRepo, ({"owner": r.owner, "name": r.name} for r in k.foreign))
        self.insert(m.Section, ({"slug": s.id.value, "zh": s.label.zh, "en": s.label.en} for s in k.section_names))
        self.insert(m.Tag, ({"slug": t.id, "facet": t.facet.value, "zh": t.label.zh, "en": t.label.en} for t in k.tags))

    def _card_row(self, card: Card) -> dict[str, object]:
        from ascend_kb.core.recipe import commands

        labels = [self.tags[tag].label for tag in (*card.tags, *card.hardware)]
        path = f"cards/{card.key.repo}/{card.key.number}.md"
        return {
            "id": self.card_ids[card.key], "repo": self.repo_ids[card.key.repo], "number": card.key.number,
            "title_zh": card.title.zh, "title_en": card.title.en,
            "summary_zh": card.summary.zh, "summary_en": card.summary.en,
            "outcome": card.outcome.value, "evidence": card.evidence.value,
            "outcome_rank": list(Outcome).index(card.outcome), "evidence_rank": list(Evidence).index(card.evidence),
            "latest_change": card.latest_change,
            "tag_line_zh": "、".join(label.zh for label in labels),
            "tag_line_en": ", ".join(label.en for label in labels),
            "has_commands": any(commands(card, language) for language in card.sections),
            "signatures": json.dumps(card.signatures, ensure_ascii=False),
            "source": path if path in self.knowledge.sources else None,
        }  # fmt: skip

    def _card_parts(self, card: Card) -> None:
        me = {"card": self.card_ids[card.key]}
        self.insert(
            m.CardSection,
            (
                me | {"section": self.section_ids[section], "language": language, "markdown": text}
                for language, sections in sorted(card.sections.items())
                for section, text in sections.items()
            ),
        )
        self.insert(
            m.Ground,
            (
                me | {"kind": g.kind.value, "evidence": g.evidence.value, "zh": g.text.zh, "en": g.text.en}
                for g in card.grounds
            ),
        )
        self.insert(
            m.Change,
            (
                me | {"repo": c.repo, "number": c.number, "branch": c.branch, "date": c.date, "title": c.title,
                      "date_derived": c.date_derived, "state": c.state.value, "relation": c.relation.value,
                      "role": c.role.value}
                for c in card.changes
            ),
        )  # fmt: skip
        self.insert(
            m.CardVersion,
            (
                me | {"side": side, "product": version.product, "number": version.number}
                for side, versions in (("affected", card.affected), ("fixed", card.fixed))
                for version in versions
            ),
        )
        self.insert(
            m.CardTag,
            (
                me | {"tag": self.tag_ids[tag], "position": i}
                for i, tag in enumerate(dict.fromkeys((*card.tags, *card.hardware)))
            ),
        )
        self.insert(
            m.Related,
            (
                me | {"target": self.card_ids[r.key], "reason": r.reason.value, "zh": r.text.zh, "en": r.text.en}
                for r in card.related
            ),
        )
        self.insert(
            m.Reference,
            (
                me
                | {
                    "kind": r.kind.value,
                    "repo": r.repo,
                    "number": r.number,
                    "title_zh": r.title.zh,
                    "title_en": r.title.en,
                }
                for r in card.references
            ),
        )
        self.insert(
            m.Phrasing,
            (me | {"language": lang, "text": text} for lang, texts in sorted(card.phrasings.items()) for text in texts),
        )
        self._index(card)

    def _index(self, card: Card) -> None:
        fields = {name: searchable(text) for name, text in indexed_text(card, self.tags).items()}
        tokens = indexed_tokens(card, self.tags, fields)
        self.index_digest.update("\0".join(tokens.values()).encode())
        self.insert(m.CardIndex, [{"rowid": self.card_ids[card.key], **tokens}])
        self.insert(m.CardText, [{"card": self.card_ids[card.key], "text": "\f".join(fields.values())}])

    def _entities(self, card: Card) -> None:
        named = dict.fromkeys((entity.kind.value, entity.name) for entity in card.entities)
        for place, name in enumerate(named):
            if name not in self.entity_ids:
                self.entity_ids[name] = len(self.entity_ids) + 1
                self.insert(m.Entity, [{"id": self.entity_ids[name], "kind": name[0], "name": name[1]}])
            self.insert(
                m.CardEntity,
                [{"card": self.card_ids[card.key], "entity": self.entity_ids[name], "position": place}],
            )

    def _collections(self) -> None:
        k = self.knowledge
        self.insert(
            m.Theme,
            (
                {"slug": t.id, "title_zh": t.title.zh, "title_en": t.title.en, "summary_zh": t.summary.zh,
                 "summary_en": t.summary.en, "body_zh": t.body.zh, "body_en": t.body.en}
                for t in k.themes
            ),
        )  # fmt: skip
        self.insert(
            m.ThemeCard,
            (
                {"theme": i, "card": self.card_ids[key], "position": n}
                for i, theme in enumerate(k.themes, 1)
                for n, key in enumerate(dict.fromkeys(theme.cards))
            ),
        )
        self.insert(
            m.GuideEntry,
            (
                {"slug": g.id, "symptom_zh": g.symptom.zh, "symptom_en": g.symptom.en,
                 "first_action_zh": g.first_action.zh, "first_action_en": g.first_action.en}
                for g in k.guide
            ),
        )  # fmt: skip
        self.insert(
            m.GuideCard,
            (
                {"entry": i, "card": self.card_ids[key], "position": n}
                for i, entry in enumerate(k.guide, 1)
                for n, key in enumerate(dict.fromkeys(entry.cards))
            ),
        )


def indexed_tokens(card: Card, tags: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, str]:
    """Return the tokens of each index column; ``fields`` are its texts, searchable."""
    tokens = {name: " ".join(index_tokens(text)) for name, text in fields.items()}
    labels = [tags[tag].label.zh for tag in (*card.tags, *card.hardware)]
    return tokens | {"sound": " ".join(sound_tokens([card.title.zh, *labels]))}


def indexed_text(card: Card, tags: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each index column: what "the card contains this" means.

    That is title, summary, body, phrasings, tags, entities and changes, in both languages.
    """
    labels = [tags[tag] for tag in (*card.tags, *card.hardware)]
    bodies = list(card.sections.values())

    def sections(*wanted: SectionId) -> list[str]:
        return [body[section] for body in bodies for section in wanted if section in body]

    changes = [
        f"{c.repo}!{c.number} PR!{c.number} PR {c.number} {c.branch} {c.date} {c.title} {c.url}" for c in card.changes
    ]
    return {
        "title": f"{card.title.zh}\n{card.title.en}",
        "phrasings": "\n".join(text for texts in card.phrasings.values() for text in texts),
        "entities": "\n".join(
            [e.name for e in card.entities] + [x for t in labels for x in (t.id, t.label.zh, t.label.en)]
        ),
        "symptom": "\n".join([card.summary.zh, card.summary.en, *sections(SectionId.SYMPTOM)]),
        "recipe": "\n".join(sections(SectionId.RECIPE)),
        "rest": "\n".join([*sections(SectionId.CAUSE, SectionId.FIX, SectionId.EVIDENCE), *changes]),
    }
