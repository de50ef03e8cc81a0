"""Every command, chosen in every state of the window."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMenu

from ascend_kb.app.commands import COMMANDS, MENUS
from ascend_kb.core.i18n import current
from ascend_kb.core.query import Facet, Filter
from ascend_kb.ui.dialogs.about import AboutDialog
from ascend_kb.ui.dialogs.shortcuts import ShortcutsDialog
from tests.gui import CTRL, KEY, SHIFT, shown_windows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.gui import Desk

THEME = Filter(Facet.THEME, "hook-surface")


def _nothing(_desk: Desk) -> None:
    pass


def _search_and_filter(desk: Desk) -> None:
    desk.search("误报")
    desk.click_filter(Filter(Facet.OUTCOME, "fixed"))


def _all_selected(desk: Desk) -> None:
    desk.window.cards.table.setFocus()
    desk.press(KEY.Key_A, CTRL)


def _card_outside_the_list(desk: Desk) -> None:
    desk.search("mallochost")
    desk.window.workbench.follow("ascend-kb://card/mstt/129")
    desk.settle()


def _find_bar(desk: Desk) -> None:
    desk.press(KEY.Key_F, CTRL)
    desk.type("size")


def _chinese_without_the_library(desk: Desk) -> None:
    desk.run("view.library")
    desk.run("view.language-zh")


STATES: dict[str, Callable[[Desk], None]] = {
    "start": _nothing,
    "search and filter": _search_and_filter,
    "no cards": lambda desk: desk.search("zqxjq"),
    "theme without a card": lambda desk: desk.click_filter(THEME),
    "page": lambda desk: desk.run("help.manual"),
    "many cards": _all_selected,
    "card outside the list": _card_outside_the_list,
    "find bar": _find_bar,
    "Chinese, library hidden": _chinese_without_the_library,
}


@pytest.fixture(autouse=True)
def _own_colours(qapp: QApplication) -> Iterator[None]:
    before = qapp.palette()
    yield
    qapp.setPalette(before)


def menus(desk: Desk) -> list[QMenu]:
    """Return the menus of the menu bar, in order."""
    found = [action.menu() for action in desk.window.menuBar().actions()]
    return [menu for menu in found if isinstance(menu, QMenu)]


def close_dialogs() -> None:
    for dialog in shown_windows(QDialog):
        dialog.close()


@pytest.mark.parametrize("state", STATES)
def test_every_command_runs_in_every_state(
    start: Callable[..., Desk], own_copy: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    desk = start(own_copy)
    quits: list[bool] = []
    monkeypatch.setattr(desk.window.workbench, "quit", lambda: quits.append(True))
    monkeypatch.setattr(desk.window.workbench, "open_bundle", lambda: quits.append(False))

    def leave() -> None:
        if desk.window.workbench.is_diagnosing:
            desk.window.workbench.diagnosing.leave()
            desk.settle()
        if current() == "zh":
            desk.run("view.language-en")
        if desk.window.library.isHidden():
            desk.run("view.library")
        desk.window.detail.find_bar.close_bar()
        if desk.action("view.clear").isEnabled():
            desk.run("view.clear")

    def looks() -> tuple[object, ...]:
        window, bar = desk.window, desk.window.detail.find_bar
        shape = (window.library.isHidden(), bar.isVisible(), bar.box.text(), window.cards.selected_ranges())
        over = (window.workbench.is_diagnosing, window.search.completer.is_open)
        return (*over, current(), desk.title, window.session.query, *shape)

    wanted = None
    for command in COMMANDS:
        if looks() != wanted:
            leave()
            STATES[state](desk)
            wanted = looks()
        desk.action(command.id).trigger()
        desk.settle()
        close_dialogs()
        assert desk.application.faults == [], command.id
        assert desk.window.isVisible(), command.id
        assert desk.window.message_bar.isHidden() or command.id == "view.explain", command.id
        desk.window.message_bar.hide()
    assert quits == [False, True]


def test_what_makes_no_sense_is_greyed(desk: Desk) -> None:
    def greyed() -> set[str]:
        return {command.id for command in COMMANDS if not desk.action(command.id).isEnabled()}

    searching = {"edit.find-next", "edit.find-previous", "view.clear", "view.explain", "go.clear-recent"}
    first = {"file.bundle", "go.back", "go.forward", "diagnose.copy-draft"} | searching
    assert greyed() == first
    desk.press(KEY.Key_F, CTRL)
    desk.type("a")
    assert greyed() == first - {"edit.find-next", "edit.find-previous"}
    desk.window.detail.find_bar.box.clear()
    desk.run("help.manual")
    assert greyed() == first - {"go.back"} | {"card.open-source"}
    desk.run("go.back")
    assert greyed() == first - {"go.forward"}
    desk.search("zqxjq")
    copying = {f"card.copy-{form}" for form in ("rich", "commands", "plain", "markdown")}
    nothing = {"edit.find", "card.open-source", "edit.copy-reference"}
    assert greyed() == first - {"go.forward", "view.clear", "view.explain"} | copying | nothing


def test_the_bundle_can_be_asked_for_only_where_another_file_is_open(
    start: Callable[..., Desk], own_copy: Path
) -> None:
    assert start(own_copy).action("file.bundle").isEnabled()


def test_the_menus_hold_every_command_once_in_the_order_of_the_list(desk: Desk) -> None:
    assert [menu.title() for menu in menus(desk)] == list(MENUS)
    actions = [action for menu in menus(desk) for action in menu.actions() if not action.isSeparator()]
    listed = [action.objectName() for action in actions if action.menu() is None]
    assert listed == [command.id for name in MENUS for command in COMMANDS if command.menu == name]
    assert sorted(listed) == sorted(command.id for command in COMMANDS)


def test_a_menu_begins_with_no_separator_and_groups_where_the_list_says(desk: Desk) -> None:
    for menu in menus(desk):
        actions = menu.actions()
        assert not actions[0].isSeparator()
        groups = {after.objectName() for before, after in itertools.pairwise(actions) if before.isSeparator()}
        assert groups == {c.id for c in COMMANDS if c.starts_group and c.menu == menu.title()}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_two_commands_of_a_menu_share_a_mnemonic_and_every_command_is_explained(desk: Desk, language: str) -> None:
    desk.run(f"view.language-{language}")
    for menu in menus(desk):
        texts = [a.text() for a in menu.actions() if not a.isSeparator()]
        marks = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(marks) == len(set(marks)), menu.title()
    for command in COMMANDS:
        assert desk.action(command.id).statusTip(), command.id
        assert desk.action(command.id).toolTip(), command.id
        assert desk.action(command.id).shortcuts() == [QKeySequence(keys) for keys in command.shortcuts]


def test_the_sheet_of_shortcuts_and_the_versions_open_and_close(desk: Desk) -> None:
    desk.press(KEY.Key_Slash, CTRL)
    (sheet,) = shown_windows(ShortcutsDialog)
    assert isinstance(sheet, ShortcutsDialog)
    assert sheet.table.rowCount() == len(COMMANDS)
    QTest.keyClick(sheet, KEY.Key_Escape)
    assert shown_windows(ShortcutsDialog) == []
    desk.run("help.about")
    assert len(shown_windows(AboutDialog)) == 1


def test_quit_closes_every_window(desk: Desk, own_copy: Path) -> None:
    desk.application.raise_or_open(str(own_copy))
    other = desk.application.windows[1]
    desk.qtbot.waitUntil(other.isVisible)
    with desk.qtbot.waitSignals([desk.window.closed, other.closed]):
        desk.action("file.quit").trigger()
    assert desk.application.windows == []


def test_the_keys_of_the_window_do_not_change_the_search_text(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    desk.search("误报")
    for command in COMMANDS:
        if command.id in {"file.quit", "view.clear", "go.step-back"}:
            continue
        for keys in command.shortcuts:
            desk.window.search.box.setFocus()
            combination = QKeySequence(keys)[0]  # type: ignore[index]
            desk.press(combination.key(), combination.keyboardModifiers())
            close_dialogs()
            assert desk.window.search.box.text() == "误报", keys
    desk.press(KEY.Key_Backspace, CTRL | SHIFT)
    assert desk.window.search.box.text() == ""
