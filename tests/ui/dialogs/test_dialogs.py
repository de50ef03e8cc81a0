"""The dialogs by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QPlainTextEdit, QPushButton

from ascend_kb.app import paths
from ascend_kb.app.commands import COMMANDS
from ascend_kb.core.errors import KBError
from ascend_kb.ui.dialogs.about import AboutDialog
from ascend_kb.ui.dialogs.fault import FaultDialog
from ascend_kb.ui.dialogs.shortcuts import ShortcutsDialog
from ascend_kb.ui.dialogs.start import ask_for_file
from tests.gui import child, clipboard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library


def button(dialog: QDialog, text: str) -> QPushButton:
    return next(b for b in dialog.findChildren(QPushButton) if b.text() == text)


def test_the_fault_dialog_shows_copies_and_names_the_log(qtbot: QtBot) -> None:
    dialog = FaultDialog(None, "Traceback\n  <b>x</b>")
    dialog.open()
    shown = child(dialog, QPlainTextEdit)
    assert shown.toPlainText() == "Traceback\n  <b>x</b>"
    assert shown.isReadOnly()
    assert str(paths.log_file()) in child(dialog, QLabel).text()
    button(dialog, "Copy details").click()
    assert clipboard() == ("Traceback\n  <b>x</b>", "")
    with qtbot.waitSignal(dialog.finished):
        button(dialog, "Close").click()


def test_the_versions_can_be_read_and_copied(qtbot: QtBot, library: Library) -> None:
    dialog = AboutDialog(None, library)
    dialog.open()
    text = child(dialog, QLabel).text()
    for part in (library.version, library.as_of, "Python", "Qt", "SQLite", str(library.path), str(paths.home())):
        assert part in text
    button(dialog, "Copy details").click()
    assert clipboard()[0] == text
    with qtbot.waitSignal(dialog.finished):
        button(dialog, "Close").click()


def test_the_sheet_lists_every_command_and_typing_narrows_it(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(None)
    dialog.open()

    def shown() -> list[str]:
        rows = [row for row in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(row)]
        return [COMMANDS[row].id for row in rows]

    assert shown() == [command.id for command in COMMANDS]
    for typed, expected in (
        ("CTRL+SHIFT+C", ["edit.copy-reference"]),
        ("zoom", ["view.zoom-in", "view.zoom-out"]),
        ("zqxj", []),
        ("", [command.id for command in COMMANDS]),
    ):
        dialog.box.setText(typed)
        assert shown() == expected
    with qtbot.waitSignal(dialog.finished):
        button(dialog, "Close").click()


@pytest.mark.parametrize(
    ("answer", "name", "expected"),
    [
        ("Open another file…", "other.sqlite", Path("other.sqlite")),
        ("Open another file…", "", None),
        ("Use the bundled knowledge", "", paths.bundled_knowledge()),
        ("Quit", "", None),
    ],
)
def test_a_file_that_cannot_be_opened_at_start_leaves_three_ways(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, answer: str, name: str, expected: Path | None
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (name, ""))
    seen: list[tuple[str, str, list[str]]] = []

    def choose() -> None:
        (box,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible()]
        seen.append((box.text(), box.informativeText(), sorted(b.text().replace("&", "") for b in box.buttons())))
        next(b for b in box.buttons() if b.text().replace("&", "") == answer).click()

    QTimer.singleShot(0, choose)
    assert ask_for_file(KBError("x is damaged", "do this")) == expected
    assert seen == [("x is damaged", "do this", ["Open another file…", "Quit", "Use the bundled knowledge"])]
