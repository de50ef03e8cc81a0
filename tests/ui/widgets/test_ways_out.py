"""A sentence with buttons for what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from ascend_kb.ui.widgets.ways_out import LONGEST, WaysOut

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def ways(qtbot: QtBot) -> WaysOut:
    made = WaysOut()
    qtbot.addWidget(made)
    return made


def buttons(ways: WaysOut) -> list[QPushButton]:
    return [button for button in ways.findChildren(QPushButton) if button.isVisible()]


def test_it_is_hidden_until_there_is_something_to_say(ways: WaysOut) -> None:
    assert ways.isHidden()
    ways.show_ways("What now?", [])
    assert ways.isVisible()
    assert ways.text == "What now?"
    assert buttons(ways) == []


def test_each_button_does_its_own(ways: WaysOut) -> None:
    done: list[int] = []
    ways.show_ways("", [("one", lambda: done.append(1)), ("two", lambda: done.append(2))])
    for button in reversed(buttons(ways)):
        button.click()
    assert done == [2, 1]


def test_new_ways_take_the_place_of_the_old_ones_even_from_within_one(qtbot: QtBot, ways: WaysOut) -> None:
    ways.show_ways("", [("old", lambda: ways.show_ways("", [("new", lambda: None)]))])
    buttons(ways)[0].click()
    qtbot.waitUntil(lambda: [button.text() for button in buttons(ways)] == ["new"])


@pytest.mark.parametrize("length", [LONGEST, LONGEST + 1, 5000])
def test_a_long_name_is_cut_and_stands_in_the_tooltip(ways: WaysOut, length: int) -> None:
    name = "a & " * (length // 4) + "b" * (length % 4)
    ways.show_ways("", [(name, lambda: None)])
    (button,) = buttons(ways)
    shown = button.text().replace("&&", "&")
    assert len(shown) == min(length, LONGEST)
    assert button.toolTip() == ("" if shown == name else name)


def test_markup_is_text(ways: WaysOut) -> None:
    ways.show_ways("<b>bold</b>", [])
    assert ways.findChildren(QLabel)[0].textFormat() is Qt.TextFormat.PlainText


@pytest.mark.parametrize("names", [["one", "two", "three"], ["four"]])
def test_buttons_stand_in_the_order_of_tab(qtbot: QtBot, ways: WaysOut, names: list[str]) -> None:
    ways.show_ways("", [("before", lambda: None)])
    ways.show_ways("", [(name, lambda: None) for name in names])
    qtbot.waitUntil(lambda: [button.text() for button in buttons(ways)] == names)
    chain: list[QWidget | None] = [ways]
    while (widget := chain[-1]) is not None and widget.nextInFocusChain() is not ways:
        chain.append(widget.nextInFocusChain())
    assert [widget for widget in chain if widget in buttons(ways)] == buttons(ways)
