"""The card list: how many, the table, and what to do when there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import Filter, Sort, SortColumn
from ascend_kb.core.vocabulary import Evidence, Outcome, label
from ascend_kb.ui.models.cards import COLUMNS, CardTableModel, evidence_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent

    from ascend_kb.core.query import CardRow


class CardTable(QTableView):
    """The table itself."""

    text_requested = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the text."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.text_requested.emit()
            return
        super().keyPressEvent(event)


class CardsPanel(QWidget):
    """Shows a CardTableModel."""

    current_changed = Signal(int)  # row number, -1 for none
    selection_changed = Signal()
    filter_dropped = Signal(object)  # a Filter, or None for the search text

    def __init__(self, tag_label: Callable[[str], str]) -> None:
        super().__init__()
        self.cards = CardTableModel(tag_label)
        self.table = CardTable()
        self._set_up_table()
        self.heading = QLabel()
        self._empty = QWidget()
        self._empty_text = QLabel()
        self._empty_buttons = QVBoxLayout()
        self._set_up_empty()
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.heading.setContentsMargins(6, 4, 6, 4)
        layout.addWidget(self.heading)
        layout.addLayout(self._stack, 1)
        self.retranslate()

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.cards)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setSectionsMovable(True)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSortIndicatorClearable(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.reset_columns()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.selectionModel().currentRowChanged.connect(lambda now, _before: self.current_changed.emit(now.row()))
        table.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
        # A click on the row that is current already goes back to its card from a page.
        table.clicked.connect(lambda index: self.current_changed.emit(index.row()))

    def reset_columns(self) -> None:
        """Give rows and columns their first sizes, which follow the font."""
        metrics = self.table.fontMetrics()
        samples = {
            SortColumn.KEY: ["ascendc-kernelgen"],
            SortColumn.TITLE: ["0" * 42],
            SortColumn.OUTCOME: [label(outcome).get(current()) for outcome in Outcome],
            SortColumn.EVIDENCE: [evidence_text(evidence) + "0" for evidence in Evidence],
            SortColumn.DATE: ["2026-00-00"],
            SortColumn.TAGS: ["0" * 24],
        }
        vertical = self.table.verticalHeader()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setDefaultSectionSize(round(metrics.height() * 1.45))
        header = self.table.horizontalHeader()
        for visual, column in enumerate(COLUMNS):
            header.moveSection(header.visualIndex(visual), visual)
            header.resizeSection(visual, max(map(metrics.horizontalAdvance, samples[column])) + 18)

    def _set_up_empty(self) -> None:
        layout = QVBoxLayout(self._empty)
        layout.setContentsMargins(24, 24, 24, 24)
        self._empty_text.setWordWrap(True)
        self._empty_text.setTextFormat(Qt.TextFormat.PlainText)
        layout.addWidget(self._empty_text)
        layout.addLayout(self._empty_buttons)
        layout.addStretch(1)

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.table.setAccessibleName(tr("Cards"))
        self.cards.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        if self.cards.rowCount():
            self.cards.dataChanged.emit(
                self.cards.index(0, 0), self.cards.index(self.cards.rowCount() - 1, len(COLUMNS) - 1)
            )

    def show_sort(self, sort: Sort) -> None:
        """Show by which column the list is ordered."""
        header = self.table.horizontalHeader()
        section = COLUMNS.index(sort.column) if sort.column in COLUMNS else -1
        order = Qt.SortOrder.DescendingOrder if sort.descending else Qt.SortOrder.AscendingOrder
        blocked = header.blockSignals(True)
        header.setSortIndicator(section, order)
        header.blockSignals(blocked)
        header.viewport().update()

    def show_heading(self, shown: int, partial: int, total: int, ways_out: Sequence[tuple[str, Filter | None]]) -> None:
        """Say how many cards are shown, how many of them match in part only, and what to drop when there are none."""
        text = tr("Cards ({shown} of {total})", shown=shown, total=total)
        if partial:
            text += " · " + tr("{partial} match in part", partial=partial)
        self.heading.setText(text)
        self._stack.setCurrentWidget(self.table if shown else self._empty)
        while (item := self._empty_buttons.takeAt(0)) is not None:
            if (button := item.widget()) is not None:
                button.deleteLater()
        if shown:
            return
        self._empty_text.setText(
            tr("No cards. Drop one of these to see more:") if ways_out else tr("There are no cards here.")
        )
        for name, wanted in ways_out:
            button = QPushButton(name)
            button.clicked.connect(lambda _checked=False, wanted=wanted: self.filter_dropped.emit(wanted))
            self._empty_buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def select(self, row: int) -> None:
        """Select one row and make it visible; -1 selects none."""
        selection = self.table.selectionModel()
        if row < 0:
            selection.clear()
            return
        index = self.cards.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        selection.setCurrentIndex(index, flags)
        self.table.scrollTo(index)

    def selected_ranges(self) -> list[tuple[int, int]]:
        """Return the selected rows as ranges (first, last), in table order."""
        return sorted((r.top(), r.bottom()) for r in self.table.selectionModel().selection().toList())

    def selected_count(self) -> int:
        """Return the number of selected rows."""
        return sum(last - first + 1 for first, last in self.selected_ranges())

    def current_row(self) -> CardRow | None:
        """Return the row that has the focus, or None."""
        return self.cards.row(self.table.currentIndex().row())

    def columns_state(self) -> str:
        """Return widths, order and visibility of the columns as text."""
        return bytes(self.table.horizontalHeader().saveState().toBase64().data()).decode("ascii")

    def restore_columns(self, state: str) -> None:
        """Bring back what ``columns_state`` returned; anything else is ignored."""
        header = self.table.horizontalHeader()
        blocked = header.blockSignals(True)
        if not state or not header.restoreState(QByteArray.fromBase64(state.encode("ascii", "replace"))):
            self.reset_columns()
        header.blockSignals(blocked)
