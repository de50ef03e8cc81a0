"""The lines of a log that are worth reading, each with its kind. Lines that differ only in numbers are read once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.linekinds import JUDGED, LineKind, judge
from ascend_kb.core.logtext import MAX_LINE, chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_MASKS = 200_000  # lines that are remembered without their digits
MOST_KINDS = 30_000  # distinct lines that are judged; of those beyond it only lines that name an error
MOST_LINES = 3_000  # lines that are kept of each kind
_TRAILING = re.compile(r"\s(?:#|//|<-|--|—)\s+(?=\S*[^\W\d_])")
_BENIGN = re.compile(
    r"\boptional\b.{0,60}(?:continu|skip|ignor|fall)|non[- ]fatal|\bignor(?:ed|ing)\b.{0,40}$"
    r"|falling back|continuing with",
    re.IGNORECASE,
)
_REPORTED = re.compile(r"(?<=[\s：:，,])(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception)\s?: ")
_NUMBERS = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{0,16}0[0-9a-fA-F]*\b|0+")  # once every digit is 0
_DIGITS = str.maketrans("123456789", "000000000")


class Line(NamedTuple):
    """A line worth reading. ``start`` is where its text stands in the cleaned log.

    ``number`` counts from 1; ``body`` is where the text begins behind rank, process, time and level.
    """

    number: int
    start: int
    text: str
    kind: LineKind
    body: int = 0

    @property
    def message(self) -> str:
        """The text without what its writer put before it."""
        return self.text[self.body :]


def lines(text: str, progress: Callable[[int, int], None] | None = None) -> Iterator[Line]:
    """Yield the lines of a cleaned log that are worth reading, each distinct one once, in order.

    ``progress`` is called with the characters read and their total; it may raise to stop.
    """
    start = number = 0
    begins = True
    known = _Known()
    rows_seen: set[str] = set()
    kept = dict.fromkeys(LineKind, 0)
    for chunk in chunks(text):
        if progress is not None:
            progress(start, len(text))
        rows = chunk.split("\n")
        ends = len(rows) - 1  # what follows the last line end belongs to the next chunk, or is the end of the log
        for i, row in enumerate(rows):
            if i == ends and not row:
                break
            number += begins
            begins = i < ends
            if row not in rows_seen:
                if len(rows_seen) < MOST_MASKS:
                    rows_seen.add(row)
                for line in known.read(row, number, start):
                    if kept[line.kind] < MOST_LINES:
                        kept[line.kind] += 1
                        yield line
            start += len(row) + begins


class _Known:
    """The lines that were judged already: without their digits, and without their numbers."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._shapes: set[str] = set()

    def read(self, row: str, number: int, start: int) -> Iterator[Line]:
        """Yield a line, or the pieces of a long one, unless it is noise or like an earlier one."""
        for place in range(0, len(row), MAX_LINE):
            piece = row[place : place + MAX_LINE]
            if self._is_new(piece):
                kind, body = judge(piece)
                if kind is not LineKind.NOISE:
                    yield Line(number, start + place, piece, kind, body)

    def _is_new(self, piece: str) -> bool:
        mask = piece.translate(_DIGITS)
        if mask in self._seen:
            return False
        if len(self._seen) < MOST_MASKS:
            self._seen.add(mask)
        shape = _NUMBERS.sub("0", mask)
        if shape in self._shapes or (len(self._shapes) >= MOST_KINDS and not _alarming(piece)):
            return False
        self._shapes.add(shape)
        return True


def _alarming(piece: str) -> bool:
    return "rror" in piece or "ERROR" in piece or "ailed" in piece


def settle(found: list[Line]) -> list[Line]:
    """Correct what only neighbours tell, and cut remarks off the ends of commands.

    A failure that the log itself calls harmless within the next lines is boilerplate, with the stack above it. The code
    that a stack shows below a place belongs to the place.
    """
    result: list[Line] = []
    for line in found:
        if _BENIGN.search(line.text[:JUDGED]) and line.kind is not LineKind.REMARK:
            _demote(result, line)
            result.append(line._replace(kind=LineKind.BOILERPLATE))
        elif line.kind in (LineKind.MESSAGE, LineKind.TELLING) and _belongs_to_frame(result, line):
            result.append(line._replace(kind=LineKind.FRAME))
        else:
            result.extend(_cut(line))
    return result


def _demote(result: list[Line], line: Line) -> None:
    """Take back what was kept of a failure that turns out to be harmless: one error and the stack above it."""
    i, error = len(result) - 1, False
    while i >= 0 and line.number - result[i].number < 30:
        kind = result[i].kind
        if kind in (LineKind.FRAME, LineKind.BOILERPLATE):
            ends = kind is LineKind.BOILERPLATE
        elif kind is LineKind.TELLING and not error and line.number - result[i].number <= 2:
            error, ends = True, False
        else:
            return
        result[i] = result[i]._replace(kind=LineKind.BOILERPLATE)
        if ends:
            return
        i -= 1


def _belongs_to_frame(result: list[Line], line: Line) -> bool:
    if not result or result[-1].kind is not LineKind.FRAME or line.number - result[-1].number != 1:
        return False
    above = result[-1]
    if 'File "' not in above.text:
        return False
    return line.message[:1].isspace() or _indent(line) > _indent(above)


def _indent(line: Line) -> int:
    rest = line.text[: line.body] if line.body else line.text
    return line.body + (0 if line.body else len(rest) - len(rest.lstrip()))


def _cut(line: Line) -> list[Line]:
    """Return a line, with the remark at its end, or the error that a remark reports, as a line of its own."""
    if line.kind is LineKind.REMARK and (reported := _REPORTED.search(line.text, line.body)):
        return [
            line._replace(text=line.text[: reported.start()]),
            line._replace(
                start=line.start + reported.start(), text=line.text[reported.start() :], kind=LineKind.TELLING, body=0
            ),
        ]
    if line.kind in (LineKind.REMARK, LineKind.BOILERPLATE, LineKind.NOISE):
        return [line]
    found = _TRAILING.search(line.text, line.body + 1)
    if found is None or len(line.text) - found.end() < 12:
        return [line]
    return [
        line._replace(text=line.text[: found.start()]),
        line._replace(start=line.start + found.end(), text=line.text[found.end() :], kind=LineKind.REMARK, body=0),
    ]
