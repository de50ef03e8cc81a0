"""The small button that stands for a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from ascend_kb.ui.widgets.action_button import ActionButton

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_it_follows_its_action(qtbot: QtBot) -> None:
    action = QAction("Back")
    action.setToolTip("Go back (Alt+Left)")
    action.setEnabled(False)
    button = ActionButton(action, "←")
    qtbot.addWidget(button)
    assert (button.text(), button.isEnabled(), button.toolTip()) == ("←", False, "Go back (Alt+Left)")
    assert button.accessibleName() == "Go back (Alt+Left)"
    action.setEnabled(True)
    action.setToolTip("后退")
    assert (button.isEnabled(), button.toolTip(), button.accessibleName()) == (True, "后退", "后退")
    with qtbot.waitSignal(action.triggered):
        button.click()
