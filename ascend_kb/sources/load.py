"""A set of source texts into one checked Knowledge."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ascend_kb.core.card import Knowledge, Theme
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import LANGUAGES, Bilingual
from ascend_kb.core.vocabulary import SectionId, TagFacet
from ascend_kb.sources import registry
from ascend_kb.sources.cards import read_card
from ascend_kb.sources.nodes import Node, each, parse
from ascend_kb.sources.problems import Problems, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ascend_kb.core.card import Card, SectionName, Tag

T = TypeVar("T")
_NEEDED = ("knowledge.yaml", "repos.yaml", "foreign.yaml", "sections.yaml", "tags.yaml", "guide.yaml", "about.md")
_OPTIONAL = ("glossary.yaml",)
_CARD_PATH = re.compile(r"cards/[^/]+/[^/]+\.md")
_THEME_PATH = re.compile(r"themes/[^/]+\.md")
_KEY_IN_PATH = re.compile(r"cards/([^/]+)/([1-9][0-9]{0,9})\.md")
_NOT_UTF8 = re.compile("[\udc80-\udcff]")


def read_texts(folder: Path) -> dict[str, str]:
    """Return all source texts below ``folder`` by relative path, sorted, with LF line ends.

    Bytes that are not UTF-8 become lone surrogates, which ``load`` reports with all other faults.

    Raises:
        KBError: the folder or a file cannot be read.
    """
    if not folder.is_dir():
        raise KBError(
            f"{folder} is not a folder of knowledge sources", "name the folder that holds repos.yaml and cards/"
        )
    texts = {}
    try:
        for path in sorted(_files(folder)):
            text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
            texts[path.relative_to(folder).as_posix()] = text.replace("\r\n", "\n")
    except OSError as error:
        raise KBError(
            f"{error.filename} cannot be read: {error.strerror}", "check the permissions of the file or folder"
        ) from error
    return texts


def _files(folder: Path) -> list[Path]:
    def fail(error: OSError) -> None:
        raise error

    walked = os.walk(folder, onerror=fail)  # Path.rglob passes over folders that cannot be read
    found = [Path(place, name) for place, _, names in walked for name in names]
    return [path for path in found if path.suffix in (".md", ".yaml") and path.is_file()]


def digest(texts: Mapping[str, str]) -> str:
    """Return the SHA-256 over the normalised sources: what makes two sets of sources the same."""
    whole = hashlib.sha256()
    for name in sorted(texts):
        text = unicodedata.normalize("NFC", texts[name].replace("\r\n", "\n")).rstrip()
        whole.update(f"{name}\0{text}\0".encode())
    return whole.hexdigest()


class _Loader:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.problems = Problems()
        self.places: list[tuple[str, Card]] = []  # every card with its file
        self.unread: set[CardKey] = set()  # cards whose file is too broken to be read; they are not missing

    def yaml(self, name: str) -> Node | None:
        if name not in self.texts or _NOT_UTF8.search(self.texts[name]):
            return None
        return parse(self.texts[name], name, 1, self.problems, name)

    def entries(self, name: str, read: Callable[[Node], T]) -> tuple[T, ...]:
        return each(self.yaml(name), read)

    def load(self) -> Knowledge:
        for name in _NEEDED:
            if name not in self.texts:
                self.problems.add(name, 1, "the file is missing")
        for name in self.texts:
            known = name in _NEEDED or name in _OPTIONAL
            if not known and not _CARD_PATH.fullmatch(name) and not _THEME_PATH.fullmatch(name):
                self.problems.add(name, 1, "a file of this name has no place here; see docs/card-format.md")
        for name, text in self.texts.items():
            if found := _NOT_UTF8.search(text):
                self.problems.add(
                    name, text.count("\n", 0, found.start()) + 1, "the file is not UTF-8; save it as UTF-8"
                )
        repos = self.entries("repos.yaml", registry.read_repo)
        names = self.entries("sections.yaml", registry.read_section_name)
        owners = {repo.name: repo.owner for repo in repos}
        self._read_cards(owners, names)
        cards = [card for _, card in self.places]
        position = {repo.name: i for i, repo in enumerate(repos)}
        cards.sort(key=lambda card: (position.get(card.key.repo, len(position)), card.key.number))
        version, as_of, title = self._about_knowledge()
        tags_node = self.yaml("tags.yaml")
        about = self.texts.get("about.md")
        glossary = self.yaml("glossary.yaml")
        knowledge = Knowledge(
            version=version,
            as_of=as_of,
            title=title,
            about=registry.read_page(about, 1, "about.md", self.problems) if about is not None else Bilingual(),
            repos=repos,
            foreign=self.entries("foreign.yaml", registry.read_foreign),
            section_names=names,
            tags=registry.read_tags(tags_node) if tags_node else (),
            cards=tuple(cards),
            themes=self._themes(),
            guide=self.entries("guide.yaml", registry.read_guide_entry),
            sources=dict(self.texts),
            glossary=registry.read_glossary(glossary) if glossary else (),
        )
        self._cross_check(knowledge)
        return knowledge

    def _read_cards(self, owners: Mapping[str, str], names: tuple[SectionName, ...]) -> None:
        seen: dict[CardKey, str] = {}
        for path, text in self.texts.items():
            if not _CARD_PATH.fullmatch(path):
                continue
            card = None if _NOT_UTF8.search(text) else read_card(text, path, owners, names, self.problems)
            if card is None or not card.key.repo:
                if named := _KEY_IN_PATH.fullmatch(path):
                    self.unread.add(CardKey(named[1], int(named[2])))
                continue
            self.places.append((path, card))
            if seen.setdefault(card.key, path) != path:
                line = self.line_of(path, "^key:")
                self.problems.add(path, line, f"duplicate key '{card.key}'; it stands in {seen[card.key]} already")

    def _about_knowledge(self) -> tuple[str, str, Bilingual]:
        node = self.yaml("knowledge.yaml")
        f = node.mapping(("version", "as_of", "title")) if node else {}
        return (
            f["version"].text() if "version" in f else "",
            f["as_of"].date() if "as_of" in f else "",
            f["title"].bilingual() if "title" in f else Bilingual(),
        )

    def _themes(self) -> tuple[Theme, ...]:
        found = []
        for path, text in self.texts.items():
            if not _THEME_PATH.fullmatch(path) or _NOT_UTF8.search(text):
                continue
            if read := registry.read_theme(text, path, self.problems):
                if path != f"themes/{read[1].id}.md":
                    self.problems.add(path, 2, f"theme id '{read[1].id}' does not agree with the file's name")
                found.append(read)
        return tuple(theme for _, theme in sorted(found, key=lambda item: (item[0], item[1].id)))

    def line_of(self, path: str, pattern: str) -> int:
        """Return the first line that ``pattern`` is found in, quotes left out, for faults found after reading."""
        wanted = re.compile(pattern, re.IGNORECASE)
        lines = re.sub("[\"']", "", self.texts.get(path, "")).split("\n")
        return next((i for i, line in enumerate(lines, 1) if wanted.search(line)), 1)

    def _cross_check(self, knowledge: Knowledge) -> None:
        self._unique(
            "repos.yaml", "(name|abbreviation)", [x for r in knowledge.repos for x in {r.name, r.abbreviation}]
        )
        self._unique("tags.yaml", "id", [tag.id for tag in knowledge.tags])
        self._unique("guide.yaml", "id", [entry.id for entry in knowledge.guide])
        self._unique_labels(knowledge.tags)
        self._check_sections(knowledge.section_names)
        keys = {card.key for card in knowledge.cards} | self.unread
        for repo in knowledge.repos:
            count = sum(key.repo == repo.name for key in keys)
            if count != repo.cards:
                line = self.line_of("repos.yaml", _entry("name", repo.name))
                self.problems.add("repos.yaml", line, f"{repo.name} declares {repo.cards} cards, but {count} are here")
        self._check_mentions({str(key) for key in keys}, knowledge.tags)
        for path, card in self.places if knowledge.tags else ():
            self._check_facets(path, card, knowledge.tags)
        for name, entries in (("repos.yaml", knowledge.repos), ("tags.yaml", knowledge.tags)):
            if not entries and not any(problem.path == name for problem in self.problems.items):
                self.problems.add(name, 1, "the file has no entry")

    def _check_mentions(self, keys: set[str], tags: tuple[Tag, ...]) -> None:
        permitted = {
            "hardware": [tag.id for tag in tags if tag.facet is TagFacet.HARDWARE],
            "tags": [tag.id for tag in tags if tag.facet is not TagFacet.HARDWARE],
        }
        for field, value, path, line in self.problems.mentions:
            if field == "card":
                if value not in keys:
                    self.problems.add(path, line, f"there is no card '{value}'")
            elif tags and value not in permitted[field]:
                known = ", ".join(permitted[field])
                self.problems.add(path, line, f"unknown value '{value}' in {field}; allowed: {known}")

    def _check_facets(self, path: str, card: Card, tags: tuple[Tag, ...]) -> None:
        facets = {tag.facet for tag in tags if tag.id in card.tags}
        for facet in (TagFacet.COMPONENT, TagFacet.FAILURE):
            if facet not in facets:
                line = self.line_of(path, "^tags:")
                self.problems.add(path, line, f"tags name no {facet.value}; at least one is needed (see tags.yaml)")

    def _check_sections(self, names: tuple[SectionName, ...]) -> None:
        self._unique("sections.yaml", "id", [name.id.value for name in names])
        for language in LANGUAGES:
            self._unique("sections.yaml", language, [name.label.get(language) for name in names])
        missing = [section.value for section in SectionId if section not in {name.id for name in names}]
        if missing and "sections.yaml" in self.texts:
            self.problems.add("sections.yaml", 1, f"sections without a name: {', '.join(missing)}; all are needed")

    def _unique(self, path: str, field: str, values: list[str]) -> None:
        for value, count in Counter(value.lower() for value in values).items():
            if count > 1 and value:
                line = self.line_of(path, _entry(field, value))
                self.problems.add(path, line, f"'{value}' stands {count} times; it must be unique")

    def _unique_labels(self, tags: tuple[Tag, ...]) -> None:
        meaning: dict[str, str] = {}
        for tag in tags:
            for label in {tag.id.lower(), tag.label.zh.lower(), tag.label.en.lower()} - {""}:
                if meaning.setdefault(label, tag.id) != tag.id:
                    line = self.line_of("tags.yaml", _entry("id", tag.id))
                    self.problems.add(
                        "tags.yaml", line, f"label '{label}' names two tags: {meaning[label]} and {tag.id}"
                    )


def _entry(field: str, value: str) -> str:
    """Return the pattern of a field with this value, in block or flow style."""
    return rf"\b{field}:\s*{re.escape(value)}\s*(?:[,}}#]|$)"


def load(texts: Mapping[str, str]) -> Knowledge:
    """Read and check a set of source texts.

    Raises:
        SourceError: with every fault that was found.
    """
    loader = _Loader(texts)
    knowledge = loader.load()
    if loader.problems.items:
        raise SourceError(loader.problems.items)
    return knowledge
