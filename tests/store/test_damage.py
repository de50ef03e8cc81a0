"""A damaged file works as far as it can or is named in a KBError; nothing else, and nothing hangs."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection, facet_counts
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGE = 4096
VARIANTS = 400 if os.environ.get("ASCEND_KB_SOAK") else 40
KEYS = [CardKey("msopcom", 57), CardKey("op-plugin", 40), CardKey("mstt", 132)]
QUERIES = [
    SearchQuery("误报"),
    SearchQuery("malloc 越界"),
    SearchQuery("桩"),
    SearchQuery("how to fix npu_moe_ crash"),
    SearchQuery("", (Filter(Facet.TAG, "hook"),)),
    SearchQuery("dump", (Filter(Facet.REPO, "msopcom"), Filter(Facet.THEME, "hook-surface"))),
]
USES: dict[str, Callable[[KnowledgeFile], object]] = {
    "search": lambda file: [Selection(file, query, Sort(), "zh").rows(0, 50) for query in QUERIES],
    "sort": lambda file: [Selection(file, SearchQuery(), Sort(column), "zh").rows(0, 50) for column in SortColumn],
    "position": lambda file: [Selection(file, SearchQuery(), Sort(), "zh").position(key) for key in KEYS],
    "facets": lambda file: [facet_counts(file, query) for query in QUERIES],
    "card": lambda file: [file.card(key) for key in KEYS],
    "html": lambda file: [file.html(key, "zh") for key in KEYS],
    "title": lambda file: [(file.title(key, "zh"), file.has_commands(key)) for key in KEYS],
    "cards": lambda file: list(file.cards()),
    "themes": lambda file: file.themes(),
    "guide": lambda file: file.guide(),
    "catalog": lambda file: file.catalog.tags,
    "meta": lambda file: file.meta,
}


def use(file: KnowledgeFile, path: Path) -> int:
    """Use an open file in every way; returns how many ways failed with a KBError that names it."""
    failed = 0
    for work in USES.values():
        # A query that never ends is interrupted, and that is no KBError.
        watchdog = threading.Timer(20, file.file.interrupter())
        watchdog.start()
        try:
            work(file)
        except KBError as error:
            assert str(path) in error.message  # noqa: PT017  (any other exception ends the test as it is)
            assert error.hint  # noqa: PT017
            failed += 1
        finally:
            watchdog.cancel()
            watchdog.join()
    return failed


def damage(whole: bytes, chance: random.Random) -> bytes:
    """Return a file with one kind of damage."""
    data = bytearray(whole)
    kind = chance.choice(["cut", "bits", "zeros", "noise"])
    pages = len(data) // PAGE
    if kind == "cut":
        del data[chance.randrange(len(data)) :]
    elif kind == "bits":
        for _ in range(chance.choice([1, 20, 400, 3000])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    else:
        for _ in range(chance.choice([1, 5, 60])):
            start = chance.randrange(pages) * PAGE
            data[start : start + PAGE] = bytes(PAGE) if kind == "zeros" else chance.randbytes(PAGE)
    return bytes(data)


def test_any_damage_is_a_kberror_or_does_no_harm(tmp_path: Path) -> None:
    whole = BUNDLE.read_bytes()
    chance = random.Random(2026)  # a fixed seed: the same damage in every run
    opened = failed = 0
    for number in range(VARIANTS):
        path = tmp_path / f"damaged-{number}.sqlite"
        path.write_bytes(damage(whole, chance))
        try:
            file = KnowledgeFile(path)
        except KBError as error:
            assert str(path) in error.message  # noqa: PT017
        else:
            opened += 1
            failed += use(file, path)
            file.close()
        path.unlink()
    assert opened > VARIANTS // 4, "the damage was so great that nothing but opening was tried"
    assert failed > VARIANTS, "the damage was so small that nothing failed"


@pytest.mark.parametrize("start", [2 * PAGE, PAGE])
def test_zeroed_pages_before_the_start_are_named(own_copy: Path, start: int) -> None:
    data = bytearray(own_copy.read_bytes())
    data[start : start + 20 * PAGE] = bytes(20 * PAGE)
    own_copy.write_bytes(data)
    file = KnowledgeFile(own_copy)
    assert use(file, own_copy) > 0
    file.close()


@pytest.mark.parametrize("first", ["nothing", "search", "card"])
def test_pages_zeroed_while_the_file_is_open_are_named(own_copy: Path, first: str) -> None:
    file = KnowledgeFile(own_copy)
    if first != "nothing":
        USES[first](file)
    with own_copy.open("r+b") as written:
        written.seek(PAGE)
        written.write(bytes(own_copy.stat().st_size - PAGE))
    assert use(file, own_copy) > 0
    with pytest.raises(KBError) as caught:
        list(file.cards())
    assert caught.value.message.startswith(f"{own_copy} is damaged (")
    file.close()


def test_a_file_cut_off_while_it_is_open_is_named(own_copy: Path) -> None:
    file = KnowledgeFile(own_copy)
    assert file.card_count() == 50
    os.truncate(own_copy, PAGE)
    assert use(file, own_copy) > 0
    file.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE card SET outcome = 'mended'",
        "UPDATE card SET evidence = NULL",
        "UPDATE card SET repo_id = 99 WHERE number = 57",
        "UPDATE cardsection SET section_id = 99 WHERE section_id = 1 AND language = 'zh'",
        "UPDATE ground SET kind = 'x'",
        "UPDATE change SET state = x'ff'",
        "UPDATE card SET title_zh = CAST(x'ff' AS TEXT)",
        "UPDATE card SET title_zh = NULL, title_en = NULL",
        "UPDATE card SET latest_change = NULL",
        "UPDATE card SET signatures = '['",
        "UPDATE card SET signatures = '3'",
        "UPDATE card SET signatures = '[3]'",
        "UPDATE card SET signatures = NULL",
        "UPDATE tag SET facet = 'x'",
        "DELETE FROM tag",
        "DELETE FROM card WHERE number = 57",
        "DROP TABLE cardindex_data",
        "DROP TABLE word",
        "DROP TABLE card",
        "DROP TABLE meta",
    ],
)
def test_content_that_makes_no_sense_is_a_kberror_or_does_no_harm(own_copy: Path, statement: str) -> None:
    connection = sqlite3.connect(own_copy)
    connection.execute("PRAGMA ignore_check_constraints = 1")
    connection.execute("PRAGMA writable_schema = 1")
    connection.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'card'")
    connection.commit()
    connection.close()
    connection = sqlite3.connect(own_copy)
    connection.execute(statement)
    connection.commit()
    connection.close()
    file = KnowledgeFile(own_copy)
    use(file, own_copy)
    file.close()
