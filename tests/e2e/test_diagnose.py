"""A log is given to the window: pasted, dropped, opened. What explains it, why, and what to do where nothing does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QToolButton

from ascend_kb.app.diagnosis_process import Log
from ascend_kb.ui.diagnoser import _Child
from ascend_kb.ui.models.results import RowKind
from tests.conftest import BUNDLE
from tests.gui import CTRL, KEY, SHIFT, clear_clipboard, clipboard
from tests.logs import GUIDED, LIKELY, RELATED, SIGNED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.ui.diagnosing import Diagnosing
    from ascend_kb.ui.panels.diagnose import DiagnosePanel
    from tests.gui import Desk

WITHIN = 60_000
MODIFIER = Qt.KeyboardModifier.NoModifier


class Pane:
    """The diagnose pane of a window as a user sees it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def behind(self) -> Diagnosing:
        return self.desk.window.workbench.diagnosing

    @property
    def panel(self) -> DiagnosePanel:
        return self.behind.panel

    def wait(self) -> None:
        """Wait until a log is answered or refused, and everything is shown."""
        self.desk.qtbot.waitUntil(lambda: not self.behind.diagnoser.is_running, timeout=WITHIN)
        self.desk.qtbot.waitUntil(lambda: self.panel.log.is_filled, timeout=WITHIN)
        self.desk.settle()

    def paste(self, text: str) -> None:
        """Paste a text where the focus is."""
        QApplication.clipboard().setText(text)
        self.desk.press(KEY.Key_V, CTRL)
        self.wait()

    def give(self, text: str) -> None:
        """Show the pane and paste a text into it."""
        self.desk.run("go.diagnose")
        self.paste(text)

    def open(self, path: Path) -> None:
        self.behind.take(Log(path=path), path.name)
        self.wait()

    def rows(self, kind: RowKind) -> list[int]:
        model = self.panel.results
        return [i for i in range(model.rowCount()) if (row := model.row(i)) is not None and row.kind is kind]

    def click(self, row: int) -> None:
        index = self.panel.results.index(row, 0)
        self.panel.list.scrollTo(index)
        self.desk.click(self.panel.list.viewport(), self.panel.list.visualRect(index).center())

    @property
    def message(self) -> str:
        bar = self.desk.window.message_bar
        return bar.text if bar.isVisible() else ""

    @property
    def ways_out(self) -> dict[str, QPushButton]:
        buttons = self.desk.window.message_bar.findChildren(QPushButton)
        return {button.text(): button for button in buttons if button.isVisible()}

    def processes(self) -> list[_Child]:
        return self.behind.findChildren(_Child)


@pytest.fixture
def pane(desk: Desk) -> Iterator[Pane]:
    clear_clipboard()
    yield Pane(desk)
    clear_clipboard()


def mime(*, text: str | None = None, path: Path | None = None) -> QMimeData:
    made = QMimeData()
    if text is not None:
        made.setText(text)
    if path is not None:
        made.setUrls([QUrl.fromLocalFile(str(path))])
    return made


def drop(desk: Desk, data: QMimeData) -> bool:
    """Drag something over the window and drop it; whether it was taken."""
    actions, button = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(50, 300), actions, data, button, MODIFIER)
    QApplication.sendEvent(desk.window, enter)
    if not enter.isAccepted():
        return False
    dropped = QDropEvent(QPointF(50, 300), actions, data, button, MODIFIER)
    QApplication.sendEvent(desk.window, dropped)
    return dropped.isAccepted()


# --- a log comes in --------------------------------------------------------------------------------------------------


def test_the_empty_pane_says_what_to_do_and_has_the_focus(desk: Desk, pane: Pane) -> None:
    desk.press(KEY.Key_D, CTRL)
    assert pane.behind.is_shown
    assert pane.panel.log.hasFocus()
    assert "Ctrl+V" in pane.panel.log.hint
    assert "Ctrl+Shift+D" in pane.panel.log.hint
    assert not desk.window.cards.isVisible()


def test_a_pasted_log_shows_its_card_with_reasons_in_log_and_card(desk: Desk, pane: Pane) -> None:
    pane.give(SIGNED)
    assert pane.panel.verdict.text() == "● Same signature · 1 card"
    assert desk.shown == "msopcom#54"
    assert desk.said == "● Same signature · 1 card"
    assert pane.panel.log.toPlainText() == SIGNED.rstrip("\n")
    assert "RegisterAscendBinary" in " ".join(pane.panel.log.marked)
    assert desk.window.detail.match_count > 0
    assert pane.panel.list.hasFocus()
    assert not desk.action("diagnose.copy-draft").isEnabled()


def test_a_log_can_be_pasted_from_anywhere_by_the_menu(desk: Desk, pane: Pane) -> None:
    QApplication.clipboard().setText(LIKELY)
    desk.run("diagnose.paste")
    pane.wait()
    assert pane.panel.verdict.text() == "◐ Likely · 1 card"
    assert desk.shown == "msopcom#25"


