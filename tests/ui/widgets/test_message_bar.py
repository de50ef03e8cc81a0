"""The bar that says what is wrong and offers ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPushButton, QToolButton

from ascend_kb.ui.widgets.message_bar import MessageBar
from tests.gui import child

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def bar(qtbot: QtBot) -> MessageBar:
    made = MessageBar()
    qtbot.addWidget(made)
    return made


def buttons(bar: MessageBar) -> list[QPushButton]:
    return [button for button in bar.findChildren(QPushButton) if button.isVisible()]


def test_it_is_hidden_until_there_is_something_to_say(bar: MessageBar) -> None:
    assert bar.isHidden()
    bar.show_message("the disk is gone")
    assert bar.isVisible()
    assert bar.text == "the disk is gone"
    bar.show_message("the disk is gone", "plug it in")
    assert bar.text == "the disk is gone\nplug it in"


def test_markup_is_shown_as_text(bar: MessageBar) -> None:
    bar.show_message("<b>x</b> & <img src=x>")
    assert bar.text == "<b>x</b> & <img src=x>"


def test_a_way_out_acts_once_and_closes_the_bar(bar: MessageBar) -> None:
    done: list[str] = []
    bar.show_message("x", ways_out=[("first", lambda: done.append("first")), ("second", lambda: done.append("second"))])
    assert [button.text() for button in buttons(bar)] == ["first", "second"]
    buttons(bar)[1].click()
    assert done == ["second"]
    assert bar.isHidden()


def test_a_way_out_may_show_the_next_message(bar: MessageBar) -> None:
    bar.show_message("x", ways_out=[("again", lambda: bar.show_message("y"))])
    buttons(bar)[0].click()
    assert (bar.isVisible(), bar.text) == (True, "y")


def test_a_new_message_takes_the_place_of_the_old_one_and_its_buttons(bar: MessageBar, qtbot: QtBot) -> None:
    bar.show_message("x", ways_out=[("old", lambda: None)])
    bar.show_message("y", ways_out=[("new", lambda: None)])
    assert "old" not in [button.text() for button in buttons(bar)]
    qtbot.waitUntil(lambda: [button.text() for button in buttons(bar)] == ["new"])
    bar.show_message("z")
    assert buttons(bar) == []


def test_it_can_be_closed(bar: MessageBar) -> None:
    bar.show_message("x")
    close = child(bar, QToolButton)
    assert close.accessibleName() == "Close this message"
    close.click()
    assert bar.isHidden()
