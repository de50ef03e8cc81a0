"""The committed knowledge file is what the sources give today."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.building import compile_texts
from ascend_kb.app.checking import check
from ascend_kb.sources.load import digest
from ascend_kb.store.integrity import dump
from ascend_kb.store.knowledge import KnowledgeFile
from tests.conftest import BUNDLE, DATA

if TYPE_CHECKING:
    from pathlib import Path

STALE = "data/kb.sqlite is stale: run `make kb` and commit it"


@pytest.fixture(scope="module")
def fresh(source_texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge file built from the sources now."""
    path: Path = tmp_path_factory.mktemp("fresh") / "kb.sqlite"
    compile_texts(source_texts, path)
    return path


def test_the_digest_is_that_of_the_sources(source_texts: dict[str, str]) -> None:
    file = KnowledgeFile(BUNDLE)
    assert file.meta["digest"] == digest(source_texts), STALE
    file.close()


def test_the_content_is_that_of_a_fresh_build(fresh: Path) -> None:
    committed, built = set(dump(BUNDLE)), set(dump(fresh))
    assert sorted(row[:200] for row in committed ^ built) == [], STALE


def test_the_structure_is_that_of_a_fresh_build(fresh: Path) -> None:
    structures = []
    for path in (BUNDLE, fresh):
        connection = sqlite3.connect(path)
        structures.append(sorted(map(str, connection.execute("SELECT type, name, sql FROM sqlite_master"))))
        connection.close()
    assert structures[0] == structures[1], STALE


def test_every_card_has_its_rendered_document(source_texts: dict[str, str]) -> None:
    connection = sqlite3.connect(BUNDLE)
    count = connection.execute("SELECT count(*) FROM cardhtml WHERE language = 'zh'").fetchone()[0]
    connection.close()
    assert count == 50, STALE


def test_the_bundle_is_whole() -> None:
    assert check(BUNDLE) == []


def test_nothing_lies_beside_the_bundle() -> None:
    assert [path.name for path in DATA.glob("kb.*")] in (
        ["kb.sqlite", "kb.rendered.json"],
        ["kb.rendered.json", "kb.sqlite"],
    )
