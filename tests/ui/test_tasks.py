"""The read lane: who wins, what is dropped, what is reported, how it ends."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QCoreApplication

from ascend_kb.core.errors import KBError
from ascend_kb.ui.tasks import TaskRunner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot


class Lane:
    """A runner with everything that it reports."""

    def __init__(self, qtbot: QtBot, prepare: Callable[[], Callable[[], None]] | None = None) -> None:
        self._qtbot = qtbot
        self.interrupts = 0
        self.on_interrupt: Callable[[], object] = lambda: None
        self.faults: list[Exception] = []
        self.failures: list[Exception] = []
        self.results: list[object] = []
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.runner = TaskRunner(prepare or self._prepare, self.faults.append)

    def _prepare(self) -> Callable[[], None]:
        return self._interrupt

    def _interrupt(self) -> None:
        self.interrupts += 1
        self.on_interrupt()

    def give(self, result: object, channel: str = "a") -> None:
        """Run a task that gives this."""
        self.run(lambda: result, channel)

    def run(self, work: Callable[[], object], channel: str = "a") -> None:
        self.runner.run(work, self.results.append, failed=self.failures.append, channel=channel)

    def hold(self, channel: str = "a", result: object = "held") -> None:
        """Run a task that waits at the gate, and wait until it does."""
        self.entered.clear()

        def work() -> object:
            self.entered.set()
            assert self.gate.wait(10)
            return result

        self.run(work, channel)
        assert self.entered.wait(10)

    def finish(self) -> None:
        """Open the gate and wait until all is done."""
        self.gate.set()
        while not self.runner.is_idle:
            with self._qtbot.waitSignal(self.runner.idle):
                pass


@pytest.fixture
def lane(qtbot: QtBot) -> Iterator[Lane]:
    made = Lane(qtbot)
    yield made
    made.gate.set()
    made.runner.stop()


def test_work_runs_elsewhere_and_its_result_comes_back_here(lane: Lane) -> None:
    threads: list[int] = []
    lane.runner.run(threading.get_ident, lambda there: threads.extend([there, threading.get_ident()]), channel="a")
    lane.finish()
    there, here = threads
    assert here == threading.get_ident() != there


def test_tasks_of_different_channels_all_run_in_order(lane: Lane) -> None:
    lane.hold("x")
    for number in range(5):
        lane.give(number, f"channel {number}")
    assert not lane.runner.is_idle
    lane.finish()
    assert lane.results == ["held", 0, 1, 2, 3, 4]
    assert lane.runner.is_idle


def test_the_newest_task_of_a_channel_wins_and_those_between_never_run(lane: Lane) -> None:
    ran: list[bool] = []
    lane.hold("a")
    for _ in range(4):
        lane.run(lambda: ran.append(True))
    lane.give("newest")
    lane.finish()
    assert lane.results == ["newest"]
    assert ran == []


def test_only_a_task_of_the_same_channel_is_interrupted(lane: Lane) -> None:
    lane.hold("a")
    lane.run(lambda: "other", "b")
    assert lane.interrupts == 0
    lane.run(lambda: "newer", "a")
    assert lane.interrupts == 1
    lane.finish()
    assert lane.results == ["other", "newer"]


def test_a_task_that_is_dropped_says_nothing_however_it_ends(lane: Lane) -> None:
    for error in (KBError("x"), ValueError("x")):
        lane.gate.clear()
        lane.entered.clear()

        def work(error: Exception = error) -> None:
            lane.entered.set()
            assert lane.gate.wait(10)
            raise error

        lane.run(work)
        assert lane.entered.wait(10)
        lane.run(lambda: "newer")
        lane.finish()
    assert lane.results == ["newer", "newer"]
    assert (lane.failures, lane.faults) == ([], [])


def test_a_cancelled_channel_says_nothing_and_the_others_go_on(lane: Lane) -> None:
    lane.hold("a")
    lane.run(lambda: "b", "b")
    lane.runner.cancel("a")
    lane.finish()
    assert lane.results == ["b"]


def test_an_error_that_is_not_ours_goes_to_the_asker_and_a_fault_to_the_one_door(lane: Lane) -> None:
    error, fault = KBError("the disk is gone"), ZeroDivisionError()

    def raising(what: Exception) -> Callable[[], object]:
        def work() -> object:
            raise what

        return work

    lane.run(raising(error), "a")
    lane.run(raising(fault), "b")
    lane.finish()
    assert (lane.failures, lane.faults, lane.results) == ([error], [fault], [])
    lane.run(lambda: "alive")
    lane.finish()
    assert lane.results == ["alive"]


def test_an_error_without_an_asker_goes_to_the_one_door(lane: Lane) -> None:
    error = KBError("the disk is gone")

    def work() -> None:
        raise error

    lane.runner.run(work, print, channel="a")
    lane.finish()
    assert lane.faults == [error]


def test_a_task_may_ask_for_another_and_idle_comes_once_at_the_end(lane: Lane) -> None:
    idles: list[list[object]] = []
    lane.runner.idle.connect(lambda: idles.append(list(lane.results)))

    def done(one: object) -> None:
        lane.results.append(one)
        lane.give(2, "b")

    lane.runner.run(lambda: 1, done, channel="a")
    lane.finish()
    assert idles == [[1, 2]]


@pytest.mark.parametrize("error", [KBError("no file"), sqlite3.OperationalError("unable to open database file")])
def test_where_the_preparation_fails_the_tasks_run_all_the_same(qtbot: QtBot, error: Exception) -> None:
    def prepare() -> Callable[[], None]:
        raise error

    lane = Lane(qtbot, prepare)
    lane.hold("a")
    lane.run(lambda: "newer", "a")
    lane.finish()
    assert lane.results == ["newer"]
    lane.runner.stop()


def test_stopping_interrupts_drops_what_waits_and_ends_the_thread(qtbot: QtBot) -> None:
    lane = Lane(qtbot)
    lane.hold("a")
    lane.on_interrupt = lane.gate.set
    ran: list[bool] = []
    lane.run(lambda: ran.append(True), "b")
    assert not lane.gate.is_set()
    lane.runner.stop()  # only its interrupt opens the gate
    QCoreApplication.processEvents()
    assert (ran, lane.results) == ([], [])
    assert not any(t.name.startswith("ascend-kb") for t in threading.enumerate())


def test_an_interrupt_that_reaches_the_next_task_is_no_fault(qtbot: QtBot) -> None:
    """A query that is still open keeps SQLite's interrupt alive: what follows on the connection fails as well."""
    state: dict[str, Any] = {}

    def prepare() -> Callable[[], None]:
        state["db"] = sqlite3.connect(":memory:", check_same_thread=False)
        interrupt: Callable[[], None] = state["db"].interrupt
        return interrupt

    lane = Lane(qtbot, prepare)

    def endless() -> None:
        state["open"] = state["db"].execute("VALUES (1), (2)")
        next(state["open"])
        for _ in state["db"].execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"):
            lane.entered.set()

    def query() -> list[tuple[int]]:
        try:
            return list(state["db"].execute("SELECT 1 UNION SELECT 2"))
        finally:
            state.pop("open", None)

    lane.run(endless, "a")
    assert lane.entered.wait(10)
    lane.run(query, "a")
    lane.finish()
    assert lane.results == [[(1,), (2,)]]
    assert (lane.failures, lane.faults) == ([], [])
    lane.run(lambda: state.pop("db").close())
    lane.finish()
    lane.runner.stop()


