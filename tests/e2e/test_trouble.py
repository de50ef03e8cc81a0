"""When something goes wrong: damaged knowledge, faults of our own, a home that cannot be written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QPlainTextEdit, QPushButton

from ascend_kb.app import paths
from ascend_kb.core.errors import KBError
from ascend_kb.core.query import Facet, Filter, SearchQuery
from ascend_kb.ui.dialogs.fault import FaultDialog
from tests.conftest import BUNDLE, ROOT
from tests.gui import ALT, CTRL, KEY, child, clipboard, shown_windows
from tests.unprivileged import obeying

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.ui.window import MainWindow
    from tests.gui import Desk


def damage(path: Path) -> None:
    """Overwrite everything but the first page, while the file is open."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(path.stat().st_size - 4096))


def buttons(desk: Desk) -> dict[str, QPushButton]:
    bar = desk.window.message_bar
    return {button.text(): button for button in bar.findChildren(QPushButton) if button.isVisible()}


@pytest.fixture
def broken(start: Callable[..., Desk], own_copy: Path) -> Desk:
    """A window whose knowledge file was damaged while it was open, after a search."""
    desk = start(own_copy)
    damage(own_copy)
    desk.search("误报")
    return desk


def test_damage_while_running_is_said_with_ways_out_and_never_looks_like_no_cards(broken: Desk, own_copy: Path) -> None:
    assert broken.window.message_bar.isVisible()
    assert str(own_copy) in broken.window.message_bar.text
    assert "is damaged" in broken.window.message_bar.text
    assert list(buttons(broken)) == ["Open another file…", "Use the bundled knowledge"]
    assert len(broken.listed()) == 50
    assert broken.ways_out == []


def test_a_window_over_a_damaged_file_stays_alive(broken: Desk) -> None:
    acts: tuple[Callable[[], None], ...] = (
        lambda: broken.press(KEY.Key_Down),
        lambda: broken.press(KEY.Key_PageDown),
        lambda: broken.press(KEY.Key_C, CTRL),
        lambda: broken.press(KEY.Key_C, CTRL | ALT),
        lambda: broken.click_filter(Filter(Facet.REPO, "mstt")),
        lambda: broken.click_filter(Filter(Facet.THEME, "hook-surface")),
        lambda: broken.run("help.knowledge"),
        lambda: broken.run("view.language-zh"),
        lambda: broken.run("view.clear"),
    )
    for act in acts:
        act()
        assert broken.window.isVisible()
    broken.press(KEY.Key_F1)
    assert broken.window.message_bar.isVisible()


def test_the_bundle_takes_the_place_of_a_damaged_file(broken: Desk, own_copy: Path) -> None:
    application, old = broken.application, broken.window
    size = old.size()
    with broken.qtbot.waitSignal(old.closed):
        buttons(broken)["Use the bundled knowledge"].click()
    (window,) = application.windows
    broken.qtbot.waitUntil(lambda: window.cards.cards.rowCount() == 50 and not window.detail.is_empty)
    assert window.session.library.path == BUNDLE
    assert window.size() == size
    assert window.message_bar.isHidden()


@pytest.mark.parametrize("answer", ["", "other", "bad"])
def test_another_file_can_be_chosen(broken: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str) -> None:
    other, bad = tmp_path / "other.sqlite", tmp_path / "bad.sqlite"
    shutil.copyfile(BUNDLE, other)
    bad.write_text("nothing")
    name = str({"other": other, "bad": bad}[answer]) if answer else ""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (name, ""))
    old = broken.window
    buttons(broken)["Open another file…"].click()
    (window,) = broken.application.windows
    assert (window is not old) is (answer == "other")
    if answer == "other":
        broken.qtbot.waitUntil(lambda: window.cards.cards.rowCount() == 50)
        assert window.session.library.path == other
    elif answer == "bad":
        assert window.message_bar.text.startswith(f"{bad} is not a knowledge file")


