"""What to do where no card explains a log: a question, a row of the guide, an issue to file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.diagnosis import Choice, Question
from ascend_kb.core.facts import Fact, FactKind, meaning
from ascend_kb.core.language import Bilingual
from ascend_kb.core.linekinds import WEIGHTS, LineKind
from ascend_kb.core.logterms import Term, terms
from ascend_kb.core.redaction import owners, redact
from ascend_kb.core.text import searchable

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card, GuideEntry
    from ascend_kb.core.diagnosis import Match
    from ascend_kb.core.loglines import Line
    from ascend_kb.store.evidence import EvidenceFile

MOST_CHOICES = 6
MOST_ROWS = 200  # rows of the guide that are looked at
NEAR = 1.2  # weight from which a row of the guide is near
DRAFT_LINES = 40
DRAFT_FACTS = 24
_DISTINCT = 3  # names that tell a card apart


def question(library: Library, evidence: EvidenceFile, facts: list[Fact]) -> Question | None:
    """Return the question that tells cards apart which share a code of the log; None where no code is shared."""
    for fact in facts:
        if fact.kind is not FactKind.CODE:
            continue
        held = evidence.holders(Term(searchable(fact.text).strip("[]"), tells=1.0))
        if len(held.telling) < 2:
            continue
        keys = evidence.keys(sorted(held.telling)[:MOST_CHOICES])
        cards = [card for key in keys.values() if (card := library.card(key)) is not None]
        text = Bilingual(
            f"{fact.text} 在几条里都出现，单凭它分不出是哪一条。除此之外还看到下面哪一种？",
            f"{fact.text} occurs in several cards and does not tell which. Which of these do you see besides?",
        )
        return Question(fact.text, text, tuple(_choice(card, cards) for card in cards))
    return None


def _choice(card: Card, others: list[Card]) -> Choice:
    shared = {entity.name for other in others if other is not card for entity in other.entities}
    own = [entity.name for entity in card.entities if entity.name not in shared][:_DISTINCT]
    names = (" (" + ", ".join(own) + ")") if own else ""
    return Choice(card.key, Bilingual(card.title.get("zh") + names, card.title.get("en") + names))


def nearest_guide(library: Library, chosen: list[Line], matches: list[Match]) -> GuideEntry | None:
    """Return the row of the guide that is nearest to a log by its words and by the cards that are related to it."""
    said: dict[str, float] = {}
    for line in chosen:
        for term in terms(line.message):
            said[term.word] = max(said.get(term.word, 0.0), term.tells * WEIGHTS[line.kind] / 3.0)
    related = {match.key: match.score for match in matches}
    best, nearest = NEAR, None
    for entry in library.guide()[:MOST_ROWS]:
        text = searchable("\n".join((*entry.symptom, *entry.first_action)))
        words = {term.word for term in terms(text)}
        weight = sum(said[word] for word in words if word in said and said[word] > 0.3)
        weight += max((related.get(key, 0.0) for key in entry.cards), default=0.0) / 2
        if weight > best:
            best, nearest = weight, entry
    return nearest


def draft(facts: list[Fact], chosen: list[Line], telling: Line | None) -> Bilingual:
    """Return an issue to file, as Markdown, with private data masked."""
    names = owners("\n".join(line.text for line in chosen))
    title = redact(telling.message.strip()[:200], names)[:120] if telling else ""
    worth = [line.text for line in chosen if WEIGHTS[line.kind] >= 0.8 and line.kind is not LineKind.INFO]
    excerpt = redact("\n".join(worth[:DRAFT_LINES]), names).replace("```", "'''")
    known = [fact for fact in facts if fact.kind not in (FactKind.MESSAGE, FactKind.URL)][:DRAFT_FACTS]
    zh, en = (
        "\n".join(
            f"- {fact.kind.value}: `{redact(fact.text, names)}`"
            + (f" ({said})" if (said := meaning(fact.text)[i]) else "")
            for fact in known
        )
        for i in (0, 1)
    )
    return Bilingual(
        _ZH.format(title=title or "…", facts=zh or "-", log=excerpt),
        _EN.format(title=title or "…", facts=en or "-", log=excerpt),
    )


_ZH = """# {title}

## 现象

（一句话：做了什么，期望什么，实际怎样）

## 环境与线索

{facts}

## 日志（已遮盖隐私）

```text
{log}
```

## 复现步骤

1. …
"""
_EN = """# {title}

## Symptom

(One sentence: what you did, what you expected, what happened)

## Environment and facts

{facts}

## Log (private data masked)

```text
{log}
```

## Steps to reproduce

1. …
"""
