"""The running program: its windows, the settings, the log and the one door for faults."""

from __future__ import annotations

import logging
import sys
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from ascend_kb.app import paths, settings, translation
from ascend_kb.app.library import Library, default_knowledge
from ascend_kb.app.recent import noted
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import tr
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.ui import theme
from ascend_kb.ui.session import Session
from ascend_kb.ui.tasks import TaskRunner
from ascend_kb.ui.window import MainWindow

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from ascend_kb.core.keys import CardKey

_APPEAR_WITHIN = 300  # milliseconds until a window is shown whether its list is ready or not
_GIVES_WAY = 0.0005  # seconds after which a thread that computes lets others go on
log = logging.getLogger("ascend_kb")


class Application(QObject):
    """Owns the windows. With ``keeps_nothing`` no state is read or written."""

    faulted = Signal(object)  # the exception

    def __init__(self, *, keeps_nothing: bool = False) -> None:
        super().__init__()
        # A worker that computes gives way to the window at once, not after the usual 5 ms.
        sys.setswitchinterval(_GIVES_WAY)
        self._keeps_nothing = keeps_nothing
        self.windows: list[MainWindow] = []
        self._runners: dict[Session, TaskRunner] = {}
        self._fault_is_open = False
        self._settings_notice = ""
        self.settings = settings.Settings()
        if not keeps_nothing:
            self.settings, self._settings_notice = settings.load(paths.settings_file())
        self._apply_language()
        theme.use_colours(self.settings.colours)

    def _apply_language(self) -> None:
        wanted = self.settings.language
        translation.use(wanted if wanted in ("zh", "en") else translation.system_language())  # type: ignore[arg-type]

    # --- windows -----------------------------------------------------------------------------------------------------

    def open_window(self, path: Path | None) -> MainWindow:
        """Open a window over a knowledge file, the usual one for None.

        Raises:
            KBError: the file cannot be used.
        """
        library = Library(path)
        runner = TaskRunner(library.interrupter, self.fault, self)
        session = Session(library, runner)
        self._runners[session] = runner
        kept = self.settings if self.is_usual(library.path) else settings.Settings()
        session.sort = _sort_of(kept)
        # The worker reads while the window is being made.
        session.set_query(_query_of(kept, library), keep=_card_of(kept, library))
        window = MainWindow(session, self, self.settings)
        window.closed.connect(self._on_window_closed)
        self.windows.append(window)
        # Shown with its content at once; a slow or failing file does not hold it back.
        session.listed.connect(window.appear)
        session.failed.connect(window.appear)
        QTimer.singleShot(_APPEAR_WITHIN, window, window.appear)
        for notice in filter(None, (library.notice, self._settings_notice)):
            window.message_bar.show_message(notice)
        self._settings_notice = ""
        return window

    def replace_window(self, old: MainWindow, path: Path | None) -> None:
        """Open another knowledge file in place of a window; the window stays where the file cannot be used."""
        try:
            window = self.open_window(path)
        except KBError as error:
            old.workbench.show_error(error)
            return
        window.restoreGeometry(old.saveGeometry())
        window.appear()  # before the other goes: with its last window the program ends
        old.close()

    def raise_or_open(self, name: str) -> None:
        """Do what a later start asks for: raise a window, or open another knowledge file."""
        from pathlib import Path

        path = Path(name) if name else None
        wanted = (path or default_knowledge()).resolve()
        for window in self.windows:
            if path is None or window.session.library.path.resolve() == wanted:
                window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
                window.raise_()
                window.activateWindow()
                return
        try:
            self.open_window(path)
        except KBError as error:
            self.windows[0].workbench.show_error(error)

    def is_usual(self, path: Path) -> bool:
        """Whether a knowledge file is the one that is opened when none is named."""
        return path.resolve() == default_knowledge().resolve()

    def end_worker(self, session: Session) -> None:
        """End the worker of a window that closes."""
        runner = self._runners.pop(session, None)
        if runner is not None:
            runner.stop()
            session.library.close()

    def _on_window_closed(self, window: MainWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)

    # --- settings ----------------------------------------------------------------------------------------------------

    def save_settings(self, changed: settings.Settings) -> None:
        """Keep and write the settings; a home that cannot be written is a notice."""
        self.settings = changed
        if self._keeps_nothing:
            return
        try:
            settings.save(paths.settings_file(), changed)
        except OSError as error:
            message = tr(
                "Settings cannot be saved to {path}: {error}", path=paths.settings_file(), error=error.strerror
            )
            for window in self.windows[:1]:
                window.message_bar.show_message(message, tr("Set ASCEND_KB_HOME to a folder that can be written."))

    def note_search(self, text: str) -> None:
        """Keep a search among the recent ones."""
        recent = noted(self.settings.recent, text)
        if recent != self.settings.recent:
            self._keep_recent(recent)

    def forget_searches(self) -> None:
        """Forget the recent searches."""
        self._keep_recent([])

    def _keep_recent(self, recent: list[str]) -> None:
        self.save_settings(replace(self.settings, recent=recent))
        for window in self.windows:
            window.workbench.recent_changed()

    def use_colours(self, colours: str) -> None:
        """Show light or dark colours."""
        self.save_settings(replace(self.settings, colours=colours))
        theme.use_colours(colours)

    def use_language(self, language: str) -> None:
        """Show the interface in another language."""
        self.save_settings(replace(self.settings, language=language))
        self._apply_language()
        for window in self.windows:
            window.workbench.retranslate()

    # --- faults ------------------------------------------------------------------------------------------------------

    def watch_faults(self) -> None:
        """Send every uncaught exception to the log and one dialog."""
        sys.excepthook = self._on_uncaught

    def _on_uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        if isinstance(error, KBError) and self.windows:
            self.windows[0].workbench.show_error(error)
            return
        self.fault(error if error.__traceback__ is not None else error.with_traceback(trace))

    def fault(self, error: BaseException) -> None:
        """Log a fault of the program and show one dialog with its details."""
        details = "".join(traceback.format_exception(error))
        self._log(details)
        sys.stderr.write(details)
        self.faulted.emit(error)
        if self._fault_is_open or self._keeps_nothing:
            return
        from ascend_kb.ui.dialogs.fault import FaultDialog

        self._fault_is_open = True
        dialog = FaultDialog(self.windows[0] if self.windows else None, details)
        dialog.finished.connect(self._on_fault_closed)
        dialog.open()

    def _on_fault_closed(self) -> None:
        self._fault_is_open = False

    def _log(self, details: str) -> None:
        if self._keeps_nothing:
            return
        from logging.handlers import RotatingFileHandler

        try:
            if not log.handlers:
                paths.log_file().parent.mkdir(parents=True, exist_ok=True)
                handler = RotatingFileHandler(paths.log_file(), maxBytes=1_000_000, backupCount=3, encoding="utf-8")
                handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
                log.addHandler(handler)
            log.error("uncaught fault\n%s", details)
        except OSError as error:
            sys.stderr.write(f"{paths.log_file()}: {error.strerror}\n")


def _query_of(kept: settings.Settings, library: Library) -> SearchQuery:
    """Return the kept query. Filters of older versions join its text where the knowledge knows them."""
    known = {facet.value for facet in Facet}
    filters = []
    for facet, value in kept.filters:
        if facet not in known:
            continue
        if facet in (Facet.THEME.value, Facet.GUIDE.value):
            pages = library.themes() if facet == Facet.THEME.value else library.guide()
            if any(page.id == value for page in pages):
                filters.append(Filter(Facet(facet), value))
            continue
        try:
            filters.append(library.catalog.filter(Facet(facet), value))
        except KBError:
            continue
    return SearchQuery(kept.text, tuple(filters))


def _card_of(kept: settings.Settings, library: Library) -> CardKey | None:
    try:
        return library.catalog.key(kept.card)
    except KBError:
        return None


def _sort_of(kept: settings.Settings) -> Sort:
    known = {column.value for column in SortColumn}
    column = SortColumn(kept.sort_column) if kept.sort_column in known else SortColumn.RANK
    return Sort(column, kept.sort_descending)
