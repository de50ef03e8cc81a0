"""The list under the search box takes the room of its rows, inside the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from ascend_kb.ui.widgets.suggestions import ROWS, Suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ROW = ("tag:hook", "API hooking", "7")


@pytest.fixture
def box(qtbot: QtBot) -> Iterator[QLineEdit]:
    window = QWidget()
    made = QLineEdit()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(made)
    layout.addStretch(1)
    window.resize(600, 400)
    window.show()
    yield made
    window.close()


@pytest.mark.parametrize("count", [1, 3, ROWS, ROWS + 1, 50])
def test_it_is_as_high_as_its_rows_but_shows_no_more_than_fit(qtbot: QtBot, box: QLineEdit, count: int) -> None:
    shown = Suggestions(box)
    shown.show_rows([ROW] * count, "", 0, select=False)
    assert shown.isVisible()
    assert shown.list.viewport().height() == shown.list.sizeHintForRow(0) * min(count, ROWS)
    qtbot.waitUntil(lambda: shown.list.verticalScrollBar().isVisible() is (count > ROWS))
    assert not shown.list.horizontalScrollBar().isVisible()


@pytest.mark.parametrize("left", [0, 300, 590, 5000])
@pytest.mark.parametrize("text", ["a", "tag:" + "x" * 500])
def test_it_stays_inside_the_window(box: QLineEdit, text: str, left: int) -> None:
    shown = Suggestions(box)
    shown.show_rows([(text, "meaning " * 30, "12345")], "first 1 of 2", left, select=True)
    assert shown.geometry().left() > 0
    assert shown.geometry().right() < box.window().width()
    assert shown.geometry().top() > box.geometry().bottom()


def test_it_takes_no_focus_and_is_named(box: QLineEdit) -> None:
    box.window().activateWindow()
    box.setFocus()
    shown = Suggestions(box)
    shown.show_rows([ROW], "", 0, select=True)
    assert shown.list.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert box.window().focusWidget() is box
    assert shown.list.accessibleName() == "Suggestions"


def test_the_current_row_goes_round_and_pages_stop_at_the_ends(box: QLineEdit) -> None:
    shown = Suggestions(box)
    shown.show_rows([ROW] * 25, "", 0, select=False)
    seen = [shown.current()]
    for step in (-1, 1, 1, 9, 100, 1, -100):
        shown.move_current(step)
        seen.append(shown.current())
    assert seen == [-1, 24, 0, 1, 10, 24, 0, 0]
