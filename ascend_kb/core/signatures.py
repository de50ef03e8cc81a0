"""Recognising a log by curated signatures: literals that stand in it in this order, close together."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.linekinds import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ascend_kb.core.loglines import Line

WINDOW = 40  # lines that a signature may be spread over
TRIES = 50  # places of the first literal that are tried


class Place(NamedTuple):
    """Where a literal stands: a line, and the characters of its text."""

    line: Line
    start: int
    end: int


class Haystack:
    """The lines of a log, prepared for looking up literals whatever their letter case."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = [line for line in lines if line.kind is not LineKind.NOISE]
        # Letters that change their length when lowered would shift all places behind them.
        rows = [_lowered(line.text) for line in self._lines]
        self._text = "\n".join(rows)
        self._starts = [0]
        for row in rows[:-1]:
            self._starts.append(self._starts[-1] + len(row) + 1)

    @property
    def is_long(self) -> bool:
        """Whether there is more than a message of a line or two."""
        return len(self._lines) > 2

    def find(self, literals: Sequence[str]) -> list[Place]:
        """Return where the literals stand in order within ``WINDOW`` lines; empty where they do not."""
        wanted = [_lowered(literal) for literal in literals]
        if not wanted or not all(wanted) or not self._lines or any(w not in self._text for w in wanted):
            return []
        start = -1
        for _ in range(TRIES):
            start = self._text.find(wanted[0], start + 1)
            if start < 0:
                return []
            if found := self._chain(start, wanted):
                return found
        return []

    def _chain(self, start: int, wanted: Sequence[str]) -> list[Place]:
        first = self._row(start)
        last = min(first + WINDOW, len(self._lines))
        limit = self._starts[last] if last < len(self._starts) else len(self._text)
        places = []
        for literal in wanted:
            position = self._text.find(literal, start, limit)
            if position < 0:
                return []
            row = self._row(position)
            inside = position - self._starts[row]
            places.append(Place(self._lines[row], inside, min(inside + len(literal), len(self._lines[row].text))))
            start = position + len(literal)
        return places

    def _row(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1


def _lowered(text: str) -> str:
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
