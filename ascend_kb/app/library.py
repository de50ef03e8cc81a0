"""The library: what is open, behind one facade for the window and the command line."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.app import paths
from ascend_kb.core.errors import KBError
from ascend_kb.core.query import Sort
from ascend_kb.store.database import OlderFormatError, read_sources
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection, facet_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ascend_kb.core.card import Card, GuideEntry, Theme
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Bilingual, Language
    from ascend_kb.core.links import LinkMap
    from ascend_kb.core.query import Facet, SearchQuery
    from ascend_kb.core.recipe import Form
    from ascend_kb.store.evidence import EvidenceFile

LONG_CARD = 20_000  # bytes of Markdown above which a card first shows its beginning
HUGE_CARD = 1_000_000  # above which it is shown as plain text


def size(text: str) -> int:
    """Return the bytes that a text takes in a file."""
    return len(text.encode("utf-8", "replace"))


class Document(NamedTuple):
    """Text for the detail pane: safe HTML, or plain text where ``is_plain``; ``cut`` says that it goes on."""

    content: str
    is_plain: bool = False
    cut: bool = False


class Library:
    """An open knowledge file. All methods may be called from any thread.

    Raises:
        KBError: from the constructor when the file cannot be used, from any method when its content is damaged.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._evidence: EvidenceFile | None = None
        self.path = path if path is not None else default_knowledge()
        try:
            self._file = KnowledgeFile(self.path)
        except OlderFormatError:
            self.path = _rebuilt(self.path)
            self._file = KnowledgeFile(self.path)

    @property
    def place(self) -> Path:
        """Where the file is read: at its path, or in a private copy that goes with this library."""
        return self._file.file.place

    @property
    def notice(self) -> str:
        """A plain sentence where the file could not be read in place, else empty."""
        return self._file.file.notice

    @property
    def catalog(self) -> Catalog:
        """Repositories, tags and section names."""
        return self._file.catalog

    @property
    def version(self) -> str:
        """The version of the knowledge."""
        return self._file.meta.get("version", "")

    @property
    def as_of(self) -> str:
        """The date up to which the knowledge goes, ``YYYY-MM-DD``."""
        return self._file.meta.get("as_of", "")

    def about(self) -> Bilingual:
        """Return the page about how the knowledge was made, as Markdown."""
        from ascend_kb.core.language import Bilingual

        return Bilingual(self._file.meta.get("about_zh", ""), self._file.meta.get("about_en", ""))

    def close(self) -> None:
        """Close the calling thread's connection."""
        self._file.close()

    def interrupter(self) -> Callable[[], None]:
        """Return a function that stops, from any thread, the query that runs on the calling thread."""
        return self._file.file.interrupter()

    def card_count(self) -> int:
        """Return the number of cards."""
        return self._file.card_count()

    def card(self, key: CardKey) -> Card | None:
        """Return a card, or None if there is no such card."""
        return self._file.card(key)

    def title(self, key: CardKey, language: Language) -> str:
        """Return a card's title, or an empty string if there is no such card."""
        return self._file.title(key, language)

    def has_commands(self, key: CardKey) -> bool:
        """Return whether a card's recipe holds commands."""
        return self._file.has_commands(key)

    def themes(self) -> tuple[Theme, ...]:
        """Return all themes, in order."""
        return self._file.themes()

    def guide(self) -> tuple[GuideEntry, ...]:
        """Return all guide entries, in order."""
        return self._file.guide()

    def select(
        self, query: SearchQuery, sort: Sort | None = None, language: Language = "zh", *, quick: bool = False
    ) -> Selection:
        """Return the cards that ``query`` selects, in the order of ``sort`` (best first without it).

        With ``quick`` it never takes long, but may not be exact when very many cards match.
        """
        return Selection(self._file, query, sort or Sort(), language, quick=quick)

    def versions(self) -> tuple[str, ...]:
        """Return the numbers of all versions that cards name."""
        from ascend_kb.store import names

        return names.versions(self._file)

    def names(self, facet: Facet, part: str) -> tuple[str, ...]:
        """Return values of a facet without a closed list (API, change, date) that ``part`` stands in or begins."""
        from ascend_kb.store import names

        return names.names(self._file, facet, part)

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return the known words that are written almost like an unknown one; none for a known word."""
        from ascend_kb.store import names

        return () if names.is_known(self._file, word) else names.spellings(self._file, word)

    def evidence(self) -> EvidenceFile:
        """Return the look-ups that the diagnosis of a log needs."""
        from ascend_kb.store.evidence import EvidenceFile

        if self._evidence is None:
            self._evidence = EvidenceFile(self._file)
        return self._evidence

    def facets(self, query: SearchQuery) -> dict[Facet, dict[str, int]]:
        """Return the number of cards for every value of every facet under all other filters."""
        return facet_counts(self._file, query)

    def links(self, language: Language, card: Card | None = None) -> LinkMap:
        """Return what references in a text lead to."""
        return self.catalog.link_map(
            lambda key: self._file.card_id(key) is not None, lambda key: self.title(key, language), card
        )

    def recipes(self, cards: Iterable[Card], form: Form, language: Language) -> str:
        """Return the recipes of cards in one form, in the given order: the bytes that are copied and printed."""
        from ascend_kb.core import recipe

        made = [recipe.one(card, form, self.catalog, language, self.links(language, card)) for card in cards]
        return recipe.join(made, form)

    def markdown(self, card: Card, language: Language, *, header: bool = True) -> str:
        """Return the whole card as Markdown."""
        from ascend_kb.core.document import card_document

        def title(key: CardKey) -> str:
            return self.title(key, language)

        themes = [theme for theme in self._file.themes() if card.key in theme.cards]
        return card_document(card, self.catalog, language, title, themes=themes, header=header)

    def document(self, card: Card, language: Language, *, whole: bool = False) -> Document:
        """Return a card for the detail pane. Long cards are cut unless ``whole``; huge ones are plain text."""
        from ascend_kb.app.trust import is_ours

        html = self._file.html(card.key, language)
        if html is not None and is_ours(html):
            return Document(html)
        from ascend_kb.core.markdown import render

        text = self.markdown(card, language, header=False)
        if size(text) > HUGE_CARD:
            return Document(text, is_plain=True)
        cut = size(text) > LONG_CARD and not whole
        if cut:
            first = text.encode("utf-8", "replace")[:LONG_CARD].decode("utf-8", "ignore")
            text = first.rpartition("\n")[0] or first
        return Document(render(text, self.links(language, card), language), cut=cut)

    def render(self, text: str, language: Language) -> str:
        """Return other Markdown of the knowledge (theme, guide entry, page) as safe HTML."""
        from ascend_kb.core.markdown import render

        return render(text, self.links(language), language)


def default_knowledge() -> Path:
    """Return the knowledge file that is opened when none is named: the user's working copy or the bundle."""
    working = paths.working_knowledge()
    # os.path: a folder that may not be entered holds no working copy.
    return working if os.path.exists(working) else paths.bundled_knowledge()  # noqa: PTH110


def _rebuilt(path: Path) -> Path:
    """Rebuild a file of an older format from the sources it holds, into the user's folder."""
    from ascend_kb.app.building import compile_texts
    from ascend_kb.sources.load import digest

    texts = read_sources(path)
    name = re.sub(r"[^\w.-]", "_", path.stem)[:40]
    target = paths.home() / "rebuilt" / f"{name}-{digest(texts)[:12]}.sqlite"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KBError(
            f"{path} has an older format and cannot be rebuilt into {target.parent}: {error.strerror}",
            "set ASCEND_KB_HOME to a folder that can be written",
        ) from error
    compile_texts(texts, target)
    return target
