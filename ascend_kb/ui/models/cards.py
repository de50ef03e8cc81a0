"""The card table: a model that fetches pages by row number, when their rows are painted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from ascend_kb.core.highlight import in_utf16, spans
from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import Match, SortColumn
from ascend_kb.core.vocabulary import Evidence, label

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.core.query import CardRow
    from ascend_kb.store.listing import Selection

Index = QModelIndex | QPersistentModelIndex
PAGE = 100  # rows that are fetched at once
KEPT = 40  # pages that are kept

COLUMNS = (SortColumn.KEY, SortColumn.TITLE, SortColumn.OUTCOME, SortColumn.EVIDENCE, SortColumn.DATE, SortColumn.TAGS)
# A full, half and empty disc and a dotted ring say how well a card is backed, without colour.
_SHAPES = {Evidence.EXPLICIT: "●", Evidence.OFFICIAL: "◐", Evidence.INFERRED: "○", Evidence.UNVERIFIED: "◌"}
_ROOT = QModelIndex()
MATCHES_ROLE = Qt.ItemDataRole.UserRole + 1  # where the terms of the query stand in the text of a cell
RELATED_ROLE = Qt.ItemDataRole.UserRole + 2  # whether the card is no answer, only related reading


def evidence_text(evidence: Evidence) -> str:
    """Return the shape and the name of an evidence value."""
    return f"{_SHAPES[evidence]} {label(evidence).get(current())}"


def column_title(column: SortColumn) -> str:
    """Return the heading of a column."""
    return {
        SortColumn.KEY: tr("Key"),
        SortColumn.TITLE: tr("Problem"),
        SortColumn.OUTCOME: tr("Outcome"),
        SortColumn.EVIDENCE: tr("Evidence"),
        SortColumn.DATE: tr("Changed"),
        SortColumn.TAGS: tr("Tags"),
    }[column]


class CardTableModel(QAbstractTableModel):
    """The rows of a selection of cards."""

    page_missing = Signal(int)  # number of a page that is to be fetched
    sort_requested = Signal(SortColumn, bool)  # column, descending

    def __init__(self, tag_label: Callable[[str], str]) -> None:
        super().__init__()
        self._tag_label = tag_label
        self._total = 0
        self._pages: dict[int, tuple[CardRow, ...]] = {}
        self._asked: set[int] = set()
        self._marks: dict[str, tuple[tuple[int, int], ...]] = {}
        self.selection: Selection | None = None

    def show(self, selection: Selection, first_page: tuple[CardRow, ...], page: int = 0) -> None:
        """Show another selection; ``first_page`` holds the rows of ``page``."""
        self.beginResetModel()
        self.selection = selection
        self._total = selection.total
        self._pages = {page: first_page}
        self._asked = set()
        self._marks = {}
        self.endResetModel()

    def set_page(self, page: int, rows: tuple[CardRow, ...]) -> None:
        """Take the rows of a page that was missing."""
        self._asked.discard(page)
        if len(self._pages) >= KEPT:
            del self._pages[max(self._pages, key=lambda kept: abs(kept - page))]
            self._marks = {}
        self._pages[page] = rows
        if rows:
            first = self.index(page * PAGE, 0)
            self.dataChanged.emit(first, self.index(page * PAGE + len(rows) - 1, len(COLUMNS) - 1))

    def row(self, number: int) -> CardRow | None:
        """Return a row, or None while its page is being fetched."""
        if not 0 <= number < self._total:
            return None
        page, place = divmod(number, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            if page not in self._asked:
                self._asked.add(page)
                self.page_missing.emit(page)
            return None
        return rows[place] if place < len(rows) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Return the number of cards."""
        return 0 if parent.isValid() else self._total

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the heading of a column."""
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return column_title(COLUMNS[section])
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("Click to order by this column; once more for the other direction, a third time for best first")
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, and its tooltip and description for screen readers."""
        if not index.isValid() or role not in _ROLES:
            return None
        row = self.row(index.row())
        if row is None:
            return "…" if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        column = COLUMNS[index.column()]
        if role == RELATED_ROLE:
            return row.related
        text = self._text(row, column)
        if role == MATCHES_ROLE:
            return self._matches(row, column, text)
        if role == Qt.ItemDataRole.ToolTipRole and column is SortColumn.TITLE and row.match is not Match.FULL:
            note = tr("related reading, no answer") if row.related else tr("covers a part of the search text")
            return f"{text}\n({note})"
        return text

    def _matches(self, row: CardRow, column: SortColumn, text: str) -> tuple[tuple[int, int], ...]:
        terms = self.selection.terms if self.selection is not None else ()
        if not terms or column not in (SortColumn.KEY, SortColumn.TITLE):
            return ()
        if text not in self._marks:  # a cell is painted more often than its text changes
            self._marks[text] = in_utf16(spans(terms, text, parts=row.match is not Match.FULL), text)
        return self._marks[text]

    def _text(self, row: CardRow, column: SortColumn) -> str:
        language = current()
        if column is SortColumn.KEY:
            return str(row.key)
        if column is SortColumn.TITLE:
            return ("≈ " if row.match is not Match.FULL else "") + row.title.get(language)
        if column is SortColumn.OUTCOME:
            return label(row.outcome).get(language)
        if column is SortColumn.EVIDENCE:
            return evidence_text(row.evidence)
        if column is SortColumn.DATE:
            return row.latest_change
        return (
            "、".join(map(self._tag_label, row.tags)) if language == "zh" else ", ".join(map(self._tag_label, row.tags))
        )

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for another order; column -1 stands for best first."""
        wanted = COLUMNS[column] if 0 <= column < len(COLUMNS) else SortColumn.RANK
        self.sort_requested.emit(wanted, order is Qt.SortOrder.DescendingOrder)


_ROLES = {
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    MATCHES_ROLE,
    RELATED_ROLE,
}
