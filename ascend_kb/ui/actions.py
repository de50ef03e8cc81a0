"""Qt actions and menus, made from the list of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from ascend_kb.app.commands import COMMANDS, MENUS, Command
from ascend_kb.core.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QMenuBar

    from ascend_kb.app.commands import State
    from ascend_kb.app.workbench import Workbench


class Actions(QObject):
    """One QAction for each command."""

    def __init__(self, workbench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._actions: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(self)
            action.setObjectName(command.id)
            action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
            action.triggered.connect(lambda _checked=False, command=command: command.run(workbench))
            self._actions[command.id] = action
        self._menus: list[tuple[str, QMenu]] = []
        self.retranslate()

    def __contains__(self, command_id: str) -> bool:
        return command_id in self._actions

    def __getitem__(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def retranslate(self) -> None:
        """Take the texts in the language of the interface."""
        for command in COMMANDS:
            action = self._actions[command.id]
            action.setText(tr(command.title))
            action.setIconText(plain_title(command))
            action.setToolTip(tooltip(command))
            action.setStatusTip(tr(command.help) if command.help else "")
        for name, menu in self._menus:
            menu.setTitle(tr(name))

    def fill(self, bar: QMenuBar) -> None:
        """Fill the menu bar."""
        for name in MENUS:
            menu = bar.addMenu(tr(name))
            self._menus.append((name, menu))
            for command in COMMANDS:
                if command.menu == name:
                    if command.starts_group:
                        menu.addSeparator()
                    menu.addAction(self._actions[command.id])

    def update(self, state: State) -> None:
        """Enable the commands that make sense now."""
        for command in COMMANDS:
            self._actions[command.id].setEnabled(command.enabled(state))
        no_commands = state.selected > 0 and not state.has_commands
        title = (
            tr("Copy recipe: commands only (this card has none)") if no_commands else tr("Copy recipe: &commands only")
        )
        self._actions["card.copy-commands"].setText(title)


def keys_text(command: Command) -> str:
    """Return the shortcuts of a command as people read them."""
    return " / ".join(QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) for keys in command.shortcuts)


def plain_title(command: Command) -> str:
    """Return the title of a command without the mark of its mnemonic."""
    import re

    return re.sub(r"\(&.\)|&", "", tr(command.title))


def tooltip(command: Command) -> str:
    """Return help and shortcut of a command."""
    text = tr(command.help) if command.help else plain_title(command)
    keys = keys_text(command)
    return f"{text} ({keys})" if keys else text
