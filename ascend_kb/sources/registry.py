"""The files beside the cards: repositories, tags, section names, themes, guide and the page about the knowledge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ascend_kb.core.card import ForeignRepo, GuideEntry, Repo, SectionName, Tag, Theme
from ascend_kb.core.language import Bilingual
from ascend_kb.core.text import normalise
from ascend_kb.core.vocabulary import SectionId, TagFacet
from ascend_kb.sources.cards import read_known_key
from ascend_kb.sources.frontmatter import languages, split
from ascend_kb.sources.nodes import Node, each

if TYPE_CHECKING:
    from ascend_kb.core.keys import CardKey
    from ascend_kb.sources.problems import Problems


def read_repo(node: Node) -> Repo:
    """Read an entry of repos.yaml."""
    f = node.mapping(("name", "owner", "abbreviation", "title", "purpose", "cards"))
    return Repo(
        name=f["name"].text() if "name" in f else "",
        owner=f["owner"].text() if "owner" in f else "",
        abbreviation=f["abbreviation"].text() if "abbreviation" in f else "",
        title=f["title"].bilingual() if "title" in f else Bilingual(),
        purpose=f["purpose"].bilingual() if "purpose" in f else Bilingual(),
        cards=f["cards"].number() if "cards" in f else 0,
    )


def read_foreign(node: Node) -> ForeignRepo:
    """Read an entry of foreign.yaml."""
    f = node.mapping(("owner", "name"))
    return ForeignRepo(*(f[k].text() if k in f else "" for k in ("owner", "name")))


def read_section_name(node: Node) -> SectionName:
    """Read an entry of sections.yaml."""
    f = node.mapping(("id", "zh", "en"))
    return SectionName(
        f["id"].value_of(SectionId) if "id" in f else SectionId.SYMPTOM,
        Bilingual(**{k: f[k].text() for k in ("zh", "en") if k in f}),
    )


def read_tags(node: Node) -> tuple[Tag, ...]:
    """Read tags.yaml: a list of tags for each facet."""
    tags = []
    for facet, entries in node.mapping([facet.value for facet in TagFacet]).items():
        for entry in entries.items():
            f = entry.mapping(("id", "zh", "en"))
            label = Bilingual(**{k: f[k].text() for k in ("zh", "en") if k in f})
            tags.append(Tag(f["id"].text() if "id" in f else "", TagFacet(facet), label))
    return tuple(tags)


def read_glossary(node: Node) -> tuple[tuple[str, ...], ...]:
    """Read glossary.yaml: groups of terms that are used for each other; a term stands once."""
    concepts = []
    seen: set[str] = set()
    for group in node.items():
        faults = len(group.problems.items)
        members = replace(group, name="a group of the glossary").items()
        terms = tuple(filter(None, (replace(member, name="a term of the glossary").text() for member in members)))
        for term in map(normalise, terms):
            if term in seen:
                group.fault(f"'{term}' stands twice in the glossary")
            seen.add(term)
        if len(terms) < 2 and len(group.problems.items) == faults:
            group.fault(f"a group of the glossary needs two terms or more, not {len(terms)}")
        concepts.append(terms)
    return tuple(concepts)


def read_guide_entry(node: Node) -> GuideEntry:
    """Read an entry of guide.yaml."""
    f = node.mapping(("id", "symptom", "first_action", "cards"))
    return GuideEntry(
        id=f["id"].text() if "id" in f else "",
        symptom=f["symptom"].bilingual(("zh",)) if "symptom" in f else Bilingual(),
        first_action=f["first_action"].bilingual(("zh",)) if "first_action" in f else Bilingual(),
        cards=resolving_keys(f.get("cards")),
    )


def resolving_keys(node: Node | None) -> tuple[CardKey, ...]:
    """Read a list of keys of cards that must exist."""
    return each(node, read_known_key)


def read_theme(text: str, path: str, problems: Problems) -> tuple[int, Theme] | None:
    """Read a theme file; returns its position and the theme."""
    front, body, body_line = split(text, path, problems, "the front matter")
    if front is None:
        return None
    f = front.mapping(("id", "position", "title", "summary", "cards"))
    if len(f) < 5:
        return None
    return f["position"].number(), Theme(
        id=f["id"].text(),
        title=f["title"].bilingual(("zh",)),
        summary=f["summary"].bilingual(("zh",)),
        body=read_page(body, body_line, path, problems),
        cards=resolving_keys(f["cards"]),
    )


def read_page(body: str, first_line: int, path: str, problems: Problems) -> Bilingual:
    """Read a page of Markdown in both languages."""
    return Bilingual(**{lang: part.text for lang, part in languages(body, first_line, path, problems).items()})
