"""A Word document (.docx) into blocks: paragraphs and table rows in the order of the text.

The XML is read as a stream. python-docx keeps the whole tree and needs time that grows with the square of a merged
column's length.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ascend_kb.sources.archives import elements
from ascend_kb.sources.articles.blocks import MOST_CELLS, Row, Text, clean

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator

    from ascend_kb.sources.articles.blocks import Block

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
DOCUMENT = "word/document.xml"
_HEADING = re.compile(r"(?:heading|标题)\s*([1-6])", re.IGNORECASE)
_MOST_STYLES = 100_000


def _tag(element: Any) -> str:
    return str(element.tag).replace(_STRICT, "").replace(_W, "")


def _value(element: Any, name: str = "val") -> str:
    return str(element.get(_W + name) or element.get(_STRICT + name) or "")


def _styles(archive: zipfile.ZipFile, name: str) -> dict[str, int]:
    """Return which paragraph styles are headings, and of which level."""
    if "word/styles.xml" not in archive.namelist():
        return {}
    levels: dict[str, int] = {}
    style = ""
    for event, element in elements(archive, "word/styles.xml", name, ("start", "end")):
        tag = _tag(element)
        if event == "start":
            if tag == "style":
                style = _value(element, "styleId")
            elif tag == "name" and len(levels) < _MOST_STYLES and (found := _HEADING.fullmatch(_value(element))):
                levels[style] = int(found[1])
        elif tag == "style":
            element.clear()
    return levels


class _Cell:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.columns = 1
        self.merge = ""  # "restart" begins a merged column, "continue" goes on with it


class _Document:
    def __init__(self, levels: dict[str, int]) -> None:
        self.levels = levels
        self.ready: list[Block] = []
        self.number = 0
        self.hidden = 0
        self.paragraphs: list[list[str]] = []  # a text box holds paragraphs inside of one
        self.level = 0
        self.numbered = False
        self.tables = 0
        self.row: list[_Cell] = []
        self.above: list[str] = []
        self.starts = {
            "p": self._start_paragraph, "tab": self._tab, "br": self._newline, "cr": self._newline,
            "pStyle": self._style, "outlineLvl": self._outline, "tbl": self._start_table, "tr": self._start_row,
            "tc": self._start_cell, "gridSpan": self._span, "vMerge": self._merge, "noBreakHyphen": self._hyphen,
        }  # fmt: skip
        self.ends = {"p": self._end_paragraph, "tbl": self._end_table, "tr": self._end_row}

    def text(self, element: Any) -> None:
        if self.paragraphs:
            self.paragraphs[-1].append(element.text or "")

    def _add(self, text: str) -> None:
        if self.paragraphs:
            self.paragraphs[-1].append(text)

    def _start_paragraph(self, _element: Any) -> None:
        self.paragraphs.append([])
        self.level = 0

    def _tab(self, _element: Any) -> None:
        self._add("\t")

    def _newline(self, _element: Any) -> None:
        self._add("\n")

    def _hyphen(self, _element: Any) -> None:
        self._add("-")

    def _style(self, element: Any) -> None:
        self.level = self.levels.get(_value(element), 0)

    def _outline(self, element: Any) -> None:
        level = _value(element)
        self.level = int(level) + 1 if level.isascii() and level.isdigit() and len(level) == 1 else self.level

    def _start_table(self, _element: Any) -> None:
        self.tables += 1
        if self.tables == 1:
            self.above = []

    def _start_row(self, _element: Any) -> None:
        if self.tables == 1:
            self.row = []

    def _start_cell(self, _element: Any) -> None:
        if self.tables == 1:
            self.row.append(_Cell())

    def _span(self, element: Any) -> None:
        value = _value(element)
        if self.tables == 1 and self.row and value.isascii() and value.isdigit() and len(value) < 4:
            self.row[-1].columns = max(1, min(int(value), MOST_CELLS))

    def _merge(self, element: Any) -> None:
        if self.tables == 1 and self.row:
            self.row[-1].merge = _value(element) or "continue"

    def _end_paragraph(self, _element: Any) -> None:
        text = "".join(self.paragraphs.pop()) if self.paragraphs else ""
        if self.tables:
            if self.row:
                self.row[-1].texts.append(text)
            return
        self.number += 1
        text = "\n".join(filter(None, map(clean, text.split("\n"))))
        if text:
            self.ready.append(Text(self.number, text, self.level))

    def _end_row(self, _element: Any) -> None:
        if self.tables != 1:
            return
        self.number += 1
        cells: list[str] = []
        for cell in self.row:
            text = "\n".join(filter(None, map(clean, "\n".join(cell.texts).split("\n"))))
            if cell.merge == "continue" and len(cells) < len(self.above):
                text = self.above[len(cells)]
            cells += [text] * cell.columns
        self.row, self.above = [], cells[: MOST_CELLS + 1]
        if any(cells):
            self.ready.append(Row(self.number, tuple(self.above), " "))

    def _end_table(self, _element: Any) -> None:
        self.tables = max(0, self.tables - 1)


def blocks(archive: zipfile.ZipFile, name: str) -> Iterator[Block]:
    """Yield the paragraphs and rows of a document; a block's line is its running number.

    Raises:
        KBError: the document is damaged.
    """
    document = _Document(_styles(archive, name))
    path: list[Any] = []
    for event, element in elements(archive, DOCUMENT, name, ("start", "end")):
        tag = _tag(element)
        if event == "start":
            path.append(element)
            document.hidden += element.tag == _FALLBACK
            if not document.hidden and tag in document.starts:
                document.starts[tag](element)
            continue
        path.pop()
        if not document.hidden:
            if tag == "t":
                document.text(element)
            elif tag in document.ends:
                document.ends[tag](element)
        document.hidden -= element.tag == _FALLBACK
        element.clear()
        if path:
            path[-1].remove(element)
        if document.ready:
            yield from document.ready
            document.ready.clear()
