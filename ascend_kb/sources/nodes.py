"""YAML as nodes that know their line, read field by field into core values.

Every reader notes a fault and returns a harmless value instead of raising, so that one run finds all faults.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

import yaml

from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import allowed
from ascend_kb.sources.problems import Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ascend_kb.sources.problems import Problems

E = TypeVar("E", bound=Enum)
T = TypeVar("T")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class Node:
    """A YAML node of a source file; ``name`` is how messages call it."""

    raw: yaml.Node | None
    path: str
    first_line: int
    problems: Problems
    name: str

    @property
    def line(self) -> int:
        """The line of the node in its file, counted from 1."""
        return self.first_line + (self.raw.start_mark.line if self.raw is not None else 0)

    def fault(self, message: str) -> None:
        """Note that this node is wrong."""
        self.problems.add(self.path, self.line, message)

    def mention(self, field: str, value: str) -> None:
        """Note that this node names something that must exist; looked up once everything is read."""
        self.problems.mentions.append(Mention(field, value, self.path, self.line))

    def _child(self, raw: yaml.Node | None, name: str) -> Node:
        return Node(raw, self.path, self.first_line, self.problems, name)

    def mapping(self, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """Return the fields of a mapping; unknown, double and missing ones are faults."""
        if not isinstance(self.raw, yaml.MappingNode):
            self.fault(f"{self.name} must be a mapping with the fields {', '.join((*needed, *optional))}")
            return {}
        fields: dict[str, Node] = {}
        for key_node, value in self.raw.value:
            key = str(key_node.value)
            at = self._child(key_node, key)
            if key not in needed and key not in optional:
                at.fault(f"unknown field '{key}' in {self.name}; allowed: {', '.join((*needed, *optional))}")
            elif key in fields:
                at.fault(f"field '{key}' stands twice in {self.name}")
            else:
                fields[key] = self._child(value, key)
        for key in needed:
            if key not in fields:
                self.fault(f"{self.name} lacks the field '{key}'")
        return fields

    def items(self) -> list[Node]:
        """Return the members of a list."""
        if not isinstance(self.raw, yaml.SequenceNode):
            self.fault(f"{self.name} must be a list")
            return []
        return [self._child(raw, self.name) for raw in self.raw.value]

    def text(self) -> str:
        """Return a text that is not empty. A number or a date must be quoted, or YAML would change it."""
        if not isinstance(self.raw, yaml.ScalarNode) or self.raw.tag not in (
            "tag:yaml.org,2002:str",
            "tag:yaml.org,2002:timestamp",
        ):
            self.fault(f"{self.name} must be a text; put numbers, yes/no and signs such as ! in double quotes")
            return ""
        value = str(self.raw.value).strip()
        if not value:
            self.fault(f"{self.name} must not be empty")
        return value

    def bilingual(self, needed: Collection[str] = ("zh", "en")) -> Bilingual:
        """Return a text in both languages; only those in ``needed`` must be there."""
        fields = self.mapping(needed, [x for x in ("zh", "en") if x not in needed])
        return Bilingual(**{k: v.text() for k, v in fields.items()})

    def value_of(self, kind: type[E]) -> E:
        """Return a member of a closed set; the first one stands in for an unknown value."""
        written = self.raw.value if isinstance(self.raw, yaml.ScalarNode) else None
        try:
            return kind(written)
        except ValueError:
            self.fault(f"{self.name} '{written}' is unknown; allowed: {allowed(kind)}")
            return next(iter(kind))

    def number(self) -> int:
        """Return a whole number from 1 up."""
        written = self.raw.value if isinstance(self.raw, yaml.ScalarNode) else ""
        if not re.fullmatch(r"[1-9][0-9]{0,9}", written):
            self.fault(f"{self.name} must be a whole number from 1 up, not '{written}'")
            return 1
        return int(written)

    def flag(self) -> bool:
        """Return true or false."""
        written = self.raw.value if isinstance(self.raw, yaml.ScalarNode) else ""
        if written not in ("true", "false"):
            self.fault(f"{self.name} must be true or false, not '{written}'")
        return bool(written == "true")

    def date(self) -> str:
        """Return a calendar date as ``YYYY-MM-DD``."""
        written = self.raw.value if isinstance(self.raw, yaml.ScalarNode) else ""
        try:
            if re.fullmatch(r"\d{4}-\d\d-\d\d", written, re.ASCII):
                return dt.date.fromisoformat(written).isoformat()
        except ValueError:
            pass
        self.fault(f"{self.name} '{written}' is no date; allowed: YYYY-MM-DD")
        return ""


def parse(text: str, path: str, first_line: int, problems: Problems, name: str) -> Node | None:
    """Read one YAML document whose first line is ``first_line`` of the file; None where it is broken."""
    try:
        raw = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, text.count("\n")) if mark else 0
        problems.add(path, first_line + line, f"broken YAML: {error.problem or error.context}")
        return None
    except (yaml.YAMLError, RecursionError) as error:
        problems.add(path, first_line, f"broken YAML: {str(error).splitlines()[0]}")
        return None
    if raw is not None and raw.start_mark.line > text.count("\n"):
        raw = None  # an empty document stands behind the end of the file
    return Node(raw, path, first_line, problems, name)


def each(node: Node | None, read: Callable[[Node], T]) -> tuple[T, ...]:
    """Read every member of a list; a missing list is empty."""
    return tuple(read(item) for item in node.items()) if node is not None else ()
