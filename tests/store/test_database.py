"""Opening a file: from any place, read-only, without a trace; whatever is no knowledge file is named in plain words."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from peewee import OperationalError

from ascend_kb.core.errors import KBError
from ascend_kb.core.query import SearchQuery, Sort
from ascend_kb.store.database import OlderFormatError, ReadOnlyFile, read_sources
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection
from ascend_kb.store.models import FORMAT_VERSION
from tests.conftest import BUNDLE
from tests.unprivileged import run_unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable

WAY_OUT = "open another file with --kb FILE, or leave --kb out to use the bundled knowledge"
NAMES = [
    "plain", "with space", "#", "%", "%41", "kb %41 #1?x", "?mode=rwc", "&vfs=x", "'", '"', ";", "~", "-", "\\",
    "file:", "昇腾知识", "é", "line\nbreak", os.fsdecode(b"\xff\xfe\x80"), os.fsdecode("中文".encode("gb18030")),
]  # fmt: skip


def tree(folder: Path) -> dict[str, int]:
    """Return every file below a folder with its time of change."""
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*")}


def found(file: KnowledgeFile) -> int:
    """Return how many cards a search finds."""
    return Selection(file, SearchQuery("误报"), Sort(), "zh").total


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_file_is_opened_from_any_place_read_only_and_without_a_trace(tmp_path: Path, name: str) -> None:
    path = tmp_path / name / f"{name}.sqlite"
    path.parent.mkdir()
    shutil.copyfile(BUNDLE, path)
    before = tree(tmp_path)
    file = KnowledgeFile(path)
    assert file.card_count() == 50
    assert found(file) > 0
    assert file.file.notice == ""
    with pytest.raises(OperationalError, match="readonly"):
        file.file.database.execute_sql("CREATE TABLE x(y)")  # type: ignore[no-untyped-call]
    file.close()
    assert tree(tmp_path) == before


def test_a_relative_path_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copyfile(BUNDLE, tmp_path / "#1.sqlite")
    monkeypatch.chdir(tmp_path)
    file = KnowledgeFile(Path("#1.sqlite"))
    assert file.card_count() == 50
    file.close()


def test_a_link_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(BUNDLE)
    file = KnowledgeFile(link)
    assert file.card_count() == 50
    file.close()


# --- what is no knowledge file ---------------------------------------------------------------------------------------


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE card(id)")
    connection.close()


def _pragma(name: str, value: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        shutil.copyfile(BUNDLE, path)
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA {name} = {value}")
        connection.close()

    return make


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda _path: None, "does not exist"),
    "empty": (lambda path: path.touch(), "is empty"),
    "folder": (lambda path: path.mkdir(), "is a folder, not a knowledge file"),
    "text": (lambda path: path.write_text("key: msopcom#57\n", "utf-8"), "is not a knowledge file"),
    "one byte": (lambda path: path.write_bytes(b"S"), "is not a knowledge file"),
    "zeros": (lambda path: path.write_bytes(bytes(9000)), "is not a knowledge file"),
    "foreign": (_foreign, "is a database of another program, not a knowledge file"),
    "other mark": (_pragma("application_id", 1), "is a database of another program, not a knowledge file"),
    "newer": (_pragma("user_version", 999),
              f"was written by a newer Ascend KB (format 999; this program reads up to {FORMAT_VERSION})"),
    "older": (_pragma("user_version", 0), "was written by an older Ascend KB (format 0)"),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_knowledge_file_is_named_and_untouched(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "my 知识 #1.sqlite"
    make, message = REFUSED[kind]
    make(path)
    before = tree(tmp_path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    with pytest.raises(KBError) as caught:
        KnowledgeFile(path)
    assert caught.value.message == f"{path} {message}"
    if kind == "older":
        assert isinstance(caught.value, OlderFormatError)
    else:
        assert caught.value.hint.endswith(WAY_OUT)
    assert tree(tmp_path) == before
    assert digest == (hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")


@pytest.mark.parametrize("size", [16, 50, 99, 100, 511, 4095])
def test_a_file_cut_within_its_first_page_is_named(own_copy: Path, size: int) -> None:
    os.truncate(own_copy, size)
    with pytest.raises(KBError) as caught:
        KnowledgeFile(own_copy)
    assert str(own_copy) in caught.value.message
    assert caught.value.hint == WAY_OUT


@pytest.mark.parametrize("mode", ["file", "folder"])
def test_a_file_that_may_not_be_read_is_named(public: Path, mode: str) -> None:
    path = public / "locked" / "kb.sqlite"
    path.parent.mkdir()
    shutil.copyfile(BUNDLE, path)
    (path if mode == "file" else path.parent).chmod(0)
    code = """
from ascend_kb.store.knowledge import KnowledgeFile
try:
    KnowledgeFile(Path(sys.argv[1]))
except KBError as error:
    print(error.message, error.hint, sep="|")
