"""The list under the search box: what can be inserted, what it means, and how many cards it selects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from ascend_kb.core.i18n import tr
from ascend_kb.ui import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtWidgets import QLineEdit

ROWS = 10  # that are seen at once
WIDEST = 46  # average letters of one column
LINE = 1.35  # height of a row in lines of text


class _RowDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a cell, with room between the lines."""
        return QSize(super().sizeHint(option, index).width(), round(option.fontMetrics.height() * LINE))


class Suggestions(QFrame):
    """A list that takes no focus: keys go on to the box. ``chosen`` names the row that was clicked."""

    chosen = Signal(int)

    def __init__(self, box: QLineEdit) -> None:
        super().__init__(box.window())
        self._box = box
        self.setFrameStyle(QFrame.Shape.Box | QFrame.Shadow.Plain)
        self.setAutoFillBackground(True)
        self.list = QTreeWidget()
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setItemDelegate(_RowDelegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.header().setStretchLastSection(False)
        self.list.header().setMinimumSectionSize(1)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.itemClicked.connect(lambda item, _column: self.chosen.emit(self.list.indexOfTopLevelItem(item)))
        self._note = QLabel()
        self._note.setContentsMargins(6, 2, 6, 2)
        self._note.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.list)
        layout.addWidget(self._note)
        for widget in (self, self.list, self.list.viewport()):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_rows(self, rows: Sequence[tuple[str, str, str]], note: str, left: int, *, select: bool) -> None:
        """Show rows (text, meaning, count) under the box, ``left`` pixels from its edge; ``select`` takes the first."""
        self.setParent(self._box.window())
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setForegroundRole(QPalette.ColorRole.WindowText)  # in which the frame is drawn
        self.list.setAccessibleName(tr("Suggestions"))
        frame = QPalette()
        frame.setColor(QPalette.ColorRole.WindowText, theme.border(frame))
        self.setPalette(frame)
        quiet = theme.muted(frame)
        self.list.clear()
        for row in rows:
            item = QTreeWidgetItem(list(row))
            for column in (0, 1, 2) if row[2] == "0" else (1, 2):
                item.setForeground(column, quiet)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.list.addTopLevelItem(item)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._place(len(rows), left)
        if select:
            self._set_current(0)
        self.show()
        self.raise_()

    def _place(self, rows: int, left: int) -> None:
        """Give the list the size of its rows, inside the window."""
        unit = self.fontMetrics().averageCharWidth()
        width = 2 * self.frameWidth() + 4
        sizes = [min(self.list.sizeHintForColumn(column) + unit, WIDEST * unit) for column in range(3)]
        for column in (0, 2):
            self.list.setColumnWidth(column, sizes[column])
        width += sum(sizes)
        if rows > ROWS:
            width += self.list.verticalScrollBar().sizeHint().width()
        height = self.list.sizeHintForRow(0) * min(rows, ROWS)
        self.list.setFixedHeight(height)
        window = self._box.window()
        corner = self._box.mapTo(window, QPoint(left, self._box.height() + 1))
        width = min(max(width, 24 * unit, self._note.sizeHint().width()), window.width() - 8)
        corner.setX(max(4, min(corner.x(), window.width() - width - 4)))
        height += 2 + 2 * self.frameWidth() + (self._note.sizeHint().height() if self._note.text() else 0)
        self.setGeometry(corner.x(), corner.y(), width, height)

    def move_current(self, step: int) -> None:
        """Go up or down in the list, round at its ends."""
        count, now = self.list.topLevelItemCount(), self.current()
        if abs(step) == 1:
            wanted = (now + step) % count if now >= 0 else (0 if step > 0 else count - 1)
        else:
            wanted = max(0, min(count - 1, now + step))
        self._set_current(wanted)

    def _set_current(self, row: int) -> None:
        self.list.setCurrentIndex(self.list.model().index(row, 0))

    def current(self) -> int:
        """Return the number of the current row, -1 for none."""
        return self.list.currentIndex().row()
