"""What helps with a search beside its list: completion, recent searches, explanation, ways out, marks in the text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from ascend_kb.core.editing import words_alone
from ascend_kb.core.explain import explain, facet_name
from ascend_kb.core.highlight import in_utf16, spans
from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import Match, SearchQuery
from ascend_kb.core.syntax import parse

if TYPE_CHECKING:
    from ascend_kb.app.completion import Completions
    from ascend_kb.core.query import Filter
    from ascend_kb.ui.application import Application
    from ascend_kb.ui.session import Listed, Session
    from ascend_kb.ui.window import MainWindow

REST = 2_000  # milliseconds after which a query counts as a search that was made
LONGEST_EXPLAINED = 2_000  # characters
DIAGNOSE = "go.diagnose"  # the command that reads a log


class Searching(QObject):
    """Stands beside the coordinator of a window."""

    def __init__(self, window: MainWindow, session: Session, application: Application) -> None:
        super().__init__(window)
        self._window, self._session, self._application = window, session, application
        self._explained = ""
        self._offered = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self.note)

    def connect_panels(self) -> None:
        """Connect what the panels ask for."""
        w, s = self._window, self._session
        w.search.completer.wanted.connect(self._on_completion_wanted)
        w.search.completer.recent_wanted.connect(lambda: w.search.completer.show_recent(self.recent))
        w.search.list_requested.connect(lambda _row: self.note())
        w.cards.table.text_requested.connect(self.note)
        w.cards.table.clicked.connect(lambda _index: self.note())
        w.cards.query_suggested.connect(lambda text: s.set_query(SearchQuery(text), keep=None))
        w.cards.diagnosis_requested.connect(self._diagnose)
        s.query_changed.connect(self._on_query_changed)
        w.search.text_changed.connect(self.offer_diagnosis)
        s.copy_ready.connect(lambda _ready: self.note())
        self.recent_changed()

    def _diagnose(self, whole: str = "") -> None:
        """Read the search text as a log; ``whole`` is what was pasted, where the box has not room for all of it."""
        text = whole or self._session.query.text
        self._session.set_query(SearchQuery(), keep=None)
        self._window.workbench.diagnosing.take_text(text)

    def offer_diagnosis(self, text: str) -> None:
        """Offer to diagnose a search text of several lines, and take the offer back with the last of them."""
        bar = self._window.message_bar
        if "\n" in text.strip():
            pasted = QApplication.clipboard().text()
            whole = pasted if text.strip() in pasted else text
            self._offered = tr("This search text has several lines.")
            hint = tr("If it is a log, a diagnosis finds more than a search.")
            bar.show_message(self._offered, hint, [(tr("Diagnose this log instead"), partial(self._diagnose, whole))])
        elif self._offered:
            if bar.text.startswith(self._offered):
                bar.hide()
            self._offered = ""

    # --- recent searches ---------------------------------------------------------------------------------------------

    @property
    def recent(self) -> list[str]:
        """The searches that were made, newest first."""
        return self._application.settings.recent

    def note(self) -> None:
        """Keep the present query among the recent searches."""
        self._rest.stop()
        self._application.note_search(self._session.query.text)

    def recent_changed(self) -> None:
        """Let the box know whether there is anything to offer."""
        self._window.search.completer.has_recent = bool(self.recent)

    # --- the query ---------------------------------------------------------------------------------------------------

    def explanation(self) -> str:
        """Return the present query in plain words; empty for a text too long to be read out."""
        text = self._session.query.text
        if len(text) > LONGEST_EXPLAINED:
            return ""
        return explain(parse(text, self._session.library.catalog.resolve), self._window.library.library.label)

    def explain(self) -> None:
        """Show the present query in plain words."""
        self._explained = self.explanation() or tr("The search text is too long to be explained.")
        self._window.message_bar.show_message(self._explained)

    def _on_query_changed(self, query: SearchQuery) -> None:
        bar = self._window.message_bar
        if self._explained and bar.text == self._explained:
            bar.hide()
        self._explained = ""
        self._window.search.box.setToolTip("" if query.is_empty else self.explanation())
        if query.is_empty:
            self._rest.stop()
        else:
            self._rest.start()

    def _on_completion_wanted(self, text: str, cursor: int, asked: bool) -> None:
        library, language = self._session.library, current()
        completer = self._window.search.completer

        def work() -> Completions:
            from ascend_kb.app.completion import complete

            return complete(library, text, cursor, language, asked=asked)

        self._session.ask(work, lambda found: completer.show_completions(text, found, asked=asked), "completion")

    # --- nothing found -----------------------------------------------------------------------------------------------

    def show_listed(self, listed: Listed) -> None:
        """Say how many cards were found, and what to do where none answers."""
        w, selection, filters = self._window, listed.selection, self._session.filters
        total, partial = selection.total, selection.total - selection.full
        w.cards.show_heading(
            total,
            partial,
            w.library.library.cards,
            more=selection.left_out,
            open_ended=selection.is_open_ended,
            refused=selection.refused,
            in_order=selection.is_exact,
        )
        nothing = total == 0 or selection.refused
        words = words_alone(self._session.query.text, self._session.library.catalog.resolve)
        drops: list[tuple[str, Filter | None]] = []
        if nothing and words and (filters or not total):
            drops.append((tr("search text: {text}", text=words[:40]), None))
        if nothing:
            drops += [(f"{facet_name(f.facet)}: {w.library.library.label(f)}", f) for f in filters]
        w.cards.show_ways_out(drops, has_text=bool(words), can_diagnose=DIAGNOSE in w.actions_by_id)
        w.counts.setText(
            tr(
                "{shown} of {total} cards, {ms} ms",
                shown=0 if selection.refused else total if selection.is_exact else f"{total}+",
                total=w.library.library.cards,
                ms=round(listed.milliseconds),
            )
        )
        if words and not selection.full:
            self._suggest(listed)

    def _suggest(self, listed: Listed) -> None:
        library, text = self._session.library, listed.selection.query.text

        def work() -> tuple[str, ...]:
            from ascend_kb.app.suggestion import suggestions

            return suggestions(library, text)

        def done(found: tuple[str, ...]) -> None:
            if self._session.selection is listed.selection:
                self._window.cards.show_suggestions(found)

        self._session.ask(work, done, "suggestion")

    # --- marks in the text -------------------------------------------------------------------------------------------

    def mark_text(self) -> None:
        """Mark what was looked for in the text that is shown."""
        selection, detail = self._session.selection, self._window.detail
        terms = selection.terms if selection is not None else ()
        found_by = self._window.workbench.diagnosed_words
        terms = terms if found_by is None else found_by
        text = detail.browser.toPlainText() if terms and not detail.is_empty else ""
        if not text:
            self._session.forget("marks")
            detail.show_matches(())
            return
        row = self._window.cards.current_row()
        parts = row is not None and row.match is not Match.FULL

        def done(found: tuple[tuple[int, int], ...]) -> None:
            if detail.browser.toPlainText() == text:
                detail.show_matches(found)
                self._window.workbench.update_actions()

        self._session.ask(lambda: in_utf16(spans(terms, text, parts=parts), text), done, "marks", slow=False)