"""
    said = run_unprivileged(code, path, home=public / "home")
    assert said == f"{path} cannot be read: Permission denied|{WAY_OUT}\n"


def test_unknown_columns_and_tables_of_the_known_format_do_no_harm(own_copy: Path) -> None:
    connection = sqlite3.connect(own_copy)
    connection.execute("ALTER TABLE card ADD COLUMN mood TEXT DEFAULT 'good'")
    connection.execute("ALTER TABLE repo ADD COLUMN mood TEXT")
    connection.execute("CREATE TABLE future(x)")
    connection.close()
    digest = hashlib.sha256(own_copy.read_bytes()).hexdigest()
    file = KnowledgeFile(own_copy)
    assert len(list(file.cards())) == 50
    assert len(file.catalog.repos) == 5
    assert found(file) > 0
    file.close()
    assert hashlib.sha256(own_copy.read_bytes()).hexdigest() == digest


# --- a log beside the file -------------------------------------------------------------------------------------------


def leave_log(path: Path, target: Path) -> None:
    """Copy a knowledge file with a change that stands only in the write-ahead log beside it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE meta SET value = 'from the log' WHERE name = 'version'")
    connection.commit()
    shutil.copyfile(path, target)
    shutil.copyfile(f"{path}-wal", f"{target}-wal")
    connection.close()


def test_a_log_beside_the_file_is_read_from_a_private_copy(own_copy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    path = folder / "kb #1.sqlite"
    leave_log(own_copy, path)
    before = tree(folder)
    file = KnowledgeFile(path)
    assert file.meta["version"] == "from the log"
    assert found(file) > 0
    assert file.file.notice == (f"{path} has unfinished changes of another program beside it; a private copy is shown")
    private = file.file.place.parent
    assert private.is_dir()
    assert not private.is_relative_to(folder)
    assert tree(folder) == before
    file.close()
    assert not private.exists()


def test_the_mode_of_the_log_without_a_log_needs_no_copy(own_copy: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(own_copy)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = tree(tmp_path)
    file = KnowledgeFile(own_copy)
    assert (file.card_count(), file.file.notice, file.file.place) == (50, "", own_copy)
    file.close()
    assert tree(tmp_path) == before


def test_an_unfinished_write_is_rolled_back_in_a_private_copy(own_copy: Path, tmp_path: Path) -> None:
    path = tmp_path / "torn.sqlite"
    connection = sqlite3.connect(own_copy, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("UPDATE cardtext SET text = 'half written'")
    connection.execute("UPDATE meta SET value = 'half written'")
    connection.execute("PRAGMA cache_spill = 1")
    connection.execute("UPDATE source SET text = 'half written'")
    shutil.copyfile(own_copy, path)
    shutil.copyfile(f"{own_copy}-journal", f"{path}-journal")
    connection.close()
    assert path.read_bytes() != BUNDLE.read_bytes()
    file = KnowledgeFile(path)
    assert file.meta["version"] != "half written"
    assert file.card_count() == 50
    assert "private copy" in file.file.notice
    file.close()


@pytest.mark.parametrize("noise", [b"x" * 100, bytes(5000), bytes(range(256)) * 20], ids=["text", "zeros", "bytes"])
def test_a_log_of_noise_is_passed_over(own_copy: Path, noise: bytes) -> None:
    Path(f"{own_copy}-wal").write_bytes(noise)
    file = KnowledgeFile(own_copy)
    assert file.card_count() == 50
    file.close()


_READ = """
from ascend_kb.core.query import SearchQuery
from ascend_kb.app.library import Library
path = Path(sys.argv[1])
library = Library(path)
print(library.version, library.card_count(), library.select(SearchQuery("误报")).total > 0, bool(library.notice))
try:
    (path.parent / "mine").touch()
except OSError as error:
    print(type(error).__name__)
library.close()
"""


@pytest.mark.parametrize("log", [True, False], ids=["with a log", "without a log"])
def test_a_user_without_rights_reads_from_a_locked_folder(own_copy: Path, public: Path, log: bool) -> None:
    path = public / "locked" / "kb.sqlite"
    path.parent.mkdir()
    if log:
        leave_log(own_copy, path)
    else:
        shutil.copyfile(own_copy, path)
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    before = tree(public)
    said = run_unprivileged(_READ, path, home=public / "home")
    version = "from the log" if log else KnowledgeFile(own_copy).meta["version"]
    assert said == f"{version} 50 True {log}\nPermissionError\n"
    assert tree(public) == before


def test_a_locked_log_is_said(own_copy: Path, public: Path) -> None:
    path = public / "kb.sqlite"
    leave_log(own_copy, path)
    Path(f"{path}-wal").chmod(0)
    code = """
from ascend_kb.store.knowledge import KnowledgeFile
try:
    KnowledgeFile(Path(sys.argv[1]))
except KBError as error:
    print(error.message)
"""
    assert run_unprivileged(code, path, home=public / "home") == f"{path} cannot be read: Permission denied\n"


# --- sources inside --------------------------------------------------------------------------------------------------


def test_the_file_holds_its_sources() -> None:
    sources = read_sources(BUNDLE)
    assert {"repos.yaml", "about.md", "cards/msopcom/57.md"} <= set(sources)
    assert sources["cards/msopcom/57.md"].startswith("---\nkey: msopcom#57\n")


def test_a_closed_file_can_be_opened_again() -> None:
    for _ in range(3):
        file = ReadOnlyFile(BUNDLE)
        file.close()
        file.close()
