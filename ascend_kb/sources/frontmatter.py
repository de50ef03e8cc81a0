"""Markdown files with YAML front matter: splitting them and their bodies into parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.fences import find_fences
from ascend_kb.sources.nodes import Node, parse

if TYPE_CHECKING:
    from ascend_kb.core.language import Language
    from ascend_kb.sources.problems import Problems

LANGUAGE_HEADINGS: dict[str, Language] = {"中文": "zh", "English": "en"}


class Part(NamedTuple):
    """A piece of a body below a heading: the heading's line in the file, its text, and the Markdown under it."""

    line: int
    heading: str
    text: str


def split(text: str, path: str, problems: Problems, name: str) -> tuple[Node | None, str, int]:
    """Return the front matter, the body and the body's first line in the file."""
    lines = text.split("\n")
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
    if lines[0].rstrip() != "---" or not end:
        problems.add(path, 1, "the file must begin with YAML front matter between two lines '---'")
        return None, text, 1
    return parse("\n".join(lines[1:end]), path, 2, problems, name), "\n".join(lines[end + 1 :]), end + 2


def parts(text: str, first_line: int, level: int) -> tuple[str, list[Part]]:
    """Cut Markdown at its headings of ``level``; headings inside fenced code do not count.

    Returns what stands above the first heading, and the parts.
    """
    lines = text.split("\n")
    hidden = {n for fence in find_fences(text) for n in range(fence.start, fence.end)}
    mark = re.compile(rf"#{{{level}}}[ \t]+(.*?)[ \t]*#*[ \t]*")
    heads = [(i, found[1]) for i, line in enumerate(lines) if i not in hidden and (found := mark.fullmatch(line))]
    ends = [i for i, _ in heads[1:]] + [len(lines)] * bool(heads)
    above = "\n".join(lines[: heads[0][0]] if heads else lines).strip("\n")
    return above, [
        Part(first_line + i, head, "\n".join(lines[i + 1 : end]).strip("\n"))
        for (i, head), end in zip(heads, ends, strict=True)
    ]


def languages(body: str, first_line: int, path: str, problems: Problems) -> dict[Language, Part]:
    """Cut a body at ``# 中文`` and ``# English``; the Chinese part is needed."""
    above, pieces = parts(body, first_line, 1)
    if above.strip():
        problems.add(path, first_line, "text stands above the heading '# 中文'")
    found: dict[Language, Part] = {}
    for piece in pieces:
        language = LANGUAGE_HEADINGS.get(piece.heading)
        if language is None:
            problems.add(path, piece.line, f"unknown heading '# {piece.heading}'; allowed: # 中文, # English")
        elif language in found:
            problems.add(path, piece.line, f"heading '# {piece.heading}' stands twice")
        else:
            found[language] = piece
    if "zh" not in found:
        problems.add(path, first_line, "the part '# 中文' is missing")
    return found