def test_a_fault_that_repeats_is_reported_once_after_an_interrupt(lane: Lane) -> None:
    calls: list[bool] = []

    def work() -> None:
        calls.append(True)
        raise ZeroDivisionError

    lane.hold("a")
    lane.run(work, "a")
    assert lane.interrupts == 1
    lane.finish()
    assert [type(fault) for fault in lane.faults] == [ZeroDivisionError]
    assert len(calls) <= 2


def test_slow_work_holds_nothing_up_and_comes_back_like_other_work(lane: Lane) -> None:
    threads: list[str] = []

    def slow() -> str:
        threads.append(threading.current_thread().name)
        lane.entered.set()
        assert lane.gate.wait(10)
        return "slow"

    lane.runner.run(slow, lane.results.append, channel="slow", slow=True)
    assert lane.entered.wait(10)
    quick = threading.Event()

    def other() -> str:
        threads.append(threading.current_thread().name)
        quick.set()
        return "quick"

    lane.run(other, "b")
    assert quick.wait(10)
    lane.finish()
    assert lane.results == ["quick", "slow"]
    assert len(set(threads)) == 2


def test_what_is_cancelled_is_interrupted_and_does_not_come_back(lane: Lane) -> None:
    lane.hold("a")
    lane.runner.cancel("b")
    assert lane.interrupts == 0
    lane.runner.cancel("a")
    assert lane.interrupts == 1
    lane.finish()
    assert lane.results == []
    lane.give("next", "a")
    lane.finish()
    assert lane.results == ["next"]


def test_nothing_runs_after_the_end(lane: Lane) -> None:
    lane.finish()
    lane.runner.stop()
    lane.give("late")
    lane.runner.run(lambda: "late", lane.results.append, channel="b", slow=True)
    assert lane.runner.is_idle
    QCoreApplication.processEvents()
    assert lane.results == []
