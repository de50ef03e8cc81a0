"""Qt actions made from the list of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QObject

from ascend_kb.app.commands import COMMANDS, Command, State
from ascend_kb.ui.actions import Actions, keys_text, plain_title, tooltip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from ascend_kb.app.workbench import Workbench

BY_ID = {command.id: command for command in COMMANDS}


class Recorder:
    """A workbench that keeps what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[object, ...], dict[str, object]]] = []

    def __getattr__(self, name: str) -> object:
        return lambda *values, **named: self.asked.append((name, values, named))


@pytest.fixture
def made(qapp: QApplication) -> tuple[Actions, Recorder]:
    recorder = Recorder()
    return Actions(cast("Workbench", recorder), QObject(qapp)), recorder


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_an_action_does_what_its_command_does(made: tuple[Actions, Recorder], command: Command) -> None:
    actions, recorder = made
    actions[command.id].trigger()
    (done,) = recorder.asked
    expected = Recorder()
    command.run(cast("Workbench", expected))
    assert [done] == expected.asked


def test_keys_are_written_as_people_read_them() -> None:
    assert keys_text(BY_ID["view.zoom-in"]) == "Ctrl++ / Ctrl+="
    assert keys_text(BY_ID["help.about"]) == ""


def test_a_title_without_its_mnemonic() -> None:
    assert plain_title(BY_ID["edit.find"]) == "Find in text…"


@pytest.mark.usefixtures("chinese")
def test_a_chinese_title_without_its_mnemonic() -> None:
    for command in COMMANDS:
        assert "&" not in plain_title(command)
        assert "(" not in plain_title(command)
        assert plain_title(command)


def test_a_tooltip_explains_and_names_the_keys() -> None:
    assert tooltip(BY_ID["edit.copy"]) == "Copy the selected text, or else the recipe of the selected cards (Ctrl+C)"
    assert tooltip(BY_ID["help.about"]) == "Show the versions"
    assert tooltip(Command("x.y", "&Title", "", lambda _: None)) == "Title"


@pytest.mark.parametrize(
    ("state", "enabled", "title"),
    [
        (State(), False, "Copy recipe: &commands only"),
        (State(selected=1, has_commands=True), True, "Copy recipe: &commands only"),
        (State(selected=1), False, "Copy recipe: commands only (this card has none)"),
    ],
)
def test_the_command_form_says_why_it_is_greyed(
    made: tuple[Actions, Recorder], state: State, enabled: bool, title: str
) -> None:
    action = made[0]["card.copy-commands"]
    made[0].update(state)
    assert (action.isEnabled(), action.text()) == (enabled, title)


def test_a_greyed_action_does_nothing(made: tuple[Actions, Recorder]) -> None:
    actions, recorder = made
    actions.update(State())
    actions["go.back"].trigger()
    assert recorder.asked == []
