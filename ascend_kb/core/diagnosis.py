"""The answer to a pasted log, as values: bands, matches with their reasons, and what to do where nothing matches."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.language import Bilingual

if TYPE_CHECKING:
    from ascend_kb.core.card import GuideEntry
    from ascend_kb.core.facts import Fact
    from ascend_kb.core.keys import CardKey


class Band(str, Enum):
    """How sure a match is, best first."""

    SIGNATURE = "signature"
    LIKELY = "likely"
    RELATED = "related"
    NONE = "none"

    @property
    def answers(self) -> bool:
        """Whether this is an answer rather than something to read."""
        return self in (Band.SIGNATURE, Band.LIKELY)


BAND_LABELS = {
    Band.SIGNATURE: Bilingual("特征一致", "Same signature"),
    Band.LIKELY: Bilingual("很可能", "Likely"),
    Band.RELATED: Bilingual("相关阅读", "Related reading"),
    Band.NONE: Bilingual("没有可信的匹配", "No confident match"),
}


class Span(NamedTuple):
    """Characters ``start`` to ``end`` of the cleaned log, in line ``line`` (from 1)."""

    line: int
    start: int
    end: int


class Why(NamedTuple):
    """One reason for a match.

    ``kind`` is the kind of a fact, ``word`` for a word of a telling line, or ``signature``. ``text`` is what the log
    holds, at ``span``; ``card`` is what to look for in the card, to highlight it there.
    """

    kind: str
    text: str
    span: Span
    card: str


class Difference(NamedTuple):
    """Something in which log and card disagree: a version, the hardware, an interface."""

    kind: str
    log: str
    card: str
    text: Bilingual


class Match(NamedTuple):
    """A card that may explain the log, and why."""

    key: CardKey
    band: Band
    title: Bilingual
    score: float
    why: tuple[Why, ...]
    differs: tuple[Difference, ...] = ()


class Choice(NamedTuple):
    """One answer to a question: what would be seen, and the card that it leads to."""

    key: CardKey
    text: Bilingual


class Question(NamedTuple):
    """What to ask when several cards share the only fact that is known."""

    code: str
    text: Bilingual
    choices: tuple[Choice, ...]


class Diagnosis(NamedTuple):
    """What a log was found to say.

    ``matches`` are best first. ``text`` is the cleaned log that all spans refer to; ``telling`` the span of the line
    that tells most. ``cut`` says that the middle of an overlong log was left out. ``question`` is set where several
    cards share a code and none is likely, ``guide`` and ``draft`` (Markdown, private data masked) where no card is.
    """

    band: Band
    matches: tuple[Match, ...]
    facts: tuple[Fact, ...]
    text: str
    encoding: str
    cut: bool = False
    telling: Span | None = None
    question: Question | None = None
    guide: GuideEntry | None = None
    draft: Bilingual | None = None
