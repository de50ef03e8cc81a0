"""What the user asks for: free text and filters, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Bilingual
    from ascend_kb.core.vocabulary import Evidence, Outcome


class Facet(str, Enum):
    """What a filter looks at. Values of a facet are OR-ed unless the facet is in ``ALL_OF``."""

    REPO = "repo"
    TAG = "tag"
    HARDWARE = "hardware"
    OUTCOME = "outcome"
    EVIDENCE = "evidence"
    THEME = "theme"
    GUIDE = "guide"
    VERSION = "version"  # affected or fixed, by the beginning of its components
    AFFECTED = "affected"
    FIXED = "fixed"
    API = "api"  # a part of an API's name
    PR = "pr"  # the number of a change
    BEFORE = "before"  # the latest merged change, not included
    AFTER = "after"
    HAS = "has"


ALL_OF = frozenset(Facet) - {Facet.REPO, Facet.OUTCOME, Facet.EVIDENCE, Facet.THEME, Facet.GUIDE}
# The facets whose values are counted beside a list.
COUNTED = (
    Facet.REPO, Facet.TAG, Facet.HARDWARE, Facet.OUTCOME, Facet.EVIDENCE, Facet.THEME, Facet.GUIDE, Facet.VERSION,
)  # fmt: skip
HAS_VALUES = ("command", "change", "note")


@dataclass(frozen=True, slots=True)
class Filter:
    """One active filter: a facet and one of its values (a stable id)."""

    facet: Facet
    value: str

    def __str__(self) -> str:
        """Return the filter as it is written in a query."""
        value = f'"{self.value}"' if any(c.isspace() or c in "()" for c in self.value) else self.value
        return f"{self.facet.value}:{value}"


class SearchQuery(NamedTuple):
    """Free text and filters; different facets and the text are AND-ed."""

    text: str = ""
    filters: tuple[Filter, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the query selects every card."""
        return not self.filters and not self.text.strip()

    def values(self, facet: Facet) -> tuple[str, ...]:
        """Return the values that are set for ``facet``."""
        return tuple(f.value for f in self.filters if f.facet is facet)

    def with_text(self, text: str) -> SearchQuery:
        """Return the query with other free text."""
        return self._replace(text=text)

    def toggled(self, item: Filter) -> SearchQuery:
        """Return the query with the filter added, or removed if it was there."""
        return self.without(item) if item in self.filters else self._replace(filters=(*self.filters, item))

    def without(self, item: Filter) -> SearchQuery:
        """Return the query without the filter."""
        return self._replace(filters=tuple(f for f in self.filters if f != item))

    def without_facet(self, facet: Facet) -> SearchQuery:
        """Return the query without any filter of ``facet``."""
        return self._replace(filters=tuple(f for f in self.filters if f.facet is not facet))


class SortColumn(str, Enum):
    """The columns that a list of cards can be ordered by."""

    RANK = "rank"
    KEY = "key"
    TITLE = "title"
    OUTCOME = "outcome"
    EVIDENCE = "evidence"
    DATE = "date"
    TAGS = "tags"


class Sort(NamedTuple):
    """An order of cards. RANK is best first for free text and by key without it."""

    column: SortColumn = SortColumn.RANK
    descending: bool = False


class Match(str, Enum):
    """How well a card answers the free text."""

    FULL = "full"
    PARTIAL = "partial"
    FUZZY = "fuzzy"


class CardRow(NamedTuple):
    """A card as a list shows it. ``latest_change`` is ``YYYY-MM-DD`` or empty, ``tags`` are ids.

    ``score`` orders free-text results (higher is better; 0 without free text). ``related`` marks the rows of a refused
    query: none of them answers it.
    """

    key: CardKey
    title: Bilingual
    outcome: Outcome
    evidence: Evidence
    latest_change: str
    tags: tuple[str, ...]
    has_commands: bool
    match: Match = Match.FULL
    score: float = 0.0
    related: bool = False
