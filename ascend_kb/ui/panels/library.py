"""The library tree: clicking, Enter or Space switches a filter on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from ascend_kb.core.i18n import tr
from ascend_kb.ui.models.library import FILTER_ROLE, GROUP_ROLE, LibraryModel, Shelf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent


class LibraryPanel(QTreeView):
    """Shows a LibraryModel."""

    filter_toggled = Signal(object)
    all_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.library = LibraryModel()
        self.setModel(self.library)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(True)
        self.setIndentation(14)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 15)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._on_clicked)
        self.retranslate()

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self.setAccessibleName(tr("Library"))

    def fill(self, shelf: Shelf, expanded: Iterable[str]) -> None:
        """Show a knowledge file with these groups open."""
        self.library.fill(shelf)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        wanted = set(expanded)
        for name, item in self.library.groups().items():
            self.setExpanded(item.index(), name in wanted)
        self.setCurrentIndex(self.library.index(0, 0))

    def expanded_groups(self) -> list[str]:
        """Return the names of the open groups."""
        return [name for name, item in self.library.groups().items() if self.isExpanded(item.index())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Space act like a click."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _on_clicked(self, index: QModelIndex) -> None:
        first = index.siblingAtColumn(0)
        wanted = first.data(FILTER_ROLE)
        if wanted is not None:
            self.filter_toggled.emit(wanted)
        elif first.data(GROUP_ROLE) == "all":
            self.all_requested.emit()
        else:
            self.setExpanded(first, not self.isExpanded(first))
