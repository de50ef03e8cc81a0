"""The program as it is started: both names, without Qt, without a display, and the window that ends when ready."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import READING, call, command, environment, program

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

SCRIPT = Path(sys.executable).with_name("ascend-kb.exe" if os.name == "nt" else "ascend-kb")
READY = re.compile(r"ready [0-9]+ ([0-9]+)\n")
NO_DISPLAY = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "QT_QPA_PLATFORM": None}
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")

REFUSE_QT = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise SystemError("Qt was imported")

sys.meta_path.insert(0, Refuse())
"""
HIDE_QT = "import sys\nsys.modules['PySide6'] = sys.modules['shiboken6'] = None"


@pytest.mark.parametrize(
    "arguments", [["search", "内存"], ["show", "57"], ["recipe", "msc#9999"], ["--version"], ["bogus"]], ids=" ".join
)
def test_both_names_start_the_same_program(arguments: list[str]) -> None:
    assert SCRIPT.exists(), "the package is not installed"
    script = subprocess.run(
        [SCRIPT, *arguments], env=environment(), capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    module = program(*arguments)
    assert (script.returncode, script.stdout, script.stderr.decode()) == (module.status, module.raw, module.err)
    assert module == call(*arguments)


@pytest.mark.parametrize("arguments", [*READING, ["show", "57"], ["search", "qzjxqzjx"]], ids=" ".join)
def test_the_command_line_never_imports_qt_nor_needs_a_display(arguments: list[str]) -> None:
    assert program(*arguments, before=REFUSE_QT, env=NO_DISPLAY) == call(*arguments)


@pytest.mark.parametrize("arguments", [["search", "内存"], ["show", "msc#57"], ["--version"]], ids=" ".join)
def test_the_command_line_works_where_qt_cannot_be_imported(arguments: list[str]) -> None:
    assert program(*arguments, before=HIDE_QT, env=NO_DISPLAY) == call(*arguments)


def test_building_never_imports_qt(tmp_path: Path, source_texts: dict[str, str]) -> None:
    for name, text in source_texts.items():
        (tmp_path / "sources" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sources" / name).write_text(text, "utf-8")
    result = program("build", str(tmp_path / "sources"), str(tmp_path / "kb.sqlite"), before=REFUSE_QT, env=NO_DISPLAY)
    assert (result.status, result.err) == (0, "")


def test_the_window_does_import_qt() -> None:
    result = program("--exit-when-ready", before=REFUSE_QT)
    assert result.status == 2
    assert result.err.startswith("error: SystemError: Qt was imported\nhint: ")


@on_linux
@pytest.mark.parametrize("arguments", [[], ["--exit-when-ready"], ["--kb", "any.sqlite"]], ids=" ".join)
def test_without_a_display_the_window_is_2_before_qt_is_imported(arguments: list[str], home: Path) -> None:
    result = program(*arguments, before=REFUSE_QT, env=NO_DISPLAY)
    assert (result.status, result.out) == (2, "")
    error, hint = result.err.splitlines()
    assert error == "error: there is no display to open a window on"
    assert hint.startswith("hint: ")
    assert [word for word in ("search", "show", "diagnose") if f"ascend-kb {word}" not in hint] == []
    assert not home.exists()


@pytest.mark.parametrize("arguments", [[], ["--exit-when-ready"]], ids=" ".join)
def test_without_pyside_the_window_is_2_and_says_how_to_get_it(arguments: list[str]) -> None:
    result = program(*arguments, before=HIDE_QT)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: the window needs PySide6, which is not installed\nhint: pip install PySide6-")


def ready_rows(*arguments: str, env: dict[str, str | None] | None = None) -> int:
    """Start the window until it is ready; returns the number of its rows."""
    result = program("--exit-when-ready", *arguments, env=env)
    assert (result.status, "error:" in result.err, "Traceback" in result.err) == (0, False, False), result.err
    found = READY.fullmatch(result.out)
    assert found, result.out
    return int(found.group(1))


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return content and time of every file below a folder."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in folder.rglob("*")
    }


@pytest.mark.gui
@pytest.mark.parametrize("env", [{"LANG": "de_DE.UTF-8"}, {"LC_ALL": "zh_CN.UTF-8"}, {"LC_ALL": "C"}], ids=str)
def test_the_window_that_ends_when_ready_prints_time_and_rows(env: dict[str, str | None], home: Path) -> None:
    assert ready_rows(env=env) == 50
    assert not home.exists()


@pytest.mark.gui
def test_the_window_that_ends_when_ready_opens_the_named_file(own_copy: Path) -> None:
    place = own_copy.parent / "知识 #1 %41?"
    place.mkdir()
    own_copy = own_copy.rename(place / "kb.sqlite")
    assert ready_rows("--kb", str(own_copy)) == 50
    assert [path.name for path in place.iterdir()] == ["kb.sqlite"]


@pytest.mark.gui
def test_the_window_that_ends_when_ready_changes_no_saved_state(home: Path) -> None:
    (home / "log").mkdir(parents=True)
    (home / "settings.json").write_text('{"filters": [["repo", "msopcom"]], "text": "内存", "zoom": 2}', "utf-8")
    (home / "log" / "ascend-kb.log").write_text("before\n", "ascii")
    before = state(home)
    assert ready_rows() == 50
    assert state(home) == before


@pytest.mark.gui
def test_the_window_that_ends_when_ready_keeps_damaged_settings_as_they_are(home: Path) -> None:
    home.mkdir()
    (home / "settings.json").write_bytes(bytes(100))
    before = state(home)
    assert ready_rows() == 50
    assert state(home) == before


@pytest.mark.gui
def test_the_window_that_ends_when_ready_leaves_a_running_instance_alone(qtbot: QtBot, home: Path) -> None:
    from ascend_kb.ui.instance import Instance

    running = Instance(home)
    assert running.claim()
    running.listen()
    asked: list[str] = []
    running.requested.connect(asked.append)
    try:
        assert ready_rows() == 50
        with qtbot.assertNotEmitted(running.requested, wait=50):
            pass
        assert asked == []
    finally:
        running.release()


@pytest.mark.gui
@pytest.mark.parametrize("unusable", ["missing", "folder", "empty", "text", "foreign", "newer"], indirect=True)
def test_the_window_that_ends_when_ready_refuses_an_unusable_file(unusable: tuple[Path, str], home: Path) -> None:
    result = program("--exit-when-ready", "--kb", str(unusable[0]), env={"LC_ALL": "C"})
    assert (result.status, result.out) == (2, "")
    assert f"error: {unusable[0]} " in result.err
    assert "\nhint: open another file" in result.err or "\nhint: update the program" in result.err
    assert "Traceback" not in result.err
    assert not home.exists()


@pytest.mark.gui
def test_the_window_that_ends_when_ready_refuses_a_damaged_file(damaged: Path) -> None:
    result = program("--exit-when-ready", "--kb", str(damaged), env={"LC_ALL": "C"})
    assert (result.status, result.out) == (2, "")
    assert f"error: {damaged} is damaged (" in result.err
    assert "\nhint: open another file" in result.err
    assert "Traceback" not in result.err


@pytest.mark.gui
def test_a_full_disk_is_no_reason_to_hang(own_copy: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    with Path("/dev/full").open("wb") as full:
        result = program("--exit-when-ready", "--kb", str(own_copy), stdout=full.fileno())
    assert result.status == 2
    assert "error: standard output: " in result.err


def test_a_copy_of_the_package_without_bundle_names_what_is_missing(tmp_path: Path) -> None:
    import ascend_kb

    package = Path(ascend_kb.__file__).parent
    shutil.copytree(package, tmp_path / "ascend_kb", ignore=shutil.ignore_patterns("__pycache__"))
    ended = subprocess.run(
        [*command(), "repos"],
        env=environment({"PYTHONPATH": str(tmp_path)}),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.decode().startswith(f"error: {tmp_path / 'data' / 'kb.sqlite'} does not exist\nhint: ")
