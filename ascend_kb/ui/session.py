"""What one window looks at: query, order, place. Asks the library on the read lane and says what came back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from ascend_kb.app.library import Document
from ascend_kb.core.editing import filters_in, with_filter
from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import SearchQuery, Sort
from ascend_kb.core.recipe import Copied, Form
from ascend_kb.ui.history import History, Place, PlaceKind
from ascend_kb.ui.models.cards import PAGE
from ascend_kb.ui.models.library import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Language
    from ascend_kb.core.query import CardRow, Filter
    from ascend_kb.store.listing import Selection
    from ascend_kb.ui.tasks import TaskRunner

_Found = TypeVar("_Found")
_COUNTS_AFTER = 20  # milliseconds for the first paint, which the worker would hold up
MOST_COPIED = 500  # cards that are copied at once
_OF_LIST = ("order", "counts", "suggestion")  # channels of what belongs to a list


class Shown(NamedTuple):
    """Text that is ready for the detail pane; ``row`` is where the card stands in the list, -1 if it does not."""

    place: Place
    title: str
    document: Document
    card: Card | None = None
    has_commands: bool = False
    row: int = -1


class Listed(NamedTuple):
    """A list that is ready: the rows of its ``page``, the row to select (-1 for none), and how long it took."""

    selection: Selection
    page: int
    rows: tuple[CardRow, ...]
    row: int
    milliseconds: float
    shelf: Shelf | None
    shown: Shown | None  # the card of that row, only with the first list
    reordered: bool = False  # the cards of the list before, now in their exact order

    @property
    def key(self) -> CardKey | None:
        """The card of the row to select."""
        return self.rows[self.row - self.page * PAGE].key if self.row >= 0 else None


class CopyReady(NamedTuple):
    """Something to put on the clipboard, and the sentence that says so."""

    copied: Copied
    message: str


class Session(QObject):
    """The state behind one window."""

    query_changed = Signal(object)
    listing = Signal()
    listed = Signal(object)
    ordered = Signal()
    counted = Signal(object)
    shown = Signal(object)
    copy_ready = Signal(object)
    failed = Signal(object)

    def __init__(self, library: Library, runner: TaskRunner) -> None:
        super().__init__()
        self.library = library
        self.query = SearchQuery()
        self.sort = Sort()
        self.history = History()
        self._runner = runner
        self._selection: Selection | None = None
        self._ordered: Selection | None = None  # the exact order of what the list shows
        self._is_listing = False
        self._has_shelf = False
        self._is_blank = False  # the detail pane was emptied since the last text
        self._asked: tuple[PlaceKind, str] | None = None  # the place that is being read

    def set_query(self, query: SearchQuery, keep: CardKey | None, *, select: bool = True) -> None:
        """Show what ``query`` selects; the card ``keep`` stays selected if it is still there, else the first one is.

        The filters of the query are written into its text, which is all that a window works on. Without ``select`` no
        card is selected, so that what the detail pane shows stays.
        """
        text = query.text
        for wanted in query.filters:
            text = with_filter(text, wanted, self.library.catalog.resolve)
        self.query = SearchQuery(text)
        self.query_changed.emit(self.query)
        self.list_cards(keep, select=select)

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters that stand in the text of the query."""
        return filters_in(self.query.text, self.library.catalog.resolve)

    @property
    def selection(self) -> Selection | None:
        """What the list shows; None before the first one."""
        return self._selection

    def ask(
        self, work: Callable[[], _Found], done: Callable[[_Found], None], channel: str, *, slow: bool = True
    ) -> None:
        """Run ``work`` on a lane and ``done`` with what it found; the newest of a channel wins."""
        self._runner.run(work, done, failed=self.failed.emit, channel=channel, slow=slow)

    def forget(self, channel: str) -> None:
        """Let nothing come back that was asked for in a channel."""
        self._runner.cancel(channel)

    def set_sort(self, sort: Sort, keep: CardKey | None, *, select: bool = True) -> None:
        """Show the same cards in another order."""
        self.sort = sort
        self.list_cards(keep, select=select)

    def list_cards(self, keep: CardKey | None, *, select: bool = True) -> None:
        """Ask for the list and the counts."""
        query, sort, library, language = self.query, self.sort, self.library, current()
        for channel in _OF_LIST:
            self._runner.cancel(channel)
        self._list(lambda: library.select(query, sort, language, quick=True), keep, select=select)
        self._is_listing = True
        self.listing.emit()

    def _list(self, choose: Callable[[], Selection], keep: CardKey | None, *, select: bool) -> None:
        """Ask for the rows of a selection around a card."""
        library, language = self.library, current()
        wants_shelf, is_first = not self._has_shelf, self._selection is None

        def work() -> Listed:
            started = time.perf_counter()
            selection = choose()
            place = selection.position(keep) if keep is not None else None
            row = place if place is not None else min(0, selection.total - 1)
            row = row if select else -1
            page = max(row, 0) // PAGE
            rows = selection.rows(page * PAGE, PAGE)
            took = (time.perf_counter() - started) * 1000
            shelf = shelf_of(library) if wants_shelf else None
            shown = None
            if is_first and row >= 0:
                shown = card_shown(library, rows[row - page * PAGE].key, row, language)
            return Listed(selection, page, rows, row, took, shelf, shown, selection is self._ordered)

        self._runner.run(work, self._on_listed, failed=self.failed.emit, channel="list")

    def stop_listing(self) -> bool:
        """Give up the list that is being asked for; return whether there was one."""
        was_listing, self._is_listing = self._is_listing, False
        self._runner.cancel("list")
        return was_listing

    def put_in_order(self, keep: CardKey | None, *, select: bool) -> None:
        """Take the exact order, now that it is known, in place of the first rows; ``keep`` is the card selected now."""
        found = self._ordered
        if found is not None:
            self._list(lambda: found, keep, select=select)

    def _put_in_order_later(self, first: Selection) -> None:
        query, sort, library, language = self.query, self.sort, self.library, current()

        def done(found: Selection) -> None:
            if self._selection is first:
                self._ordered = found
                self.ordered.emit()

        self.ask(lambda: library.select(query, sort, language).complete(), done, "order")

    def _on_listed(self, listed: Listed) -> None:
        self._selection = listed.selection
        self._is_listing = False
        self._has_shelf = True
        if listed.shown is not None:
            self.history.visit(listed.shown.place, moving=True)
        self.listed.emit(listed)
        if listed.shown is not None:
            self.shown.emit(listed.shown)
        if listed.selection is self._ordered:
            return
        self._ordered = None
        if not listed.selection.is_exact:
            self._put_in_order_later(listed.selection)
        # Asked for last, so that the text of the selected card, which ``listed`` brings about, comes first.
        if listed.shown is not None:
            QTimer.singleShot(_COUNTS_AFTER, self, lambda: self._count(listed.selection.query))
        else:
            self._count(listed.selection.query)

    def _count(self, query: SearchQuery) -> None:
        library = self.library
        if query == self.query and self._selection is not None:
            self.ask(lambda: library.facets(query), self.counted.emit, "counts")

    def forget_shelf(self) -> None:
        """Let the next list bring the library tree again, for example in another language."""
        self._has_shelf = False

    def forget_shown(self) -> None:
        """Take note that the detail pane shows nothing, so that the present card is asked for again."""
        self._is_blank = True

    def fetch_page(self, page: int, done: Callable[[int, tuple[CardRow, ...]], None]) -> None:
        """Ask for the rows of a page of the present list."""
        selection = self._selection
        if selection is None:
            return

        def take(rows: tuple[CardRow, ...]) -> None:
            if selection is self._selection:
                done(page, rows)

        self._runner.run(
            lambda: selection.rows(page * PAGE, PAGE), take, failed=self.failed.emit, channel=f"page {page}"
        )

    def show_card(
        self, key: CardKey, *, moving: bool, whole: bool = False, scroll: int = 0, revisit: bool = False
    ) -> None:
        """Ask for a card. ``moving`` says that it was reached by moving through the list."""
        place = Place(PlaceKind.CARD, str(key), scroll)
        now = self.history.current
        coming = self._asked or (now[:2] if now is not None and not self._is_blank else None)
        if moving and coming == place[:2]:
            return
        self._asked = place[:2]
        library, language, selection = self.library, current(), self._selection

        def work() -> Shown | None:
            row = selection.position(key) if selection is not None else None
            found = card_shown(library, key, -1 if row is None else row, language, whole=whole)
            return found and found._replace(place=place)

        def done(found: Shown | None) -> None:
            if found is not None:
                self._is_blank = False
                if not revisit:
                    self.history.visit(place, moving=moving)
                self.shown.emit(found)

        self._show(work, done)

    def _show(self, work: Callable[[], Shown | None], done: Callable[[Shown | None], None]) -> None:
        def ended(found: Shown | None) -> None:
            self._asked = None
            done(found)

        def failed(error: Exception) -> None:
            self._asked = None
            self.failed.emit(error)

        self._runner.run(work, ended, failed=failed, channel="show")

    def show_place(self, place: Place, *, revisit: bool = False) -> None:
        """Ask for any place: a card, a theme, a guide entry or a page."""
        if place.kind is PlaceKind.CARD:
            self.show_card(self.library.catalog.key(place.id), moving=False, scroll=place.scroll, revisit=revisit)
            return
        library, language = self.library, current()

        def work() -> Shown | None:
            found = page_markdown(library, place)
            if found is None:
                return None
            title, text = found
            return Shown(place, title, Document(library.render(text, language)))

        def done(found: Shown | None) -> None:
            if found is not None:
                self._is_blank = False
                if not revisit:
                    self.history.visit(place, moving=False)
                self.shown.emit(found)

        self._asked = place[:2]
        self._show(work, done)

    def go(self, steps: int) -> None:
        """Go back or forward in the history."""
        place = self.history.go(steps)
        if place is not None:
            self.show_place(place, revisit=True)

    def copy_recipes(self, ranges: Sequence[tuple[int, int]], form: Form) -> None:
        """Copy the recipes of the cards in these row ranges, or of the card that is shown where there are none."""
        library, language = self.library, current()
        pick = self._picker(ranges)

        def work() -> CopyReady:
            cards, more = pick()
            plain = Form.PLAIN if form is Form.HTML else form
            text = library.recipes(cards, plain, language)
            rich = library.recipes(cards, Form.HTML, language) if form is Form.HTML else ""
            return CopyReady(Copied(text, rich), copied_message(cards, form, text, more))

        self._runner.run(work, self.copy_ready.emit, failed=self.failed.emit, channel="copy")

    def copy_references(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Copy key, title and source address of the cards in these row ranges."""
        language = current()
        pick = self._picker(ranges)

        def work() -> CopyReady:
            cards, more = pick()
            text = "".join(f"{card.key} {card.title.get(language)}\n{card.source_url}\n" for card in cards)
            names = names_of(cards, more)
            return CopyReady(Copied(text), tr("Copied the reference of {cards}", cards=names))

        self._runner.run(work, self.copy_ready.emit, failed=self.failed.emit, channel="copy")

    def copy_code(self, number: int) -> None:
        """Copy a code block of the present place; blocks are counted from 0."""
        place, library, language = self.history.current, self.library, current()
        if place is None:
            return

        def work() -> CopyReady | None:
            from ascend_kb.core.fences import find_fences

            if place.kind is PlaceKind.CARD:
                card = library.card(library.catalog.key(place.id))
                text = library.markdown(card, card.text_language(language), header=False) if card else ""
            else:
                text = (page_markdown(library, place) or ("", ""))[1]
            fences = find_fences(text)
            if number >= len(fences):
                return None
            fence = fences[number]
            code = fence.commands if fence.is_shell else fence.code
            return CopyReady(Copied(code), tr("Copied {lines} lines of code", lines=code.count("\n")))

        def done(found: CopyReady | None) -> None:
            if found is not None:
                self.copy_ready.emit(found)

        self._runner.run(work, done, failed=self.failed.emit, channel="copy")

    def _picker(self, ranges: Sequence[tuple[int, int]]) -> Callable[[], tuple[list[Card], int]]:
        """Return a function, for the read lane, that gives the cards to copy and how many more there are."""
        library, selection, place = self.library, self._selection, self.history.current

        def pick() -> tuple[list[Card], int]:
            keys: list[CardKey] = []
            total = sum(last - first + 1 for first, last in ranges)
            for first, last in ranges if selection is not None else ():
                room = MOST_COPIED - len(keys)
                if room > 0 and selection is not None:
                    keys += [row.key for row in selection.rows(first, min(last - first + 1, room))]
            if not keys and place is not None and place.kind is PlaceKind.CARD:
                keys = [library.catalog.key(place.id)]
            cards = [card for key in keys if (card := library.card(key)) is not None]
            return cards, max(0, total - len(keys))

        return pick


def card_shown(library: Library, key: CardKey, row: int, language: Language, *, whole: bool = False) -> Shown | None:
    """Return a card ready for the detail pane; None if there is no such card."""
    card = library.card(key)
    if card is None:
        return None
    document = library.document(card, card.text_language(language), whole=whole)
    place = Place(PlaceKind.CARD, str(key))
    return Shown(place, str(key), document, card, library.has_commands(key), row)


def shelf_of(library: Library) -> Shelf:
    """Return what the library tree shows."""
    return Shelf(library.catalog, library.guide(), library.themes(), library.card_count(), library.versions())


def page_markdown(library: Library, place: Place) -> tuple[str, str] | None:
    """Return the title and the Markdown of a theme, a guide entry or a page; None if there is no such thing."""
    from ascend_kb.app import paths
    from ascend_kb.core.document import guide_document, theme_document

    language = current()

    def title(key: CardKey) -> str:
        return library.title(key, language)

    if place.kind is PlaceKind.THEME:
        theme = next((t for t in library.themes() if t.id == place.id), None)
        return (tr("Theme"), theme_document(theme, language, title)) if theme else None
    if place.kind is PlaceKind.GUIDE:
        entry = next((g for g in library.guide() if g.id == place.id), None)
        return (tr("Guide"), guide_document(entry, language, title)) if entry else None
    if place.id == "knowledge":
        return tr("About the knowledge"), library.about().get(language)
    if place.id == "manual":
        return tr("Manual"), (paths.resources() / "manual" / f"{language}.md").read_text("utf-8")
    return None


def names_of(cards: Sequence[Card], more: int) -> str:
    """Return the keys of cards for a message."""
    names = ", ".join(str(card.key) for card in cards[:3])
    rest = len(cards) - 3
    if rest > 0:
        names += " " + tr("and {count} more", count=rest)
    if more:
        names += " " + tr("(the first {count}; {more} were left out)", count=len(cards), more=more)
    return names


def copied_message(cards: Sequence[Card], form: Form, text: str, more: int) -> str:
    """Return what to say after copying."""
    names = names_of(cards, more)
    if form is Form.COMMANDS:
        lines = text.count("\n")
        return tr("Copied {lines} lines of commands from {cards}", lines=lines, cards=names)
    kind = {Form.PLAIN: tr("plain text"), Form.MARKDOWN: tr("Markdown"), Form.HTML: tr("rich and plain text")}[form]
    return tr("Copied the recipe of {cards} as {kind}", cards=names, kind=kind)
