"""The one list of commands keeps its promises."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence

from ascend_kb.app import paths
from ascend_kb.app.commands import COMMANDS, COPY_MENU, MENUS, Command, State
from ascend_kb.app.workbench import Workbench
from ascend_kb.core.recipe import Form

KEYS = [keys for command in COMMANDS for keys in command.shortcuts]


class Recorder:
    """A workbench that keeps what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> object:
        known = inspect.signature(getattr(Workbench, name))

        def act(*values: object, **named: object) -> None:
            known.bind(self, *values, **named)
            self.asked.append(" ".join([name, *map(str, values), *(f"{key}={value}" for key, value in named.items())]))

        return act


def test_ids_are_unique_and_say_what_they_belong_to() -> None:
    ids = [command.id for command in COMMANDS]
    assert [i for i, count in Counter(ids).items() if count > 1] == []
    assert all(re.fullmatch(r"(file|edit|view|go|card|diagnose|help)\.[a-z]+(-[a-z]+)*", i) for i in ids)


def test_no_two_commands_share_a_shortcut() -> None:
    pressed = [QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText) for keys in KEYS]
    assert [keys for keys, count in Counter(pressed).items() if count > 1] == []


@pytest.mark.parametrize("keys", KEYS)
def test_a_shortcut_is_one_that_qt_knows_and_no_letter_alone(keys: str) -> None:
    sequence = QKeySequence(keys)
    assert sequence.count() == 1
    text = sequence.toString(QKeySequence.SequenceFormat.PortableText)
    assert text
    assert "+" in text or re.fullmatch(r"F\d+|Esc", text)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_command_stands_in_a_known_menu_and_is_explained(command: Command) -> None:
    assert command.menu in MENUS
    assert command.menu.replace("&", "").lower() == command.id.partition(".")[0]
    assert command.help
    assert not command.help.endswith(".")
    assert command.title.count("&") == 1


def test_every_menu_is_used_and_has_a_mnemonic_of_its_own() -> None:
    assert {command.menu for command in COMMANDS} == set(MENUS)
    marks = [menu[menu.index("&") + 1].lower() for menu in MENUS]
    assert len(set(marks)) == len(MENUS)


def test_the_copy_menu_names_commands() -> None:
    assert set(COPY_MENU) <= {command.id for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_command_asks_one_thing_of_the_workbench(command: Command) -> None:
    recorder = Recorder()
    command.run(recorder)  # type: ignore[arg-type]
    assert len(recorder.asked) == 1


def test_no_two_commands_do_the_same_and_every_form_has_one() -> None:
    recorder = Recorder()
    for command in COMMANDS:
        command.run(recorder)  # type: ignore[arg-type]
    assert len(set(recorder.asked)) == len(COMMANDS)
    assert {f"copy_recipe {form!s}" for form in Form} <= set(recorder.asked)


def test_everything_that_the_workbench_offers_has_a_command() -> None:
    recorder = Recorder()
    for command in COMMANDS:
        command.run(recorder)  # type: ignore[arg-type]
    offered = {
        name for name, value in vars(Workbench).items() if inspect.isfunction(value) and not name.startswith("_")
    }
    assert {asked.partition(" ")[0] for asked in recorder.asked} == offered


def test_each_part_of_the_state_switches_exactly_these_commands() -> None:
    def enabled(state: State) -> set[str]:
        return {command.id for command in COMMANDS if command.enabled(state)}

    nothing = enabled(State())
    switched = {
        "selected": {"card.copy-rich", "card.copy-plain", "card.copy-markdown", "edit.copy-reference"},
        "has_commands": set[str](),
        "shows_card": {"card.open-source"},
        "has_text": {"edit.find"},
        "has_query": {"view.clear", "view.explain"},
        "can_go_back": {"go.back"},
        "can_go_forward": {"go.forward"},
        "has_search_in_text": {"edit.find-next", "edit.find-previous"},
        "has_recent": {"go.clear-recent"},
        "has_draft": {"diagnose.copy-draft"},
    }
    assert set(switched) == set(State._fields) - {"is_bundle"}
    for name, expected in switched.items():
        assert enabled(State(**{name: 1})) - nothing == expected, name  # type: ignore[arg-type]
    assert enabled(State(is_bundle=False)) - nothing == {"file.bundle"}
    assert "card.copy-commands" in enabled(State(selected=1, has_commands=True))


def test_a_fuller_state_never_greys_a_command() -> None:
    parts = [name for name in State._fields if name != "is_bundle"]
    full = State(**dict.fromkeys(parts, 1))  # type: ignore[arg-type]
    most = {command.id for command in COMMANDS if command.enabled(full)}
    assert most == {command.id for command in COMMANDS} - {"file.bundle"}
    for values in itertools.product((0, 1), repeat=len(parts)):
        state = State(**dict(zip(parts, values, strict=True)))  # type: ignore[arg-type]
        assert {command.id for command in COMMANDS if command.enabled(state)} <= most


def test_the_list_needs_no_qt() -> None:
    tree = ast.parse(inspect.getsource(inspect.getmodule(Command)))  # type: ignore[arg-type]
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not any(name.startswith("PySide6") for name in imported)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_manual_names_only_keys_that_exist(language: str) -> None:
    text = (paths.resources() / "manual" / f"{language}.md").read_text("utf-8")
    named = set(re.findall(r"\b(?:(?:Ctrl|Alt|Shift)\+)+(?:[A-Za-z]\w*|[/=+-])|\bF\d+\b", text))
    assert "Ctrl+C" in named
    assert named <= set(KEYS)
