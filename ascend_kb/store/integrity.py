"""Is a knowledge file whole, and is it what its sources say?"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ascend_kb.core.text import terms
from ascend_kb.store.indexing import indexed, indexed_text
from ascend_kb.store.models import CONTENT

if TYPE_CHECKING:
    from ascend_kb.core.keys import CardKey
    from ascend_kb.store.knowledge import KnowledgeFile


def dump(path: Path) -> list[str]:
    """Return every row of the content tables, ordered: files with the same dump hold the same knowledge.

    Raises:
        sqlite3.Error: the file cannot be read.
    """
    connection = sqlite3.connect(path)
    try:
        rows: list[str] = []
        for model in CONTENT:
            table = model._meta.table_name
            found = sorted(map(repr, connection.execute(f'SELECT * FROM "{table}"')))  # noqa: S608  (our own names)
            rows += [f"{table}: {row}" for row in found]
        return rows
    finally:
        connection.close()


def problems(knowledge: KnowledgeFile) -> list[tuple[str, str]]:
    """Return (where, what) for everything that is wrong inside an open file; empty when it is whole."""
    found = _inside_sqlite(knowledge.file.place)
    if found:
        return found
    from hashlib import sha256

    made = sha256()
    unfound = []
    tags = {tag.id: tag for tag in knowledge.catalog.tags}
    for card in knowledge.cards():
        if not _is_indexed(knowledge, card.key, indexed_text(card, tags)["title"]):
            unfound.append((str(card.key), "the index does not find the card by its title; build the file anew"))
        made.update("\0".join(indexed(card, tags).columns).encode())
        if not card.body("zh"):
            found.append((str(card.key), "the card has no text"))
    if made.hexdigest() != knowledge.meta.get("index_digest"):
        return [*found, ("search index", "the index does not agree with the cards; build the file anew")]
    return found + unfound


def _is_indexed(knowledge: KnowledgeFile, key: CardKey, title: str) -> bool:
    """Whether the index finds a card by the first word of its title."""
    words = terms(title)
    return not words or knowledge.finds(key, words[0])


def _inside_sqlite(path: Path) -> list[tuple[str, str]]:
    """Check pages, links between tables and the index, on a private copy, since the check of the index writes."""
    with tempfile.TemporaryDirectory(prefix="ascend-kb-") as folder:
        copy = Path(folder) / "copy.sqlite"
        shutil.copyfile(path, copy)
        connection = sqlite3.connect(copy)
        try:
            found = [
                ("pages", str(row[0])) for row in connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"
            ]
            for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
                found.append((f"{table}, row {row}", f"points to a row of {parent} that does not exist"))
            connection.execute("INSERT INTO cardindex(cardindex) VALUES ('integrity-check')")
        except sqlite3.Error as error:
            return [("file", str(error))]
        finally:
            connection.close()
        return found
