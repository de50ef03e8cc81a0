"""The main window: lays out the panels and connects them. Panels do not know each other; state is in the session."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMoveEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from ascend_kb.core.i18n import tr
from ascend_kb.ui.actions import Actions
from ascend_kb.ui.panels.cards import CardsPanel
from ascend_kb.ui.panels.detail import DetailPanel
from ascend_kb.ui.panels.library import LibraryPanel
from ascend_kb.ui.panels.search import SearchPanel
from ascend_kb.ui.widgets.message_bar import MessageBar
from ascend_kb.ui.workbench import WindowWorkbench

if TYPE_CHECKING:
    from ascend_kb.app.commands import State
    from ascend_kb.app.settings import Settings
    from ascend_kb.ui.application import Application
    from ascend_kb.ui.session import Session

_LONGEST_ENTRY = 60  # characters of a recent search in the menu
_FIRST_SIZE = QSize(1440, 860)
_FIRST_SPLIT = (15, 47, 38)  # percent of the width


class MainWindow(QMainWindow):
    """One window over one knowledge file."""

    closed = Signal(object)

    def __init__(self, session: Session, application: Application, settings: Settings) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.session = session
        self._has_appeared = False
        self.workbench = WindowWorkbench(self, session, application)
        self.actions_by_id = Actions(self.workbench, self)
        actions = self.actions_by_id
        self.message_bar = MessageBar()
        self.search = SearchPanel(actions["go.back"], actions["go.forward"], actions["view.clear"])
        self.search.add_button(actions["go.diagnose"])
        self.library = LibraryPanel()
        self.cards = CardsPanel(self.workbench.tag_label)
        from ascend_kb.app.commands import COPY_MENU

        self.detail = DetailPanel(actions["card.copy-rich"], [actions[name] for name in COPY_MENU])
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.counts = QLabel()
        self._lay_out()
        self.addActions(list(actions.findChildren(type(actions["go.back"]))))
        self.workbench.connect_panels()
        find = self.detail.find_bar.box
        for widget in (self.search.box, self.library, self.cards.table, self.detail.browser, find):
            widget.installEventFilter(self)
        self.search.box.installEventFilter(self.search.completer)  # asked before this window
        self.restore(settings)
        self.retranslate()
        self.search.show_query(session.query.text, session.filters, self.library.library.label)

    def _lay_out(self) -> None:
        self.actions_by_id.fill(self.menuBar())
        self.recent_menu = QMenu(self)
        self.recent_menu.aboutToShow.connect(self._fill_recent)
        before = self.actions_by_id["go.clear-recent"]
        for menu in self.menuBar().findChildren(QMenu):
            if before in menu.actions():
                menu.insertMenu(before, self.recent_menu)
        self.middle = QStackedWidget()
        self.middle.addWidget(self.cards)
        self._inner: tuple[QWidget, ...] = ()  # the panes of pages that stand in place of the cards
        for panel in (self.library, self.middle, self.detail):
            self.splitter.addWidget(panel)
        self.setAcceptDrops(True)
        self.splitter.setChildrenCollapsible(False)
        for i, share in enumerate((0, 1, 1)):
            self.splitter.setStretchFactor(i, share)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.search, self.message_bar, self.splitter):
            layout.addWidget(widget, 1 if widget is self.splitter else 0)
        self.setCentralWidget(body)
        self.statusBar().addPermanentWidget(self.counts)
        order = (self.search.box, self.library, self.cards.table, self.detail.copy_button, self.detail.browser)
        for first, second in itertools.pairwise(order):
            QWidget.setTabOrder(first, second)

    def _first_size(self) -> QSize:
        room = self.screen().availableSize()
        return _FIRST_SIZE.boundedTo(QSize(round(room.width() * 0.94), round(room.height() * 0.9)))

    def _split(self) -> None:
        self.splitter.setSizes([self.width() * share // 100 for share in _FIRST_SPLIT])

    def appear(self) -> None:
        """Show the window if it was not shown yet."""
        if not self._has_appeared:
            self._has_appeared = True
            self.show()

    def retranslate(self) -> None:
        """Take all texts in the language of the interface."""
        self.setWindowTitle("Ascend KB" + ("" if self.workbench.is_bundle else f" — {self.session.library.path}"))
        self.actions_by_id.retranslate()
        self.recent_menu.setTitle(tr("R&ecent searches"))
        for panel in (self.search, self.library, self.cards, self.detail):
            panel.retranslate()

    def update_actions(self, state: State) -> None:
        """Enable the commands that make sense now."""
        self.actions_by_id.update(state)
        self.recent_menu.setEnabled(state.has_recent)

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for text in self.workbench.recent:
            short = text if len(text) <= _LONGEST_ENTRY else text[: _LONGEST_ENTRY - 1] + "…"
            action = self.recent_menu.addAction(short.replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, text=text: self.workbench.search_again(text))

    def restore(self, settings: Settings) -> None:
        """Bring back sizes and place, on a screen that exists."""
        self.resize(self._first_size())
        self._split()
        # Qt itself moves a restored window onto a screen that exists.
        if settings.geometry:
            self.restoreGeometry(_bytes(settings.geometry))
        if settings.splitter:
            self.splitter.restoreState(_bytes(settings.splitter))
            self.splitter.setChildrenCollapsible(False)
        self.library.setVisible(settings.library_visible)
        self.cards.restore_columns(settings.columns)
        self.cards.show_sort(self.session.sort)
        self.detail.zoom_to(settings.zoom)

    def reset_layout(self) -> None:
        """Bring back the first sizes."""
        self.showNormal()
        self.resize(self._first_size())
        self.library.show()
        self._split()
        self.cards.reset_columns()
        self.detail.zoom_to(0)

    def layout_state(self) -> dict[str, object]:
        """Return sizes and place for the settings."""
        return {
            "geometry": _text(self.saveGeometry()),
            "splitter": _text(self.splitter.saveState()),
            "columns": self.cards.columns_state(),
            "expanded": self.library.expanded_groups() or ["none"],
            "library_visible": not self.library.isHidden(),
            "zoom": self.detail.zoom_level,
        }

    def panes(self) -> tuple[QWidget, ...]:
        """Return the panes that F6 goes through."""
        panes = (self.search.box, self.library, self.cards.table, *self._inner, self.detail.browser)
        return tuple(pane for pane in panes if pane.isVisible())

    def add_page(self, page: QWidget, panes: tuple[QWidget, ...], order: tuple[QWidget, ...]) -> None:
        """Take a page that can stand in place of the cards; ``panes`` are what F6 reaches in it, ``order`` what Tab."""
        self.middle.addWidget(page)
        self._inner = (*self._inner, *panes)
        for first, second in itertools.pairwise((self.library, *order, self.detail.copy_button)):
            QWidget.setTabOrder(first, second)
        QWidget.setTabOrder(self.library, self.cards.table)
        for pane in panes:
            pane.installEventFilter(self)

    def show_page(self, page: QWidget | None) -> None:
        """Show a page in place of the cards, or the cards again."""
        self.middle.setCurrentWidget(self.cards if page is None else page)

    def shows_page(self, page: QWidget) -> bool:
        """Whether a page stands in place of the cards."""
        return self.middle.currentWidget() is page

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a log that is dragged over the window."""
        if event.source() is None:
            self.workbench.diagnosing.on_drag(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take a log that is dragged over the window."""
        self.dragEnterEvent(event)  # type: ignore[arg-type]

    def dropEvent(self, event: QDropEvent) -> None:
        """Diagnose a log that is dropped anywhere."""
        self.workbench.diagnosing.on_drag(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Letters always start a search; Ctrl+C reaches the copy command."""
        if watched is self.search.box and isinstance(event, QDropEvent) and is_log(event.mimeData()):
            event.ignore()  # so that the window is asked
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # Swallowed here, the key goes to the window's command instead of the widget.
            return event.matches(QKeySequence.StandardKey.Copy)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if watched is self.search.box:
                return self._moves_selection(event)
            if watched is self.detail.find_bar.box:
                return False
            if _is_text(event) and not (event.text() == " " and watched is not self.cards.table):
                self.search.type_anew(self.workbench.filters_alone(), event)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Start a search from buttons and chips too, which leave letters unused."""
        if _is_text(event) and event.text() != " ":
            self.search.type_anew(self.workbench.filters_alone(), event)
            return
        super().keyPressEvent(event)

    def _moves_selection(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
        step = steps.get(Qt.Key(event.key())) if event.modifiers() == Qt.KeyboardModifier.NoModifier else None
        if step is None:
            return False
        self.workbench.move_selection(step)
        return True

    def moveEvent(self, event: QMoveEvent) -> None:
        """Remember the place."""
        super().moveEvent(event)
        self.workbench.remember()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remember the size."""
        super().resizeEvent(event)
        self.workbench.remember()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything and end the window's worker."""
        try:
            self.workbench.close()
        except Exception as error:  # noqa: BLE001  (let out of here, it can end the program: architecture, trap 13)
            self.workbench.show_error(error)
        super().closeEvent(event)
        self.closed.emit(self)


def is_log(data: QMimeData) -> bool:
    """Return whether something that is dragged over the search box is a log and not a word to search for."""
    return data.hasUrls() or "\n" in data.text().strip()


def _is_text(event: QKeyEvent) -> bool:
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
    text = event.text()
    return bool(text) and text.isprintable() and not event.modifiers() & control


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(text.encode("ascii", "replace"))


def _text(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode("ascii")
