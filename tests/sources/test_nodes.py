"""YAML read node by node: a fault is noted with its line, and a harmless value returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import Evidence
from ascend_kb.sources.nodes import Node, each, parse
from ascend_kb.sources.problems import Problems

if TYPE_CHECKING:
    from collections.abc import Callable


def read(text: str, reading: Callable[[Node], Any], first_line: int = 1) -> tuple[Any, list[str]]:
    """Return what a reading gives for a YAML text, and the faults."""
    problems = Problems()
    node = parse(text, "a.yaml", first_line, problems, "value")
    assert node is not None
    return reading(node), [f"{problem.line}: {problem.message}" for problem in problems.items]


QUOTE = "value must be a text; put numbers, yes/no and signs such as ! in double quotes"


@pytest.mark.parametrize(
    ("text", "reading", "value", "faults"),
    [
        ("a b", Node.text, "a b", []),
        ('" a "', Node.text, "a", []),
        ("2026-01-02", Node.text, "2026-01-02", []),
        ('"1.0"', Node.text, "1.0", []),
        ("1.0", Node.text, "", [f"1: {QUOTE}"]),
        ("true", Node.text, "", [f"1: {QUOTE}"]),
        ("~", Node.text, "", [f"1: {QUOTE}"]),
        ("[a]", Node.text, "", [f"1: {QUOTE}"]),
        ('""', Node.text, "", ["1: value must not be empty"]),
        ("7", Node.number, 7, []),
        ("0", Node.number, 1, ["1: value must be a whole number from 1 up, not '0'"]),
        ("-7", Node.number, 1, ["1: value must be a whole number from 1 up, not '-7'"]),
        ("7.5", Node.number, 1, ["1: value must be a whole number from 1 up, not '7.5'"]),
        ("0x10", Node.number, 1, ["1: value must be a whole number from 1 up, not '0x10'"]),
        ("٣", Node.number, 1, ["1: value must be a whole number from 1 up, not '٣'"]),
        ("12345678901", Node.number, 1, ["1: value must be a whole number from 1 up, not '12345678901'"]),
        ("[7]", Node.number, 1, ["1: value must be a whole number from 1 up, not ''"]),
        ("true", Node.flag, True, []),
        ("false", Node.flag, False, []),
        ("yes", Node.flag, False, ["1: value must be true or false, not 'yes'"]),
        ("2026-02-28", Node.date, "2026-02-28", []),
        ("2026-02-30", Node.date, "", ["1: value '2026-02-30' is no date; allowed: YYYY-MM-DD"]),
        ("20260228", Node.date, "", ["1: value '20260228' is no date; allowed: YYYY-MM-DD"]),
        ("{zh: 甲, en: b}", Node.bilingual, Bilingual("甲", "b"), []),
        ("{zh: 甲}", Node.bilingual, Bilingual("甲", ""), ["1: value lacks the field 'en'"]),
        ("{zh: 甲}", lambda node: node.bilingual(("zh",)), Bilingual("甲", ""), []),
        ("x", Node.bilingual, Bilingual(), ["1: value must be a mapping with the fields zh, en"]),
        ("official", lambda node: node.value_of(Evidence), Evidence.OFFICIAL, []),
        ("sure", lambda node: node.value_of(Evidence), Evidence.EXPLICIT,
         ["1: value 'sure' is unknown; allowed: explicit, official, inferred, unverified"]),
        ("[a]", lambda node: node.value_of(Evidence), Evidence.EXPLICIT,
         ["1: value 'None' is unknown; allowed: explicit, official, inferred, unverified"]),
        ("[a, b]", lambda node: each(node, Node.text), ("a", "b"), []),
        ("a", lambda node: each(node, Node.text), (), ["1: value must be a list"]),
    ],
)  # fmt: skip
def test_a_value_or_a_fault_and_a_harmless_value(
    text: str, reading: Callable[[Node], Any], value: object, faults: list[str]
) -> None:
    assert read(text, reading) == (value, faults)


def test_a_missing_list_is_empty() -> None:
    assert each(None, Node.text) == ()


def test_fields_are_named_where_they_are_unknown_double_or_missing() -> None:
    text = "a: 1\nc: 2\na: 3\nd: 4\n"
    fields, faults = read(text, lambda node: node.mapping(("a", "b"), ("c",)))
    assert list(fields) == ["a", "c"]
    assert faults == [
        "3: field 'a' stands twice in value",
        "4: unknown field 'd' in value; allowed: a, b, c",
        "1: value lacks the field 'b'",
    ]


def test_lines_are_those_of_the_file() -> None:
    _, faults = read("- a\n- 7\n\n- yes\n", lambda node: each(node, Node.text), first_line=11)
    assert faults == [f"12: {QUOTE}", f"14: {QUOTE}"]


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: [", 1), ("a: b\n  c: d", 2), ("\ta", 1), ("&a *b", 1), ("%x", 1), ("[" * 5_000, 1), ("\0", 1)],
)
def test_broken_yaml_is_a_fault_with_its_line(text: str, line: int) -> None:
    problems = Problems()
    assert parse(text, "a.yaml", 1, problems, "value") is None
    [problem] = problems.items
    assert problem.line == line
    assert problem.message.startswith("broken YAML: ")


def test_no_object_is_made_of_a_tag() -> None:
    value, faults = read("!!python/object/apply:os.getcwd []", Node.text)
    assert (value, faults) == ("", [f"1: {QUOTE}"])
