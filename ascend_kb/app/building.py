"""Sources into a knowledge file: load, check, render, write beside the old file, take its place in one step."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ascend_kb.app import trust
from ascend_kb.app.library import LONG_CARD, size
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.document import card_document
from ascend_kb.core.errors import KBError
from ascend_kb.core.markdown import render
from ascend_kb.sources.load import digest, load, read_texts
from ascend_kb.store.integrity import dump
from ascend_kb.store.writer import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.card import Knowledge
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Language


def build(folder: Path, target: Path) -> bool:
    """Compile the sources below ``folder`` into ``target``; returns False where it held the same already.

    ``target`` is replaced in one step or not at all. Beside it the list of its rendered documents is written
    (``app.trust``).

    Raises:
        SourceError: the sources hold faults.
        KBError: a file cannot be read or written.
    """
    return compile_texts(read_texts(folder), target)


def compile_texts(texts: Mapping[str, str], target: Path) -> bool:
    """Compile source texts by relative path into ``target``; see ``build``."""
    knowledge = load(texts)
    try:
        with tempfile.TemporaryDirectory(prefix=".ascend-kb-", dir=target.parent) as folder:
            made = Path(folder) / "kb.sqlite"
            documents = rendered(knowledge)
            write(knowledge, digest(texts), documents, made)
            trust.write_list(documents.values(), trust.list_file(made))
            if _same(made, target):
                return False
            _replace(made, target)
    except OSError as error:
        raise KBError(
            f"{target} cannot be written: {error.strerror}", "name a file in a folder that can be written"
        ) from error
    return True


def rendered(knowledge: Knowledge) -> dict[tuple[CardKey, Language], str]:
    """Return the detail pane's document of every card in every language that its text exists in.

    Long cards are left out: the pane shows only their beginning at first.
    """
    catalog = Catalog(knowledge.repos, knowledge.foreign, knowledge.section_names, knowledge.tags)
    cards = {card.key: card for card in knowledge.cards}
    made = {}
    for card in knowledge.cards:
        for language in card.sections:

            def title(key: CardKey, language: Language = language) -> str:
                return cards[key].title.get(language) if key in cards else ""

            links = catalog.link_map(cards.__contains__, title, card)
            themes = [theme for theme in knowledge.themes if card.key in theme.cards]
            text = card_document(card, catalog, language, title, themes=themes, header=False)
            if size(text) <= LONG_CARD:
                made[card.key, language] = render(text, links, language)
    return made


def _same(made: Path, target: Path) -> bool:
    if not target.exists() or not trust.list_file(target).exists():
        return False
    try:
        same_list = trust.list_file(made).read_bytes() == trust.list_file(target).read_bytes()
        return same_list and dump(made) == dump(target)
    except sqlite3.Error:
        return False


def _replace(made: Path, target: Path) -> None:
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    # A list that does not fit costs speed only, so the order of the two steps is safe.
    made.replace(target)
    trust.list_file(made).replace(trust.list_file(target))
    with contextlib.suppress(OSError, AttributeError):
        handle = os.open(target.parent, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)
