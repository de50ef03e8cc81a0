"""JSON of issue trackers as a stream of objects: lists, wrapped lists, pages one after the other, JSON lines."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_kb.core.imported import Complaint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.sources.faults import Faults

_BLANK = re.compile(r"[ \t\n\r]*")
_LISTS = ("issues", "items", "nodes", "edges", "data", "list", "results", "records", "repository", "search", "node")
MOST_DEPTH = 6  # of wrappers around the list


class Found(NamedTuple):
    """A value and the line that it begins in."""

    line: int
    value: Any


class _Text:
    """A text that is read from left to right, with the line of the place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._counted = 0
        self._line = 1
        self._decoder = json.JSONDecoder()

    def skip(self) -> str:
        """Pass over blanks; returns the character that follows, or "" at the end."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def line(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def value(self) -> Any:
        value, self.at = self._decoder.raw_decode(self.text, self.at)
        return value


def objects(text: str, faults: Faults) -> Iterator[Found]:
    """Yield the objects of a JSON text; what stands before a broken place is kept."""
    source = _Text(text)
    while sign := source.skip():
        if sign == "," and source.at:
            source.at += 1
            continue
        try:
            if sign == "[":
                yield from _members(source)
            else:
                yield from unwrapped(Found(source.line(), source.value()))
        except (ValueError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "a number or a nesting is too large"
            faults.add(Complaint.BROKEN_ENTRY, source.line(), why=why)
            following = text.find("\n{", source.at + 1)
            if sign != "{" or following < 0:
                return
            source.at = following + 1


def _members(source: _Text) -> Iterator[Found]:
    source.at += 1
    while (sign := source.skip()) != "]":
        if not sign:
            raise json.JSONDecodeError("the list has no end", "", 0)
        line = source.line()
        value = source.value()
        if source.skip() == ",":
            source.at += 1
        elif source.skip() != "]":
            raise json.JSONDecodeError("',' or ']' is missing", "", 0)
        yield from unwrapped(Found(line, value))
    source.at += 1


def unwrapped(found: Found, depth: int = 0) -> Iterator[Found]:
    """Yield the objects that are issues: the value itself, or those of a list that it wraps."""
    value = found.value
    if isinstance(value, list) and depth < MOST_DEPTH:
        for member in value:
            yield from unwrapped(Found(found.line, member), depth + 1)
    elif isinstance(value, dict) and "title" not in value and depth < MOST_DEPTH:
        inner = value.get("issue")
        if isinstance(inner, dict):
            yield Found(found.line, inner | {k: v for k, v in value.items() if k == "comments"})
            return
        wrapped = next((value[name] for name in _LISTS if isinstance(value.get(name), (list, dict))), None)
        if wrapped is None:
            yield found
        else:
            yield from unwrapped(Found(found.line, wrapped), depth + 1)
    else:
        yield found
