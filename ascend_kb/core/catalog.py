"""The small tables that every view of the knowledge needs: repositories, tags and section names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey, parse_key
from ascend_kb.core.links import LinkMap
from ascend_kb.core.query import HAS_VALUES, Facet, Filter
from ascend_kb.core.vocabulary import Evidence, Outcome, SectionId, TagFacet, label

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import Enum

    from ascend_kb.core.card import Card, ForeignRepo, Repo, SectionName, Tag
    from ascend_kb.core.language import Language


@dataclass(frozen=True)
class Catalog:
    """Repositories, tags and section names of one knowledge file, with the look-ups that views share."""

    repos: tuple[Repo, ...]
    foreign: tuple[ForeignRepo, ...]
    section_names: tuple[SectionName, ...]
    tags: tuple[Tag, ...]

    @cached_property
    def repo_names(self) -> dict[str, str]:
        """Repository names by lower-case name and abbreviation."""
        names = {repo.name.lower(): repo.name for repo in self.repos}
        return names | {repo.abbreviation.lower(): repo.name for repo in self.repos}

    @cached_property
    def _owners(self) -> dict[str, str]:
        known = [(repo.owner, repo.name) for repo in self.repos] + [(repo.owner, repo.name) for repo in self.foreign]
        full = {f"{owner}/{name}".lower(): f"{owner}/{name}" for owner, name in known}
        return full | {name.lower(): f"{owner}/{name}" for owner, name in known}

    @cached_property
    def _tags(self) -> dict[str, Tag]:
        return {tag.id: tag for tag in self.tags}

    @cached_property
    def _tag_names(self) -> dict[str, Tag]:
        return {name.lower(): tag for tag in self.tags for name in (tag.label.en, tag.label.zh, tag.id)}

    def key(self, text: str) -> CardKey:
        """Read a card key, long or short.

        Raises:
            KBError: the text is not a key.
        """
        return parse_key(text, self.repo_names)

    def section(self, section: SectionId, language: Language) -> str:
        """Return the heading of a section."""
        return next((n.label.get(language) for n in self.section_names if n.id is section), section.value)

    def tag(self, tag_id: str, language: Language) -> str:
        """Return the label of a tag or hardware; unknown ids stand for themselves."""
        return self._tags[tag_id].label.get(language) if tag_id in self._tags else tag_id

    def link_map(
        self, has_card: Callable[[CardKey], bool], title: Callable[[CardKey], str], card: Card | None = None
    ) -> LinkMap:
        """Return what references in a text lead to; with ``card``, its own changes are known by number alone."""
        changes: dict[int, str] = {}
        for change in card.changes if card else ():
            if change.repo.lower().endswith("/" + card.key.repo.lower() if card else ""):
                changes.setdefault(change.number, change.url)
        return LinkMap(self.repo_names, self._owners, has_card, title, changes)

    def filter(self, facet: Facet, text: str) -> Filter:
        """Read the value of a filter as people write it: names, abbreviations, labels of both languages.

        Raises:
            KBError: the value is unknown; the allowed ones are named.
        """
        wanted = text.strip().lower()
        if facet is Facet.REPO:
            found = self.repo_names.get(wanted)
            known = [f"{repo.name} ({repo.abbreviation})" for repo in self.repos]
        elif facet in (Facet.TAG, Facet.HARDWARE):
            tag = self._tag_names.get(wanted)
            of_kind = [t for t in self.tags if facet is Facet.TAG or t.facet is TagFacet.HARDWARE]
            if tag is not None and tag in of_kind:
                return Filter(Facet.HARDWARE if tag.facet is TagFacet.HARDWARE else Facet.TAG, tag.id)
            found, known = None, [f"{t.id} ({t.label.zh})" for t in of_kind]
        else:
            members: list[Enum] = list(Outcome if facet is Facet.OUTCOME else Evidence)
            names = {name.lower(): m for m in members for name in (str(m.value), label(m).zh, label(m).en)}
            found = str(names[wanted].value) if wanted in names else None
            known = [str(m.value) for m in members]
        if found is None:
            raise KBError(f"unknown {facet.value} '{text}'", f"allowed: {', '.join(known)}")
        return Filter(facet, found)

    def resolve(self, field: str, value: str) -> Filter | None:
        """Read ``field:value`` of a query; None where there is no such field, or the value is none of its."""
        facet = _FIELDS.get(field)
        value = value.strip()
        if facet in _CLOSED:
            try:
                return self.filter(facet, value)
            except KBError:
                return None
        if facet is None or not re.fullmatch(_FORMS[facet], value, re.ASCII | re.IGNORECASE):
            return None
        return Filter(facet, value.lstrip("!#") if facet is Facet.PR else value)

    def is_begun(self, field: str, value: str) -> bool:
        """Return whether ``field:value`` is the beginning of a filter, and none yet."""
        facet = _FIELDS.get(field)
        if facet is None or self.resolve(field, value) is not None:
            return False
        value = value.strip().lower()
        if facet in _CLOSED:
            return any(value in name for name in self._names(facet))
        if facet is Facet.HAS:
            return any(name.startswith(value) for name in HAS_VALUES)
        return len(value) < 2 or (
            facet in (Facet.BEFORE, Facet.AFTER) and re.fullmatch(r"[0-9-]{,9}", value) is not None
        )

    def _names(self, facet: Facet) -> list[str]:
        """Return what the values of a closed facet are called, in small letters."""
        if facet is Facet.REPO:
            return list(self.repo_names)
        if facet in (Facet.TAG, Facet.HARDWARE):
            return list(self._tag_names)
        members: list[Enum] = list(Outcome if facet is Facet.OUTCOME else Evidence)
        return [name.lower() for m in members for name in (str(m.value), label(m).zh, label(m).en)]


_CLOSED = (Facet.REPO, Facet.TAG, Facet.HARDWARE, Facet.OUTCOME, Facet.EVIDENCE)
DATE = r"[12][0-9]{3}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?"
_FORMS = {
    Facet.VERSION: r".*[0-9].*", Facet.AFFECTED: r".*[0-9].*", Facet.FIXED: r".*[0-9].*", Facet.API: r"\w{2,}.*",
    Facet.PR: r"[!#]?[1-9][0-9]{0,9}", Facet.BEFORE: DATE, Facet.AFTER: DATE, Facet.HAS: "|".join(HAS_VALUES),
    Facet.THEME: r"[a-z0-9][a-z0-9-]*", Facet.GUIDE: r"[a-z0-9][a-z0-9-]*",
}  # fmt: skip
_FIELDS = {facet.value: facet for facet in (*_CLOSED, *_FORMS)}
