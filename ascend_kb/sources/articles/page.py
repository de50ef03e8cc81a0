"""A saved web page into blocks. Nothing that the page names is loaded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.sources.articles.blocks import MOST_CELLS, Row, Text, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ascend_kb.sources.articles.blocks import Block

_HIDDEN = frozenset(("script", "style", "noscript", "template", "svg", "math", "head", "select", "textarea", "iframe"))
_BREAKS = frozenset((
    "p", "div", "section", "article", "header", "footer", "aside", "main", "nav", "ul", "ol", "dl", "dt", "dd", "li",
    "blockquote", "pre", "figure", "figcaption", "hr", "form", "body", "h1", "h2", "h3", "h4", "h5", "h6", "table",
    "thead", "tbody", "tfoot", "caption",
))  # fmt: skip
_SPACE = re.compile(r"[ \t\n\r\f]+")
MOST_SPAN = 1000  # rows that a merged cell may cover
_LOOKS = re.compile(r"<(?:!doctype html|html|head|body|table|div|meta|p)\b", re.IGNORECASE)


def is_page(text: str) -> bool:
    """Whether a text begins like a web page."""
    return _LOOKS.search(text[:4096].lstrip()[:1024]) is not None and text.lstrip()[:1] == "<"


class _Table:
    def __init__(self) -> None:
        self.row: list[str] | None = None
        self.pending: dict[int, tuple[int, str]] = {}  # column: rows still covered by a merged cell, its text
        self.span = (1, 1)
        self.line = 0


class _Collector:
    """The target of lxml's parser: it is told of tags and texts and keeps blocks, never a tree."""

    def __init__(self) -> None:
        self.line = 1
        self.ready: list[Block] = []
        self._hidden = 0
        self._tables: list[_Table] = []
        self._text: list[str] = []
        self._lists: list[int] = []
        self._level = 0
        self._pre = 0
        self._in_cell = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._hidden or tag in _HIDDEN:
            self._hidden += tag in _HIDDEN
        elif tag in ("td", "th"):
            self._open_cell(attributes)
        elif tag == "tr":
            self._open_row()
        elif tag == "table":
            self._open_table()
        elif tag == "br":
            self._text.append("\n")
        elif tag in ("code", "tt", "kbd"):
            self._text.append("`" if not self._pre else "")
        elif tag in _BREAKS:
            self._break()
            self._pre += tag == "pre"
            if tag == "ol":
                self._lists.append(0)
            elif tag == "ul":
                self._lists.append(-1)
            elif tag == "li" and self._lists and self._lists[-1] >= 0:
                self._lists[-1] += 1
                self._text.append(f"{self._lists[-1]}. ")
            elif len(tag) == 2 and tag[1].isdigit():
                self._level = int(tag[1])

    def end(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif self._hidden:
            return
        elif tag in ("td", "th"):
            self._close_cell()
        elif tag == "tr":
            self._close_row()
        elif tag == "table":
            self._close_row()
            self._break()
            if self._tables:
                self._tables.pop()
        elif tag in ("code", "tt", "kbd"):
            self._text.append("`" if not self._pre else "")
        elif tag in _BREAKS:
            self._break()
            self._level = 0
            self._pre = max(0, self._pre - (tag == "pre"))
            if tag in ("ol", "ul") and self._lists:
                self._lists.pop()

    def data(self, text: str) -> None:
        if not self._hidden:
            self._text.append(text if self._pre else _SPACE.sub(" ", text))

    def comment(self, text: str) -> None:
        """Comments are no text."""

    def close(self) -> list[Block]:
        self._close_row()
        self._break()
        return self.ready

    def _open_table(self) -> None:
        table = self._tables[-1] if self._tables else None
        if table is not None and table.row is not None:  # a table used for layout: what it holds are no cells
            self._in_cell = False
            for cell in table.row:
                self._add_text(cell)
            table.row = None
        self._break()
        self._tables.append(_Table())

    def _open_row(self) -> None:
        self._close_row()
        self._break()
        if self._tables:
            self._tables[-1].row, self._tables[-1].line = [], self.line

    def _open_cell(self, attributes: Mapping[str, str]) -> None:
        if not self._tables:
            return
        table = self._tables[-1]
        if self._in_cell:
            self._close_cell()
        if table.row is None:
            self._open_row()
        self._fill(table)
        self._text.clear()
        table.span = _number(attributes.get("rowspan")), _number(attributes.get("colspan"))
        self._in_cell = True

    def _close_cell(self) -> None:
        if not self._in_cell or not self._tables or self._tables[-1].row is None:
            return
        table, text = self._tables[-1], _cell("".join(self._text))
        self._text.clear()
        self._in_cell = False
        row = table.row or []
        for _ in range(min(table.span[1], MOST_CELLS)):
            if table.span[0] > 1 and len(row) <= MOST_CELLS:
                table.pending[len(row)] = (table.span[0] - 1, text)
            row.append(text)
        table.row = row

    @staticmethod
    def _fill(table: _Table) -> None:
        """Give a row the cells that reach down into it from merged ones above."""
        row = table.row if table.row is not None else []
        while (covered := table.pending.get(len(row))) is not None:
            left, text = covered
            del table.pending[len(row)]
            if left > 1:
                table.pending[len(row)] = (left - 1, text)
            row.append(text)
            if len(row) > MOST_CELLS:
                break

    def _close_row(self) -> None:
        if self._in_cell:
            self._close_cell()
        table = self._tables[-1] if self._tables else None
        if table is None or table.row is None:
            return
        self._fill(table)
        row, table.row = table.row, None
        if len(row) == 1:
            self._add_text(row[0], table.line)
        elif any(row):
            self.ready.append(Row(table.line, tuple(row), " "))

    def _break(self) -> None:
        if self._in_cell:
            self._text.append("\n")
            return
        text = "".join(self._text)
        self._text.clear()
        self._add_text(text)

    def _add_text(self, text: str, line: int = 0) -> None:
        text = _cell(text) if not self._pre else text.strip("\n")
        if text.strip():
            self.ready.append(Text(line or self.line, text, self._level))


def _cell(text: str) -> str:
    lines = [clean(line) for line in text.split("\n")]
    return "\n".join(line for line in lines if line)


def _number(text: str | None) -> int:
    return max(1, min(int(text), MOST_SPAN)) if text and text.isascii() and text.isdigit() and len(text) < 6 else 1


def blocks(text: str) -> Iterator[Block]:
    """Yield the texts and rows of a page; a table row counts as text where it has one cell only.

    The parser is fed line by line, so that blocks know the line that they end in or begin after.
    """
    from lxml import etree

    target = _Collector()
    parser = etree.HTMLParser(target=target, no_network=True, recover=True, encoding="utf-8")
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        try:
            parser.feed(text[start:end].encode("utf-8", "replace"))
        except etree.XMLSyntaxError:  # nested too deeply: what was understood so far is kept
            break
        start = end
        yield from target.ready
        target.ready.clear()
        target.line += 1
    try:
        yield from parser.close()
    except etree.XMLSyntaxError:
        yield from target.close()