def test_nothing_to_paste_is_said(desk: Desk, pane: Pane) -> None:
    for text in ("", "  \n"):
        QApplication.clipboard().setText(text)
        desk.run("diagnose.paste")
        assert pane.behind.is_shown
        assert desk.said == "There is no text on the clipboard"
        assert not pane.behind.diagnoser.is_running


def test_files_and_texts_can_be_dropped_anywhere(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    log = tmp_path / "错误 #1%.log"
    log.write_text(SIGNED, encoding="gb18030")
    assert drop(desk, mime(path=log))
    pane.wait()
    assert desk.shown == "msopcom#54"
    assert pane.panel.heading.accessibleName().startswith("错误 #1%.log · 3 lines")
    assert drop(desk, mime(text=LIKELY))
    pane.wait()
    assert desk.shown == "msopcom#25"
    assert not drop(desk, QMimeData())


def test_a_log_dropped_on_the_search_box_is_diagnosed_and_a_word_is_not(desk: Desk, pane: Pane) -> None:
    desk.window.search.box.setFocus()
    where, button = QPointF(5, 5), Qt.MouseButton.LeftButton
    for text in (SIGNED, "mallochost"):
        data = mime(text=text)  # the event holds no reference
        dropped = QDropEvent(where, Qt.DropAction.CopyAction, data, button, MODIFIER)
        taken = desk.window.eventFilter(desk.window.search.box, dropped)
        assert taken is (text is SIGNED)


def test_a_file_is_opened_by_its_command(
    desk: Desk, pane: Pane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "my.log"
    log.write_bytes(("\ufeff\x1b[31m" + SIGNED.replace("\n", "\r\n")).encode("utf-16-le"))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(log), ""))
    desk.press(KEY.Key_D, CTRL | SHIFT)
    pane.wait()
    assert desk.shown == "msopcom#54"
    assert "UTF-16" in pane.panel.heading.accessibleName()
    assert pane.panel.log.toPlainText() == SIGNED.rstrip("\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    desk.run("diagnose.open")
    assert desk.shown == "msopcom#54"


def test_a_named_knowledge_file_is_asked(start: Callable[..., Desk], own_copy: Path) -> None:
    pane = Pane(start(own_copy))
    pane.give(SIGNED)
    assert pane.desk.shown == "msopcom#54"


# --- bands -----------------------------------------------------------------------------------------------------------


def test_related_cards_are_no_answer_and_none_is_shown_by_itself(desk: Desk, pane: Pane) -> None:
    pane.give(RELATED)
    assert pane.panel.verdict.text() == "◌ No confident match"
    assert desk.shown == ""
    assert desk.selected() == []
    (match,) = pane.rows(RowKind.MATCH)
    pane.click(match)
    assert desk.shown == "msopcom#20"
    assert pane.panel.log.marked


def test_no_match_gives_facts_and_a_draft_to_copy(desk: Desk, pane: Pane) -> None:
    pane.give(UNKNOWN)
    assert pane.panel.verdict.text() == "◌ No confident match"
    pane.click(pane.rows(RowKind.FACT)[0])
    assert pane.panel.log.marked == ["507035"]
    desk.press(KEY.Key_I, CTRL | SHIFT)
    assert "507035" in clipboard()[0]
    assert "10.1.2.3" not in clipboard()[0]
    assert "draft" in desk.said


@pytest.mark.parametrize("way", ["button", "enter", "ctrl+c", "double click"])
def test_the_draft_is_copied_in_every_way(desk: Desk, pane: Pane, way: str) -> None:
    pane.give(UNKNOWN)
    (row,) = pane.rows(RowKind.DRAFT)
    if way == "button":
        desk.click(pane.panel.copy_button)
    elif way == "double click":
        pane.click(row)
        pane.panel.list.doubleClicked.emit(pane.panel.results.index(row, 0))
    else:
        pane.click(row)
        desk.press(*((KEY.Key_Return,) if way == "enter" else (KEY.Key_C, CTRL)))
    assert clipboard()[0] == pane.behind.draft != ""


def test_selected_text_of_the_log_is_copied_first(desk: Desk, pane: Pane) -> None:
    pane.give(UNKNOWN)
    pane.panel.log.setFocus()
    desk.press(KEY.Key_A, CTRL)
    desk.press(KEY.Key_C, CTRL)
    assert clipboard()[0] == UNKNOWN.rstrip("\n")


def test_the_nearest_row_of_the_guide_leads_to_its_page(desk: Desk, pane: Pane) -> None:
    pane.give(GUIDED)
    (row,) = pane.rows(RowKind.GUIDE)
    pane.click(row)
    desk.press(KEY.Key_Return)
    assert "TORCH_CHECK" in desk.title + desk.text
    assert desk.window.detail.browser.hasFocus()
    assert pane.behind.is_shown


# --- keyboard --------------------------------------------------------------------------------------------------------


def test_everything_is_reached_by_keys(desk: Desk, pane: Pane) -> None:
    pane.give(UNKNOWN)
    reached = []
    desk.window.library.setFocus()
    for _ in range(40):
        desk.press(KEY.Key_Tab)
        widget = QApplication.focusWidget()
        if widget is desk.window.detail.browser:
            break
        reached.append(widget)
    order = [widget for widget in pane.panel.order() if widget.isVisible()]
    assert [widget for widget in reached if widget in order] == order


def test_f6_goes_through_log_and_results(desk: Desk, pane: Pane) -> None:
    pane.give(SIGNED)
    desk.window.library.setFocus()
    panes = []
    for _ in range(3):
        desk.press(KEY.Key_F6)
        panes.append(QApplication.focusWidget())
    assert panes == [pane.panel.log, pane.panel.list, desk.window.detail.browser]


def test_enter_on_a_card_goes_to_its_text_and_escape_comes_back_step_by_step(desk: Desk, pane: Pane) -> None:
    desk.select("msopcom#57")
    pane.give(SIGNED)
    desk.press(KEY.Key_Return)
    assert desk.window.detail.browser.hasFocus()
    desk.press(KEY.Key_Escape)
    assert pane.panel.list.hasFocus()
    desk.press(KEY.Key_Escape)
    assert not pane.behind.is_shown
    assert desk.window.cards.table.hasFocus()
    assert (desk.selected(), desk.shown) == (["msopcom#57"], "msopcom#57")


def test_the_answer_is_still_there_when_the_pane_comes_back(desk: Desk, pane: Pane) -> None:
    pane.give(SIGNED)
    desk.press(KEY.Key_Escape)
    desk.select("msopcom#57")
    desk.press(KEY.Key_D, CTRL)
    assert desk.shown == "msopcom#54"
    assert pane.panel.list.hasFocus()
    assert pane.panel.log.marked


def test_letters_start_a_search_from_the_pane(desk: Desk, pane: Pane) -> None:
    pane.give(SIGNED)
    desk.type("mallochost")
    assert desk.window.search.box.text() == "mallochost"
    assert not pane.behind.is_shown
    assert desk.shown == "msopcom#20"


def test_alt_arrows_go_through_the_results(desk: Desk, pane: Pane) -> None:
    pane.give(UNKNOWN)
    desk.run("go.next-card")
    first = pane.panel.list.currentIndex().row()
    desk.run("go.next-card")
    assert pane.panel.list.currentIndex().row() > first >= 0
    desk.run("go.previous-card")
    assert pane.panel.list.currentIndex().row() == first


def test_zoom_and_language_reach_the_pane(desk: Desk, pane: Pane) -> None:
    desk.run("view.zoom-in")
    pane.give(UNKNOWN)
    larger = pane.panel.log.font().pointSizeF()
    desk.run("view.zoom-reset")
    assert pane.panel.log.font().pointSizeF() == larger - 1
    desk.run("view.language-zh")
    assert pane.panel.verdict.text() == "◌ 没有可信的匹配"
    desk.run("diagnose.copy-draft")
    assert any(character >= "\u4e00" for character in clipboard()[0])


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_logs_that_cannot_be_read_are_said_with_ways_out(
    desk: Desk, pane: Pane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty.log"
    empty.touch()
    packed = tmp_path / "log.gz"
    packed.write_bytes(b"\x1f\x8b\x08" + bytes(40))
    for path, said in [
        (tmp_path / "gone.log", "does not exist"), (tmp_path, "is a folder"), (empty, "is empty"),
        (Path(os.devnull), "is not a file"), (packed, "is packed"), (BUNDLE, "is a database"),
    ]:  # fmt: skip
        pane.open(path)
        assert said in pane.message
        assert pane.message.count("\n") == 1  # and what to do
        assert list(pane.ways_out) == ["Open another log…", "Try again"]
        assert "Ctrl+V" in pane.panel.log.hint
    assert desk.application.faults == []
    right = tmp_path / "right.log"
    right.write_text(SIGNED)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(right), ""))
    desk.click(pane.ways_out["Open another log…"])
    pane.wait()
    assert pane.message == ""
    assert desk.shown == "msopcom#54"


