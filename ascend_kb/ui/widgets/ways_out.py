"""A sentence with buttons for what can be done about it; it stands above the list and never blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from ascend_kb.ui.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST = 48  # characters of a button


class WaysOut(QFrame):
    """Shows a sentence and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._flow = FlowLayout(gap=6)
        buttons = QWidget()
        buttons.setLayout(self._flow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 8)
        layout.setSpacing(8)
        layout.addWidget(self._text)
        layout.addWidget(buttons)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence that is shown."""
        return self._text.text()

    def show_ways(self, text: str, ways: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Show a sentence and a button for each way out."""
        self._text.setText(text)
        while (item := self._flow.takeAt(0)) is not None:
            if (button := item.widget()) is not None:
                button.hide()
                button.deleteLater()
        for name, act in ways:
            short = name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
            button = QPushButton(short.replace("&", "&&"))
            button.setToolTip(name if short != name else "")
            button.clicked.connect(lambda _checked=False, act=act: act())
            self._flow.addWidget(button)
        self.show()
        self.updateGeometry()
