"""Made-up cards: texts, changes, claims and tags in the proportions of the real knowledge."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from ascend_kb.app.synthesis_text import HEAD, NAMES, NUMBERS, SECTIONS, pattern
from ascend_kb.app.synthesis_words import Draw, chinese_words, fresh_identifier, identifiers, listed, part_names
from ascend_kb.core.card import Card, Change, Ground, Related, Version
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import (
    ChangeState,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    Relation,
    Role,
    SectionId,
    TagFacet,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ascend_kb.core.card import Repo, Tag
    from ascend_kb.core.language import Language

_PATTERNS = 400
_REFILL = 16_384  # cards after which words are drawn anew
_IDS = tuple(SectionId(name) for name in SECTIONS)
_FIRST_DAY = date(2023, 1, 2)
_BRANCHES = ("", "", "master", "master", "r1.8", "26.0.0", "26.1.0", "v2.7.1", "v2.8.0", "develop")
_RELATED = (
    Bilingual("同样的表现，那里的原因不同", "The same picture with another cause"),
    Bilingual("同属一个组件", "The same component"),
    Bilingual("后续的处理", "What was done later"),
)
# How often each value stands in the real knowledge.
_OUTCOMES = {
    Outcome.FIXED: 62, Outcome.DOCS_CORRECTED: 10, Outcome.ANSWERED: 8, Outcome.WORKAROUND: 6,
    Outcome.FIXED_UPSTREAM: 4, Outcome.PLANNED: 2, Outcome.KNOWN_DEFECT: 2, Outcome.OUT_OF_SCOPE: 2,
    Outcome.BY_DESIGN: 2, Outcome.UNSUPPORTED: 2,
}  # fmt: skip
_EVIDENCE = {Evidence.INFERRED: 42, Evidence.OFFICIAL: 34, Evidence.EXPLICIT: 18, Evidence.UNVERIFIED: 6}
_ROLES = {Role.FIX: 35, Role.DOCS: 9, Role.BACKPORT: 5, Role.FOLLOW_UP: 3, Role.UPSTREAM: 2, Role.SUPERSEDED: 2}
_STATES = {ChangeState.MERGED: 50, ChangeState.UNKNOWN: 4, ChangeState.CLOSED: 2, ChangeState.OPEN: 1}
_RELATIONS = {Relation.INFERRED: 37, Relation.EXPLICIT: 13, Relation.OFFICIAL: 6}
_GROUNDS = {
    GroundKind.MAINTAINER_STATEMENT: 24, GroundKind.SOURCE_NOTE: 16, GroundKind.TITLE_MATCH: 9,
    GroundKind.EXPLICIT_REFERENCE: 9, GroundKind.CAUSE_MATCH: 8, GroundKind.DOCUMENTATION: 7, GroundKind.TIMING: 5,
    GroundKind.REPORTER_TEST: 4,
}  # fmt: skip

_SHARES: dict[str, Mapping[Any, int]] = {
    "outcome": _OUTCOMES, "evidence": _EVIDENCE, "role": _ROLES, "state": _STATES, "relation": _RELATIONS,
    "ground": _GROUNDS,
}  # fmt: skip


class CardMaker:
    """Makes cards; two makers with the same arguments make the same ones."""

    def __init__(self, seed: int, tags: Sequence[Tag], as_of: str) -> None:
        self._rng = rng = Random(seed)  # noqa: S311  (nothing secret)
        self._words = Draw(rng, chinese_words(rng))
        self._english = Draw(rng, listed("english"), 0.8)
        self._names = Draw(rng, identifiers(rng))
        self._parts = Draw(rng, part_names(rng), 0.8)
        self._numbers = Draw(rng, [str(2**i) for i in range(1, 14)] + [str(i) for i in range(1, 3000)], 0.7)
        self._versions = Draw(rng, _versions(), 0.6)
        days = (date.fromisoformat(as_of) - _FIRST_DAY).days
        self._dates = [(_FIRST_DAY + timedelta(days=i)).isoformat() for i in range(max(days, 1))]
        self._heads = {lang: [pattern(rng, lang, HEAD) for _ in range(_PATTERNS)] for lang in ("zh", "en")}
        self._bodies = {lang: [pattern(rng, lang, SECTIONS) for _ in range(_PATTERNS)] for lang in ("zh", "en")}
        self._tags = {
            facet: Draw(rng, [tag.id for tag in tags if tag.facet is facet] or [""], 0.7) for facet in TagFacet
        }
        self._chosen = {name: _Weighted(rng, shares) for name, shares in _SHARES.items()}
        self._made = 0

    def cards(self, repo: Repo, first: int, count: int) -> Iterator[Card]:
        """Yield cards of a repository with rising numbers from ``first`` on."""
        number, previous = first, None
        full = f"{repo.owner}/{repo.name}"
        for _ in range(count):
            key = CardKey(repo.name, number)
            yield self._card(key, repo.owner, full, previous)
            previous = key
            number += 1 + int(self._rng.expovariate(0.7))
            self._made += 1
            if self._made % _REFILL == 0:
                for draw in (self._words, self._names, self._parts, self._english):
                    draw.refill()

    def _card(self, key: CardKey, owner: str, full: str, previous: CardKey | None) -> Card:
        random, pick = self._rng.random, self._chosen
        entities = self._names.take(NAMES)
        entities[5] = fresh_identifier(self._rng, self._parts)
        versions = self._versions.take(2)
        changes = self._changes(full)
        day = changes[0].date if changes and changes[0].date else self._dates[int(random() * len(self._dates))]
        pull = str(changes[0].number) if changes else str(key.number)
        others = [*[e.name for e in entities], *self._numbers.take(NUMBERS), str(versions[0]), day, pull]
        zh = self._fill("zh", self._heads, others)
        en = self._fill("en", self._heads, others)
        sections: dict[Language, Mapping[SectionId, str]] = {
            "zh": dict(zip(_IDS, self._fill("zh", self._bodies, others), strict=True))
        }
        if random() < 1 / 3:
            sections["en"] = dict(zip(_IDS, self._fill("en", self._bodies, others), strict=True))
        has_version = random() < 0.25
        return Card(
            key=key,
            owner=owner,
            title=Bilingual(zh[0], en[0]),
            summary=Bilingual(zh[1], en[1]),
            outcome=pick["outcome"].one(),
            evidence=pick["evidence"].one(),
            sections=sections,
            grounds=(
                Ground(pick["ground"].one(), pick["evidence"].one(), Bilingual(sections["zh"][_IDS[4]][2:40], en[1])),
            ),
            changes=changes,
            affected=(versions[0],) if has_version else (),
            fixed=(versions[1],) if has_version and versions[1] != versions[0] else (),
            hardware=tuple(self._tags[TagFacet.HARDWARE].take(1)) if random() < 0.1 else (),
            tags=tuple(dict.fromkeys(self._tags[TagFacet.COMPONENT].take(2) + self._tags[TagFacet.FAILURE].take(2))),
            entities=tuple(dict.fromkeys(entities)),
            related=(Related(previous, Reason.SAME_COMPONENT, _RELATED[int(random() * 3)]),)
            if previous is not None and random() < 0.4
            else (),
            phrasings={"zh": tuple(dict.fromkeys(zh[2:])), "en": tuple(dict.fromkeys(en[2:]))},
            signatures=((f"{entities[0].name} failed", f"error {entities[1].name}"),) if random() < 0.1 else (),
        )

    def _fill(self, language: str, patterns: Mapping[str, Sequence[Any]], others: list[str]) -> list[str]:
        chosen = patterns[language][int(self._rng.random() * _PATTERNS)]
        words = (self._words if language == "zh" else self._english).take(chosen.words)
        filled: list[str] = chosen.fill(words, others)
        return filled

    def _changes(self, full: str) -> tuple[Change, ...]:
        random, pick = self._rng.random, self._chosen
        count = (0, 0, 0, 1, 1, 1, 1, 2, 2, 3)[int(random() * 10)]
        made = []
        for _ in range(count):
            state = pick["state"].one()
            day = self._dates[int(random() * len(self._dates))] if state is ChangeState.MERGED else ""
            made.append(
                Change(full, 1 + int(random() * 9_000), state, pick["relation"].one(), pick["role"].one(),
                       _BRANCHES[int(random() * len(_BRANCHES))], day, random() < 0.2)
            )  # fmt: skip
        return tuple({change.number: change for change in made}.values())


class _Weighted:
    """Values in given shares."""

    def __init__(self, rng: Random, shares: Mapping[Any, int]) -> None:
        self._random = rng.random
        self._values = [value for value, share in shares.items() for _ in range(share)]

    def one(self) -> Any:
        return self._values[int(self._random() * len(self._values))]


def _versions() -> list[Version]:
    cann = [f"{major}.{minor}.{kind}" for major in (8, 9) for minor in range(4) for kind in ("0", "RC1", "RC2", "RC3")]
    torch = [f"2.{minor}.{patch}" for minor in range(1, 10) for patch in ("0", "0.post1", "1")]
    found = [Version("CANN", number) for number in cann] + [Version("torch_npu", number) for number in torch]
    found += [Version("PyTorch", f"2.{minor}.0") for minor in range(1, 13)]
    found += [Version("MindSpore", f"2.{minor}.{patch}") for minor in range(2, 8) for patch in (0, 1)]
    return found[::2] + found[1::2]
