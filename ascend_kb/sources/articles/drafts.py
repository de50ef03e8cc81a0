"""Rows of an article into draft cards, each when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from ascend_kb.core.card import Card, Entity, Reference, Related
from ascend_kb.core.imported import DraftCard, Provenance
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import EntityKind, Evidence, Reason, ReferenceKind
from ascend_kb.sources.articles.names import mentions
from ascend_kb.sources.rules import prose, verdict
from ascend_kb.sources.rules.changes import Context, read_changes
from ascend_kb.sources.rules.entities import read_entities, read_tags
from ascend_kb.sources.rules.people import without_names
from ascend_kb.sources.rules.versions import read_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.card import Tag
    from ascend_kb.core.language import Language
    from ascend_kb.sources.articles.closing import Closing
    from ascend_kb.sources.articles.names import Names
    from ascend_kb.sources.articles.parts import RawCard

_BARE = re.compile(r"(?<![\w/#!.\-])#([1-9][0-9]{0,9})(?!\w)", re.ASCII)
_SAME_CAUSE = re.compile(r"(?:同|与)\s?#?[\w.-]{0,60}#?[0-9]{0,10}\s?(?:根因|原因|同因)|same (?:root )?cause")
_DOCUMENT = re.compile(r"(?:文档|笔记|手册|指南|算子清单)《([^》\n]{2,150})》|《([^》\n]{2,150})》(?:文档|笔记|说明)")
MOST_RELATED = 20
RECOGNISED = (
    "summary", "outcome", "evidence", "sections", "grounds", "changes", "versions", "hardware", "tags", "entities",
    "related", "references",
)  # fmt: skip


class Origin(NamedTuple):
    """The file that cards come from, and the day of its import."""

    file: str
    date: str
    sha256: str
    is_markdown: bool


class Article(NamedTuple):
    """What all rows of an article share. ``owners`` gives ``owner/name`` by the lower-case name of a repository."""

    names: Names
    closing: Closing
    owners: Mapping[str, str]
    tags: tuple[Tag, ...]
    origin: Origin


class Drafts(Sequence[DraftCard]):
    """The draft cards of an article. A draft is made anew at each access: keep what is to be corrected."""

    def __init__(self, rows: Sequence[RawCard], article: Article) -> None:
        self._rows = rows
        self._article = article
        self._names, self._closing, self._owners, self._tags, self._origin = article

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> DraftCard: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[DraftCard]: ...
    def __getitem__(self, index: int | slice) -> DraftCard | Sequence[DraftCard]:
        if isinstance(index, slice):
            return Drafts(self._rows[index], self._article)
        return self._draft(self._rows[index])

    def _draft(self, row: RawCard) -> DraftCard:
        tongue = prose.language(row.title + row.answer)
        title = without_names(row.title, tongue).replace("\n", " ").strip()
        answer = without_names(row.answer, tongue)
        key = CardKey(row.repo, row.number)
        where = self._owners[row.repo.lower()]
        changes = read_changes(answer, Context(where, self._path, row.year, verdict.is_docs(title)))
        value, sentence = self._evidence(key, answer)
        affected, fixed = read_versions(title, answer, row.repo)
        text = f"{title}\n{answer}"
        tags, hardware = read_tags(text, self._tags)
        entities = read_entities(text)
        repo = Entity(EntityKind.PRODUCT, row.repo)
        card = Card(
            key=key,
            owner=where.partition("/")[0],
            title=_in(tongue, title),
            summary=_in(tongue, prose.summary(title, answer)),
            outcome=verdict.outcome(title, answer, changes),
            evidence=value,
            sections={tongue: prose.sections(title, answer, is_markdown=self._origin.is_markdown)},
            grounds=verdict.grounds(answer, value, sentence, tongue == "zh"),
            changes=changes,
            affected=affected,
            fixed=fixed,
            hardware=hardware,
            tags=tags,
            entities=entities if any(e.name == row.repo for e in entities) else (repo, *entities),
            related=self._related(key, answer),
            references=self._references(answer, tongue),
        )
        origin = Provenance(self._origin.file, row.line, self._origin.date, self._origin.sha256)
        return DraftCard(card, origin, f"#{row.number}\t{row.title}\t{row.answer}", RECOGNISED)

    def _evidence(self, key: CardKey, answer: str) -> tuple[Evidence, str]:
        """Return how well a card is backed: as the closing notes say, else as the row says."""
        basis = self._closing.cards.get(key)
        if basis is not None:
            return basis
        others = Evidence.OFFICIAL if self._closing.lists_inferred else Evidence.UNVERIFIED
        return verdict.evidence(answer, others), ""

    def _path(self, name: str) -> str:
        """Return ``owner/name`` for a name that a text uses, or an empty string."""
        known = self._owners.get(name.lower()) or self._owners.get(self._names.repo(name).lower())
        return known or ""

    def _related(self, key: CardKey, answer: str) -> tuple[Related, ...]:
        found: dict[CardKey, None] = {}
        for number in _BARE.findall(answer):
            found[CardKey(key.repo, int(number))] = None
        for mention in mentions(answer):
            if (other := self._names.key(mention)) is not None:
                found[other] = None
        found.pop(key, None)
        return tuple(
            Related(other, Reason.SAME_CAUSE if _SAME_CAUSE.search(answer) else Reason.SAME_LESSON, Bilingual())
            for other in list(found)[:MOST_RELATED]
            if not self._names.is_missing(other)
        )

    def _references(self, answer: str, tongue: Language) -> tuple[Reference, ...]:
        found: list[Reference] = []
        for mention in mentions(answer):
            if not mention.owner and not self._names.is_foreign(mention.repo):
                continue
            path = f"{mention.owner}/{mention.repo}" if mention.owner else self._path(mention.repo)
            name = path.partition("/")[2]
            if not self._names.has(name):
                label = f"{path}#{mention.number}"
                found.append(Reference(ReferenceKind.ISSUE, Bilingual(label, label), path, mention.number))
        documents = (match[1] or match[2] for match in _DOCUMENT.finditer(answer))
        found.extend(Reference(ReferenceKind.DOCUMENT, _in(tongue, title)) for title in documents)
        return tuple(dict.fromkeys(found))[:MOST_RELATED]


def _in(tongue: Language, text: str) -> Bilingual:
    return Bilingual(text, "") if tongue == "zh" else Bilingual("", text)
