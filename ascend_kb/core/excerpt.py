"""What a window shows of a log: all of it, or of a long one its beginning, its end and the lines around what tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

WHOLE = 2_000_000  # characters up to which a log is shown as a whole
WHOLE_LINES = 80_000  # and lines: widgets take time and memory for each
HEAD, TAIL = 300_000, 100_000
HEAD_LINES, TAIL_LINES = 12_000, 4_000
AROUND = 60  # lines before and after a telling place
REACH = 20_000  # characters that these lines may take
WIDTH = 500  # characters of a row; longer lines are broken, for widgets take quadratic time over them
# Characters that a text widget does not take as characters: frame marks and the place of an object.
_STRANGE = ("\ufdd0", "\ufdd1", "\ufffc")


class Piece(NamedTuple):
    """Text that stands in the log from character ``start`` on, which is in line ``line`` (from 1).

    ``follows`` says that it goes on where the piece before it ended: a long line was broken. Else lines were left out
    before it, unless it is the first.
    """

    line: int
    start: int
    text: str
    follows: bool = False


class Excerpt(NamedTuple):
    """The shown pieces, in order; ``lines`` is the number of lines of the whole log."""

    pieces: tuple[Piece, ...]
    lines: int
    is_whole: bool


def excerpt(text: str, places: Iterable[int]) -> Excerpt:
    """Return what to show of a cleaned log; ``places`` are characters that must be seen, the most important first."""
    lines = text.count("\n") + (not text.endswith("\n") and bool(text))
    is_whole = len(text) <= WHOLE and lines <= WHOLE_LINES
    ranges = [(0, len(text))] if is_whole else _ranges(text, places)
    pieces: list[Piece] = []
    line, counted = 1, 0
    for start, end in ranges:
        line += text.count("\n", counted, start)
        counted = start
        pieces += _pieces(text, start, end, line)
    return Excerpt(tuple(pieces), lines, is_whole)


def _ranges(text: str, places: Iterable[int]) -> list[tuple[int, int]]:
    head, tail = _head(text), _tail(text)
    ranges = [(0, head), (tail, len(text))]
    size = head + len(text) - tail
    for place in places:
        start, end = _around(text, place)
        if size + end - start > WHOLE:
            break
        if not any(first <= start and end <= last for first, last in ranges):
            ranges.append((start, end))
            size += end - start
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _head(text: str) -> int:
    """Return where the beginning ends: after a line, if it is not too long."""
    end = 0
    for _ in range(HEAD_LINES):
        following = text.find("\n", end, HEAD) + 1
        if not following:
            break
        end = following
    return end or min(HEAD, len(text))


def _tail(text: str) -> int:
    """Return where the end begins."""
    least = max(0, len(text) - TAIL)
    start = len(text)
    for _ in range(TAIL_LINES + 1):
        before = text.rfind("\n", least, max(start - 1, least))
        if before < 0:
            break
        start = before + 1
    return start if start < len(text) else least


def _around(text: str, place: int) -> tuple[int, int]:
    least, most = max(0, place - REACH), min(len(text), place + REACH)
    start = text.rfind("\n", least, place)
    for _ in range(AROUND):
        if start <= least:
            break
        start = text.rfind("\n", least, start)
    end = text.find("\n", place, most)
    for _ in range(AROUND):
        if end < 0:
            break
        end = text.find("\n", end + 1, most)
    return (start + 1 if start >= 0 else least), (end + 1 if end >= 0 else most)


def _pieces(text: str, start: int, end: int, line: int) -> list[Piece]:
    """Cut a range where lines are too long; a line end at the end of the range is left out."""
    if end > start and text[end - 1] == "\n":
        end -= 1
    cuts = [start]
    row = start
    while row < end:
        last = text.find("\n", row, end)
        last = last if last >= 0 else end
        if last - row > WIDTH:
            cuts += range(row + WIDTH, last, WIDTH)
        row = last + 1
    pieces = []
    for i, cut in enumerate(cuts):
        line += text.count("\n", cuts[i - 1], cut) if i else 0
        shown = text[cut : cuts[i + 1] if i + 1 < len(cuts) else end]
        for strange in () if shown.isascii() else _STRANGE:
            shown = shown.replace(strange, "\ufffd")
        pieces.append(Piece(line, cut, shown, follows=i > 0))
    return pieces
