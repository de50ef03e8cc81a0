"""``build``, ``check`` and ``synth``, and the files and folders that reading commands leave alone."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.errors import KBError
from tests.cli.calling import READING, call, without_rights
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def sources(tmp_path: Path, source_texts: dict[str, str]) -> Path:
    """A folder with the real sources."""
    folder = tmp_path / "sources"
    for name, text in source_texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def entries(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- build -----------------------------------------------------------------------------------------------------------


def test_build_makes_a_file_that_the_other_commands_read(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "new kb #1 %41.sqlite"
    result = call("build", str(sources), str(out))
    assert (result.status, result.out, result.err) == (0, f"{out}: built\n", "")
    assert call("check", str(out)).out == "ok\n"
    assert call("show", "msc#57", "--kb", str(out)).status == 0


def test_build_leaves_a_file_that_holds_the_same_untouched(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "kb.sqlite"
    assert call("build", str(sources), str(out)).out == f"{out}: built\n"
    before = out.stat()
    result = call("build", str(sources), str(out))
    assert (result.status, result.out) == (0, f"{out}: unchanged, it holds the same already\n")
    assert (out.stat().st_ino, out.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    (sources / "about.md").write_text("# 中文\n\n另一份。\n", "utf-8")
    assert call("build", str(sources), str(out)).out == f"{out}: built\n"
    assert out.stat().st_mtime_ns != before.st_mtime_ns


def test_build_reports_every_fault_with_file_and_line_and_leaves_the_old_file(sources: Path, tmp_path: Path) -> None:
    out = tmp_path / "kb.sqlite"
    call("build", str(sources), str(out))
    before = entries(tmp_path)
    card = sources / "cards" / "msopcom" / "57.md"
    text = card.read_text("utf-8")
    card.write_text(text.replace("outcome: fixed", "outcome: cured").replace("msopcom#58", "msopcom#5800", 1), "utf-8")
    (sources / "tags.yaml").unlink()
    (sources / "stray.md").write_text("stray\n", "utf-8")
    result = call("build", str(sources), str(out))
    assert (result.status, result.out) == (2, "")
    first, *faults, hint = result.err.splitlines()
    assert first == f"error: {len(faults)} faults in the sources"
    assert hint.startswith("hint: ")
    line = text.split("\n").index("outcome: fixed") + 1
    cured = next(fault for fault in faults if fault.startswith(f"cards/msopcom/57.md:{line}: "))
    assert "cured" in cured
    assert "fixed, fixed-upstream" in cured
    assert any("msopcom#5800" in fault for fault in faults)
    assert "tags.yaml:1: the file is missing" in faults
    assert any(fault.startswith("stray.md:1: ") for fault in faults)
    assert {name: data for name, data in entries(tmp_path).items() if not name.startswith("sources")} == {
        name: data for name, data in before.items() if not name.startswith("sources")
    }


def test_build_counts_a_single_fault_as_one(sources: Path, tmp_path: Path) -> None:
    (sources / "stray.md").write_text("stray\n", "utf-8")
    result = call("build", str(sources), str(tmp_path / "kb.sqlite"))
    assert result.err.startswith("error: 1 fault in the sources\nstray.md:1: ")


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_build_without_a_folder_of_sources_is_2(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    if kind == "file":
        folder.touch()
    result = call("build", str(folder), str(tmp_path / "kb.sqlite"))
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {folder} is not a folder of knowledge sources\nhint: ")
    assert not (tmp_path / "kb.sqlite").exists()


@pytest.mark.parametrize("target", ["no such folder/kb.sqlite", "."])
def test_build_into_a_place_that_cannot_be_written_is_2(target: str, sources: Path, tmp_path: Path) -> None:
    out = tmp_path / target
    before = entries(tmp_path)
    result = call("build", str(sources), str(out))
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {out} cannot be written: ")
    assert "\nhint: name a file in a folder that can be written\n" in result.err
    assert entries(tmp_path) == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of other systems")
def test_build_into_a_folder_of_another_user_is_2(sources: Path, open_folder: Path, home: Path) -> None:
    shutil.copytree(sources, open_folder / "sources")
    closed = open_folder / "closed"
    closed.mkdir(mode=0o555)
    out = closed / "kb.sqlite"
    build = ["build", str(open_folder / "sources")]
    (result,) = without_rights([[*build, str(open_folder / "kb.sqlite")]], [[*build, str(out)]], home)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {out} cannot be written: Permission denied\nhint: ")
    assert list(closed.iterdir()) == []


# --- check -----------------------------------------------------------------------------------------------------------


def test_check_of_whole_files_is_ok(own_copy: Path) -> None:
    for arguments in ([], [str(own_copy)], ["--kb", str(own_copy)]):
        result = call("check", *arguments)
        assert (result.status, result.out, result.err) == (0, "ok\n", "")
    assert call("check", str(own_copy), "--format", "json").json == {"ok": True, "problems": []}


PROBLEMS = {
    "dangling link": (("PRAGMA foreign_keys = OFF", "DELETE FROM card WHERE number = 57"), "does not exist"),
    "text beside the index": (("UPDATE card SET title_zh = 'changed' WHERE number = 57",), "the index"),
    "changed source": (("UPDATE source SET text = text || 'x' WHERE path = 'about.md'",), "digest"),
    "broken source": (("UPDATE source SET text = 'x' WHERE path = 'repos.yaml'",), "repos.yaml"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_check_of_a_file_with_problems_is_1_and_lists_them(name: str, changed_copy: Callable[..., Path]) -> None:
    statements, word = PROBLEMS[name]
    path = str(changed_copy(*statements))
    table, made = call("check", path), call("check", path, "--format", "json")
    assert (table.status, made.status, table.err, made.err) == (1, 1, "", "")
    assert made.json["ok"] is False
    assert word in table.out
    assert len(made.json["problems"]) == len(table.lines) > 0
    for problem, line in zip(made.json["problems"], table.lines, strict=True):
        assert line.startswith(problem["where"])
        assert line.endswith(problem["what"].rstrip())


def test_check_of_a_damaged_file_is_1_and_names_no_traceback(damaged: Path) -> None:
    result = call("check", str(damaged))
    assert (result.status, result.err) == (1, "")
    assert "damaged" in result.out or "malformed" in result.out


def test_check_prefers_the_file_that_it_is_given(damaged: Path) -> None:
    assert call("check", str(BUNDLE), "--kb", str(damaged)).status == 0
    assert call("check", str(damaged), "--kb", str(BUNDLE)).status == 1


def test_check_changes_nothing(damaged: Path, foreign: Path) -> None:
    before = entries(damaged.parent)
    for path in (damaged, foreign):
        call("check", str(path))
    assert entries(damaged.parent) == before


# --- what reading leaves alone ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_reading_creates_no_data_folder(arguments: list[str], home: Path) -> None:
    assert call(*arguments).status == 0
    assert not home.exists()


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_reading_leaves_the_data_folder_and_the_file_alone(arguments: list[str], home: Path, own_copy: Path) -> None:
    home.mkdir()
    (home / "settings.json").write_text("{}", "ascii")
    before = entries(own_copy.parent)
    own_copy.chmod(0o444)
    assert call(*arguments, "--kb", str(own_copy)).status == 0
    assert entries(own_copy.parent) == before


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of other systems")
@pytest.mark.parametrize("kind", ["empty", "missing", "with a working copy"])
def test_reading_works_where_the_data_folder_cannot_be_written(kind: str, open_folder: Path, own_copy: Path) -> None:
    home, file = open_folder / "home", open_folder / "kb.sqlite"
    if kind != "missing":
        home.mkdir()
    if kind == "with a working copy":
        file = home / "knowledge.sqlite"
    shutil.copyfile(own_copy, file)
    for folder in filter(Path.exists, (home, open_folder)):
        folder.chmod(0o555)
    before = entries(open_folder)
    named = () if kind == "with a working copy" else ("--kb", str(file))
    commands = [[*arguments, *named] for arguments in READING]
    results = without_rights(commands, commands, home)
    open_folder.chmod(0o755)
    assert [(r.status, r.err, bool(r.raw)) for r in results] == [(0, "", True)] * len(READING)
    assert entries(open_folder) == before
    assert home.exists() == (kind != "missing")


def test_the_working_copy_is_read_where_there_is_one(home: Path, build_kb: Callable[..., Path]) -> None:
    bundled = call("themes")
    home.mkdir()
    build_kb({"themes/scaffolding.md": None}).replace(home / "knowledge.sqlite")
    assert len(call("themes").lines) == 7
    assert call("themes", "--kb", str(BUNDLE)) == bundled
    assert len(bundled.lines) == 8


def test_a_log_of_another_program_is_taken_in_and_told(own_copy: Path) -> None:
    connection = sqlite3.connect(own_copy)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE repo SET title_zh = 'unfinished' WHERE name = 'msopcom'")
    connection.commit()
    before = entries(own_copy.parent)
    assert f"{own_copy.name}-wal" in before
    result = call("repos", "--kb", str(own_copy))
    assert result.status == 0
    assert "unfinished" in result.out
    assert result.err == (
        f"notice: {own_copy} has unfinished changes of another program beside it; a private copy is shown\n"
    )
    assert entries(own_copy.parent) == before
    connection.close()


def test_a_file_of_an_older_format_is_rebuilt_into_the_data_folder(
    changed_copy: Callable[..., Path], home: Path
) -> None:
    older = changed_copy("PRAGMA user_version = 0")
    before = older.read_bytes()
    result = call("show", "msc#57", "--kb", str(older))
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("msopcom#57")
    assert older.read_bytes() == before
    assert [path.suffix for path in (home / "rebuilt").iterdir()].count(".sqlite") == 1


def test_an_unusable_path_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in ("no such file", "知识 #1 %41?.sqlite"):
        assert call("repos", "--kb", path).err.startswith(f"error: {path} does not exist\n")
    assert list(tmp_path.iterdir()) == []


def test_errors_of_the_library_carry_a_hint_by_themselves() -> None:
    assert KBError("x").hint == ""
    assert call(window=lambda *_: _refuse()).err == "error: x\n"


def _refuse() -> int:
    raise KBError("x")


# --- synth -----------------------------------------------------------------------------------------------------------


def test_synth_makes_a_file_that_the_other_commands_read(tmp_path: Path) -> None:
    out = tmp_path / "many.sqlite"
    result = call("synth", "60", str(out), "--seed", "3")
    assert (result.status, result.out, result.err) == (0, f"{out}: 60 cards\n", "")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["many.sqlite"]
    assert call("check", str(out)).out == "ok\n"
    found = call("search", "timeline", "pcsampling", "--kb", str(out), "--format", "json").json
    assert found[0]["key"] == "msopcom#4"


@pytest.mark.parametrize(("around", "real"), [("none", False), (str(BUNDLE.parent), True)])
def test_synth_takes_the_real_cards_from_where_it_is_told(around: str, real: bool, tmp_path: Path) -> None:
    out = str(tmp_path / "many.sqlite")
    assert call("synth", "60", out, "--around", around).status == 0
    assert (call("show", "op-plugin#482", "--kb", out).status == 0) is real


@pytest.mark.parametrize("count", ["0", "49", "-1", "x", "10000001", "1e3"])
def test_synth_refuses_numbers_that_make_no_sense(count: str, tmp_path: Path) -> None:
    result = call("synth", count, str(tmp_path / "many.sqlite"))
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert "hint: " in result.err
    assert not (tmp_path / "many.sqlite").exists()
