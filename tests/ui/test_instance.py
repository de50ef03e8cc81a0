"""One owner for each data folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ascend_kb.ui.instance import Instance
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

# Reads the names of data folders; starts as the program does for each and says what it became.
_STARTS = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from ascend_kb.ui.instance import Instance

qt = QCoreApplication([])
instances = []
print("ready", flush=True)
for line in sys.stdin:
    word, name = line.rstrip("\\n").split("\\t", 1)
    instance = Instance(Path(name))
    instances.append(instance)
    if not instance.claim():
        print("joined" if instance.hand_over(word) else "alone", flush=True)
        continue
    asked = []
    instance.requested.connect(asked.append)
    instance.listen()
    print("owner", flush=True)
    while word == "wait" and not asked:
        qt.processEvents()
    if asked:
        print(asked[0], flush=True)
"""


class Start:
    """Another process that starts when told so."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _STARTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.says() == "ready"

    def tell(self, word: str, home: Path) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\t{home}\n")
        self._process.stdin.flush()

    def says(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def crash(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def start_here() -> Iterator[Callable[[Path], Instance]]:
    """Start in this process; every folder is given up at the end."""
    started: list[Instance] = []

    def make(home: Path) -> Instance:
        started.append(Instance(home))
        return started[-1]

    yield make
    for instance in started:
        instance.release()


@pytest.fixture
def starts() -> Iterator[tuple[Start, Start]]:
    first, second = Start(), Start()
    yield first, second
    first.end()
    second.end()


def test_two_starts_at_the_same_moment_give_one_owner_ten_times(starts: tuple[Start, Start], tmp_path: Path) -> None:
    for number in range(10):
        home = tmp_path / f"home {number}"
        for start in starts:
            start.tell("wait", home)
        said = [start.says() for start in starts]
        assert sorted(said) == ["joined", "owner"]
        assert starts[said.index("owner")].says() == "wait"


def test_a_crashed_owner_is_succeeded_by_the_next_start(
    starts: tuple[Start, Start], home: Path, qtbot: QtBot, start_here: Callable[[Path], Instance]
) -> None:
    first, second = starts
    first.tell("stay", home)
    assert first.says() == "owner"
    first.crash()
    assert (home / "window.lock").exists()
    mine = start_here(home)
    assert mine.claim()
    asked: list[str] = []
    mine.requested.connect(asked.append)
    mine.listen()
    second.tell("误 报#1.sqlite", home)
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert second.says() == "joined"


def test_the_request_arrives_byte_for_byte(
    home: Path, starts: tuple[Start, Start], qtbot: QtBot, start_here: Callable[[Path], Instance]
) -> None:
    mine = start_here(home)
    assert mine.claim()
    mine.listen()
    for word in ("误报.sqlite", "100%#?&.sqlite", "a" * 4000):
        with qtbot.waitSignal(mine.requested) as asked:
            starts[0].tell(word, home)
        assert asked.args == [word]
        assert starts[0].says() == "joined"


def test_an_owner_that_ends_leaves_the_folder_to_the_next(home: Path, start_here: Callable[[Path], Instance]) -> None:
    for _ in range(3):
        owner = start_here(home)
        assert owner.claim()
        owner.listen()
        owner.release()
    assert not (home / "window.lock").exists()


def test_a_second_start_that_meets_an_owner_who_has_just_gone_stands_alone(
    home: Path, start_here: Callable[[Path], Instance]
) -> None:
    owner, second = start_here(home), start_here(home)
    assert owner.claim()
    assert not second.claim()
    owner.release()
    assert not second.hand_over("")
    assert not start_here(home).claim()
    second.release()


def test_folders_have_owners_of_their_own(tmp_path: Path, start_here: Callable[[Path], Instance]) -> None:
    owners = [start_here(tmp_path / name) for name in ("one", "two")]
    assert [owner.claim() for owner in owners] == [True, True]
    for owner in owners:
        owner.listen()
        owner.release()


def test_every_start_stands_for_itself_where_nothing_can_be_written(
    tmp_path: Path, start_here: Callable[[Path], Instance]
) -> None:
    (tmp_path / "file").touch()
    starts = [start_here(tmp_path / "file" / "home") for _ in range(2)]
    assert [start.claim() for start in starts] == [True, True]
    for start in starts:
        start.listen()


def test_a_message_without_an_end_is_cut_off(home: Path, qtbot: QtBot, start_here: Callable[[Path], Instance]) -> None:
    from PySide6.QtNetwork import QLocalSocket

    owner = start_here(home)
    assert owner.claim()
    owner.listen()
    asked: list[str] = []
    owner.requested.connect(asked.append)
    socket = QLocalSocket()
    socket.connectToServer(owner._name)
    with qtbot.waitSignal(socket.disconnected):
        socket.write(b"x" * 200_000)
    assert asked == []
    owner.release()