def test_a_file_that_comes_back_can_be_tried_again(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    path = tmp_path / "late.log"
    pane.open(path)
    path.write_text(SIGNED)
    desk.click(pane.ways_out["Try again"])
    pane.wait()
    assert desk.shown == "msopcom#54"
    assert pane.message == ""


def test_a_message_about_a_log_goes_with_the_pane(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    pane.open(tmp_path)
    assert pane.message
    desk.press(KEY.Key_Escape)
    assert pane.message == ""


def test_a_log_over_the_limit_is_read_in_parts_and_that_is_said(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(b"nothing to see here\n" * 1_050_000 + SIGNED.encode())
    pane.open(path)
    assert desk.shown == "msopcom#54"
    assert "larger than 20 MB" in pane.panel.heading.accessibleName()
    assert "left out" in pane.panel.log.toPlainText()
    assert "RegisterAscendBinary" in " ".join(pane.panel.log.marked)


def test_damaged_knowledge_offers_other_knowledge(start: Callable[..., Desk], own_copy: Path) -> None:
    pane = Pane(start(own_copy))
    with own_copy.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(own_copy.stat().st_size - 4096))
    pane.give(SIGNED)
    assert "is damaged" in pane.message
    assert "Use the bundled knowledge" in pane.ways_out


# --- while one is read -----------------------------------------------------------------------------------------------


def reading(desk: Desk, pane: Pane, path: Path) -> None:
    """Let a large log be read, and wait until that has begun."""
    path.write_bytes(SIGNED.encode() * 150_000)
    desk.run("go.diagnose")
    with desk.qtbot.waitSignal(pane.behind.diagnoser.progressed, timeout=WITHIN):
        pane.behind.take(Log(path=path), path.name)
    assert pane.behind.diagnoser.is_running


def none_running(desk: Desk, pane: Pane) -> None:
    desk.qtbot.waitUntil(lambda: not any(child.is_done for child in pane.processes()), timeout=WITHIN)


@pytest.mark.parametrize("way", ["escape", "button"])
def test_work_can_be_stopped(desk: Desk, pane: Pane, tmp_path: Path, way: str) -> None:
    reading(desk, pane, tmp_path / "large.log")
    if way == "escape":
        desk.press(KEY.Key_Escape)
    else:
        desk.qtbot.waitUntil(pane.panel.cancel_button.isVisible)
        desk.click(pane.panel.cancel_button)
    assert pane.behind.is_shown
    assert not pane.behind.diagnoser.is_running
    assert desk.said == "The diagnosis was cancelled"
    assert not pane.panel.progress.isVisible()
    none_running(desk, pane)
    pane.paste(LIKELY)
    assert desk.shown == "msopcom#25"


def test_a_new_log_takes_the_place_of_one_that_is_read(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    reading(desk, pane, tmp_path / "large.log")
    pane.paste(LIKELY)
    assert desk.shown == "msopcom#25"
    assert pane.panel.heading.accessibleName().startswith("Pasted text")


def test_the_pane_can_be_left_while_a_log_is_read(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    desk.select("msopcom#57")
    reading(desk, pane, tmp_path / "large.log")
    buttons = [button for button in pane.panel.findChildren(QToolButton) if button is pane.panel.leave_button]
    desk.click(buttons[0])
    assert desk.window.cards.isVisible()
    pane.wait()
    assert (desk.selected(), desk.shown) == (["msopcom#57"], "msopcom#57")
    desk.run("go.diagnose")
    assert desk.shown == "msopcom#54"


def test_a_closed_window_leaves_no_process(desk: Desk, pane: Pane, tmp_path: Path) -> None:
    reading(desk, pane, tmp_path / "large.log")
    ids = [child.processId() for child in pane.processes()]
    assert ids
    with desk.qtbot.waitSignal(desk.window.destroyed):
        desk.window.close()
    assert not any(Path(f"/proc/{number}").exists() for number in ids)


def test_a_window_that_is_left_alone_runs_no_process(desk: Desk, pane: Pane) -> None:
    desk.run("go.diagnose")
    assert len(pane.processes()) == 1  # it waits for a log
    desk.press(KEY.Key_Escape)
    desk.qtbot.waitUntil(lambda: not pane.processes(), timeout=WITHIN)


# --- hostile logs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"x" * 3_000_000,
        ("<h1>错误</h1><img src=file:///etc/passwd><script>alert(1)</script>\n" * 50).encode(),
        b"\xff\xfe\x00\xd8[\0E\0R\0R\0O\0R\0]\0 \0x\0",
        "[ERROR] \u202eevil\u2066 \ufdd0 \ufffc e\u0301 😀 aclrtMallocHost\n".encode() * 2000,
        b"[ERROR] \xff\xfe\xfd caf\xe9 failed\n" * 100,
    ],
    ids=["one line", "markup", "lone surrogate", "strange characters", "no encoding"],
)
def test_every_log_comes_to_an_end_in_the_pane(desk: Desk, pane: Pane, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "<b>hostile<b>.log"
    path.write_bytes(content)
    pane.open(path)
    assert pane.message == ""
    assert pane.panel.verdict.isVisible()
    assert pane.panel.log.toPlainText()
    assert desk.application.faults == []
