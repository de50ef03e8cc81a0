"""Faults found in sources, collected so that one run reports them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ascend_kb.core.errors import KBError


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A fault: relative path of the file, line counted from 1, and what is wrong and what is allowed."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class Mention(NamedTuple):
    """A name that must be known once everything is read: a card key, or the id of a tag (``field`` says which)."""

    field: str
    value: str
    path: str
    line: int


@dataclass(slots=True)
class Problems:
    """The faults found so far, and the mentions that are still to be looked up."""

    items: list[Problem] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def add(self, path: str, line: int, message: str) -> None:
        """Note a fault."""
        self.items.append(Problem(path, line, message))


class SourceError(KBError):
    """The sources hold faults; ``problems`` lists all of them, ordered by file and line."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems)
        count = len(problems)
        super().__init__(
            f"{count} fault{'s' if count != 1 else ''} in the sources\n" + "\n".join(map(str, self.problems)),
            "mend the lines named above; the knowledge file was left as it was",
        )
