"""The values that make up the knowledge: cards, repositories, themes, guide entries.

They are named tuples rather than data classes because those take five times as long to define, at every start.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.vocabulary import ChangeState, SectionId, TagFacet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Bilingual, Language
    from ascend_kb.core.vocabulary import (
        EntityKind,
        Evidence,
        GroundKind,
        Outcome,
        Reason,
        ReferenceKind,
        Relation,
        Role,
    )

HOST = "https://gitcode.com"


def issue_url(owner: str, repo: str, number: int) -> str:
    """Return the web address of an issue."""
    return f"{HOST}/{owner}/{repo}/issues/{number}"


def change_url(owner: str, repo: str, number: int) -> str:
    """Return the web address of a change (pull request)."""
    return f"{HOST}/{owner}/{repo}/pull/{number}"


class Repo(NamedTuple):
    """A source repository; ``cards`` is the declared number of its cards."""

    name: str
    owner: str
    abbreviation: str
    title: Bilingual
    purpose: Bilingual
    cards: int


class ForeignRepo(NamedTuple):
    """A repository that cards refer to but that has no cards here."""

    owner: str
    name: str


class Tag(NamedTuple):
    """A facet value with a stable id."""

    id: str
    facet: TagFacet
    label: Bilingual


class SectionName(NamedTuple):
    """The heading of a body section in both languages."""

    id: SectionId
    label: Bilingual


class Ground(NamedTuple):
    """A claim and why it is believed."""

    kind: GroundKind
    evidence: Evidence
    text: Bilingual


class Change(NamedTuple):
    """A change (pull request) that concerns a card. ``date`` is the merge date, ``YYYY-MM-DD`` or empty."""

    repo: str
    number: int
    state: ChangeState
    relation: Relation
    role: Role
    branch: str = ""
    date: str = ""
    date_derived: bool = False
    title: str = ""

    @property
    def url(self) -> str:
        """The web address of the change."""
        owner, _, name = self.repo.partition("/")
        return change_url(owner, name, self.number)


class Version(NamedTuple):
    """A version of a product, such as ``CANN`` ``8.3.RC2``."""

    product: str
    number: str

    def __str__(self) -> str:
        return f"{self.product} {self.number}"


class Entity(NamedTuple):
    """A name found in a card: an API symbol, an operator, a file, an option, an error code ..."""

    kind: EntityKind
    name: str


class Related(NamedTuple):
    """Another card and why it is worth a look."""

    key: CardKey
    reason: Reason
    text: Bilingual


class Reference(NamedTuple):
    """A source outside the knowledge. ``repo`` (``owner/name``) and ``number`` are empty and 0 for documents."""

    kind: ReferenceKind
    title: Bilingual
    repo: str = ""
    number: int = 0

    @property
    def url(self) -> str:
        """The web address, or an empty string where the source names none."""
        owner, _, name = self.repo.partition("/")
        if not name:
            return ""
        return (
            change_url(owner, name, self.number) if self.kind.value == "change" else issue_url(owner, name, self.number)
        )


class Card(NamedTuple):
    """One issue with its distilled answer. ``sections`` holds Markdown by language and section."""

    key: CardKey
    owner: str
    title: Bilingual
    summary: Bilingual
    outcome: Outcome
    evidence: Evidence
    sections: Mapping[Language, Mapping[SectionId, str]]
    grounds: tuple[Ground, ...] = ()
    changes: tuple[Change, ...] = ()
    affected: tuple[Version, ...] = ()
    fixed: tuple[Version, ...] = ()
    hardware: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    related: tuple[Related, ...] = ()
    references: tuple[Reference, ...] = ()
    phrasings: Mapping[Language, tuple[str, ...]] = MappingProxyType({})
    signatures: tuple[tuple[str, ...], ...] = ()

    @property
    def source_url(self) -> str:
        """The web address of the issue."""
        return issue_url(self.owner, self.key.repo, self.key.number)

    @property
    def latest_change(self) -> str:
        """The date of the latest merged change, ``YYYY-MM-DD``, or an empty string."""
        return max((c.date for c in self.changes if c.state is ChangeState.MERGED), default="")

    def text_language(self, language: Language) -> Language:
        """Return ``language`` if the body exists in it, else the other one."""
        if self.sections.get(language):
            return language
        return "zh" if language == "en" else "en"

    def body(self, language: Language) -> Mapping[SectionId, str]:
        """Return the body's sections in ``language``, or in the other one where they are missing."""
        return self.sections.get(self.text_language(language), {})


class Theme(NamedTuple):
    """A lesson that several cards share. ``body`` is Markdown."""

    id: str
    title: Bilingual
    summary: Bilingual
    body: Bilingual
    cards: tuple[CardKey, ...]


class GuideEntry(NamedTuple):
    """A row of the troubleshooting guide: symptom, first action, cards."""

    id: str
    symptom: Bilingual
    first_action: Bilingual
    cards: tuple[CardKey, ...]


class Knowledge(NamedTuple):
    """Everything that one knowledge file holds. ``sources`` maps relative paths to the texts it was made from."""

    version: str
    as_of: str
    title: Bilingual
    about: Bilingual
    repos: tuple[Repo, ...]
    foreign: tuple[ForeignRepo, ...]
    section_names: tuple[SectionName, ...]
    tags: tuple[Tag, ...]
    cards: tuple[Card, ...]
    themes: tuple[Theme, ...]
    guide: tuple[GuideEntry, ...]
    sources: Mapping[str, str]
    glossary: tuple[tuple[str, ...], ...] = ()  # terms that are used for each other
