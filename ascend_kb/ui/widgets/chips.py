"""The active filters as chips that can be removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from ascend_kb.core.explain import facet_name
from ascend_kb.core.i18n import tr
from ascend_kb.core.query import Filter
from ascend_kb.ui.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ChipBar(QWidget):
    """One chip for each active filter."""

    removed = Signal(Filter)

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(gap=6)
        self.setLayout(self._flow)
        self.setVisible(False)

    def show_filters(self, filters: Sequence[Filter], label: Callable[[Filter], str]) -> None:
        """Show these filters; ``label`` names their values."""
        while (item := self._flow.takeAt(0)) is not None:
            if (chip := item.widget()) is not None:
                chip.hide()
                chip.deleteLater()
        for wanted in filters:
            self._flow.addWidget(self._chip(wanted, label(wanted)))
        self.setVisible(bool(filters))
        self.updateGeometry()

    def chips(self) -> list[QWidget]:
        """Return the chips, in order."""
        items = (self._flow.itemAt(i) for i in range(self._flow.count()))
        return [chip for item in items if item is not None and (chip := item.widget()) is not None]

    def _chip(self, wanted: Filter, name: str) -> QToolButton:
        chip = QToolButton()
        short = name if len(name) <= 30 else name[:29] + "…"
        chip.setText(f"{facet_name(wanted.facet)}: {short}  ✕")
        chip.setToolTip(tr("Remove the filter {name}", name=name))
        chip.setAccessibleName(tr("Remove the filter {name}", name=name))
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        chip.clicked.connect(lambda: self.removed.emit(wanted))
        return chip
