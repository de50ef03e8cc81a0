"""How the panels of one window hang together: what happens when one of them says that something happened."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit

from ascend_kb.app.commands import State
from ascend_kb.core import editing
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import current, tr
from ascend_kb.core.keys import CardKey
from ascend_kb.core.links import SCHEME
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.ui import clipboard
from ascend_kb.ui.history import Place, PlaceKind
from ascend_kb.ui.searching import Searching

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.core.query import CardRow
    from ascend_kb.core.syntax import Resolve
    from ascend_kb.ui.application import Application
    from ascend_kb.ui.diagnosing import Diagnosing
    from ascend_kb.ui.session import CopyReady, Listed, Session, Shown
    from ascend_kb.ui.window import MainWindow

_REMEMBER_AFTER = 800  # milliseconds without a change until the settings are written
_BUSY_AFTER = 300  # milliseconds until it is said that a list takes its time
_MESSAGE_FOR = 6000  # milliseconds that a message stays in the status bar


class Coordinator(QObject):
    """Connects the panels of a window with its session and keeps track of what is shown."""

    def __init__(self, window: MainWindow, session: Session, application: Application) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._application = application
        self._shown: Shown | None = None
        self._searching = Searching(window, session, application)
        self._diagnosing: Diagnosing | None = None
        self._is_closed = False
        self._is_typing = False  # a filter that is not complete
        self._keeps_page = False  # while a list comes back
        self._remember_timer = QTimer(self)
        self._remember_timer.setSingleShot(True)
        self._remember_timer.setInterval(_REMEMBER_AFTER)
        self._remember_timer.timeout.connect(self._save)
        self._busy_timer = QTimer(self)
        self._busy_timer.setSingleShot(True)
        self._busy_timer.setInterval(_BUSY_AFTER)

    # --- connections -------------------------------------------------------------------------------------------------

    def connect_panels(self) -> None:
        """Connect panels and session."""
        w, s = self._window, self._session
        self._searching.connect_panels()
        w.search.text_changed.connect(self._on_text_changed)
        w.search.box.editingFinished.connect(self.finish_typing)
        w.search.box.reached.connect(self._select_words)
        w.search.filter_removed.connect(self._toggle)
        w.search.list_requested.connect(lambda _row: w.detail.browser.setFocus(Qt.FocusReason.OtherFocusReason))
        w.library.filter_toggled.connect(self._on_filter_toggled)
        w.library.all_requested.connect(self.clear_filters)
        for changed in (w.library.expanded, w.library.collapsed):
            changed.connect(lambda _index: self.remember())
        w.splitter.splitterMoved.connect(lambda *_: self.remember())
        w.cards.table.horizontalHeader().sectionResized.connect(lambda *_: self.remember())
        w.cards.table.horizontalHeader().sectionMoved.connect(lambda *_: self.remember())
        w.cards.cards.page_missing.connect(lambda page: s.fetch_page(page, self._on_page_fetched))
        w.cards.cards.sort_requested.connect(self._on_sort_requested)
        w.cards.current_changed.connect(self._on_current_changed)
        w.cards.selection_changed.connect(self.update_actions)
        w.cards.filter_dropped.connect(self._on_filter_dropped)
        w.cards.table.text_requested.connect(lambda: w.detail.browser.setFocus(Qt.FocusReason.OtherFocusReason))
        self._busy_timer.timeout.connect(w.cards.show_busy)
        w.detail.link_clicked.connect(self.follow)
        w.detail.link_hovered.connect(self._on_link_hovered)
        w.detail.find_bar.box.textChanged.connect(lambda _text: self.update_actions())
        s.query_changed.connect(self._on_query_changed)
        s.listing.connect(self._busy_timer.start)
        s.listed.connect(self._on_listed)
        s.ordered.connect(self._on_ordered)
        s.counted.connect(lambda counts: w.library.library.show_counts(counts, s.filters))
        s.shown.connect(self._on_shown)
        s.copy_ready.connect(self._on_copy_ready)
        s.failed.connect(self.show_error)

    def tag_label(self, tag_id: str) -> str:
        """Return the label of a tag."""
        return self._session.library.catalog.tag(tag_id, current())

    @cached_property
    def is_bundle(self) -> bool:
        """Whether the window shows the usual knowledge and not a file that the user named."""
        return self._application.is_usual(self._session.library.path)

    def _current_key(self) -> CardKey | None:
        row = self._window.cards.current_row()
        return row.key if row is not None else None

    @property
    def _shows_page(self) -> bool:
        """Whether the detail pane shows something else than a card."""
        return self._shown is not None and self._shown.card is None

    def _selects(self, key: CardKey | None) -> bool:
        """Whether the same list, asked for again, selects a card: not where none was selected beside a text."""
        return key is not None or self._shown is None

    def _note_scroll(self) -> None:
        """Keep how far the text is scrolled, unless the history is ahead of what is shown."""
        history, shown = self._session.history, self._shown
        if shown is not None and history.current is not None and history.current[:2] == shown.place[:2]:
            history.note_scroll(self._window.detail.browser.verticalScrollBar().value())

    def _on_text_changed(self, text: str) -> None:
        """Show what the text finds; a filter that is only begun waits for its end."""
        now = editing.finished(text, self._window.search.box.cursorPosition(), self._session.library.catalog.is_begun)
        if now == text or now.strip() != self._session.query.text.strip():
            self._is_typing = now != text
            self._session.set_query(SearchQuery(now), keep=None)
            self._is_typing = False

    def finish_typing(self) -> None:
        """Take what stands in the search box as it is."""
        text = self._window.search.box.text()
        if text != self._session.query.text:
            self._session.set_query(SearchQuery(text), keep=self._current_key())

    def _edited(self, edit: Callable[[str, Filter, Resolve], str], wanted: Filter) -> SearchQuery:
        """Return the query with its text edited around a filter."""
        return SearchQuery(edit(self._session.query.text, wanted, self._session.library.catalog.resolve))

    def _toggle(self, wanted: Filter) -> None:
        self._session.set_query(self._edited(editing.toggled, wanted), keep=self._current_key())

    def _on_filter_toggled(self, wanted: Filter) -> None:
        kinds = {Facet.THEME: PlaceKind.THEME, Facet.GUIDE: PlaceKind.GUIDE}
        kind = kinds.get(wanted.facet)
        if kind is None or wanted in self._session.filters:
            self._toggle(wanted)
            return
        # A theme or a guide entry is a place to read as well as a filter; another one takes its place.
        self._note_scroll()
        resolve = self._session.library.catalog.resolve
        text = editing.without_facet(self._session.query.text, wanted.facet, resolve)
        query = SearchQuery(editing.with_filter(text, wanted, resolve))
        self._session.set_query(query, keep=None, select=False)
        self._session.show_place(Place(kind, wanted.value))

    def _on_filter_dropped(self, wanted: Filter | None) -> None:
        if wanted is None:
            self._drop_words()
        else:
            self._session.set_query(self._edited(editing.without_filter, wanted), keep=self._current_key())
        self._window.cards.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop_words(self) -> None:
        """Leave nothing of the query but its filters."""
        self._session.set_query(SearchQuery(self.filters_alone()), keep=self._current_key())

    def _select_words(self) -> None:
        """Let the next letter replace the words of the query and keep its filters."""
        text = self._session.query.text
        self._window.search.select(*editing.words_span(text, self._session.library.catalog.resolve))

    def filters_alone(self) -> str:
        """Return the filters of the query as text."""
        return editing.filters_alone(self._session.query.text, self._session.library.catalog.resolve)

    def _on_sort_requested(self, column: SortColumn, descending: bool) -> None:
        key = self._current_key()
        self._session.set_sort(Sort(column, descending), keep=key, select=self._selects(key))

    def _on_query_changed(self, query: SearchQuery) -> None:
        text = self._window.search.box.text() if self._is_typing else query.text
        self._window.search.show_query(text, self._session.filters, self._window.library.library.label)
        self.update_actions()
        self.remember()

    def _on_ordered(self) -> None:
        key = self._current_key()
        self._session.put_in_order(key, select=self._selects(key))

    def _on_listed(self, listed: Listed) -> None:
        w, query = self._window, self._session.query
        key = self._current_key()
        self._busy_timer.stop()
        offset = w.cards.offset() if listed.reordered else None
        if listed.shelf is not None:
            is_first = w.library.library.rowCount() == 0
            w.library.fill(
                listed.shelf, self._application.settings.expanded if is_first else w.library.expanded_groups()
            )
            w.search.show_query(query.text, self._session.filters, w.library.library.label)
        w.cards.cards.show(listed.selection, listed.rows, listed.page)
        shown = listed.selection.total
        self._searching.show_listed(listed)
        # A list that comes back with the same card selected does not take away a page that is being read.
        self._keeps_page = self._shows_page and key is not None and key == listed.key
        w.cards.select(listed.row, offset)
        self._keeps_page = False
        if shown == 0 and (self._shown is None or self._shown.card is not None):
            self._shown = None
            self._session.forget_shown()
            w.detail.show_nothing()
        if listed.shown is None:
            self._searching.mark_text()
        self.update_actions()

    def _on_page_fetched(self, page: int, rows: tuple[CardRow, ...]) -> None:
        cards = self._window.cards
        was_missing = cards.current_row() is None
        cards.cards.set_page(page, rows)
        if was_missing and cards.current_row() is not None:
            self._on_current_changed(cards.table.currentIndex().row())
            self.update_actions()

    def _on_current_changed(self, row: int) -> None:
        found = self._window.cards.cards.row(row)
        if found is not None and not self._keeps_page:
            self._note_scroll()
            self._session.show_card(found.key, moving=True)
        self.remember()

    def _on_shown(self, shown: Shown) -> None:
        w = self._window
        self._shown = shown
        if shown.card is not None:
            w.detail.show_card(shown.card, shown.document, self._session.library.catalog)
            current = w.cards.table.currentIndex()
            has_moved_on = current.isValid() and w.cards.current_row() is None  # to a row that is being fetched
            if shown.row != current.row() and not has_moved_on:
                w.cards.select(shown.row)
        else:
            w.detail.show_page(shown.title, shown.document)
        w.detail.browser.verticalScrollBar().setValue(shown.place.scroll)
        self._searching.mark_text()
        self.update_actions()

    def _on_copy_ready(self, ready: CopyReady) -> None:
        clipboard.put(ready.copied)
        self.say(ready.message)

    def _on_link_hovered(self, address: str) -> None:
        parts = address.removeprefix(f"{SCHEME}://").split("/")
        if address.startswith(f"{SCHEME}://card/") and len(parts) == 3 and parts[2].isdigit():
            address = f"{parts[1]}#{parts[2]}"
        self._window.statusBar().showMessage(address)

    def follow(self, address: str) -> None:
        """Follow a link of the detail pane: inside the program, or with the system's browser."""
        if not address.startswith(f"{SCHEME}://"):
            if address.partition(":")[0].lower() in ("http", "https", "mailto"):
                from PySide6.QtGui import QDesktopServices

                QDesktopServices.openUrl(QUrl(address))
                self.say(tr("Opened in the system's browser: {address}", address=address))
            return
        self._note_scroll()
        kind, *rest = [unquote(part) for part in address.removeprefix(f"{SCHEME}://").split("/")]
        if kind == "card" and len(rest) == 2 and rest[1].isdigit():
            self._session.show_card(CardKey(rest[0], int(rest[1])), moving=False)
        elif kind == "theme" and len(rest) == 1:
            self._session.show_place(Place(PlaceKind.THEME, rest[0]))
        elif kind == "copy" and len(rest) == 1 and rest[0].isdigit():
            self._session.copy_code(int(rest[0]))
        elif kind == "filter" and len(rest) == 2 and rest[0] in {facet.value for facet in Facet}:
            wanted = Filter(Facet(rest[0]), rest[1])
            hardware = {tag.id for tag in self._session.library.catalog.tags if tag.facet.value == "hardware"}
            self._toggle(Filter(Facet.HARDWARE, rest[1]) if rest[1] in hardware else wanted)
        elif kind == "show-all" and self._shown is not None and self._shown.card is not None:
            self._session.show_card(self._shown.card.key, moving=False, whole=True)

    # --- diagnosis ---------------------------------------------------------------------------------------------------

    @property
    def diagnosing(self) -> Diagnosing:
        """What stands behind the diagnose pane; made when it is first needed."""
        if self._diagnosing is None:
            from ascend_kb.ui.diagnosing import Diagnosing

            self._diagnosing = Diagnosing(self._window, self._session)
        return self._diagnosing

    @property
    def is_diagnosing(self) -> bool:
        """Whether the diagnose pane is shown."""
        return self._diagnosing is not None and self._diagnosing.is_shown

    @property
    def diagnosed_words(self) -> tuple[str, ...] | None:
        """The words by which a diagnosis found the card that is shown; None where the search says what to mark."""
        if not self.is_diagnosing or self._shown is None or self._shown.card is None:
            return None
        return self.diagnosing.matched_words(str(self._shown.card.key))

    def show_nothing(self) -> None:
        """Show no card: neither text nor selection."""
        self._window.cards.select(-1)
        self._shown = None
        self._session.forget_shown()
        self._window.detail.show_nothing()
        self.update_actions()

    # --- state -------------------------------------------------------------------------------------------------------

    def update_actions(self) -> None:
        """Enable the commands that make sense now."""
        w, s, shown = self._window, self._session, self._shown
        selected = w.cards.selected_count()
        rows = [
            w.cards.cards.row(row)
            for first, last in w.cards.selected_ranges()
            for row in range(first, min(last, first + 200) + 1)
        ]
        has_commands = any(row is not None and row.has_commands for row in rows)
        shows_card = shown is not None and shown.card is not None
        w.update_actions(
            State(
                selected=selected or int(shows_card),
                has_commands=has_commands or (not selected and shown is not None and shown.has_commands),
                shows_card=shows_card,
                has_text=not w.detail.is_empty,
                has_query=not s.query.is_empty,
                can_go_back=s.history.can_go(-1),
                can_go_forward=s.history.can_go(1),
                has_search_in_text=bool(w.detail.find_bar.box.text() or w.detail.match_count),
                has_recent=bool(self._application.settings.recent),
                has_draft=self.is_diagnosing and bool(self.diagnosing.draft),
                is_bundle=self.is_bundle,
            )
        )

    def has_selected_text(self) -> bool:
        """Whether the widget with the focus has selected text."""
        widget = QApplication.focusWidget()
        if isinstance(widget, (QLineEdit, QLabel)):
            return widget.hasSelectedText()
        return isinstance(widget, (QTextEdit, QPlainTextEdit)) and widget.textCursor().hasSelection()

    def say(self, message: str) -> None:
        """Show a message in the status bar."""
        self._window.statusBar().showMessage(message, _MESSAGE_FOR)

    def show_error(self, error: Exception) -> None:
        """Show what went wrong and the ways out."""
        if isinstance(error, KBError):
            ways_out = [(tr("Open another file…"), self.open_file)]
            if not self.is_bundle:
                ways_out.append((tr("Use the bundled knowledge"), self.open_bundle))
            self._window.message_bar.show_message(error.message, error.hint, ways_out)
        else:
            self._application.fault(error)

    def remember(self) -> None:
        """Write the settings soon."""
        if not self._is_closed and self._window.isVisible():
            self._remember_timer.start()

    def _save(self) -> None:
        s, key = self._session, self._current_key()
        state = replace(self._application.settings, **self._window.layout_state())  # type: ignore[arg-type]
        if self.is_bundle:  # what was asked of another file says nothing about the next start
            state = replace(
                state,
                text=s.query.text,
                filters=[],
                card=str(key) if key is not None else "",
                sort_column=s.sort.column.value,
                sort_descending=s.sort.descending,
            )
        self._application.save_settings(state)

    def close(self) -> None:
        """Write the settings and end the worker."""
        if self._is_closed:
            return
        self._is_closed = True
        self._remember_timer.stop()
        try:
            self._save()
            if self._diagnosing is not None:
                self._diagnosing.stop()
        finally:
            self._application.end_worker(self._session)

    def open_file(self) -> None:
        """Ask for a knowledge file and open it."""
        from PySide6.QtWidgets import QFileDialog

        title, kinds = tr("Open knowledge file"), tr("Knowledge files (*.sqlite);;All files (*)")
        name, _kind = QFileDialog.getOpenFileName(self._window, title, str(self._session.library.path.parent), kinds)
        if name:
            self._application.replace_window(self._window, Path(name))

    def open_bundle(self) -> None:
        """Open the bundled knowledge."""
        self._application.replace_window(self._window, None)

    def clear_filters(self) -> None:
        """Remove the search text and all filters."""
        self._session.set_query(SearchQuery(), keep=self._current_key())
