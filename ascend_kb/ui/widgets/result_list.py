"""The list of what a diagnosis found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView

from ascend_kb.ui.delegates.result import ResultDelegate

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QResizeEvent

    from ascend_kb.ui.models.results import ResultsModel, Row


class ResultList(QListView):
    """Shows the rows of a ResultsModel."""

    chosen = Signal(object)  # the Row that Enter was pressed on
    paste_requested = Signal()

    def __init__(self, model: ResultsModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(ResultDelegate(self))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # or the width would change the heights
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self._results = model

    def current_row(self) -> int:
        """Return the number of the row that is chosen, -1 for none."""
        chosen = self.selectionModel().selectedIndexes()
        return chosen[0].row() if chosen else -1

    def current(self) -> Row | None:
        """Return the row that is chosen, or None."""
        return self._results.row(self.current_row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses; Ctrl+V gives another log."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste_requested.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row = self.current()
            if row is not None:
                self.chosen.emit(row)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Leave it to the user to choose where nothing is chosen; Qt would go to the first row."""
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection():
            self.selectionModel().clearCurrentIndex()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the rows take their new heights."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
