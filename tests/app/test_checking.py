"""Checking finds every kind of damage inside a file that can be opened."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.checking import check
from ascend_kb.core.errors import KBError
from ascend_kb.core.vocabulary import Outcome, allowed

if TYPE_CHECKING:
    from pathlib import Path

NOT_FOUND = "the index does not find the card by its title; build the file anew"
STALE = ("sources", "the sources in the file do not agree with its digest")
INDEX = ("search index", "the index does not agree with the cards; build the file anew")


def run(path: Path, *statements: str) -> None:
    """Change a knowledge file behind the program's back."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_whole_file_has_no_problem(sample_kb: Path) -> None:
    assert check(sample_kb) == []


def test_the_bundle_has_no_problem() -> None:
    assert check(None) == []


def test_checking_changes_nothing(sample_kb: Path) -> None:
    before = (sample_kb.read_bytes(), sample_kb.stat().st_mtime_ns, sorted(sample_kb.parent.iterdir()))
    check(sample_kb)
    assert (sample_kb.read_bytes(), sample_kb.stat().st_mtime_ns, sorted(sample_kb.parent.iterdir())) == before


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE source SET text = text || ' ' || path WHERE path = 'about.md'", [STALE]),
        ("UPDATE meta SET value = 'x' WHERE name = 'digest'", [STALE]),
        ("UPDATE source SET text = replace(text, 'outcome: fixed', 'outcome: x')",
         [STALE, ("cards/msopcom/57.md:9", f"outcome 'x' is unknown; allowed: {allowed(Outcome)}")]),
        ("UPDATE source SET text = replace(text, 'mstt#5, reason', 'mstt#6, reason')",
         [STALE, ("cards/msopcom/57.md:30", "there is no card 'mstt#6'")]),
        ("UPDATE card SET title_zh = 'zq zq' WHERE number = 57", [INDEX]),
        ("UPDATE card SET title_zh = title_zh || '！' WHERE number = 57", [INDEX]),
        ("INSERT INTO cardindex(cardindex) VALUES ('delete-all')",
         [("msopcom#57", NOT_FOUND), ("mstt#5", NOT_FOUND)]),
        ("UPDATE phrasing SET text = 'x'", [INDEX]),
        ("DELETE FROM card WHERE number = 57", None),
        ("UPDATE related SET target_id = 99", [("related, row 1", "points to a row of card that does not exist")]),
        ("DELETE FROM cardsection WHERE card_id = 2", [("mstt#5", "the card has no text"), INDEX]),
        ("DELETE FROM cardindex_data WHERE id > 10", None),
    ],
)  # fmt: skip
def test_damage_is_named(sample_kb: Path, statement: str, found: list[tuple[str, str]] | None) -> None:
    run(sample_kb, statement)
    problems = check(sample_kb)
    assert problems != []
    assert found is None or problems == found


def test_damaged_pages_are_named(sample_kb: Path) -> None:
    data = bytearray(sample_kb.read_bytes())
    data[3 * 4096 : 5 * 4096] = bytes(2 * 4096)
    sample_kb.write_bytes(data)
    assert check(sample_kb)


@pytest.mark.parametrize("kind", ["missing", "text"])
def test_what_is_no_knowledge_file_is_an_error_and_no_problem_list(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.sqlite"
    if kind == "text":
        path.write_text("no database", "utf-8")
    with pytest.raises(KBError, match=str(path)):
        check(path)
