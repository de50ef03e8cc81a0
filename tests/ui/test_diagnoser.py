"""The diagnosis process as the window sees it: one answer for each log, none after it was given up, none left over."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QProcess

from ascend_kb.app.diagnosis_process import Answer, Log, LogError
from ascend_kb.core.errors import KBError
from ascend_kb.ui import diagnoser as module
from ascend_kb.ui.diagnoser import Diagnoser, _Child
from tests.conftest import BUNDLE
from tests.logs import LIKELY, SIGNED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

WITHIN = 60_000
SILENT = "import sys; sys.stdin.read()"


class Kept:
    """A diagnoser with everything that it says."""

    def __init__(self, qtbot: QtBot, knowledge: Path = BUNDLE) -> None:
        self.qtbot = qtbot
        self.parent = QObject()
        self.knowledge = knowledge
        self.diagnoser = Diagnoser(lambda: self.knowledge, self.parent)
        self.said: list[object] = []
        self.progress: list[tuple[int, int]] = []
        self.diagnoser.answered.connect(self.said.append)
        self.diagnoser.failed.connect(self.said.append)
        self.diagnoser.progressed.connect(lambda done, total: self.progress.append((done, total)))

    def wait(self, count: int = 1) -> None:
        """Wait until this much was said."""
        self.qtbot.waitUntil(lambda: len(self.said) >= count, timeout=WITHIN)

    def ask(self, text: str) -> Answer:
        before = len(self.said)
        self.diagnoser.diagnose(Log(data=text.encode()))
        self.wait(before + 1)
        found = self.said[-1]
        assert isinstance(found, Answer), found
        return found

    @property
    def children(self) -> list[_Child]:
        return self.parent.findChildren(_Child)

    def wait_for_none(self) -> None:
        self.qtbot.waitUntil(lambda: not self.children, timeout=WITHIN)


@pytest.fixture
def kept(qtbot: QtBot) -> Iterator[Kept]:
    made = Kept(qtbot)
    yield made
    made.diagnoser.stop()
    made.wait_for_none()


@pytest.fixture
def instead(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run other code in place of the process."""

    def run(code: str, program: str = sys.executable) -> None:
        monkeypatch.setattr(module, "command", lambda: ([program, "-c", code], Path.cwd()))

    return run


def frame(kind: str, content: object) -> str:
    """Return code that writes a frame."""
    text = content if isinstance(content, str) else json.dumps(content)
    return f"import sys; sys.stdout.write({f'{kind} {len(text)}{chr(10)}{text}'!r}); sys.stdout.flush(); {SILENT};"


def test_a_log_is_answered_with_progress(kept: Kept) -> None:
    found = kept.ask(SIGNED)
    assert str(found.diagnosis.matches[0].key) == "msopcom#54"
    assert kept.progress[-1] == (1000, 1000)
    assert not kept.diagnoser.is_running
    kept.wait_for_none()


def test_a_large_paste_arrives_whole(kept: Kept) -> None:
    text = "".join(f"line {i} of nothing\n" for i in range(60_000)) + SIGNED
    found = kept.ask(text)
    assert found.size == len(text.encode())
    assert found.excerpt.lines == 60_003


def test_a_process_waits_ahead_and_is_used_once(kept: Kept) -> None:
    kept.diagnoser.prepare()
    kept.diagnoser.prepare()
    (spare,) = kept.children
    kept.ask(SIGNED)
    assert kept.children in ([spare], [])
    assert str(kept.ask(LIKELY).diagnosis.matches[0].key) == "msopcom#25"


def test_a_new_log_takes_the_place_of_one_that_is_read(kept: Kept) -> None:
    kept.diagnoser.diagnose(Log(data=b"old\n" * 1_000_000))
    kept.qtbot.waitUntil(lambda: bool(kept.progress), timeout=WITHIN)
    assert str(kept.ask(SIGNED).diagnosis.matches[0].key) == "msopcom#54"
    kept.wait_for_none()
    assert len(kept.said) == 1


def test_nothing_is_said_about_a_log_that_was_given_up(kept: Kept) -> None:
    kept.diagnoser.diagnose(Log(data=SIGNED.encode() * 100_000))
    kept.qtbot.waitUntil(lambda: bool(kept.progress), timeout=WITHIN)
    kept.diagnoser.cancel()
    assert not kept.diagnoser.is_running
    kept.wait_for_none()
    assert kept.said == []
    kept.diagnoser.cancel()


