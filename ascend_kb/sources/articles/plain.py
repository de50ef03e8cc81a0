"""Plain text with tab-separated rows, and Markdown with pipe tables, into blocks."""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING

from ascend_kb.sources.articles.blocks import MOST_CELLS, Row, Text, clean, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.sources.articles.blocks import Block

_SEPARATOR = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|){1,200}(?:[ \t]*:?-+:?)?|\|[ \t]*:?-+:?")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"(?=\t|$)')
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_CODE = re.compile(r"`+")
QUOTED_LINES = 100  # lines that a quoted cell may go over


class _Lines:
    """The lines of a text, with a look at the one that follows."""

    def __init__(self, text: str) -> None:
        self._source = numbered(text)
        self._ahead: deque[tuple[int, str]] = deque()

    def next(self) -> tuple[int, str] | None:
        return self._ahead.popleft() if self._ahead else next(self._source, None)

    def peek(self, index: int = 0) -> str | None:
        while len(self._ahead) <= index:
            line = next(self._source, None)
            if line is None:
                return None
            self._ahead.append(line)
        return self._ahead[index][1]


def blocks(text: str) -> Iterator[Block]:
    """Yield the texts and rows of a plain or Markdown article."""
    lines = _Lines(text)
    gap, after_row, table = True, False, 0  # table: columns of the open pipe table
    while (item := lines.next()) is not None:
        number, line = item
        if not line.strip():
            gap, after_row, table = True, False, 0
            continue
        ahead = lines.peek() or ""
        if table or ("|" in line and "-" in ahead and _is_head(line, ahead)):
            cells = pipe_cells(line)
            if not table:
                table = len(cells)
                lines.next()  # the separator
            if "|" in line:
                yield Row(number, tuple(cells), "|")
                gap = False
                continue
            table = 0
        if "\t" in line.strip():
            yield Row(number, tuple(_tab_cells(line, lines)))
            gap, after_row = False, True
            continue
        fence = _fence(line, lines)
        if fence is not None:
            yield Text(number, fence, 0, gap)
        else:
            heading = _HEADING.fullmatch(line)
            text_ = clean(heading[2].rstrip("# \t") if heading else line)
            if text_:
                yield Text(number, text_, len(heading[1]) if heading else 0, gap, after_row and not heading)
        gap = False


def has_pipe_table(text: str) -> bool:
    """Whether a text holds a Markdown table or heading near its beginning."""
    beginning = text[:200_000].split("\n")
    tables = any("|" in a and "-" in b and _is_head(a, b) for a, b in pairwise(beginning))
    return tables or any(_HEADING.fullmatch(line) for line in beginning)


def _is_head(line: str, ahead: str) -> bool:
    if _SEPARATOR.fullmatch(ahead.strip()) is None:
        return False
    columns = ahead.strip().strip("|").count("|") + 1
    return len(pipe_cells(line)) == columns


def pipe_cells(line: str) -> list[str]:
    r"""Cut a Markdown row into cells: ``\|`` and pipes in closed code spans are text, ``<br>`` is a line end."""
    line = line.strip()
    line = line.removeprefix("|")
    cells, start, at = [], 0, 0
    closers = _code_ends(line)
    while at < len(line):
        sign = line[at]
        if sign == "\\":
            at += 2
        elif sign == "`":
            at = closers.get(at, at + 1)
        else:
            if sign == "|":
                cells.append(line[start:at])
                start = at + 1
            at += 1
    if line[start:].strip():
        cells.append(line[start:])
    return [_BREAK.sub("\n", clean(cell.replace("\\|", "|"))) for cell in cells[: MOST_CELLS + 1]]


def _code_ends(line: str) -> dict[int, int]:
    """Return where each code span begins and the character after its end."""
    runs = [(found.start(), found.end()) for found in _CODE.finditer(line)]
    by_size: dict[int, deque[int]] = {}
    for index, (start, end) in enumerate(runs):
        by_size.setdefault(end - start, deque()).append(index)
    ends: dict[int, int] = {}
    at = 0
    while at < len(runs):
        start, end = runs[at]
        same = by_size[end - start]
        while same and same[0] <= at:
            same.popleft()
        # Without a closing run the marks are text, all of the run.
        ends[start] = runs[same[0]][1] if same else end
        at = same[0] + 1 if same else at + 1
    return ends


def _tab_cells(line: str, lines: _Lines) -> list[str]:
    """Cut a row at its tabs; a cell in double quotes may hold tabs, line ends and doubled quotes."""
    if '"' not in line or not (line.startswith('"') or '\t"' in line):
        return [clean(cell) for cell in line.split("\t", MOST_CELLS)]
    cells: list[str] = []
    at = 0
    while at <= len(line) and len(cells) <= MOST_CELLS:
        if line.startswith('"', at):
            found, extra = _quoted(line, at, lines)
            if found is not None:
                for _ in range(extra):
                    lines.next()
                line = found.string
                cells.append(clean(found[1].replace('""', '"')))
                at = found.end() + 1
                continue
        end = line.find("\t", at)
        end = len(line) if end < 0 else end
        cells.append(clean(line[at:end]))
        at = end + 1
    return cells


def _quoted(line: str, at: int, lines: _Lines) -> tuple[re.Match[str] | None, int]:
    """Match a quoted cell at ``at``; lines that follow belong to it while its quote is open."""
    found = _QUOTED.match(line, at)
    if found is not None or line.count('"', at) % 2 == 0:
        return found, 0
    whole = [line]
    for index in range(QUOTED_LINES):
        ahead = lines.peek(index)
        if ahead is None or not ahead.strip():
            break
        whole.append(ahead)
        if ahead.count('"') % 2:
            return _QUOTED.match("\n".join(whole), at), index + 1
    return None, 0


def _fence(line: str, lines: _Lines) -> str | None:
    """Return a fenced block from its first to its last line; None where there is none, or it has no end near by."""
    found = _FENCE.match(line)
    if found is None:
        return None
    whole = [line]
    for index in range(QUOTED_LINES * 4):
        ahead = lines.peek(index)
        if ahead is None:
            return None
        whole.append(ahead)
        if ahead.strip().startswith(found[1]) and not ahead.strip().strip(found[1][0]):
            for _ in range(index + 1):
                lines.next()
            return "\n".join(whole)
    return None
