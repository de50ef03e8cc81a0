"""The card list: how many, the table, and what to do when there are none."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import Sort, SortColumn
from ascend_kb.core.vocabulary import Evidence, Outcome, label
from ascend_kb.ui.delegates.match import MatchDelegate
from ascend_kb.ui.models.cards import COLUMNS, CardTableModel, evidence_text
from ascend_kb.ui.widgets.ways_out import WaysOut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent

    from ascend_kb.core.query import CardRow, Filter


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
    query_suggested = Signal(str)
    diagnosis_requested = Signal()

    def __init__(self, tag_label: Callable[[str], str]) -> None:
        super().__init__()
        self.cards = CardTableModel(tag_label)
        self.table = CardTable()
        self._set_up_table()
        self.heading = QLabel()
        self.ways_out = WaysOut()
        self._heading = ""
        self.is_busy = False
        self._is_refused = False
        self._drops: Sequence[tuple[str, Filter | None]] = ()
        self._suggested: Sequence[str] = ()
        self._can_diagnose = False
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(QWidget())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.heading.setContentsMargins(6, 4, 6, 4)
        layout.addWidget(self.heading)
        layout.addWidget(self.ways_out)
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
        self._matches = MatchDelegate(table)
        table.setItemDelegate(self._matches)
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

    def show_busy(self, *, busy: bool = True) -> None:
        """Say that a list takes its time, and how to stop it; or say again what is shown."""
        self.is_busy = busy
        self.heading.setText(tr("Searching… Esc stops it") if busy else self._heading)

    def show_heading(
        self, shown: int, in_part: int, total: int, *, more: int = 0, open_ended: bool = False, refused: bool = False,
        in_order: bool = True,
    ) -> None:  # fmt: skip
        """Say how many cards are shown and how many of them match in part only, out of ``more`` further ones.

        Before they are ``in_order`` there may be more of them.
        """
        self._is_refused = refused and shown > 0
        known = 0 if refused else shown if in_order else f"{shown}+"
        text = tr("Cards ({shown} of {total})", shown=known, total=total)
        if not in_order:
            text += " · " + tr("good ones first; the exact order follows")
        found = f"{in_part + more}+" if open_ended else in_part + more
        if self._is_refused and more:
            text += " · " + tr("first {count} of {found} for further reading", count=shown, found=found)
        elif self._is_refused:
            text += " · " + tr("{count} for further reading", count=shown)
        elif in_part and more:
            text += " · " + tr("first {partial} of {found} match in part", partial=in_part, found=found)
        elif in_part:
            text += " · " + tr("{partial} match in part", partial=in_part)
        self._heading, self.is_busy = text, False
        self.heading.setText(text)
        self._stack.setCurrentIndex(0 if shown else 1)

    def show_ways_out(
        self, drops: Sequence[tuple[str, Filter | None]], *, has_text: bool = False, can_diagnose: bool = False
    ) -> None:
        """Say what to do where no card answers: parts of the query to drop, and the diagnosis of a log."""
        self._drops, self._suggested = drops, ()
        self._can_diagnose = can_diagnose and has_text
        self._show_ways()

    def show_suggestions(self, texts: Sequence[str]) -> None:
        """Offer queries that were probably meant."""
        self._suggested = texts
        self._show_ways()

    def _show_ways(self) -> None:
        is_empty = self._stack.currentIndex() == 1
        if not is_empty and not self._is_refused and not self._suggested:
            self.ways_out.hide()
            return
        ways: list[tuple[str, Callable[[], None]]] = [
            (tr("Did you mean: {text}", text=text), partial(self.query_suggested.emit, text))
            for text in self._suggested
        ]
        ways += [
            (tr("Drop {what}", what=name), partial(self.filter_dropped.emit, wanted)) for name, wanted in self._drops
        ]
        if self._can_diagnose and (is_empty or self._is_refused):
            ways.append((tr("Diagnose instead"), self.diagnosis_requested.emit))
        if self._is_refused:
            text = tr("No card answers this search. The cards below are related reading only.")
        elif is_empty:
            text = tr("No card matches. What you can do:") if ways else tr("There are no cards here.")
        else:
            text = tr("No card matches in full.")
        self.ways_out.show_ways(text, ways)

    def offset(self) -> int | None:
        """Return how far below the upper edge the current row stands; None where it cannot be seen."""
        place = self.table.visualRect(self.table.currentIndex())
        return place.top() if self.table.viewport().rect().intersects(place) else None

    def select(self, row: int, offset: int | None = None) -> None:
        """Select one row and make it visible, ``offset`` pixels below the upper edge; -1 selects none."""
        selection = self.table.selectionModel()
        if row < 0:
            selection.clear()
            return
        index = self.cards.index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        selection.setCurrentIndex(index, flags)
        self.table.scrollTo(index)
        if offset is not None:
            bar = self.table.verticalScrollBar()
            bar.setValue(bar.value() + self.table.visualRect(index).top() - offset)

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
