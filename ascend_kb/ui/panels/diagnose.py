"""The diagnose pane: a log above, what explains it below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ascend_kb.core.diagnosis import BAND_LABELS, Band
from ascend_kb.core.i18n import current, tr
from ascend_kb.ui.models.results import SHAPES, ResultsModel, RowKind, notes
from ascend_kb.ui.widgets.elided_label import ElidedLabel
from ascend_kb.ui.widgets.log_view import LogView
from ascend_kb.ui.widgets.result_list import ResultList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from ascend_kb.app.diagnosis_process import Answer
    from ascend_kb.core.diagnosis import Span

SHOWN_AFTER = 300  # milliseconds of work until the progress bar is shown
_SHARES = (9, 11)  # of the height: log, results


class DiagnosePanel(QWidget):
    """Shows a log and its Answer, and says what the user asks for."""

    paste_requested = Signal()
    cancel_requested = Signal()
    leave_requested = Signal()
    picked = Signal(object)  # the Row that is selected now
    chosen = Signal(object)  # the Row that Enter or a double click asks for

    def __init__(self, give: Sequence[QAction], copy_draft: QAction) -> None:
        super().__init__()
        self.answer: Answer | None = None
        self._name = ""
        self._is_reading = False
        self._was_split = False
        self.log = LogView()
        self.log.offer(give)
        self.results = ResultsModel()
        self.list = ResultList(self.results)
        self.heading = ElidedLabel()
        self.verdict = QLabel()
        self.meaning = QLabel()
        self.progress = QProgressBar()
        self.cancel_button = QPushButton()
        self.leave_button = QToolButton()
        self.copy_button = QToolButton()
        self.copy_button.setDefaultAction(copy_draft)
        self.give_buttons = [QToolButton() for _ in give]
        for button, action in zip(self.give_buttons, give, strict=True):
            button.setDefaultAction(action)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(SHOWN_AFTER)
        self._late.timeout.connect(self._show_progress)
        self._lay_out()
        self._connect()
        self.retranslate()
        self.show_nothing()

    def _lay_out(self) -> None:
        self.leave_button.setText("✕")
        self.leave_button.setAutoRaise(True)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 6, 4)
        head.setSpacing(6)
        for widget in (self.heading, *self.give_buttons, self.leave_button):
            head.addWidget(widget, 1 if widget is self.heading else 0)
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(self.fontMetrics().height() // 2 + 2)
        self._work = QWidget()
        work = QHBoxLayout(self._work)
        work.setContentsMargins(8, 4, 6, 4)
        work.addWidget(self.progress, 1)
        work.addWidget(self.cancel_button)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setWordWrap(True)
        font = self.verdict.font()
        font.setBold(True)
        self.verdict.setFont(font)
        self.meaning.setTextFormat(Qt.TextFormat.PlainText)
        self.meaning.setWordWrap(True)
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self.verdict)
        said.addWidget(self.meaning)
        line = QHBoxLayout()
        line.setContentsMargins(10, 6, 6, 6)
        line.addLayout(said, 1)
        line.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        self._found = QWidget()
        found = QVBoxLayout(self._found)
        found.setContentsMargins(0, 0, 0, 0)
        found.setSpacing(0)
        found.addLayout(line)
        found.addWidget(self.list, 1)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.addWidget(self.log)
        self._split.addWidget(self._found)
        self._split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._work)
        layout.addWidget(self._split, 1)

    def _connect(self) -> None:
        self.log.paste_requested.connect(self.paste_requested)
        self.list.paste_requested.connect(self.paste_requested)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self.leave_button.clicked.connect(self.leave_requested)
        self.list.chosen.connect(self.chosen)
        self.list.doubleClicked.connect(lambda _index: self._choose())
        self.list.clicked.connect(lambda _index: self._pick())
        self.list.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.log.filled.connect(self._on_filled)

    def order(self) -> tuple[QWidget, ...]:
        """Return what the Tab key goes through."""
        head = (*self.give_buttons, self.leave_button)
        return (*head, self.cancel_button, self.log, self.copy_button, self.list)

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        self._show_hint()
        self.log.setAccessibleName(tr("Log"))
        self.list.setAccessibleName(tr("Results of the diagnosis"))
        self.progress.setAccessibleName(tr("Progress of the diagnosis"))
        self.cancel_button.setText(tr("Cancel"))
        self.cancel_button.setToolTip(tr("Stop the diagnosis (Esc)"))
        self.leave_button.setToolTip(tr("Back to the cards (Esc)"))
        self.leave_button.setAccessibleName(tr("Back to the cards (Esc)"))
        if self.answer is not None:
            place = self.list.current_row()
            self._show_results()
            if place >= 0:
                self.list.setCurrentIndex(self.results.index(place, 0))
        self._show_heading()

    def _show_hint(self) -> None:
        if self._is_reading:
            self.log.show_hint(tr("The log is being read…"))
            return
        keys = [action.shortcut().toString() for button in self.give_buttons for action in button.actions()]
        self.log.show_hint(
            tr("Paste a log here (Ctrl+V), drop a file on the window, or open one ({keys}).", keys=keys[0]),
            tr("Up to 20 MB are read as a whole, in any encoding, with or without colours."),
            tr("Nothing leaves this computer."),
        )

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Show what to do."""
        self.answer = None
        self._is_reading = False
        self._name = ""
        self._late.stop()
        self._work.hide()
        self._found.hide()
        self.results.show(None)
        self.log.show_excerpt(None)
        self._show_hint()
        self._show_heading()

    def begin(self, name: str) -> None:
        """Show that a log is being read; a bar appears if that takes long."""
        self.show_nothing()
        self._name = name
        self._is_reading = True
        self.progress.setRange(0, 0)
        self._show_hint()
        self._late.start()
        self._show_heading()

    def _show_progress(self) -> None:
        self._work.show()

    def show_progress(self, done: int, total: int) -> None:
        """Show how far the work is."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def show_answer(self, answer: Answer) -> None:
        """Show a log and what explains it."""
        self.answer = answer
        self._is_reading = False
        self._late.stop()
        self._work.hide()
        self._show_results()
        self._found.show()
        if not self._was_split:  # later it is where the user left it
            self._was_split = True
            self._split.setSizes([self._split.height() * share // sum(_SHARES) for share in _SHARES])
        self._show_heading()
        self.log.show_excerpt(answer.excerpt)

    def _show_results(self) -> None:
        assert self.answer is not None  # noqa: S101  (the callers looked)
        found = self.answer.diagnosis
        self.results.show(found)
        count = sum(match.band is found.band for match in found.matches)
        band = found.band if found.band.answers else Band.NONE
        label = f"{SHAPES[band]} {BAND_LABELS[band].get(current())}"
        if found.band.answers:
            label += " · " + (tr("1 card") if count == 1 else tr("{count} cards", count=count))
        self.verdict.setText(label)
        self.meaning.setText(notes()[found.band if found.band.answers else Band.NONE])
        self.copy_button.setVisible(found.draft is not None)

    def _show_heading(self) -> None:
        if self.answer is None:
            self.heading.say(self._name or tr("Diagnose a log"))
            return
        answer = self.answer
        lines = f"{answer.excerpt.lines:,}"
        parts = [
            self._name,
            tr("{count} lines", count=lines),
            _amount(answer.size),
            answer.diagnosis.encoding.upper(),
        ]
        if answer.diagnosis.cut:
            parts.append(tr("larger than 20 MB: beginning, errors and end were read"))
        elif not answer.excerpt.is_whole:
            parts.append(tr("parts are shown"))
        self.heading.say(" · ".join(filter(None, parts)))

    # --- choosing ----------------------------------------------------------------------------------------------------

    def select_first(self) -> None:
        """Select the best card."""
        first = self.results.first(RowKind.MATCH)
        if first >= 0:
            self.list.setCurrentIndex(self.results.index(first, 0))

    def move_selection(self, rows: int) -> None:
        """Select the next row, or the one before, that is no heading."""
        number = self.list.current_row() + rows
        while (row := self.results.row(number)) is not None:
            if row.kind is not RowKind.HEADING:
                self.list.setCurrentIndex(self.results.index(number, 0))
                return
            number += 1 if rows > 0 else -1

    def matched_words(self, key: str) -> tuple[str, ...]:
        """Return the words by which a card was found; none for other cards."""
        rows = (self.results.row(i) for i in range(self.results.rowCount()))
        return next((row.words for row in rows if row is not None and row.key is not None and str(row.key) == key), ())

    def _choose(self) -> None:
        row = self.list.current()
        if row is not None:
            self.chosen.emit(row)

    def _pick(self) -> None:
        row = self.list.current()
        if row is not None:
            self.picked.emit(row)

    def _on_selection_changed(self) -> None:
        row = self.list.current()
        if row is None:
            return
        if row.spans:
            self._mark(row.spans)
        self.picked.emit(row)

    def _mark(self, spans: Sequence[Span]) -> None:
        telling = self.answer.diagnosis.telling if self.answer is not None else None
        self.log.mark(spans, telling)
        if spans:
            self.log.go_to(spans[0])

    def _on_filled(self) -> None:
        row = self.list.current()
        telling = self.answer.diagnosis.telling if self.answer is not None else None
        self._mark(row.spans if row is not None else ())
        if telling is not None and (row is None or not row.spans):
            self.log.go_to(telling)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the colours of the system."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_split"):
            self._on_filled()


def _amount(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):.1f} kB"
