"""The real program in a process of its own, without a screen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.conftest import BUNDLE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ascend_kb", *arguments]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "ASCEND_KB_HOME": str(home), "LANG": "C.UTF-8"}


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, check=False, timeout=60, env=environment(home)
    )


@pytest.fixture
def running(home: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Programs that stay; they are ended at the end."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for program in started:
        program.kill()
        program.communicate()


def start(running: list[subprocess.Popen[bytes]], home: Path) -> subprocess.Popen[bytes]:
    program = subprocess.Popen(command(), env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    running.append(program)
    return program


def owner_of(home: Path) -> int:
    """Return the process that holds the data folder, 0 for none."""
    try:
        return int((home / "window.lock").read_text().split("\n")[0] or 0)
    except FileNotFoundError:
        return 0


def test_exit_when_ready_says_how_long_it_took_and_keeps_nothing(home: Path) -> None:
    ended = run(home, "--exit-when-ready")
    assert ended.returncode == 0, ended.stderr
    assert re.fullmatch(r"ready \d+ 50\n", ended.stdout)
    assert not home.exists()


def test_exit_when_ready_fails_by_name_where_the_file_is_damaged(home: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sqlite"
    whole = BUNDLE.read_bytes()
    bad.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    ended = run(home, "--kb", str(bad), "--exit-when-ready")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert f"error: {bad} is damaged" in ended.stderr
    assert "\nhint: " in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_second_start_hands_over_and_a_crashed_one_is_succeeded(
    home: Path, running: list[subprocess.Popen[bytes]]
) -> None:
    first = start(running, home)
    while owner_of(home) != first.pid:
        assert first.poll() is None
    assert run(home).returncode == 0
    assert run(home, "--exit-when-ready").returncode == 0
    assert first.poll() is None
    first.kill()
    first.wait()
    assert (home / "window.lock").exists()
    second = start(running, home)
    while owner_of(home) != second.pid:
        assert second.poll() is None
    assert run(home).returncode == 0
    assert second.poll() is None


_INTERRUPTED = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ascend_kb.ui.application import Application

qt = QApplication([])
application = Application()
application.watch_faults()
window = application.open_window(Path(sys.argv[1]))

def interrupt():
    raise KeyboardInterrupt

window.session.counted.connect(interrupt)
status = qt.exec()
print(status, application.windows)
"""


def test_control_c_in_the_terminal_closes_the_window_and_ends_the_program(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED, str(BUNDLE)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment(home),
    )
    assert (ended.returncode, ended.stdout) == (0, "0 []\n")
    assert (home / "settings.json").exists()
    assert not (home / "log").exists()
