"""docs/cli.md against the parser: every command, option and value stands there, and nothing else does."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from ascend_kb.cli.parser import _parser
from ascend_kb.core.vocabulary import Evidence, Outcome

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
TEXT = (DOCS / "cli.md").read_text("utf-8")
COMMANDS_START = TEXT.index("\n## Commands\n")


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command."""
    made = next(a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(made.choices)


def sections() -> dict[str, str]:
    """Return the part of the page about every command, by its heading."""
    parts = re.split(r"(?m)^### (.+)$", TEXT[COMMANDS_START:])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Return all option strings of a parser."""
    return {text for action in parser._actions for text in action.option_strings}


def usage(name: str) -> str:
    """Return the line that shows how a command is called."""
    found = re.search(rf"(?m)^`ascend-kb {name}\b(.*)`$", sections()[name])
    assert found, name
    return found.group(1)


def test_every_command_has_its_section_and_there_is_no_other() -> None:
    assert list(sections()) == list(commands())


def test_options_of_the_program_stand_before_the_commands() -> None:
    head = TEXT[:COMMANDS_START]
    assert [text for text in options(_parser()) if f"`{text}" not in head and f" {text}`" not in head] == []


def test_options_of_every_command_stand_where_all_commands_are_described() -> None:
    common = TEXT[COMMANDS_START : TEXT.index("\n### search\n")]
    assert [text for text in ("--kb", "-h", "--help", "--format", "--lang") if f"`{text}" not in common] == []
    for name, parser in commands().items():
        assert {"--kb", "-h", "--help"} <= options(parser), name


@pytest.mark.parametrize("name", commands())
def test_the_usage_line_names_exactly_the_options_of_the_command(name: str) -> None:
    known = options(commands()[name]) - {"-h", "--help", "--kb"}
    assert set(re.findall(r"--[a-z-]+", usage(name))) == known


@pytest.mark.parametrize("name", commands())
def test_the_usage_line_names_words_and_the_values_of_options_in_order(name: str) -> None:
    line = usage(name)
    for action in commands()[name]._actions:
        if action.choices is not None:
            assert f"{action.option_strings[0]} {'|'.join(action.choices)}]" in line
            assert action.default == next(iter(action.choices)), "the default comes first"
        elif action.option_strings and action.metavar and action.dest != "kb":
            assert f"[{action.option_strings[0]} {action.metavar}]" in line
        elif not action.option_strings:
            assert re.search(rf"\b{action.metavar}\b", line), action.metavar


@pytest.mark.parametrize("name", commands())
def test_the_section_names_no_option_that_the_command_lacks(name: str) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", sections()[name]))
    assert named - options(commands()[name]) == set()


def test_the_page_names_no_option_that_no_command_has() -> None:
    known = options(_parser()).union(*map(options, commands().values()))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", TEXT)) - known == set()


def test_search_names_the_values_of_its_filters_and_the_default_limit() -> None:
    section = sections()["search"]
    assert [x.value for x in (*Outcome, *Evidence) if f"`{x.value}`" not in section] == []
    assert f"default {commands()['search'].get_default('limit')}" in section


def test_every_exit_status_is_explained() -> None:
    table = TEXT[TEXT.index("\n## Exit status\n") :]
    assert re.findall(r"(?m)^\| (\d) \|", table)[:3] == ["0", "1", "2"]


def test_every_schema_belongs_to_a_command_that_prints_json() -> None:
    with_json = {n for n, p in commands().items() for a in p._actions if a.choices and "json" in a.choices}
    assert {path.stem for path in (DOCS / "schema").glob("*.json")} == with_json


def test_fields_of_the_json_output_are_named() -> None:
    import json

    for path in (DOCS / "schema").glob("*.json"):
        schema = json.loads(path.read_text("utf-8"))
        fields = (schema if schema["type"] == "object" else schema["items"])["properties"]
        assert [field for field in fields if f"`{field}`" not in sections()[path.stem]] == [], path.stem


def test_variables_that_the_program_reads_are_named() -> None:
    package = DOCS.parent / "ascend_kb"
    read = {
        name
        for path in package.rglob("*.py")
        for name in re.findall(r'environ(?:\.get\(|\[)"([A-Z_]+)"', path.read_text("utf-8"))
    }
    assert "ASCEND_KB_HOME" in read
    assert [name for name in read if f"`{name}`" not in TEXT] == []


def test_links_of_the_page_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (DOCS / target).exists(), target
