"""Start of the window."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from ascend_kb.app import paths
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import tr
from ascend_kb.ui import theme
from ascend_kb.ui.application import Application

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.ui.window import MainWindow

READY_WITHIN = 30_000  # milliseconds


def run_window(path: Path | None, *, exit_when_ready: bool) -> int:
    """Open the window over a knowledge file (None for the usual one) and run until it is closed.

    With ``exit_when_ready`` the program ends as soon as rows and text are painted, joins no running instance and keeps
    nothing.

    Raises:
        KBError: the file cannot be used and nobody can be asked.
    """
    started = time.perf_counter()
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    QApplication.setApplicationName("ascend-kb")
    QApplication.setApplicationDisplayName("Ascend KB")
    QApplication.setDesktopFileName("ascend-kb")
    QApplication.setFont(theme.interface_font(QApplication.font()))
    if exit_when_ready:
        application = Application(keeps_nothing=True)
        window = application.open_window(path)
        return _run_until_ready(application, window, started)
    from ascend_kb.ui.instance import Instance

    instance = Instance(paths.home())
    if not instance.claim() and instance.hand_over(os.fspath(path.absolute()) if path else ""):
        return 0
    application = Application()
    application.watch_faults()
    instance.requested.connect(application.raise_or_open)
    try:
        if not _open_first_window(application, path):
            return 2
        QTimer.singleShot(0, instance.listen)
        QTimer.singleShot(0, lambda: _tell_missing_font(application))
        return int(qt.exec())
    finally:
        instance.release()


def _open_first_window(application: Application, path: Path | None) -> bool:
    """Open the window, asking for another file as long as the named one cannot be used; False if the user gives up."""
    try:
        application.open_window(path)
    except KBError as error:
        from ascend_kb.ui.dialogs.start import ask_for_file

        print(f"error: {error.message}\nhint: {error.hint}", file=sys.stderr)  # noqa: T201
        answer = ask_for_file(error)
        return answer is not None and _open_first_window(application, answer)
    return True


def _tell_missing_font(application: Application) -> None:
    from PySide6.QtGui import QFontDatabase

    from ascend_kb.app.environment import missing_cjk_font_hint

    if application.windows and not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
        application.windows[0].message_bar.show_message(
            tr("No installed font can show Chinese."), missing_cjk_font_hint()
        )


class _PaintWatch(QObject):
    """Calls back once both the table's rows and the text have been painted."""

    def __init__(self, window: MainWindow, ready: Callable[[], None]) -> None:
        super().__init__(window)
        self._window = window
        self._ready = ready
        self._waiting = {window.cards.table.viewport(), window.detail.browser.viewport()}
        for viewport in self._waiting:
            viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note of paint events that show the real content."""
        if event.type() == QEvent.Type.Paint and watched in self._waiting:
            table = watched is self._window.cards.table.viewport()
            has_content = self._window.cards.cards.rowCount() if table else not self._window.detail.is_empty
            if has_content:
                self._waiting.discard(watched)
                watched.removeEventFilter(self)
                if not self._waiting:
                    QTimer.singleShot(0, self._ready)
        return False


def _run_until_ready(application: Application, window: MainWindow, started: float) -> int:
    failure: Exception | None = KBError("the window was not painted within 30 s", "try again, or use the command line")

    def ready() -> None:
        nonlocal failure
        failure = None
        print(f"ready {(time.perf_counter() - started) * 1000:.0f} {window.cards.cards.rowCount()}")  # noqa: T201
        window.close()

    def failed(error: Exception) -> None:
        nonlocal failure
        failure = error
        window.close()

    window.session.failed.connect(failed)
    application.faulted.connect(failed)
    watch = _PaintWatch(window, ready)
    QTimer.singleShot(READY_WITHIN, window.close)
    QApplication.exec()
    del watch
    if failure is not None:
        raise failure
    return 0
