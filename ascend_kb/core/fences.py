"""Fenced code in Markdown, found line by line at any indent, as people really write it."""

from __future__ import annotations

import re
from typing import NamedTuple

SHELLS = frozenset({"bash", "sh", "shell", "zsh", "console"})
_OPEN = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}(?=[^`]*$)|~{3,})[ \t]*(?P<info>[^\r\n]*?)[ \t]*$")
_PROMPT = re.compile(r"^[ \t]*[$#>] ")


class Fence(NamedTuple):
    """A fenced block: lines ``start`` to ``end`` (exclusive) of the text, and the code without marks and indent."""

    start: int
    end: int
    indent: int
    language: str
    code: str

    @property
    def is_shell(self) -> bool:
        """Whether the code is made of commands for a shell."""
        return self.language in SHELLS

    @property
    def commands(self) -> str:
        """The code as it can be pasted: exact bytes, or the prompted lines alone where there are prompts."""
        lines = self.code.split("\n")
        first = next((line for line in lines if line.strip()), "")
        if self.language != "console" and not re.match(r"[ \t]*\$ ", first):
            return self.code
        return "".join(_PROMPT.sub("", line) + "\n" for line in lines if _PROMPT.match(line))


def _dedent(line: str, columns: int) -> str:
    width = 0
    for i, char in enumerate(line):
        if width >= columns or char not in " \t":
            return line[i:]
        width += 4 - width % 4 if char == "\t" else 1
    return ""


def find_fences(text: str) -> list[Fence]:
    """Return the fenced blocks of a Markdown text, in order. A block without an end runs to the end of the text."""
    lines = text.split("\n")
    fences: list[Fence] = []
    i = 0
    while i < len(lines):
        opened = _OPEN.match(lines[i].rstrip("\r"))
        if opened is None:
            i += 1
            continue
        marks, indent = opened["marks"], len(opened["indent"].expandtabs(4))
        closing = re.compile(rf"^[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*\r?$")
        end = next((j for j in range(i + 1, len(lines)) if closing.match(lines[j])), len(lines))
        code = "".join(_dedent(line.rstrip("\r"), indent) + "\n" for line in lines[i + 1 : end])
        words = opened["info"].split()
        fences.append(Fence(i, min(end + 1, len(lines)), indent, words[0].lower() if words else "", code))
        i = end + 1
    return fences


def shell_commands(text: str) -> str:
    """Return all commands in a Markdown text, ready to paste into a terminal; empty where there are none."""
    return "".join(fence.commands for fence in find_fences(text) if fence.is_shell)
