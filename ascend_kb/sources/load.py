"""A set of source texts into one checked Knowledge."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from ascend_kb.core.card import Knowledge, Theme
from ascend_kb.core.errors import KBError
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import TagFacet
from ascend_kb.sources import registry
from ascend_kb.sources.cards import read_card
from ascend_kb.sources.nodes import Node, each, parse
from ascend_kb.sources.problems import Problems, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from ascend_kb.core.card import Card, SectionName, Tag
    from ascend_kb.core.keys import CardKey

T = TypeVar("T")
_NEEDED = ("knowledge.yaml", "repos.yaml", "foreign.yaml", "sections.yaml", "tags.yaml", "guide.yaml", "about.md")
_CARD_PATH = re.compile(r"cards/[^/]+/[^/]+\.md")
_THEME_PATH = re.compile(r"themes/[^/]+\.md")


def read_texts(folder: Path) -> dict[str, str]:
    """Return all source texts below ``folder`` by relative path, sorted, with LF line ends.

    Raises:
        KBError: the folder cannot be read.
        SourceError: files are not UTF-8.
    """
    if not folder.is_dir():
        raise KBError(
            f"{folder} is not a folder of knowledge sources", "name the folder that holds repos.yaml and cards/"
        )
    problems = Problems()
    texts = {}
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".md", ".yaml") and p.is_file()):
        name = path.relative_to(folder).as_posix()
        try:
            texts[name] = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            problems.add(name, line, "the file is not UTF-8; save it as UTF-8")
        except OSError as error:
            raise KBError(f"{path} cannot be read: {error.strerror}", "check the file's permissions") from error
    if problems.items:
        raise SourceError(problems.items)
    return texts


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

    def yaml(self, name: str) -> Node | None:
        if name not in self.texts:
            return None
        return parse(self.texts[name], name, 1, self.problems, name)

    def entries(self, name: str, read: Callable[[Node], T]) -> tuple[T, ...]:
        return each(self.yaml(name), read)

    def load(self) -> Knowledge:
        for name in _NEEDED:
            if name not in self.texts:
                self.problems.add(name, 1, "the file is missing")
        for name in self.texts:
            if name not in _NEEDED and not _CARD_PATH.fullmatch(name) and not _THEME_PATH.fullmatch(name):
                self.problems.add(name, 1, "a file of this name has no place here; see docs/card-format.md")
        repos = self.entries("repos.yaml", registry.read_repo)
        names = self.entries("sections.yaml", registry.read_section_name)
        owners = {repo.name: repo.owner for repo in repos}
        cards = self._cards(owners, names)
        position = {repo.name: i for i, repo in enumerate(repos)}
        cards.sort(key=lambda card: (position.get(card.key.repo, len(position)), card.key.number))
        version, as_of, title = self._about_knowledge()
        tags_node = self.yaml("tags.yaml")
        about = self.texts.get("about.md")
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
        )
        self._cross_check(knowledge)
        return knowledge

    def _cards(self, owners: Mapping[str, str], names: tuple[SectionName, ...]) -> list[Card]:
        seen: dict[CardKey, str] = {}
        cards = []
        for path, text in self.texts.items():
            if not _CARD_PATH.fullmatch(path) or not (card := read_card(text, path, owners, names, self.problems)):
                continue
            cards.append(card)
            if seen.setdefault(card.key, path) != path:
                line = self.line_of(path, "key:")
                self.problems.add(path, line, f"duplicate key '{card.key}'; it stands in {seen[card.key]} already")
        return cards

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
            if _THEME_PATH.fullmatch(path) and (read := registry.read_theme(text, path, self.problems)):
                if path != f"themes/{read[1].id}.md":
                    self.problems.add(path, 2, f"theme id '{read[1].id}' does not agree with the file's name")
                found.append(read)
        return tuple(theme for _, theme in sorted(found, key=lambda item: (item[0], item[1].id)))

    def line_of(self, path: str, words: str) -> int:
        """Return the line on which ``words`` first stand, for faults found after reading."""
        return next((i for i, line in enumerate(self.texts.get(path, "").split("\n"), 1) if words in line), 1)

    def _cross_check(self, knowledge: Knowledge) -> None:
        keys = {card.key for card in knowledge.cards}
        self._unique("repos.yaml", [name for repo in knowledge.repos for name in {repo.name, repo.abbreviation}])
        self._unique("tags.yaml", [tag.id for tag in knowledge.tags])
        self._unique("guide.yaml", [entry.id for entry in knowledge.guide])
        self._unique_labels(knowledge.tags)
        for repo in knowledge.repos:
            count = sum(card.key.repo == repo.name for card in knowledge.cards)
            if count != repo.cards:
                line = self.line_of("repos.yaml", f"name: {repo.name}")
                self.problems.add("repos.yaml", line, f"{repo.name} declares {repo.cards} cards, but {count} are here")
        for card in knowledge.cards:
            self._check_card(card, keys, knowledge.tags)
        for theme in knowledge.themes:
            self._check_keys(f"themes/{theme.id}.md", theme.cards, keys)
        for entry in knowledge.guide:
            self._check_keys("guide.yaml", entry.cards, keys)

    def _check_card(self, card: Card, keys: set[CardKey], tags: tuple[Tag, ...]) -> None:
        path = f"cards/{card.key.repo}/{card.key.number}.md"
        self._check_keys(path, [related.key for related in card.related], keys)
        if any(related.key == card.key for related in card.related):
            self.problems.add(path, self.line_of(path, "related:"), f"{card.key} is related to itself")
        facets = {tag.id: tag.facet for tag in tags}
        hardware = [tag.id for tag in tags if tag.facet is TagFacet.HARDWARE]
        others = [tag.id for tag in tags if tag.facet is not TagFacet.HARDWARE]
        for field, values, permitted in (("hardware", card.hardware, hardware), ("tags", card.tags, others)):
            for value in values:
                if value not in permitted:
                    line = self.line_of(path, f"{field}:")
                    self.problems.add(
                        path, line, f"unknown value '{value}' in {field}; allowed: {', '.join(permitted)}"
                    )
        for facet in (TagFacet.COMPONENT, TagFacet.FAILURE):
            if facet not in {facets.get(tag) for tag in card.tags}:
                line = self.line_of(path, "tags:")
                self.problems.add(path, line, f"tags name no {facet.value}; at least one is needed (see tags.yaml)")

    def _check_keys(self, path: str, named: Iterable[CardKey], keys: set[CardKey]) -> None:
        for key in named:
            if key.repo and key not in keys:
                self.problems.add(path, self.line_of(path, str(key)), f"there is no card '{key}'")

    def _unique(self, path: str, values: list[str]) -> None:
        for value, count in Counter(value.lower() for value in values).items():
            if count > 1:
                self.problems.add(path, self.line_of(path, value), f"'{value}' stands {count} times; it must be unique")

    def _unique_labels(self, tags: tuple[Tag, ...]) -> None:
        meaning: dict[str, str] = {}
        for tag in tags:
            for label in {tag.id.lower(), tag.label.zh.lower(), tag.label.en.lower()}:
                if meaning.setdefault(label, tag.id) != tag.id:
                    line = self.line_of("tags.yaml", f"id: {tag.id},")
                    self.problems.add(
                        "tags.yaml", line, f"label '{label}' names two tags: {meaning[label]} and {tag.id}"
                    )


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
