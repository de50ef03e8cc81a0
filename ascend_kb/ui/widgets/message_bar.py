"""A bar above the panes for what the user should know: problems and ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton

from ascend_kb.core.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class MessageBar(QFrame):
    """Shows one message at a time with buttons; it can be closed and never blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(10, 6, 6, 6)
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._layout.addWidget(self._text, 1)
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setAutoRaise(True)
        self._close.clicked.connect(self.hide)
        self._layout.addWidget(self._close)
        self._buttons: list[QPushButton] = []
        self.hide()

    @property
    def text(self) -> str:
        """The message that is shown."""
        return self._text.text()

    def show_message(
        self, message: str, hint: str = "", ways_out: Sequence[tuple[str, Callable[[], None]]] = ()
    ) -> None:
        """Show a message, what to do, and a button for each way out."""
        self._text.setText(f"{message}\n{hint}" if hint else message)
        self._close.setToolTip(tr("Close this message"))
        self._close.setAccessibleName(tr("Close this message"))
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for name, act in ways_out:
            button = QPushButton(name)
            button.clicked.connect(self.hide)
            button.clicked.connect(lambda _checked=False, act=act: act())
            self._layout.insertWidget(self._layout.count() - 1, button)
            self._buttons.append(button)
        self.show()
