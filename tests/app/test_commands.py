"""The one list of commands: complete, without clashes, and each entry does what its id says."""

from __future__ import annotations

import inspect
import re
from collections import Counter

import pytest

from ascend_kb.app.commands import COMMANDS, COPY_MENU, MENUS, Command, State
from ascend_kb.app.workbench import Workbench

BY_ID = {command.id: command for command in COMMANDS}
FULL = State(
    selected=1, has_commands=True, shows_card=True, has_text=True, has_query=True, can_go_back=True,
    can_go_forward=True, has_search_in_text=True, has_recent=True, has_draft=True, is_bundle=False,
)  # fmt: skip


class Recorder:
    """Stands in for the window and notes what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> object:
        def ask(*arguments: object, **named: object) -> None:
            inspect.signature(getattr(Workbench, name)).bind(self, *arguments, **named)
            self.asked.append(name)

        return ask


def test_ids_and_shortcuts_are_unique() -> None:
    assert len(BY_ID) == len(COMMANDS)
    shortcuts = Counter(key for command in COMMANDS for key in command.shortcuts)
    assert [key for key, count in shortcuts.items() if count > 1] == []


def test_letters_alone_are_no_shortcut_because_they_start_a_search() -> None:
    assert [key for c in COMMANDS for key in c.shortcuts if re.fullmatch(r"(Shift\+)?.", key)] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_command_is_complete(command: Command) -> None:
    assert re.fullmatch(r"[a-z]+\.[a-z-]+", command.id)
    assert command.menu in MENUS
    assert command.id.split(".")[0] == command.menu.replace("&", "").lower()
    assert command.title.count("&") == 1
    assert command.help
    assert not command.help.endswith(".")
    assert command.enabled(FULL) is True


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_a_command_asks_the_window_for_one_thing_that_it_can_do(command: Command) -> None:
    window = Recorder()
    command.run(window)  # type: ignore[arg-type]
    assert len(window.asked) == 1


def test_no_two_entries_of_a_menu_have_the_same_letter() -> None:
    for menu in MENUS:
        letters = [c.title[c.title.index("&") + 1].lower() for c in COMMANDS if c.menu == menu]
        assert sorted(set(letters)) == sorted(letters), menu


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("card.copy-rich", FULL._replace(selected=0)),
        ("card.copy-plain", FULL._replace(selected=0)),
        ("card.copy-markdown", FULL._replace(selected=0)),
        ("card.copy-commands", FULL._replace(selected=0)),
        ("card.copy-commands", FULL._replace(has_commands=False)),
        ("edit.copy-reference", FULL._replace(selected=0)),
        ("card.open-source", FULL._replace(shows_card=False)),
        ("edit.find", FULL._replace(has_text=False)),
        ("edit.find-next", FULL._replace(has_search_in_text=False)),
        ("edit.find-previous", FULL._replace(has_search_in_text=False)),
        ("view.clear", FULL._replace(has_query=False)),
        ("go.back", FULL._replace(can_go_back=False)),
        ("go.forward", FULL._replace(can_go_forward=False)),
        ("file.bundle", FULL._replace(is_bundle=True)),
    ],
)
def test_a_command_that_would_do_nothing_is_grey(name: str, state: State) -> None:
    assert BY_ID[name].enabled(state) is False


def test_the_contract_keys_are_there() -> None:
    keys = {key: command.id for command in COMMANDS for key in command.shortcuts}
    wanted = {
        "Ctrl+C": "edit.copy", "Ctrl+Shift+C": "edit.copy-reference", "Esc": "go.step-back", "F1": "help.manual",
        "Ctrl+/": "help.shortcuts", "Ctrl+F": "edit.find", "Alt+Left": "go.back", "Alt+Right": "go.forward",
    }  # fmt: skip
    assert {key: keys.get(key) for key in wanted} == wanted


def test_the_copy_menu_names_the_four_forms_and_the_reference() -> None:
    assert set(COPY_MENU) <= set(BY_ID)
    assert {name.removeprefix("card.copy-") for name in COPY_MENU} >= {"rich", "commands", "plain", "markdown"}
