"""A dump is the knowledge and nothing else."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.building import compile_texts
from ascend_kb.store.integrity import dump, problems
from ascend_kb.store.knowledge import KnowledgeFile
from tests.sources.sample import SAMPLE, changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[dict[str, str], str], Path]:
    def make(texts: dict[str, str], name: str) -> Path:
        compile_texts(texts, tmp_path / name)
        return tmp_path / name

    return make


def test_a_dump_does_not_depend_on_pages_or_on_rendered_html(sample: Callable[[dict[str, str], str], Path]) -> None:
    one, other = sample(SAMPLE, "one.sqlite"), sample(SAMPLE, "other.sqlite")
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("UPDATE cardhtml SET html = 'rendered by another version'")
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("VACUUM")
    connection.close()
    assert one.read_bytes() != other.read_bytes()
    assert dump(one) == dump(other)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("cards/msopcom/57.md", "返回值只有", "返回值仅有"),
        ("cards/msopcom/57.md", "2026-07-09", "2026-07-10"),
        ("cards/msopcom/57.md", "grep -rn", "grep -r"),
        ("guide.yaml", "核对劫持面", "核对劫持"),
        ("themes/hooks.md", "教训。", "教训"),
        ("repos.yaml", "组件库", "组件"),
        ("about.md", "来源", "出处"),
        ("knowledge.yaml", '"1.0"', '"1.1"'),
        ("foreign.yaml", "ops-nn", "ops-math"),
    ],
)
def test_a_dump_sees_every_change(sample: Callable[[dict[str, str], str], Path], path: str, old: str, new: str) -> None:
    texts = changed(path, old, new)
    if path == "foreign.yaml":
        texts["cards/msopcom/57.md"] = texts["cards/msopcom/57.md"].replace("ops-nn", "ops-math")
    assert dump(sample(SAMPLE, "one.sqlite")) != dump(sample(texts, "other.sqlite"))


def test_a_dump_of_no_database_is_an_sqlite_error(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_text("no database at all", "utf-8")
    with pytest.raises(sqlite3.Error):
        dump(path)


def test_a_whole_file_has_no_problems(sample: Callable[[dict[str, str], str], Path]) -> None:
    file = KnowledgeFile(sample(SAMPLE, "whole.sqlite"))
    assert problems(file) == []
    file.close()


def test_problems_of_a_log_beside_the_file_are_seen(
    sample: Callable[[dict[str, str], str], Path], tmp_path: Path
) -> None:
    path = sample(SAMPLE, "logged.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE card SET title_zh = title_zh || '！'")
    connection.commit()
    copy = tmp_path / "copy.sqlite"
    shutil.copyfile(path, copy)
    shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    connection.close()
    file = KnowledgeFile(copy)
    assert problems(file) == [("search index", "the index does not agree with the cards; build the file anew")]
    file.close()


def test_an_emptied_index_is_seen(sample: Callable[[dict[str, str], str], Path]) -> None:
    path = sample(SAMPLE, "emptied.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO cardindex(cardindex) VALUES ('delete-all')")
    connection.commit()
    connection.close()
    file = KnowledgeFile(path)
    assert [where for where, _ in problems(file)] == [str(card.key) for card in file.cards()]
    file.close()
