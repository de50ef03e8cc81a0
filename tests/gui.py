"""A window with what a test needs to act as a user and to read what the user sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from ascend_kb.core.editing import words_alone
from ascend_kb.ui.application import Application
from ascend_kb.ui.models.cards import COLUMNS
from ascend_kb.ui.models.library import FILTER_ROLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QAction
    from pytestqt.qtbot import QtBot

    from ascend_kb.core.query import Filter, SortColumn
    from ascend_kb.ui.tasks import TaskRunner
    from ascend_kb.ui.window import MainWindow

KEY = Qt.Key
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
NONE = Qt.KeyboardModifier.NoModifier


class WatchedApplication(Application):
    """Keeps the faults, so that a test that expects none can say so."""

    def __init__(self, *, keeps_nothing: bool = False) -> None:
        self.faults: list[BaseException] = []
        super().__init__(keeps_nothing=keeps_nothing)

    def fault(self, error: BaseException) -> None:
        self.faults.append(error)
        super().fault(error)

    def runner(self, window: MainWindow) -> TaskRunner:
        """Return the worker of a window."""
        return self._runners[window.session]


@dataclass
class Desk:
    """One window as a user sees it. ``settle`` waits by signal until nothing is being read."""

    qtbot: QtBot
    application: WatchedApplication
    window: MainWindow
    runner: TaskRunner = field(init=False)
    has_counts: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.runner = self.application.runner(self.window)
        self.window.session.counted.connect(self._on_counted)

    def _on_counted(self) -> None:
        self.has_counts = True

    # --- waiting -----------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Wait until the worker has nothing to do."""
        while not self.runner.is_idle:
            with self.qtbot.waitSignal(self.runner.idle):
                pass

    def appear(self) -> None:
        """Wait until the window is shown with its content and has the focus."""
        self.settle()
        self.qtbot.waitUntil(self.window.isVisible)
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)
        self.qtbot.waitUntil(lambda: self.has_counts)  # asked for after the first paint
        self.settle()

    # --- acting ------------------------------------------------------------------------------------------------------

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the focus is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)
        self.settle()

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        for character in text:
            QTest.keyClicks(QApplication.focusWidget() or self.window, character)
        self.settle()

    def search(self, text: str) -> None:
        """Put text into the search box beside the filters that stand in it, as an input method or a paste does."""
        filters = self.window.workbench.filters_alone()
        self.window.search.box.setFocus()
        self.window.search.box.clear()
        self.window.search.box.insert(filters + text)
        self.settle()

    def run(self, command_id: str) -> None:
        """Choose a command in its menu."""
        action = self.action(command_id)
        assert action.isEnabled(), f"{command_id} is greyed"
        action.trigger()
        self.settle()

    def action(self, command_id: str) -> QAction:
        """Return the action of a command."""
        return self.window.actions_by_id[command_id]

    def select(self, key: str, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Click the row of a card."""
        table = self.window.cards.table
        index = table.model().index(self.listed().index(key), 0)
        table.scrollTo(index)
        self.click(table.viewport(), table.visualRect(index).center(), modifiers)

    def click(self, widget: QWidget, place: QPoint | None = None, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Click into a widget."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, modifiers, place or widget.rect().center())
        self.settle()

    def tree_index(self, wanted: Filter) -> QModelIndex:
        """Return the place of a filter in the library tree, its group opened."""
        tree = self.window.library
        for group in tree.library.groups().values():
            for row in range(group.rowCount()):
                if group.child(row).data(FILTER_ROLE) == wanted:
                    tree.expand(group.index())
                    tree.scrollTo(group.child(row).index())
                    return group.child(row).index()
        raise AssertionError(f"the tree does not offer {wanted}")

    def click_filter(self, wanted: Filter) -> None:
        """Click a filter in the library tree."""
        index = self.tree_index(wanted)
        self.click(self.window.library.viewport(), self.window.library.visualRect(index).center())

    def click_link(self, address: str) -> None:
        """Click the first link with this address in the text."""
        browser = self.window.detail.browser
        self.click(browser.viewport(), self.link_place(address))

    def hover(self, widget: QWidget, place: QPoint) -> None:
        """Move the mouse over a place of a widget."""
        button = Qt.MouseButton.NoButton
        where = QPointF(widget.mapToGlobal(place))
        QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, QPointF(place), where, button, button, NONE))

    def link_place(self, address: str) -> QPoint:
        """Return a point of the first link with this address, scrolled into view."""
        browser = self.window.detail.browser
        cursor = browser.textCursor()
        cursor.setPosition(0)
        for position in range(browser.document().characterCount() - 1):
            cursor.setPosition(position)
            cursor.setPosition(position + 1, cursor.MoveMode.KeepAnchor)
            if cursor.charFormat().anchorHref() == address and browser.document().characterAt(position).isprintable():
                cursor.clearSelection()
                browser.setTextCursor(cursor)
                browser.ensureCursorVisible()
                right = browser.cursorRect(cursor)
                cursor.movePosition(cursor.MoveOperation.Left)
                left = browser.cursorRect(cursor)
                return QRect(left.topLeft(), right.bottomRight()).center()
        raise AssertionError(f"no link to {address}")

    def click_header(self, column: SortColumn) -> None:
        """Click the heading of a column."""
        header = self.window.cards.table.horizontalHeader()
        section = COLUMNS.index(column)
        self.window.cards.table.scrollTo(self.window.cards.cards.index(0, section))
        x = header.sectionViewportPosition(section) + header.sectionSize(section) // 2
        self.click(header.viewport(), QPoint(min(x, header.viewport().width() - 8), header.height() // 2))

    # --- seeing ------------------------------------------------------------------------------------------------------

    def listed(self) -> list[str]:
        """Return the keys of all rows, in table order."""
        model = self.window.cards.cards
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]

    def selected(self) -> list[str]:
        """Return the keys of the selected rows, in table order."""
        model = self.window.cards.table.selectionModel()
        return [str(index.data()) for index in sorted(model.selectedRows(), key=lambda index: index.row())]

    @property
    def title(self) -> str:
        """The title of what is shown."""
        return self.window.detail.title.text()

    @property
    def shown(self) -> str:
        """The key of the card that is shown; empty where it is no card."""
        first = self.title.partition("  ")[0]
        return first if "#" in first else ""

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self.window.detail.browser.toPlainText()

    @property
    def said(self) -> str:
        """The message in the status bar."""
        return self.window.statusBar().currentMessage()

    @property
    def chips(self) -> list[QToolButton]:
        """The chips of the active filters."""
        return [chip for chip in self.window.search.chips.findChildren(QToolButton) if chip.isVisible()]

    @property
    def words(self) -> str:
        """What the search box holds beside filters."""
        return words_alone(self.window.search.box.text(), self.window.session.library.catalog.resolve)

    @property
    def ways_out(self) -> list[QPushButton]:
        """The buttons of the empty list."""
        return [button for button in self.window.cards.findChildren(QPushButton) if button.isVisible()]

    @property
    def is_selected_row_visible(self) -> bool:
        """Whether the current row lies inside the table."""
        table = self.window.cards.table
        return table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())

    def count_in_tree(self, wanted: Filter) -> str:
        """Return what the tree shows behind a filter."""
        return str(self.tree_index(wanted).siblingAtColumn(1).data())


def clipboard() -> tuple[str, str]:
    """Return the plain text and the HTML of the clipboard."""
    data = QApplication.clipboard().mimeData()
    return data.text(), data.html()


def clear_clipboard() -> None:
    """Leave nothing on the clipboard."""
    QApplication.clipboard().setMimeData(QMimeData())


@pytest.fixture(scope="session", autouse=True)
def abandoned_clipboard() -> Iterator[None]:
    """Take what Python made off the clipboard: the offscreen platform crashes over it when the interpreter ends."""
    yield
    if QApplication.instance() is not None:
        QApplication.clipboard().clear()


_Kind = TypeVar("_Kind", bound=QObject)


def child(parent: QObject, kind: type[_Kind]) -> _Kind:
    """Return the first child of one kind."""
    found = parent.findChild(kind)
    assert isinstance(found, kind)
    return found


def shown_windows(kind: type[QWidget]) -> list[QWidget]:
    """Return the visible top-level windows of one kind."""
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()]


class Opener:
    """Stands for QDesktopServices and keeps what it was asked to open."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def openUrl(self, url: QUrl) -> bool:  # noqa: N802
        self.opened.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        return True
