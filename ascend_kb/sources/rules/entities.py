"""Names that a text holds: interfaces, operators, files, options, error codes, tools; and the tags that fit it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ascend_kb.core.card import Entity
from ascend_kb.core.facts import TOOLS
from ascend_kb.core.vocabulary import EntityKind, TagFacet

if TYPE_CHECKING:
    from ascend_kb.core.card import Tag

MOST_ENTITIES = 60
MOST_SEARCHED = 20_000  # characters of a text that are searched for names
_SUFFIXES = "py|cc|cpp|hpp|h|json|yaml|yml|sh|csv|so|md|om|onnx|whl|txt|toml|cmake|log|asc"
_TOOL = "|".join(sorted(map(re.escape, TOOLS), key=len, reverse=True))
_ENTITY = re.compile(
    rf"""
    (?P<file>(?<![\w.@~/-])/?(?:[\w.@~+-]{{1,60}}/){{0,12}}[\w@+-][\w.@+-]{{0,80}}\.(?:{_SUFFIXES})(?![\w]))
  | (?P<api>(?<![\w.])(?:acl(?:nn|rt|op|mdl|tdt|prof|dvpp|blas)?[A-Z]\w{{2,60}}|hccl_?[A-Z]\w{{2,60}}
      |Hccl[A-Z]\w{{2,60}}|rt[A-Z][a-z]\w{{2,60}}|npu_[a-z]\w{{2,60}}|torch(?:_npu)?\.[A-Za-z_]\w{{1,40}}(?:\.\w{{1,40}}){{0,4}}))
  | (?P<option>(?<![\w-])--[a-z][\w-]{{1,40}}|(?<![\w.])[A-Z][A-Z0-9]{{1,30}}(?:_[A-Z0-9]{{1,30}}){{1,8}}(?!\w))
  | (?P<code>(?<![\w.])(?:ERR[0-9]{{5}}|E[A-Z][0-9]{{4}}|SIG(?:SEGV|ABRT|BUS|KILL)|0x[0-9a-fA-F]{{4,8}})(?!\w)
      |(?<=ret[ ])[0-9]{{3,10}}(?![\w.])|(?<=错误码)[0-9]{{3,10}}(?![\w.]))
  | (?P<product>(?<![\w./-])(?i:{_TOOL})(?![\w-]|\.\w))
  | (?P<operator>(?<![\w.])[A-Z][a-z]{{1,30}}(?:[A-Z][a-z0-9]{{1,30}}){{1,8}}(?:V[0-9])?(?!\w))
  | (?P<term>(?<![\w.])[a-z][a-z0-9]{{0,30}}(?:_[a-z0-9]{{1,30}}){{1,8}}(?!\w))
    """,
    re.VERBOSE | re.ASCII,
)
_RUN = re.compile(r"[!-~]{3,}")  # where a name can be: most of a Chinese text is passed over at once
_KINDS = {kind.value: kind for kind in EntityKind}


def read_entities(text: str) -> tuple[Entity, ...]:
    """Return the names of a text in order, each once."""
    found: dict[str, Entity] = {}
    for run in _RUN.finditer(text[:MOST_SEARCHED]):
        for match in _ENTITY.finditer(run.string, *run.span()):
            name = match.group()
            if len(found) < MOST_ENTITIES:
                found.setdefault(name.lower(), Entity(_KINDS[str(match.lastgroup)], name))
    return tuple(found.values())


@lru_cache(maxsize=4)
def _labels(tags: tuple[Tag, ...]) -> tuple[tuple[str, re.Pattern[str] | None, Tag], ...]:
    """Return the labels of all tags in small letters; those in Latin letters with a pattern for whole words."""
    labels: dict[str, Tag] = {}
    for tag in tags:
        for label in (tag.label.zh, tag.label.en, tag.id):
            short = re.split(r"[（(]", label)[0].strip().lower()
            if len(short) > 1:
                labels.setdefault(short, tag)
    return tuple(
        (word, re.compile(rf"(?<![a-z0-9_]){re.escape(word)}(?![a-z0-9])") if word[0].isascii() else None, tag)
        for word, tag in labels.items()
    )


def read_tags(text: str, tags: tuple[Tag, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of tags and of hardware whose label stands in a text."""
    text = text[:MOST_SEARCHED].lower()
    found = {
        tag: None
        for word, whole, tag in _labels(tags)
        if word in text and (whole is None or whole.search(text) is not None)
    }
    hardware = tuple(tag.id for tag in found if tag.facet is TagFacet.HARDWARE)
    return tuple(tag.id for tag in found if tag.facet is not TagFacet.HARDWARE), hardware
