"""The list of results: nothing is chosen until the user chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from ascend_kb.ui.models.results import ResultsModel, RowKind
from ascend_kb.ui.widgets.result_list import ResultList
from tests.gui import KEY
from tests.logs import RELATED, SIGNED, answer

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library


@pytest.fixture
def shown(qtbot: QtBot, library: Library) -> ResultList:
    model = ResultsModel()
    model.show(answer(library, RELATED).diagnosis)
    made = ResultList(model)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def test_the_focus_alone_chooses_nothing_and_the_first_arrow_the_first_row(shown: ResultList) -> None:
    other = QLineEdit(shown)
    other.show()
    other.setFocus()
    shown.setFocus()
    assert shown.hasFocus()
    assert shown.current() is None
    assert not shown.currentIndex().isValid()
    QTest.keyClick(shown, KEY.Key_Down)
    row = shown.current()
    assert row is not None
    assert row.kind is RowKind.MATCH


def test_enter_without_a_choice_does_nothing(qtbot: QtBot, shown: ResultList) -> None:
    with qtbot.assertNotEmitted(shown.chosen):
        QTest.keyClick(shown, KEY.Key_Return)


def test_another_answer_leaves_no_choice(shown: ResultList, library: Library) -> None:
    QTest.keyClick(shown, KEY.Key_Down)
    model = shown.model()
    assert isinstance(model, ResultsModel)
    model.show(answer(library, SIGNED).diagnosis)
    assert shown.current() is None
    assert shown.current_row() == -1
