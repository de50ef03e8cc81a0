"""What the commands do in one window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QTextEdit

from ascend_kb.core.i18n import tr
from ascend_kb.core.query import SearchQuery
from ascend_kb.core.recipe import Copied, Form
from ascend_kb.ui import clipboard
from ascend_kb.ui.coordinator import Coordinator
from ascend_kb.ui.history import Place, PlaceKind
from ascend_kb.ui.panels.detail import MOST_MARKED


class WindowWorkbench(Coordinator):
    """Implements app.workbench.Workbench for one window."""

    def quit(self) -> None:
        """Close all windows."""
        QApplication.closeAllWindows()

    def copy(self) -> None:
        """Copy the selected text, or else the recipe."""
        widget = QApplication.focusWidget()
        if self.has_selected_text() and isinstance(widget, (QLineEdit, QTextEdit, QPlainTextEdit, QLabel)):
            if isinstance(widget, QLabel):
                clipboard.put(Copied(widget.selectedText().replace("\u2029", "\n")))
            else:
                widget.copy()
            self.say(tr("Copied the selected text"))
        elif not self._copies_draft():
            self.copy_recipe(Form.HTML)

    def copy_recipe(self, form: Form) -> None:
        """Copy the recipes of the selected cards."""
        if self._window.cards.selected_count() or (self._shown is not None and self._shown.card is not None):
            self._session.copy_recipes(self._window.cards.selected_ranges(), form)
        else:
            self.say(tr("Select a card to copy its recipe"))

    def copy_reference(self) -> None:
        """Copy key, title and source address of the selected cards."""
        self._session.copy_references(self._window.cards.selected_ranges())

    def find_in_text(self) -> None:
        """Open the find bar."""
        self._window.detail.find_bar.open_bar()

    def find_next(self, *, backward: bool = False) -> None:
        """Go to the next match in the text."""
        detail = self._window.detail
        if detail.find_bar.isVisible() or not detail.match_count:
            if not detail.find_bar.find_match(backward=backward):
                self.say(tr("No match in this text"))
            return
        number, count = detail.go_to_match(backward=backward), detail.match_count
        said = tr("Match {number} of {count}", number=number, count=count)
        if count > MOST_MARKED:
            said += " · " + tr("the first {marked} of {count} are marked", marked=MOST_MARKED, count=count)
        self.say(said)

    def complete(self) -> None:
        """Offer what can stand at the cursor of the search box."""
        box = self._window.search.box
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        self._window.search.completer.ask()

    def explain(self) -> None:
        """Show the query in plain words."""
        self._searching.explain()

    def clear_recent(self) -> None:
        """Forget the recent searches."""
        self._application.forget_searches()
        self.say(tr("Recent searches were forgotten"))

    @property
    def recent(self) -> list[str]:
        """The recent searches, newest first."""
        return self._searching.recent

    def recent_changed(self) -> None:
        """Take note of other recent searches."""
        self._searching.recent_changed()
        self.update_actions()

    def search_again(self, text: str) -> None:
        """Show what a recent search found."""
        self._session.set_query(SearchQuery(text), keep=None)
        self._window.search.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def toggle_library(self) -> None:
        """Show or hide the library tree."""
        self._window.library.setVisible(self._window.library.isHidden())
        self.remember()

    def zoom(self, step: int) -> None:
        """Change the size of the text."""
        detail = self._window.detail
        detail.zoom_to(0 if step == 0 else detail.zoom_level + step)
        if self._diagnosing is not None:
            self._diagnosing.zoom(detail.zoom_level)
        self.remember()

    def reset_layout(self) -> None:
        """Bring back the first sizes."""
        self._window.reset_layout()
        self.remember()

    def use_language(self, language: str) -> None:
        """Choose the language of the interface."""
        self._application.use_language(language)

    def use_colours(self, colours: str) -> None:
        """Choose the colours."""
        self._application.use_colours(colours)

    def retranslate(self) -> None:
        """Show everything in the language of the interface."""
        self._window.retranslate()
        if self._diagnosing is not None:
            self._diagnosing.panel.retranslate()
        self._session.forget_shelf()
        key = self._current_key()
        self._session.list_cards(key, select=self._selects(key))
        if self._shown is not None:
            self._session.show_place(self._shown.place, revisit=True)

    def go(self, steps: int) -> None:
        """Go back or forward."""
        self._note_scroll()
        self._session.go(steps)

    def focus_search(self) -> None:
        """Put the cursor into the search box."""
        self._window.search.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._select_words()

    def focus_next_pane(self, *, backward: bool = False) -> None:
        """Put the focus into the next pane."""
        panes = self._window.panes()
        now = next((i for i, pane in enumerate(panes) if pane.hasFocus()), 0 if backward else -1)
        panes[(now + (-1 if backward else 1)) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def move_selection(self, rows: int) -> None:
        """Select a card further down or up."""
        if self.is_diagnosing:
            self.diagnosing.move_selection(rows)
            return
        cards = self._window.cards
        last = cards.cards.rowCount() - 1
        if last >= 0:
            cards.select(max(0, min(last, cards.table.currentIndex().row() + rows)))

    def step_back(self) -> None:
        """Undo the last step of narrowing."""
        w, filters = self._window, self._session.filters
        if w.detail.find_bar.isVisible():
            w.detail.find_bar.close_bar()
        elif self.is_diagnosing:
            self.diagnosing.step_back()
        elif w.cards.is_busy and self._session.stop_listing():
            w.cards.show_busy(busy=False)
            self.say(tr("Stopped. The list is that of the search before."))
        elif w.detail.browser.hasFocus():
            w.cards.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._session.query.text.strip() != self.filters_alone().strip():
            self._drop_words()
        elif filters:
            self._toggle(filters[-1])

    def diagnose(self) -> None:
        """Show the pane where logs are diagnosed."""
        self.diagnosing.show()

    def open_log(self) -> None:
        """Ask for a log file and diagnose it."""
        self.diagnosing.open()

    def paste_log(self) -> None:
        """Diagnose the text on the clipboard."""
        self.diagnosing.paste()

    def copy_draft(self) -> None:
        """Copy the draft of an issue about a log that no card explains."""
        self.diagnosing.copy_draft()

    def _copies_draft(self) -> bool:
        """Copy the draft where it is the selected row of a diagnosis; False elsewhere."""
        return self.is_diagnosing and self.diagnosing.copies_row()

    def open_source(self) -> None:
        """Open the issue in the system's browser."""
        if self._shown is not None and self._shown.card is not None:
            self.follow(self._shown.card.source_url)

    def show_page(self, name: str) -> None:
        """Show the manual or the page about the knowledge."""
        self._note_scroll()
        self._session.show_place(Place(PlaceKind.PAGE, name))

    def show_shortcuts(self) -> None:
        """Show the sheet of all shortcuts."""
        from ascend_kb.ui.dialogs.shortcuts import ShortcutsDialog

        ShortcutsDialog(self._window).open()

    def show_about(self) -> None:
        """Show the versions of program and knowledge."""
        from ascend_kb.ui.dialogs.about import AboutDialog

        AboutDialog(self._window, self._session.library).open()
