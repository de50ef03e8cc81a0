"""Card files: ``data/cards/<repo>/<number>.md`` into core values. The format is described in docs/card-format.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.card import Card, Change, Entity, Ground, Reference, Related, Version
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey, parse_key
from ascend_kb.core.language import LANGUAGES, Bilingual, Language
from ascend_kb.core.vocabulary import (
    ChangeState,
    EntityKind,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    ReferenceKind,
    Relation,
    Role,
    SectionId,
)
from ascend_kb.sources.frontmatter import Part, languages, parts, split
from ascend_kb.sources.nodes import Node, each

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.card import SectionName
    from ascend_kb.sources.problems import Problems

MOST_PHRASINGS = 40
_NEEDED = ("key", "title", "summary", "outcome", "evidence", "tags", "phrasings")
_OPTIONAL = ("grounds", "changes", "versions", "hardware", "entities", "related", "references", "signatures")


def read_key(node: Node) -> CardKey:
    """Read a card key in its long form."""
    text = node.text()
    try:
        return parse_key(text, {})
    except KBError as error:
        if text:
            node.fault(f"{error.message}; {error.hint}")
        return CardKey("", 0)


def read_known_key(node: Node) -> CardKey:
    """Read the key of a card that must exist."""
    key = read_key(node)
    if key.repo:
        node.mention("card", str(key))
    return key


def _tag_id(node: Node) -> str:
    tag = node.text()
    if tag:
        node.mention(node.name, tag)
    return tag


def _ground(node: Node) -> Ground:
    f = node.mapping(("kind", "evidence", "zh", "en"))
    return Ground(
        kind=f["kind"].value_of(GroundKind) if "kind" in f else GroundKind.SOURCE_NOTE,
        evidence=f["evidence"].value_of(Evidence) if "evidence" in f else Evidence.UNVERIFIED,
        text=Bilingual(**{k: f[k].text() for k in LANGUAGES if k in f}),
    )


def _repo_name(node: Node) -> str:
    text = node.text()
    if text and (text.count("/") != 1 or text.startswith("/") or text.endswith("/")):
        node.fault(f"{node.name} '{text}' must be owner/name")
    return text


def _change(node: Node) -> Change:
    needed = ("repo", "number", "state", "relation", "role")
    f = node.mapping(needed, ("branch", "date", "date_derived", "title"))
    if any(name not in f for name in needed):
        return Change("", 0, ChangeState.UNKNOWN, Relation.INFERRED, Role.FIX)
    if "date_derived" in f and "date" not in f:
        f["date_derived"].fault("date_derived needs a date")
    return Change(
        repo=_repo_name(f["repo"]),
        number=f["number"].number(),
        state=f["state"].value_of(ChangeState),
        relation=f["relation"].value_of(Relation),
        role=f["role"].value_of(Role),
        branch=f["branch"].text() if "branch" in f else "",
        date=f["date"].date() if "date" in f else "",
        date_derived=f["date_derived"].flag() if "date_derived" in f else False,
        title=f["title"].text() if "title" in f else "",
    )


def _version(node: Node) -> Version:
    text = node.text()
    product, blank, number = text.rpartition(" ")
    if text and not blank:
        node.fault(f"{node.name} must be 'Product version', for example 'CANN 8.3.RC2'")
    return Version(product, number)


def _entities(node: Node) -> tuple[Entity, ...]:
    fields = node.mapping((), [kind.value for kind in EntityKind])
    return tuple(Entity(EntityKind(kind), item.text()) for kind, names in fields.items() for item in names.items())


def _related(node: Node) -> Related:
    f = node.mapping(("key", "reason", "zh", "en"))
    return Related(
        key=read_known_key(f["key"]) if "key" in f else CardKey("", 0),
        reason=f["reason"].value_of(Reason) if "reason" in f else Reason.SAME_LESSON,
        text=Bilingual(**{k: f[k].text() for k in LANGUAGES if k in f}),
    )


def _reference(node: Node) -> Reference:
    f = node.mapping(("kind", "title"), ("repo", "number"))
    kind = f["kind"].value_of(ReferenceKind) if "kind" in f else ReferenceKind.DOCUMENT
    if kind is not ReferenceKind.DOCUMENT and ("repo" not in f or "number" not in f):
        node.fault(f"a reference of kind {kind.value} needs repo and number")
    return Reference(
        kind=kind,
        title=f["title"].bilingual() if "title" in f else Bilingual(),
        repo=_repo_name(f["repo"]) if "repo" in f else "",
        number=f["number"].number() if "number" in f else 0,
    )


def _phrasings(node: Node) -> dict[Language, tuple[str, ...]]:
    fields = node.mapping(LANGUAGES)
    found: dict[Language, tuple[str, ...]] = {}
    for language in LANGUAGES:
        if language in fields:
            found[language] = each(fields[language], Node.text)
            if not 2 <= len(found[language]) <= MOST_PHRASINGS:
                fields[language].fault(
                    f"phrasings in {language}: {len(found[language])} given; 2 to {MOST_PHRASINGS} are needed"
                )
    return found


def _literals(node: Node) -> tuple[str, ...]:
    fields = node.mapping(("literals",))
    return each(fields.get("literals"), Node.text)


def read_sections(
    part: Part, language: Language, names: tuple[SectionName, ...], path: str, problems: Problems
) -> dict[SectionId, str]:
    """Cut one language of a body into its sections; all of them are needed, once and not empty.

    Without ``names`` nothing is checked: then sections.yaml is at fault, not the card.
    """
    if not names:
        return {}
    headings = {name.label.get(language): name.id for name in names}
    above, pieces = parts(part.text, part.line + 1, 2)
    if above.strip():
        problems.add(path, part.line, f"text stands between '# {part.heading}' and the first section")
    found: dict[SectionId, str] = {}
    for piece in pieces:
        section = headings.get(piece.heading)
        if section is None:
            problems.add(path, piece.line, f"unknown section '{piece.heading}'; allowed: {', '.join(headings)}")
        elif section in found:
            problems.add(path, piece.line, f"section '{piece.heading}' stands twice")
        else:
            found[section] = piece.text.strip("\n")
            if not found[section].strip():
                problems.add(path, piece.line, f"section '{piece.heading}' is empty")
    for heading, section in headings.items():
        if section not in found:
            problems.add(path, part.line, f"section '{heading}' is missing below '# {part.heading}'")
    return found


def read_card(
    text: str, path: str, owners: Mapping[str, str], names: tuple[SectionName, ...], problems: Problems
) -> Card | None:
    """Read one card file; None where nothing can be made of it. Faults are noted in ``problems``."""
    front, body, body_line = split(text, path, problems, "the front matter")
    if front is None:
        return None
    f = front.mapping(_NEEDED, _OPTIONAL)
    if any(name not in f for name in _NEEDED):
        return None
    key = read_key(f["key"])
    if key.repo and path != f"cards/{key.repo}/{key.number}.md":
        f["key"].fault(f"key '{key}' does not agree with the file's place; this file is for another card or misplaced")
    if key.repo and owners and key.repo not in owners:
        f["key"].fault(f"repo '{key.repo}' is unknown; allowed: {', '.join(owners)}")
    grounds = each(f.get("grounds"), _ground)
    evidence = f["evidence"].value_of(Evidence)
    if evidence in (Evidence.INFERRED, Evidence.UNVERIFIED) and not grounds:
        f["evidence"].fault(f"evidence '{evidence.value}' needs at least one entry in grounds")
    related = each(f.get("related"), _related)
    if key.repo and any(other.key == key for other in related):
        f["related"].fault(f"{key} is related to itself")
    versions = f["versions"].mapping((), ("affected", "fixed")) if "versions" in f else {}
    return Card(
        key=key,
        owner=owners.get(key.repo, ""),
        title=f["title"].bilingual(),
        summary=f["summary"].bilingual(),
        outcome=f["outcome"].value_of(Outcome),
        evidence=evidence,
        grounds=grounds,
        changes=each(f.get("changes"), _change),
        affected=each(versions.get("affected"), _version),
        fixed=each(versions.get("fixed"), _version),
        hardware=each(f.get("hardware"), _tag_id),
        tags=each(f["tags"], _tag_id),
        entities=_entities(f["entities"]) if "entities" in f else (),
        related=related,
        references=each(f.get("references"), _reference),
        phrasings=_phrasings(f["phrasings"]),
        signatures=each(f.get("signatures"), _literals),
        sections={
            language: read_sections(part, language, names, path, problems)
            for language, part in languages(body, body_line, path, problems).items()
        },
    )
