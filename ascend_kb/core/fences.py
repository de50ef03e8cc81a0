"""Fenced code in Markdown, found line by line at any indent, as people really write it."""

from __future__ import annotations

import re
from typing import NamedTuple

SHELLS = frozenset({"bash", "sh", "shell", "zsh", "console"})
_OPEN = re.compile(r"(?P<lead>[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<marks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")
_PROMPT = re.compile(r"[ \t]*[$>] ")
_ROOT_PROMPT = re.compile(r"[ \t]*[#>] ")  # `# ` begins a comment where other lines have a `$ `


class Fence(NamedTuple):
    """A fenced block: lines ``start`` to ``end`` (exclusive) of the text, and the code without marks and indent.

    ``lead`` is what stands before the opening marks where a list item begins with the block (``- ```` ``), else empty.
    """

    start: int
    end: int
    indent: int
    language: str
    code: str
    lead: str = ""

    @property
    def is_shell(self) -> bool:
        """Whether the code is made of commands for a shell."""
        return self.language in SHELLS

    @property
    def commands(self) -> str:
        """The code as it can be pasted: exact bytes, or the prompted lines alone where there are prompts.

        Prompts are looked for in ``console`` blocks and where the first line begins with ``$``.
        """
        lines = self.code.split("\n")
        if self.language != "console" and not self.code.lstrip().startswith("$ "):
            return self.code
        prompt = _PROMPT if any(line.lstrip().startswith("$ ") for line in lines) else _ROOT_PROMPT
        kept: list[str] = []
        for line in lines:
            prompted = prompt.match(line)
            if prompted or (kept and kept[-1].endswith("\\")):
                kept.append(line[prompted.end() :] if prompted else line)
        return "".join(f"{line}\n" for line in kept) or self.code


def _dedent(line: str, columns: int) -> str:
    width = 0
    for i, char in enumerate(line):
        if width >= columns or char not in " \t":
            return line[i:]
        width += 4 - width % 4 if char == "\t" else 1
        if width > columns:
            return " " * (width - columns) + line[i + 1 :]
    return ""


def text_lines(text: str) -> list[str]:
    """Return the lines of a text without their line ends; a carriage return inside a line becomes a blank."""
    return [line.rstrip("\r").replace("\r", " ") for line in text.split("\n")]


def find_fences(text: str) -> list[Fence]:
    """Return the fenced blocks of a Markdown text, in order. A block without an end runs to the end of the text."""
    if "```" not in text and "~~~" not in text:
        return []
    lines = text_lines(text)
    fences: list[Fence] = []
    i = 0
    while i < len(lines):
        opened = _OPEN.match(lines[i])
        if opened is None:
            i += 1
            continue
        marks, lead = opened["marks"], opened["lead"].expandtabs(4)
        closing = re.compile(rf"^[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
        end = next((j for j in range(i + 1, len(lines)) if closing.match(lines[j])), len(lines))
        code = "".join(_dedent(line, len(lead)) + "\n" for line in lines[i + 1 : end])
        words = opened["info"].split()
        language = words[0].lower() if words else ""
        fences.append(Fence(i, min(end + 1, len(lines)), len(lead), language, code, lead if lead.strip() else ""))
        i = end + 1
    return fences


def shell_commands(text: str) -> str:
    """Return all commands in a Markdown text, ready to paste into a terminal; empty where there are none."""
    return "".join(fence.commands for fence in find_fences(text) if fence.is_shell)