def test_the_program_does_not_end_when_a_file_takes_the_place_of_another(desk: Desk, own_copy: Path) -> None:
    """The last window that closes ends the program: the new one must be there before."""
    ended: list[bool] = []
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.lastWindowClosed.connect(lambda: ended.append(True))
    with desk.qtbot.waitSignal(desk.window.closed):
        desk.application.replace_window(desk.window, own_copy)
    (window,) = desk.application.windows
    desk.qtbot.waitUntil(lambda: window.cards.cards.rowCount() == 50)
    assert window.isVisible()
    assert ended == []


def test_an_unfinished_change_beside_the_file_is_said(start: Callable[..., Desk], own_copy: Path) -> None:
    own_copy.with_name(own_copy.name + "-wal").write_bytes(b"x" * 100)
    desk = start(own_copy)
    assert len(desk.listed()) == 50
    assert "has unfinished changes of another program beside it" in desk.window.message_bar.text
    private = desk.window.session.library._file.file._private
    assert private is not None
    assert Path(private.name).is_dir()
    desk.window.close()
    assert not Path(private.name).exists()


def test_the_message_can_be_closed(broken: Desk) -> None:
    broken.window.message_bar._close.click()
    assert broken.window.message_bar.isHidden()


# --- faults of our own -----------------------------------------------------------------------------------------------


def take_fault(desk: Desk) -> BaseException:
    (fault,) = desk.application.faults
    desk.application.faults.clear()
    return fault


