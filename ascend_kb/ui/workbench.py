"""What the commands do in one window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTextEdit

from ascend_kb.core.i18n import tr
from ascend_kb.core.recipe import Copied, Form
from ascend_kb.ui import clipboard
from ascend_kb.ui.coordinator import Coordinator
from ascend_kb.ui.history import Place, PlaceKind


class WindowWorkbench(Coordinator):
    """Implements app.workbench.Workbench for one window."""

    def quit(self) -> None:
        """Close all windows."""
        QApplication.closeAllWindows()

    def copy(self) -> None:
        """Copy the selected text, or else the recipe."""
        widget = QApplication.focusWidget()
        if self.has_selected_text() and isinstance(widget, (QLineEdit, QTextEdit, QLabel)):
            if isinstance(widget, QLabel):
                clipboard.put(Copied(widget.selectedText().replace("\u2029", "\n")))
            else:
                widget.copy()
            self.say(tr("Copied the selected text"))
        else:
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
        if not self._window.detail.find_bar.find_match(backward=backward):
            self.say(tr("No match in this text"))

    def toggle_library(self) -> None:
        """Show or hide the library tree."""
        self._window.library.setVisible(self._window.library.isHidden())
        self.remember()

    def zoom(self, step: int) -> None:
        """Change the size of the text."""
        detail = self._window.detail
        detail.zoom_to(0 if step == 0 else detail.zoom_level + step)
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
        self._window.search.box.selectAll()

    def focus_next_pane(self, *, backward: bool = False) -> None:
        """Put the focus into the next pane."""
        panes = self._window.panes()
        now = next((i for i, pane in enumerate(panes) if pane.hasFocus()), 0 if backward else -1)
        panes[(now + (-1 if backward else 1)) % len(panes)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def move_selection(self, rows: int) -> None:
        """Select a card further down or up."""
        cards = self._window.cards
        last = cards.cards.rowCount() - 1
        if last >= 0:
            cards.select(max(0, min(last, cards.table.currentIndex().row() + rows)))

    def step_back(self) -> None:
        """Undo the last step of narrowing."""
        w, query = self._window, self._session.query
        if w.detail.find_bar.isVisible():
            w.detail.find_bar.close_bar()
        elif w.detail.browser.hasFocus():
            w.cards.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif query.text:
            self._session.set_query(query.with_text(""), keep=self._current_key())
        elif query.filters:
            self._toggle(query.filters[-1])

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
