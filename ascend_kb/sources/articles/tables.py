"""The three tables of an article: which one a header begins, and which column is what."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from typing import NamedTuple

_MARKS = re.compile(r"[*_`\s]+")
_NUMBER = re.compile(
    r"\[?(?:issue)?(?:(?:(?:[A-Za-z][\w.-]{0,60}/)?[A-Za-z][\w.-]{0,99})?[#!])?([1-9][0-9]{0,9})\.?"
    r"(?:\]\([^()\s]{0,400}\))?",
    re.ASCII | re.IGNORECASE,
)


class TableKind(Enum):
    """What a table holds, with the names of its columns in the order that they have where no header says otherwise."""

    OVERVIEW = ("repo", "purpose", "count")
    CARDS = ("number", "title", "answer")
    GUIDE = ("symptom", "action", "cards")


class Columns(NamedTuple):
    """The kind of a table and, by column, what it holds; ``""`` for a column that is not known."""

    kind: TableKind
    names: tuple[str, ...]


_WORDS: dict[TableKind, dict[str, tuple[str, ...]]] = {
    TableKind.OVERVIEW: {
        "count": ("收录", "条数", "数量", "cards", "count"),
        "repo": ("仓库", "仓名", "repo"),
        "purpose": ("定位", "说明", "用途", "purpose", "what"),
    },
    TableKind.GUIDE: {
        "symptom": ("症状", "现象", "symptom"),
        "action": ("动作", "排查", "措施", "action"),
        "cards": ("案例", "条目", "case", "card"),
    },
    TableKind.CARDS: {
        "number": ("编号", "序号", "number", "no.", "id"),
        "title": ("问题", "标题", "issue", "problem", "question"),
        "answer": ("解答", "答案", "总结", "结论", "answer", "summary", "solution"),
    },
}


def header(cells: tuple[str, ...]) -> Columns | None:
    """Return what table a row begins; None where it is no header."""
    if len(cells) < 2 or any(len(cell) > 40 for cell in cells):
        return None
    plain = [_MARKS.sub("", unicodedata.normalize("NFKC", cell)).lower() for cell in cells]
    for kind, words in _WORDS.items():
        names = [""] * len(cells)
        for name, marks in words.items():
            at = next((i for i, cell in enumerate(plain) if not names[i] and any(m in cell for m in marks)), None)
            if at is not None:
                names[at] = name
        if sum(map(bool, names)) == 3 or (sum(map(bool, names)) == 2 and len(cells) == 2):
            return Columns(kind, tuple(names))
    return None


def issue_number(cell: str) -> int:
    """Return the issue number of a cell such as ``#57``, ``57``, ``msopcom#57`` or ``[#57](address)``; 0 without."""
    found = _NUMBER.fullmatch(_MARKS.sub("", unicodedata.normalize("NFKC", cell[:600])))
    return int(found[1]) if found else 0
