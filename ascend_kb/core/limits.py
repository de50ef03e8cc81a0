"""What reading one Markdown text may cost, so that hostile or machine-made text neither hangs nor breaks the reader.

Work is counted in steps of some 50 ns. What can no longer be afforded is shown as it stands instead of being parsed;
the count depends on the text alone, so that the same text always gives the same HTML.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from bisect import bisect_right
from typing import TYPE_CHECKING

from markdown.blockprocessors import BlockProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, code_escape

if TYPE_CHECKING:
    from markdown import Markdown

MAX_DEPTH = 40  # lists and quotes inside each other
MAX_MARKS = 300  # runs of `*` and `_` at the edge of words, in one paragraph
_CELL = 200  # steps that a table cell takes
_RUNS = re.compile(r"\*+|_+")
_SIGNS = re.compile(r"#{20,}")  # some releases of Python-Markdown look for the end of a heading from each sign on
_SPECIAL = re.compile(r"[`\\<&!#\[]")


class Budget:
    """The steps that are left for a text of ``size`` characters."""

    def __init__(self, size: int) -> None:
        self._left = 12_000_000 + 40 * size

    def affords(self, steps: int) -> bool:
        """Spend ``steps`` if they are left; spend nothing and return False if not."""
        if steps > self._left:
            return False
        self._left -= steps
        return True


def limit(md: Markdown, budget: Budget) -> None:
    """Keep the conversion of ``md`` within ``budget``."""
    md.parser.blockprocessors.register(_Blocks(md, budget), "limits", 95)
    md.treeprocessors.register(_Inline(md, budget), "limits", 25)


class _Blocks(BlockProcessor):
    """Shows blocks as they stand that lie too deep or cost too much. What is left of a block is paid for again."""

    def __init__(self, md: Markdown, budget: Budget) -> None:
        super().__init__(md.parser)
        self._budget = budget

    def test(self, parent: ET.Element, block: str) -> bool:  # noqa: ARG002
        steps = len(block) + _table_steps(block) + sum(len(run) ** 2 for run in _SIGNS.findall(block))
        return len(self.parser.state) > MAX_DEPTH or not self._budget.affords(steps)

    def run(self, parent: ET.Element, blocks: list[str]) -> None:
        ET.SubElement(parent, "pre").text = AtomicString(code_escape(blocks.pop(0)))


class _Inline(Treeprocessor):
    """Keeps texts that cost too much out of the reading of links, emphasis and the like."""

    def __init__(self, md: Markdown, budget: Budget) -> None:
        super().__init__(md)
        self._budget = budget

    def run(self, root: ET.Element) -> None:
        for element in root.iter():
            element.text = self._checked(element.text)
            element.tail = self._checked(element.tail)

    def _checked(self, text: str | None) -> str | None:
        if not text or isinstance(text, AtomicString):
            return text
        runs = list(_RUNS.finditer(text))
        marks = sum(run.group()[0] == "*" or not _inside_word(text, run) for run in runs)
        special = len(_SPECIAL.findall(text))
        steps = _bracket_steps(text) + _code_steps(text) + sum(len(run.group()) ** 2 for run in runs)
        steps += len(text) * marks + special * (len(text) + 20 * special) // 200
        return text if marks <= MAX_MARKS and self._budget.affords(steps) else AtomicString(text)


def _inside_word(text: str, run: re.Match[str]) -> bool:
    return text[run.end() : run.end() + 1].isalnum() and text[run.start() - 1 : run.start()].isalnum()


def _table_steps(block: str) -> int:
    """Return what it takes to see whether a block is a table, and to read it if it is one."""
    lines = block.split("\n")
    if len(lines) < 2:
        return 0
    is_table = "|" in lines[0] and not lines[1].strip("|:- ")
    columns = lines[0].count("|") + 1 if is_table else 0
    rows = lines if is_table else lines[:2]
    return columns * len(rows) * _CELL + sum(row.count("`") * (row.count("|") + row.count("`") // 8) for row in rows)


def _bracket_steps(text: str) -> int:
    """Return how far the searches for the partners of all brackets go, together."""
    steps = 0
    for opening, closing in ("[]", "()"):
        opened: list[int] = []
        for found in re.finditer(rf"\{opening}|\{closing}", text):
            if found.group() == opening:
                opened.append(found.start())
            elif opened:
                steps += found.start() - opened.pop()
        steps += sum(len(text) - at for at in opened)
    return 6 * steps  # a bracket is looked for by several patterns


def _code_steps(text: str) -> int:
    """Return how far the searches for the ends of all code spans go, together."""
    runs = [(found.start(2), len(found[2]), len(found[1])) for found in re.finditer(r"(\\?)(`+)", text)]
    starts: dict[int, list[int]] = {}
    for start, size, _ in runs:
        starts.setdefault(size, []).append(start)
    steps = at = 0
    for start, size, escaped in runs:
        if start < at or size == escaped:
            continue
        same = starts.get(size - escaped, [])
        following = bisect_right(same, start)
        end = same[following] if following < len(same) else len(text)
        steps += end - start
        at = end + 1 if end < len(text) else start + size
    return 2 * steps