def test_to_give_up_from_within_a_signal_is_no_trouble(kept: Kept) -> None:
    kept.diagnoser.progressed.connect(lambda *_: kept.diagnoser.cancel())
    kept.diagnoser.diagnose(Log(data=SIGNED.encode()))
    kept.qtbot.waitUntil(lambda: bool(kept.progress), timeout=WITHIN)
    kept.wait_for_none()
    assert kept.said == []
    assert len(kept.progress) == 1


def test_stopping_leaves_no_process_and_starts_none(kept: Kept) -> None:
    kept.diagnoser.prepare()
    kept.diagnoser.diagnose(Log(data=SIGNED.encode() * 100_000))
    kept.diagnoser.prepare()
    ids = [child.processId() for child in kept.children]
    assert len(ids) == 2
    kept.diagnoser.stop()
    assert all(child.state() is QProcess.ProcessState.NotRunning for child in kept.children)
    if sys.platform == "linux":
        assert not any(Path(f"/proc/{number}").exists() for number in ids)
    kept.diagnoser.prepare()
    kept.diagnoser.diagnose(Log(data=b"x"))
    assert not kept.diagnoser.is_running
    kept.wait_for_none()
    assert kept.said == []


def test_a_process_that_waits_is_ended_when_it_is_not_wanted_any_more(kept: Kept) -> None:
    kept.diagnoser.prepare()
    kept.diagnoser.rest()
    kept.wait_for_none()
    kept.diagnoser.rest()
    assert kept.said == []


def test_a_deleted_parent_takes_its_processes_along(qtbot: QtBot) -> None:
    made = Kept(qtbot)
    made.diagnoser.diagnose(Log(data=SIGNED.encode() * 10))
    (child,) = made.children
    with qtbot.waitSignal(child.destroyed), qtbot.captureExceptions() as raised:
        made.diagnoser.stop()
        made.parent.deleteLater()
    assert raised == []


def test_what_is_wrong_with_a_log_is_an_error_of_the_log(kept: Kept, tmp_path: Path) -> None:
    kept.diagnoser.diagnose(Log(path=tmp_path / "gone"))
    kept.wait()
    assert isinstance(kept.said[0], LogError)
    assert "gone" in kept.said[0].message


def test_knowledge_that_cannot_be_read_is_said_with_the_log_and_not_before(kept: Kept, tmp_path: Path) -> None:
    kept.knowledge = tmp_path / "none.sqlite"
    kept.diagnoser.prepare()
    kept.wait_for_none()
    assert kept.said == []
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait()
    assert isinstance(kept.said[0], KBError)
    assert not isinstance(kept.said[0], LogError)
    assert "none.sqlite" in kept.said[0].message


def test_a_process_that_has_failed_while_it_waited_is_not_used(kept: Kept, instead: Callable[..., None]) -> None:
    instead(frame("error", ["no", "hint"]))
    kept.diagnoser.prepare()
    (spare,) = kept.children
    kept.qtbot.waitUntil(lambda: spare.is_done, timeout=WITHIN)
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait()
    assert isinstance(kept.said[0], KBError)
    assert kept.said[0].message == "no"


@pytest.mark.parametrize("ahead", [False, True])
def test_a_program_that_cannot_be_started_is_said(kept: Kept, instead: Callable[..., None], ahead: bool) -> None:
    instead("", program="/nowhere/python")
    if ahead:
        kept.diagnoser.prepare()
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait()
    assert isinstance(kept.said[0], LogError)
    assert "cannot be started" in kept.said[0].message
    assert not kept.diagnoser.is_running
    kept.wait_for_none()


def test_a_crash_is_told_from_a_fault(kept: Kept, instead: Callable[..., None]) -> None:
    instead("import os; os.kill(os.getpid(), 9)")
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait()
    assert isinstance(kept.said[0], LogError)
    assert "ended before" in kept.said[0].message
    instead("import sys; sys.stdin.readline(); raise ValueError('our fault')")
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait(2)
    assert not isinstance(kept.said[1], KBError)
    assert "our fault" in str(kept.said[1])


def test_what_is_no_answer_is_a_fault(kept: Kept, instead: Callable[..., None]) -> None:
    instead(f"print('hello from a start-up script', flush=True); {SILENT}")
    kept.diagnoser.diagnose(Log(data=b"x"))
    kept.wait()
    assert isinstance(kept.said[0], RuntimeError)
    kept.wait_for_none()
    assert len(kept.said) == 1
