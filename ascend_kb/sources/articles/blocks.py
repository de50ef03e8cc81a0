"""What every format of an article is reduced to: texts and table rows, each with its line."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CELLS = 200


class Text(NamedTuple):
    """A line or paragraph. ``level`` is that of a heading, else 0; ``gap`` tells that a blank line stands before it.

    ``joined`` tells that it follows a table row directly, and so may be the next line of its last cell.
    """

    line: int
    text: str
    level: int = 0
    gap: bool = True
    joined: bool = False


class Row(NamedTuple):
    """A row of a table. ``glue`` is what stood between the cells, for rows with too many of them."""

    line: int
    cells: tuple[str, ...]
    glue: str = "\t"


Block = Text | Row

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BLANKS = re.compile(r"[\u00a0\u200b\u200c\u2060]")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without making a list of all of them."""
    start, number = 0, 1
    while True:
        end = text.find("\n", start)
        if end < 0:
            yield number, text[start:]
            return
        yield number, text[start:end]
        start, number = end + 1, number + 1


def clean(text: str) -> str:
    """Return a cell or line without invisible blanks, with its entities resolved."""
    if "&" in text:
        text = _ENTITY.sub(_resolve, text)
    return _BLANKS.sub(lambda found: " " if found[0] == "\u00a0" else "", text).strip()


def _resolve(found: re.Match[str]) -> str:
    text = html.unescape(found[0])
    return text if text.isprintable() or text == "\u00a0" else found[0]
