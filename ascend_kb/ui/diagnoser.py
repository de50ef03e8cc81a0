"""The diagnosis process as seen from the window: started ahead, fed in slices, ended to cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, Signal

from ascend_kb.app.diagnosis_process import Frames, Log, LogError, command, introduction, request, told, unpacked
from ascend_kb.core import diagnosis, excerpt, facts  # noqa: F401  (an answer holds their values: loaded before one comes)
from ascend_kb.core.i18n import tr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_SLICE = 1 << 18  # bytes written at once
_MOST_SAID = 20_000  # characters kept of what the process complains about
_END_WITHIN = 2_000  # milliseconds that a process may take to end once it was killed


class _Child(QProcess):
    """One process, for one log. Once ``send`` was called, exactly one of ``answered`` and ``failed`` comes.

    None of its signals comes after ``end``, but for ``gone``, which says that the process is no more.
    """

    progressed = Signal(int, int)
    answered = Signal(object)
    failed = Signal(object)
    gone = Signal()

    def __init__(self, knowledge: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._frames = Frames()
        self._log: memoryview | None = None
        self._is_done = False
        (program, *arguments), folder = command()
        self.setProgram(program)
        self.setArguments(arguments)
        self.setWorkingDirectory(str(folder))
        self._introduction = introduction(knowledge)
        self.readyReadStandardOutput.connect(self._on_output)
        self.bytesWritten.connect(self._on_written)
        self.finished.connect(self._on_finished)
        self.errorOccurred.connect(self._on_error)

    @property
    def is_done(self) -> bool:
        """Whether nothing more is to be had of it."""
        return self._is_done

    def begin(self) -> None:
        """Start the process; it prepares itself and waits for a log."""
        self.start()
        if not self._is_done:
            self.write(self._introduction)

    def send(self, log: Log) -> None:
        """Let the process diagnose a log."""
        self._log = memoryview(log.data)
        self.write(request(log))

    def end(self) -> None:
        """End the process at once, whatever it does."""
        self._is_done = True
        self._log = None
        self.kill()
        if self.state() is QProcess.ProcessState.NotRunning:
            self.gone.emit()

    def _on_written(self, _count: int) -> None:
        if self._log is None or self.bytesToWrite():
            return
        piece, self._log = self._log[:_SLICE], self._log[_SLICE:]
        if piece:
            self.write(bytes(piece))
        else:
            self._log = None
            self.closeWriteChannel()

    def _on_output(self) -> None:
        try:
            for kind, content in self._frames.feed(bytes(self.readAllStandardOutput().data())):
                if self._is_done:
                    return
                self._take(kind, content)
        except ValueError as error:
            self._fail(RuntimeError(f"the diagnosis process said something else than an answer: {error}"))
            self.kill()

    def _take(self, kind: str, content: bytes) -> None:
        if kind == "progress":
            done, _, total = content.partition(b"/")
            self.progressed.emit(int(done), int(total))
        elif kind == "answer":
            self._is_done = True
            self.answered.emit(unpacked(content))
        else:
            self._fail(told(kind, content))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._fail(LogError(tr("The diagnosis cannot be started."), self.errorString()))
            self.gone.emit()

    def _on_finished(self) -> None:
        self._on_output()
        said = bytes(self.readAllStandardError().data()).decode("utf-8", "replace")[-_MOST_SAID:]
        if "Traceback" in said:
            self._fail(RuntimeError(f"the diagnosis process failed\n{said}"))
        else:
            self._fail(
                LogError(tr("The diagnosis ended before it was done."), tr("Try again, or with a part of the log."))
            )
        self.gone.emit()

    def _fail(self, error: Exception) -> None:
        if not self._is_done:
            self._is_done = True
            self.failed.emit(error)


class Diagnoser(QObject):
    """Diagnoses one log after the other, each in a process of its own."""

    progressed = Signal(int, int)
    answered = Signal(object)  # an Answer
    failed = Signal(object)  # a KBError, or another exception for a fault of the program

    def __init__(self, knowledge: Callable[[], Path], parent: QObject) -> None:
        super().__init__(parent)
        self._knowledge = knowledge
        self._spare: _Child | None = None
        self._running: _Child | None = None
        self._is_stopped = False

    @property
    def is_running(self) -> bool:
        """Whether a log is being diagnosed."""
        return self._running is not None

    def prepare(self) -> None:
        """Start a process ahead of the log, since loading Python takes longer than most logs.

        Raises:
            KBError: there is no program to start.
        """
        if self._is_stopped or (self._spare is not None and not self._spare.is_done):
            return
        self._spare = self._made()
        self._spare.begin()

    def diagnose(self, log: Log) -> None:
        """Diagnose a log; one that is being diagnosed is given up.

        Raises:
            KBError: there is no program to start.
        """
        self.cancel()
        if self._is_stopped:
            return
        child, self._spare = self._spare, None
        is_ready = child is not None and not child.is_done
        self._running = child if child is not None and is_ready else self._made()
        self._running.progressed.connect(self.progressed)
        self._running.answered.connect(self._on_answered)
        self._running.failed.connect(self._on_failed)
        if not is_ready:
            self._running.begin()
        if self._running is not None:  # it may have failed to start
            self._running.send(log)

    def cancel(self) -> None:
        """Give up the log that is being diagnosed."""
        child, self._running = self._running, None
        if child is not None:
            child.end()

    def rest(self) -> None:
        """End the process that waits for a log."""
        child, self._spare = self._spare, None
        if child is not None:
            child.end()

    def stop(self) -> None:
        """End all processes, for good."""
        self._is_stopped = True
        self._running = self._spare = None
        children = self.findChildren(_Child)  # those, too, that have answered and not ended yet
        for child in children:
            child.end()
        for child in children:
            child.waitForFinished(_END_WITHIN)

    def _made(self) -> _Child:
        child = _Child(self._knowledge(), self)
        child.gone.connect(self._on_gone)
        return child

    def _on_gone(self) -> None:
        child = self.sender()
        if child is self._spare:
            self._spare = None
        if child is not None:
            child.deleteLater()

    def _on_answered(self, answer: object) -> None:
        self._running = None
        self.answered.emit(answer)

    def _on_failed(self, error: Exception) -> None:
        self._running = None
        self.failed.emit(error)
