"""Work off the GUI thread: one lane that reads the knowledge, the newest task of a channel wins."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable


class _Task(NamedTuple):
    number: int
    channel: str
    work: Callable[[], Any]
    done: Callable[[Any], None]
    failed: Callable[[Exception], None]


class TaskRunner(QObject):
    """Runs tasks one after another on a worker thread and calls back on the thread that made the runner.

    ``prepare`` runs first on the worker and returns a function that interrupts the query which runs there. ``fault`` is
    called for exceptions that are not a KBError.
    """

    _finished = Signal(object, object, object)
    idle = Signal()

    def __init__(
        self,
        prepare: Callable[[], Callable[[], None]],
        fault: Callable[[Exception], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._prepare = prepare
        self._fault = fault
        self._newest: dict[str, int] = {}
        self._count = 0
        self._open = 0
        self._running: _Task | None = None
        self._interrupt: Callable[[], None] | None = None
        self._has_interrupted = False  # since a task ended well
        self._lock = threading.Lock()
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._work, name="ascend-kb-read", daemon=True)
        self._thread.start()

    def run(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        *,
        failed: Callable[[Exception], None] | None = None,
        channel: str,
    ) -> None:
        """Run ``work`` on the worker, then ``done`` with its result, or ``failed`` with a KBError.

        Tasks of the same channel that were asked for before are dropped; a query that one of them runs is interrupted.
        """
        self._count += 1
        self._open += 1
        with self._lock:
            self._newest[channel] = self._count
            if self._running is not None and self._running.channel == channel and self._interrupt is not None:
                self._has_interrupted = True
                self._interrupt()
        self._tasks.put(_Task(self._count, channel, work, done, failed or self._fault))

    def cancel(self, channel: str) -> None:
        """Drop the tasks of a channel."""
        with self._lock:
            self._newest[channel] = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is running or waiting."""
        return self._open == 0

    def stop(self) -> None:
        """End the worker; waiting tasks are dropped, a running query is interrupted."""
        with self._lock:
            self._newest.clear()
            if self._running is not None and self._interrupt is not None:
                self._interrupt()
        self._tasks.put(None)
        self._thread.join()

    def _is_current(self, task: _Task) -> bool:
        return self._newest.get(task.channel) == task.number

    def _work(self) -> None:
        try:
            self._interrupt = self._prepare()
        except Exception:  # noqa: BLE001  (the first task meets the same error and reports it)
            self._interrupt = None
        while (task := self._tasks.get()) is not None:
            with self._lock:
                self._running = task if self._is_current(task) else None
            if self._running is None:
                self._finished.emit(task, None, None)
                continue
            result, error = self._result_of(task)
            with self._lock:
                self._running = None
            self._finished.emit(task, result, error)
            del task, result, error  # they may hold a query open

    def _result_of(self, task: _Task) -> tuple[Any, Exception | None]:
        """Return what a task gives or raises; nothing where a newer one has replaced it.

        An interrupt can reach past its task to the next one while a query of the first is still open. Nothing is wrong
        with a task that fails so: it runs again.
        """
        while True:
            try:
                result = task.work()
            except Exception as caught:  # noqa: BLE001  (handed to the GUI thread)
                with self._lock:
                    if not self._is_current(task):
                        return None, None
                    if not self._has_interrupted or isinstance(caught, KBError):
                        return None, caught
                    self._has_interrupted = False
            else:
                with self._lock:
                    self._has_interrupted = False
                return result, None

    @Slot(object, object, object)
    def _on_finished(self, task: _Task, result: object, error: Exception | None) -> None:
        self._open -= 1
        with self._lock:
            current = self._is_current(task)
        # An interrupted query belongs to a task that something newer has replaced.
        if current:
            if error is None:
                task.done(result)
            elif isinstance(error, KBError):
                task.failed(error)
            else:
                self._fault(error)
        if self._open == 0:
            self.idle.emit()
