"""The blocks of an article into what is imported: names resolved, themes and guide with their cards, faults noted."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from ascend_kb.core.card import GuideEntry, Repo, Theme
from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint, FileKind, Imported, Watch
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import Evidence
from ascend_kb.sources.articles.closing import read_notes
from ascend_kb.sources.articles.drafts import Article, Drafts, Origin
from ascend_kb.sources.articles.names import Names, mentions
from ascend_kb.sources.articles.parts import Parts
from ascend_kb.sources.owners import OWNER, owners_of
from ascend_kb.sources.rules import prose, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_kb.core.catalog import Catalog
    from ascend_kb.sources.articles.blocks import Block
    from ascend_kb.sources.articles.closing import Closing
    from ascend_kb.sources.faults import Faults

_CARRIED = re.compile(r"#([1-9][0-9]{0,9})(?!\w)", re.ASCII)


class Reading:
    """Reads the blocks of one article."""

    def __init__(self, catalog: Catalog, faults: Faults, watch: Watch) -> None:
        self._catalog = catalog
        self._faults = faults
        self._watch = watch
        self._parts = Parts(faults)
        self._names = Names((), (), catalog)

    def read(self, blocks: Iterable[Block], lines: int, origin: Origin, kind: FileKind, encoding: str) -> Imported:
        """Return what the blocks hold.

        Raises:
            KBError: there is no card in them.
            CancelledError: the watch says so.
        """
        parts = self._parts
        parts.take_all(blocks, self._watch, lines)
        if not parts.cards:
            raise KBError(_nothing(origin.file, self._faults), Complaint.NOTHING.value[2])
        self._names = names = Names(
            [repo.name for repo in parts.repos.values()], ((c.repo, c.number) for c in parts.cards), self._catalog
        )
        names.learn([*(t.body for t in parts.themes), *(g.cards for g in parts.guide), *(n.text for n in parts.notes)])
        closing = read_notes((note.text for note in parts.notes), names)
        self._compare(closing)
        stem = hashlib.sha256(parts.title.encode("utf-8", "replace")).hexdigest()[:10]
        made = Imported(
            file=origin.file,
            kind=kind,
            encoding=encoding,
            sha256=origin.sha256,
            title=parts.title,
            repos=self._repos(),
            cards=Drafts(parts.cards, Article(names, closing, self._owners(), self._catalog.tags, origin)),
            themes=self._themes(f"i{stem}-theme", is_markdown=origin.is_markdown),
            guide=self._guide(f"i{stem}-guide"),
            notes=tuple(note.text for note in parts.notes),
        )
        return made._replace(problems=self._faults.all())

    def _owner(self, name: str) -> str:
        return next((repo.owner for repo in self._catalog.repos if repo.name.lower() == name.lower()), OWNER)

    def _owners(self) -> dict[str, str]:
        return owners_of(self._catalog) | {
            repo.name.lower(): f"{self._owner(repo.name)}/{repo.name}" for repo in self._parts.repos.values()
        }

    def _repos(self) -> tuple[Repo, ...]:
        made = []
        for raw in self._parts.repos.values():
            found = len(self._names.numbers(raw.name))
            if raw.declared and raw.declared != found:
                self._faults.add(Complaint.COUNT_DIFFERS, raw.line, repo=raw.name, declared=raw.declared, found=found)
            short = self._names.abbreviations.get(raw.name, "")
            title, purpose = (_bilingual(text or raw.name) for text in (raw.title, raw.purpose))
            made.append(Repo(raw.name, self._owner(raw.name), short, title, purpose, found))
        return tuple(made)

    def _compare(self, closing: Closing) -> None:
        """Note rows that say otherwise than the closing notes."""
        for row in self._parts.cards if closing.cards else ():
            key = CardKey(row.repo, row.number)
            basis = closing.cards.get(key)
            said = verdict.evidence(row.answer, Evidence.OFFICIAL) if basis else None
            if basis and said in (Evidence.INFERRED, Evidence.UNVERIFIED) and said is not basis.evidence:
                self._faults.add(
                    Complaint.BASIS_DIFFERS, row.line, key=str(key), row=said.value, notes=basis.evidence.value
                )

    def _cards(self, text: str, line: int, *, strict: bool) -> tuple[CardKey, ...]:
        """Return the cards that a text refers to; with ``strict`` every reference must be one."""
        found: dict[CardKey, None] = {}
        for mention in mentions(text):
            key = self._names.key(mention)
            if key is None:
                if strict and not mention.owner and not self._names.is_foreign(mention.repo):
                    self._faults.add(Complaint.REPO_UNKNOWN, line, text=f"{mention.repo}#{mention.number}")
            elif self._names.is_missing(key):
                self._faults.add(Complaint.CARD_UNKNOWN, line, text=str(key))
            else:
                found[key] = None
        return tuple(found)

    def _themes(self, stem: str, *, is_markdown: bool) -> tuple[Theme, ...]:
        made = []
        for number, raw in enumerate(self._parts.themes, 1):
            body = raw.body if is_markdown else prose.markdown(raw.body)
            first = prose.summary(raw.title, raw.body)
            cards = self._cards(raw.body, raw.line, strict=False)
            made.append(Theme(f"{stem}-{number}", _bilingual(raw.title), _bilingual(first), _bilingual(body), cards))
        return tuple(made)

    def _guide(self, stem: str) -> tuple[GuideEntry, ...]:
        made = []
        for number, raw in enumerate(self._parts.guide, 1):
            cards = self._cards(raw.cards, raw.line, strict=True)
            if not cards and not _CARRIED.search(raw.cards):
                self._faults.add(Complaint.CELL_EMPTY, raw.line, "cards")
            made.append(GuideEntry(f"{stem}-{number}", _bilingual(raw.symptom), _bilingual(raw.action), cards))
        return tuple(made)


def _nothing(file: str, faults: Faults) -> str:
    reasons = "".join(f"\nline {problem.line}: {problem.message}" for problem in faults.all()[:20])
    return f"{file} has no card of an article" + reasons


def _bilingual(text: str) -> Bilingual:
    return Bilingual(text, "") if prose.language(text) == "zh" else Bilingual("", text)
