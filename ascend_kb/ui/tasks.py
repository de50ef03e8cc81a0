"""Work off the GUI thread: two lanes that read the knowledge, the newest task of a channel wins."""

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


class _Lane:
    """A worker thread that takes one task after the other."""

    def __init__(self, name: str, work: Callable[[_Lane], None]) -> None:
        self.tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self.running: _Task | None = None
        self.interrupt: Callable[[], None] | None = None
        self.has_interrupted = False  # since a task ended well
        self.thread = threading.Thread(target=work, args=(self,), name=name, daemon=True)
        self.thread.start()


class TaskRunner(QObject):
    """Runs tasks on worker threads and calls back on the thread that made the runner.

    What is looked at now runs on one lane; what may take long and can come later has a lane of its own. ``prepare``
    runs first on each worker and returns a function that interrupts the query which runs there. ``fault`` is called for
    exceptions that are not a KBError.
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
        self._is_stopped = False
        self._lock = threading.Lock()
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)
        self._lanes = [_Lane("ascend-kb-read", self._work)]

    def run(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None],
        *,
        failed: Callable[[Exception], None] | None = None,
        channel: str,
        slow: bool = False,
    ) -> None:
        """Run ``work`` on a worker, then ``done`` with its result, or ``failed`` with a KBError.

        Tasks of the same channel that were asked for before are dropped; a query that one of them runs is interrupted.
        ``slow`` work does not hold up other work. After ``stop`` nothing runs any more.
        """
        if self._is_stopped:
            return
        self._count += 1
        self._open += 1
        self._replace(channel, self._count)
        if slow and len(self._lanes) == 1:
            self._lanes.append(_Lane("ascend-kb-slow", self._work))
        self._lanes[slow].tasks.put(_Task(self._count, channel, work, done, failed or self._fault))

    def cancel(self, channel: str) -> None:
        """Drop the tasks of a channel; a query that one of them runs is interrupted."""
        self._replace(channel, 0)

    def _replace(self, channel: str, number: int) -> None:
        with self._lock:
            self._newest[channel] = number
            for lane in self._lanes:
                if lane.running is not None and lane.running.channel == channel and lane.interrupt is not None:
                    lane.has_interrupted = True
                    lane.interrupt()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is running or waiting."""
        return self._open == 0

    def stop(self) -> None:
        """End the workers; waiting tasks are dropped, running queries are interrupted."""
        self._is_stopped = True
        with self._lock:
            self._newest.clear()
            for lane in self._lanes:
                if lane.running is not None and lane.interrupt is not None:
                    lane.interrupt()
        for lane in self._lanes:
            lane.tasks.put(None)
            lane.thread.join()

    def _is_current(self, task: _Task) -> bool:
        return self._newest.get(task.channel) == task.number

    def _work(self, lane: _Lane) -> None:
        try:
            lane.interrupt = self._prepare()
        except Exception:  # noqa: BLE001  (the first task meets the same error and reports it)
            lane.interrupt = None
        while (task := lane.tasks.get()) is not None:
            with self._lock:
                lane.running = task if self._is_current(task) else None
            if lane.running is None:
                self._finished.emit(task, None, None)
                continue
            result, error = self._result_of(lane, task)
            with self._lock:
                lane.running = None
            self._finished.emit(task, result, error)
            del task, result, error  # they may hold a query open

    def _result_of(self, lane: _Lane, task: _Task) -> tuple[Any, Exception | None]:
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
                    if not lane.has_interrupted or isinstance(caught, KBError):
                        return None, caught
                    lane.has_interrupted = False
            else:
                with self._lock:
                    lane.has_interrupted = False
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