@pytest.fixture
def watched(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The window with the hook for uncaught exceptions that the program installs."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    desk.application.watch_faults()
    return desk


def raising(error: BaseException) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


def test_a_fault_in_a_slot_goes_to_the_log_and_to_one_dialog(watched: Desk) -> None:
    QTimer.singleShot(0, raising(ZeroDivisionError("in a slot")))
    watched.qtbot.waitUntil(lambda: len(shown_windows(FaultDialog)) == 1)
    assert isinstance(take_fault(watched), ZeroDivisionError)
    (dialog,) = shown_windows(FaultDialog)
    details = child(dialog, QPlainTextEdit).toPlainText()
    assert "ZeroDivisionError: in a slot" in details
    assert "Traceback (most recent call last)" in details
    log = paths.log_file().read_text("utf-8")
    assert "ERROR uncaught fault" in log
    assert "ZeroDivisionError: in a slot" in log
    copy = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Copy details")
    copy.click()
    assert clipboard()[0] == details
    watched.search("mallochost")
    assert watched.shown == "msopcom#20"


def test_a_second_fault_is_logged_but_opens_no_second_dialog(watched: Desk) -> None:
    for number in (1, 2):
        watched.application.fault(ValueError(f"number {number}"))
    assert len(shown_windows(FaultDialog)) == 1
    assert "number 2" in paths.log_file().read_text("utf-8")
    (dialog,) = shown_windows(FaultDialog)
    child(dialog, QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close).click()
    assert shown_windows(FaultDialog) == []
    watched.application.fault(ValueError("number 3"))
    assert len(shown_windows(FaultDialog)) == 1
    assert [str(fault) for fault in watched.application.faults] == ["number 1", "number 2", "number 3"]
    watched.application.faults.clear()


def test_a_fault_of_the_worker_arrives_too(watched: Desk) -> None:
    watched.runner.run(raising(LookupError("in the worker")), print, channel="list")
    watched.settle()
    assert len(shown_windows(FaultDialog)) == 1
    assert isinstance(take_fault(watched), LookupError)


def test_a_fault_while_a_window_closes_is_told_and_ends_nothing_but_the_window(
    watched: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raised in C, as by ``int``: such an error, let out of an override of Qt, ends the interpreter before 3.12."""
    monkeypatch.setattr(watched.window.workbench, "_save", lambda: int("x"))
    with watched.qtbot.waitSignal(watched.window.closed):
        watched.window.close()
    assert isinstance(take_fault(watched), ValueError)
    assert not any(lane.thread.is_alive() for lane in watched.runner._lanes)
    assert watched.application.windows == []


def test_an_error_that_is_not_ours_is_a_message_and_no_fault(watched: Desk) -> None:
    QTimer.singleShot(0, raising(KBError("the disk is gone", "plug it in")))
    watched.qtbot.waitUntil(watched.window.message_bar.isVisible)
    assert watched.window.message_bar.text == "the disk is gone\nplug it in"
    assert shown_windows(FaultDialog) == []
    assert not paths.log_file().exists()


def test_a_fault_is_written_to_standard_error_where_nothing_is_kept(
    start: Callable[..., Desk], capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    desk = start(keeps_nothing=True)
    desk.application.fault(ValueError("seen"))
    assert "ValueError: seen" in capsys.readouterr().err
    assert shown_windows(FaultDialog) == []
    assert not home.exists()
    desk.application.faults.clear()


# --- a home that cannot be written -----------------------------------------------------------------------------------


def test_a_home_that_cannot_be_made_is_a_notice(start: Callable[..., Desk], nowhere: Path) -> None:
    desk = start()
    assert len(desk.listed()) == 50
    desk.search("mallochost")
    assert desk.shown == "msopcom#20"
    desk.qtbot.waitUntil(lambda: "cannot be saved" in desk.window.message_bar.text)
    assert str(nowhere / "settings.json") in desk.window.message_bar.text
    assert "ASCEND_KB_HOME" in desk.window.message_bar.text
    desk.window.close()


def test_a_fault_without_a_home_still_has_its_dialog(
    start: Callable[..., Desk], nowhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = start()
    desk.application.fault(ValueError("seen"))
    assert len(shown_windows(FaultDialog)) == 1
    assert "ValueError: seen" in capsys.readouterr().err
    desk.application.faults.clear()


_VISIT = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from ascend_kb.ui.application import Application
from ascend_kb.ui.instance import Instance

bundle, home = map(Path, sys.argv[1:])
qt = QApplication([])
qt.setQuitOnLastWindowClosed(False)
instance = Instance(home)
owns = instance.claim()
application = Application()
window = application.open_window(bundle)
window.session.shown.connect(lambda _: QTimer.singleShot(0, lambda: qt.exit(0)))
qt.exec()
rows = window.cards.cards.rowCount()
window.workbench._save()
print(json.dumps([owns, rows, window.message_bar.text]))
window.close()
instance.release()
"""


def test_a_home_without_the_right_to_write_is_a_notice(home: Path) -> None:
    home.mkdir(mode=0o555)
    ended = subprocess.run(
        obeying([sys.executable, "-c", _VISIT, str(BUNDLE), str(home)]),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "ASCEND_KB_HOME": str(home)},
    )
    assert ended.returncode == 0, ended.stderr
    owns, rows, message = json.loads(ended.stdout)
    assert (owns, rows) == (True, 50)
    assert message.startswith(f"Settings cannot be saved to {home / 'settings.json'}")
    assert list(home.iterdir()) == []


# --- what a later start asks for --------------------------------------------------------------------------------------


def test_a_later_start_raises_the_window_or_opens_another_file(desk: Desk, own_copy: Path, tmp_path: Path) -> None:
    application = desk.application

    def windows() -> list[MainWindow]:
        return list(application.windows)

    desk.window.showMinimized()
    application.raise_or_open("")
    assert not desk.window.isMinimized()
    application.raise_or_open(str(BUNDLE))
    assert windows() == [desk.window]
    application.raise_or_open(str(own_copy))
    assert len(windows()) == 2
    other = windows()[1]
    desk.qtbot.waitUntil(lambda: other.isVisible() and other.cards.cards.rowCount() == 50)
    application.raise_or_open(str(own_copy))
    assert windows() == [desk.window, other]
    application.raise_or_open(str(tmp_path / "missing.sqlite"))
    assert windows() == [desk.window, other]
    assert desk.window.message_bar.text.startswith(f"{tmp_path / 'missing.sqlite'} does not exist")
    desk.search("误报")
    assert other.search.box.text() == ""
    assert other.session.query == SearchQuery()
    with desk.qtbot.waitSignal(other.closed):
        other.close()
    assert windows() == [desk.window]
    desk.search("mallochost")
    assert desk.shown == "msopcom#20"
