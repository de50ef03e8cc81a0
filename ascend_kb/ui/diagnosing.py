"""How the diagnose pane hangs together with its window: logs come in, cards and drafts go out."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from ascend_kb.app.diagnosis_process import Answer, Log, LogError
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import current, tr
from ascend_kb.core.recipe import Copied
from ascend_kb.ui import clipboard
from ascend_kb.ui.diagnoser import Diagnoser
from ascend_kb.ui.history import Place, PlaceKind
from ascend_kb.ui.models.results import Row, RowKind
from ascend_kb.ui.panels.diagnose import DiagnosePanel

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QWidget

    from ascend_kb.core.keys import CardKey
    from ascend_kb.ui.session import Session
    from ascend_kb.ui.window import MainWindow

GIVE = ("diagnose.open", "diagnose.paste")
_TEXTS = ("text/plain;charset=utf-8", "text/plain")


def log_of(data: QMimeData) -> tuple[Log, str] | None:
    """Return the log that was dropped or pasted, and its name; None where there is none.

    Text is taken as bytes: making it a string would hold up the window.
    """
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if files:
        return Log(path=Path(files[0])), Path(files[0]).name
    for kind in _TEXTS:
        if data.hasFormat(kind):
            content = bytes(data.data(kind).data())
            if content and not content.isspace():
                return Log(data=content), tr("Pasted text")
    return None


class Diagnosing(QObject):
    """Stands beside the coordinator of a window; made when the pane is first needed."""

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        actions = window.actions_by_id
        self.panel = DiagnosePanel([actions[name] for name in GIVE], actions["diagnose.copy-draft"])
        self.diagnoser = Diagnoser(lambda: session.library.place, self)
        self._log: tuple[Log, str] | None = None  # what was asked for last, with its name
        self._complaint = ""
        self._before: CardKey | None = None  # the card that was selected in the list
        window.add_page(self.panel, (self.panel.log, self.panel.list), self.panel.order())
        self.zoom(window.detail.zoom_level)
        p, d = self.panel, self.diagnoser
        p.paste_requested.connect(self.paste)
        p.cancel_requested.connect(self.cancel)
        p.leave_requested.connect(self.leave)
        p.picked.connect(self._on_picked)
        p.chosen.connect(self._on_chosen)
        d.progressed.connect(p.show_progress)
        d.answered.connect(self._on_answered)
        d.failed.connect(self._on_failed)
        session.query_changed.connect(lambda _query: self._hide())

    # --- the pane ----------------------------------------------------------------------------------------------------

    @property
    def is_shown(self) -> bool:
        """Whether the pane stands in place of the list."""
        return self._window.shows_page(self.panel)

    def show(self) -> None:
        """Show the pane; the log has the focus, or the results where there are any."""
        self.prepare()
        self._appear()
        self._focus()
        row = self.panel.list.current()
        if row is not None:
            self._on_picked(row)
        self._window.workbench.update_actions()

    def _appear(self) -> None:
        if not self.is_shown:
            row = self._window.cards.current_row()
            self._before = row.key if row is not None else None
            self._window.show_page(self.panel)

    def zoom(self, level: int) -> None:
        """Show the log in the size of the text beside it."""
        self.panel.log.zoom_to(level)

    def prepare(self) -> None:
        """Let a process wait for a log; where none can be started, the log will say so."""
        with suppress(KBError):
            self.diagnoser.prepare()

    def _focus(self) -> None:
        widget: QWidget = self.panel.list if self.panel.answer is not None else self.panel.log
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _hide(self) -> None:
        if self.is_shown:
            self.diagnoser.rest()
            self._withdraw()
            self._window.show_page(None)
            self._window.workbench.update_actions()

    def leave(self) -> None:
        """Go back to the list and the card that was selected there."""
        self._hide()
        cards = self._window.cards
        cards.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self._before is not None:
            self._session.show_card(self._before, moving=True)
        elif cards.cards.rowCount():
            cards.select(0)

    def step_back(self) -> bool:
        """Go one step back within the pane; False where it is not shown."""
        if not self.is_shown:
            return False
        if self._window.detail.browser.hasFocus():
            self._focus()
        elif self.diagnoser.is_running:
            self.cancel()
        else:
            self.leave()
        return True

    @property
    def draft(self) -> str:
        """The draft of an issue in the language of the interface; empty where there is none."""
        answer = self.panel.answer
        draft = answer.diagnosis.draft if answer is not None and self.is_shown else None
        return draft.get(current()) if draft is not None else ""

    def matched_words(self, key: str) -> tuple[str, ...] | None:
        """Return the words by which a card was found; None where the search says what to mark."""
        return self.panel.matched_words(key) if self.is_shown and self.panel.answer is not None else None

    # --- logs come in ------------------------------------------------------------------------------------------------

    def take(self, log: Log, name: str) -> None:
        """Diagnose a log."""
        self._log = log, name
        self._withdraw()
        self.panel.begin(name)
        self._window.workbench.say(tr("The log is being read…"))
        self._appear()
        self.panel.log.setFocus(Qt.FocusReason.OtherFocusReason)
        try:
            self.diagnoser.diagnose(log)
        except KBError as error:
            self._on_failed(error)
        self._window.workbench.update_actions()

    def take_text(self, text: str) -> None:
        """Diagnose a text that was meant for something else."""
        self.take(Log(data=text.encode("utf-8", "replace")), tr("Pasted text"))

    def take_data(self, data: QMimeData) -> bool:
        """Diagnose what was dropped or pasted; False where it holds no log."""
        found = log_of(data)
        if found is not None:
            self.take(*found)
        return found is not None

    def paste(self) -> None:
        """Diagnose what is on the clipboard."""
        if not self.take_data(QApplication.clipboard().mimeData()):
            self.show()
            self._window.workbench.say(tr("There is no text on the clipboard"))

    def open(self) -> None:
        """Ask for a log file and diagnose it."""
        from PySide6.QtWidgets import QFileDialog

        self.prepare()
        kinds = tr("Logs (*.log *.txt *.out *.err *.plog);;All files (*)")
        name, _kind = QFileDialog.getOpenFileName(self._window, tr("Open a log"), "", kinds)
        if name:
            self.take(Log(path=Path(name)), Path(name).name)

    def cancel(self) -> None:
        """Give up the log that is being read."""
        self.diagnoser.cancel()
        self._log = None
        self.panel.show_nothing()
        self.prepare()
        self._window.workbench.say(tr("The diagnosis was cancelled"))

    def stop(self) -> None:
        """End all processes; the window closes."""
        self.diagnoser.stop()

    # --- answers -----------------------------------------------------------------------------------------------------

    def _on_answered(self, answer: Answer) -> None:
        had_focus = self.panel.isAncestorOf(QApplication.focusWidget() or self._window)
        self.panel.show_answer(answer)
        self._log = None
        if self.is_shown:
            self.prepare()
        if had_focus:
            self.panel.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if answer.diagnosis.band.answers:
            self.panel.select_first()
        elif self.is_shown:
            self._window.workbench.show_nothing()
        self._window.workbench.say(self.panel.verdict.text())
        self._window.workbench.update_actions()

    def _on_failed(self, error: Exception) -> None:
        self.panel.show_nothing()
        self._window.statusBar().clearMessage()
        if isinstance(error, LogError):
            ways_out = [(tr("Open another log…"), self.open), (tr("Try again"), self._try_again)]
            self._window.message_bar.show_message(error.message, error.hint, ways_out)
            self._complaint = self._window.message_bar.text
        else:
            self._window.workbench.show_error(error)
        self._window.workbench.update_actions()

    def _try_again(self) -> None:
        if self._log is not None:
            self.take(*self._log)

    def _withdraw(self) -> None:
        """Take back what was said about a log."""
        if self._complaint and self._window.message_bar.text == self._complaint:
            self._window.message_bar.hide()
        self._complaint = ""

    def _on_picked(self, row: Row) -> None:
        if row.key is not None and self.is_shown:
            self._session.show_card(row.key, moving=True)

    def _on_chosen(self, row: Row) -> None:
        if row.kind is RowKind.DRAFT:
            self.copy_draft()
        elif row.kind is RowKind.FACT:
            self.panel.log.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            if row.kind is RowKind.GUIDE:
                self._session.show_place(Place(PlaceKind.GUIDE, row.guide))
            self._window.detail.browser.setFocus(Qt.FocusReason.OtherFocusReason)

    def move_selection(self, rows: int) -> None:
        """Select a result further down or up."""
        self.panel.move_selection(rows)

    def copies_row(self) -> bool:
        """Copy the draft where its row is selected; False elsewhere."""
        row = self.panel.list.current()
        if row is None or row.kind is not RowKind.DRAFT or not self.panel.list.hasFocus():
            return False
        self.copy_draft()
        return True

    def copy_draft(self) -> None:
        """Put the draft of an issue on the clipboard."""
        if self.draft:
            clipboard.put(Copied(self.draft))
            self._window.workbench.say(tr("Copied the draft of an issue, private data masked"))

    # --- dropping ----------------------------------------------------------------------------------------------------

    def on_drag(self, event: QEvent) -> bool:
        """Handle a drag over the window; True where the event is done with."""
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            if self.take_data(event.mimeData()):
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
            return True
        if isinstance(event, (QDragEnterEvent, QDragMoveEvent)):
            if can_take(event.mimeData()):
                self.prepare()
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
            return True
        return False


def can_take(data: QMimeData) -> bool:
    """Return whether something that is dragged can be a log."""
    return any(map(data.hasFormat, _TEXTS)) or any(url.isLocalFile() for url in data.urls())
