"""In what a log differs from a card that may explain it: versions, hardware, interfaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.core.diagnosis import Difference
from ascend_kb.core.facts import Fact, FactKind
from ascend_kb.core.language import Bilingual

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_kb.core.card import Card
    from ascend_kb.core.matching import Support

MOST_INTERFACES = 2
_INTERFACES = ("aclnn", "npu_")
_PRODUCT = re.compile(r"([A-Za-z][A-Za-z_-]*?)(?:\s+version)?[\s:=@-]*v?(\d[\w.+-]*)$", re.IGNORECASE)
_FAMILIES = (  # names of the same hardware
    ("910b", re.compile(r"910b\d?|\ba2\b|800t a2|800i a2", re.IGNORECASE)),
    ("910c", re.compile(r"910c|910_93|\ba3\b", re.IGNORECASE)),
    ("950", re.compile(r"950|\ba5\b", re.IGNORECASE)),
    ("310p", re.compile(r"310p|300i duo", re.IGNORECASE)),
    ("310b", re.compile(r"310b", re.IGNORECASE)),
)


def differences(card: Card, facts: Iterable[Fact], support: Support) -> tuple[Difference, ...]:
    """Return what in the log speaks against a card or does not belong to it."""
    listed = list(facts)
    return (*_versions(card, listed), *_hardware(card, listed), *_interfaces(listed, support))


def names_another_interface(card: Card, facts: Iterable[Fact]) -> bool:
    """Return whether the errors of a log name interfaces, the card does too, and none of them is the same."""
    failing = {_bare(fact.text) for fact in facts if fact.kind is FactKind.API and fact.weight >= 3.0}
    failing = {name for name in failing if name.startswith(_INTERFACES)}
    own = {_bare(entity.name) for entity in card.entities}
    own = {name for name in own if name.startswith(_INTERFACES)}
    return bool(failing and own) and not any(a in b or b in a for a in failing for b in own)


def _bare(name: str) -> str:
    return re.sub(r"v\d$", "", name.rpartition(".")[2].lower())


def order(number: str) -> list[tuple[int, int, str]]:
    """Return a version so that versions can be compared: numbers as numbers, pre-releases before their release."""
    pieces = re.findall(r"\d+|[a-z]+", number.lower())
    ranked = [(1, int(p), "") if p.isdigit() else (2 if p == "post" else -1, 0, p) for p in pieces]
    return [*ranked, (0, 0, "")]


def _begins(number: str, part: str) -> bool:
    """Return whether a version begins with the components of ``part``: 8.3.RC2 with 8.3, but not 2.10 with 2.1."""
    return number.startswith(part) and not number[len(part) : len(part) + 1].isdigit()


def _versions(card: Card, facts: list[Fact]) -> list[Difference]:
    found = []
    for fact in facts:
        named = _PRODUCT.match(fact.text) if fact.kind is FactKind.VERSION else None
        if named is None:
            continue
        product, number = named[1].lower().replace("-", "_").strip("_"), named[2]
        fixed = [v for v in card.fixed if v.product.lower().replace("-", "_") == product]
        affected = [v for v in card.affected if v.product.lower().replace("-", "_") == product]
        if fixed and all(order(number) >= order(v.number) for v in fixed):
            listed = ", ".join(map(str, fixed))
            text = Bilingual(
                f"日志里的 {fact.text} 不早于已含修复的 {listed}",
                f"{fact.text} of the log is not older than {listed}, which has the fix",
            )
            found.append(Difference("version", fact.text, listed, text))
        elif affected and not any(_begins(number, v.number) or _begins(v.number, number) for v in affected):
            listed = ", ".join(map(str, affected))
            text = Bilingual(
                f"日志里是 {fact.text}，条目写的是 {listed}", f"the log has {fact.text}, the card speaks of {listed}"
            )
            found.append(Difference("version", fact.text, listed, text))
    return found


def _family(text: str) -> set[str]:
    return {family for family, pattern in _FAMILIES if pattern.search(text)}


def _hardware(card: Card, facts: list[Fact]) -> list[Difference]:
    mine = {family for name in card.hardware for family in _family(name)}
    theirs = {f: fact.text for fact in facts if fact.kind is FactKind.HARDWARE for f in _family(fact.text)}
    if not mine or not theirs or mine & set(theirs):
        return []
    log, listed = ", ".join(sorted(set(theirs.values()))), ", ".join(card.hardware)
    text = Bilingual(
        f"日志里的硬件是 {log}，条目写的是 {listed}", f"the hardware of the log is {log}, that of the card {listed}"
    )
    return [Difference("hardware", log, listed, text)]


def _interfaces(facts: list[Fact], support: Support) -> list[Difference]:
    words = " ".join(support.pieces)
    found = []
    for fact in facts:
        name = fact.text.rpartition(".")[2]
        if fact.kind is FactKind.API and fact.weight >= 3.0 and name.lower() not in words:
            text = Bilingual(f"报错里的 {name} 在条目里没有出现", f"{name} of the error does not occur in the card")
            found.append(Difference("api", name, "", text))
    return found[:MOST_INTERFACES]
