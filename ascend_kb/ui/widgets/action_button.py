"""A small button for a command that shows a sign instead of the command's title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QToolButton

if TYPE_CHECKING:
    from PySide6.QtGui import QAction


class ActionButton(QToolButton):
    """Triggers an action; state and tooltip follow it."""

    def __init__(self, action: QAction, sign: str) -> None:
        super().__init__()
        self._action = action
        self.setText(sign)
        self.setAutoRaise(True)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.4)
        self.setFont(font)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())
        self.setAccessibleName(self._action.toolTip())
