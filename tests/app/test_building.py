"""Building: the same sources give the same content, and a file is replaced whole or not at all."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ascend_kb.app import trust
from ascend_kb.app.building import build, compile_texts, rendered
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.sources.load import load
from ascend_kb.sources.problems import SourceError
from ascend_kb.store.database import read_sources
from ascend_kb.store.integrity import dump
from tests.sources.faults import CARD, FAULTS, MSTT
from tests.sources.sample import SAMPLE, changed, write_folder
from tests.unprivileged import ROOT, run_unprivileged

if TYPE_CHECKING:
    from pathlib import Path


class Files(NamedTuple):
    """Everything that tells whether a folder of built files was touched."""

    names: list[str]
    data: list[bytes]
    times: list[int]


def files(folder: Path) -> Files:
    """Return the state of a folder."""
    found = sorted(folder.iterdir())
    return Files([p.name for p in found], [p.read_bytes() for p in found], [p.stat().st_mtime_ns for p in found])


@pytest.fixture
def built(tmp_path: Path, built_once: Path) -> Path:
    """A knowledge file of the sample, alone in a folder with its list of documents, built long ago."""
    target = tmp_path / "built" / "kb.sqlite"
    shutil.copytree(built_once, target.parent)
    for path in target.parent.iterdir():
        os.utime(path, ns=(10**18, 10**18))
    return target


def test_a_build_writes_the_file_and_its_list_and_nothing_else(built: Path) -> None:
    assert files(built.parent).names == ["kb.rendered.json", "kb.sqlite"]
    assert read_sources(built) == SAMPLE


@pytest.mark.parametrize("fault", FAULTS, ids=[fault[3][-1][:70] for fault in FAULTS])
def test_a_fault_leaves_the_old_file_untouched(
    built: Path, tmp_path: Path, fault: tuple[str, str, str, list[str]]
) -> None:
    path, old, new, expected = fault
    before = files(built.parent)
    folder = write_folder(tmp_path / "sources", changed(path, old, new))
    with pytest.raises(SourceError) as caught:
        build(folder, built)
    assert caught.value.message.split("\n")[1:] == expected
    assert files(built.parent) == before


@pytest.mark.parametrize("data", [b"\xff\xfe", SAMPLE[MSTT].encode("gb18030")])
def test_a_file_that_is_not_utf8_leaves_the_old_file_untouched_and_hides_no_other_fault(
    built: Path, tmp_path: Path, data: bytes
) -> None:
    before = files(built.parent)
    folder = write_folder(tmp_path / "sources", changed(CARD, "outcome: fixed", "outcome: x"))
    (folder / MSTT).write_bytes(data)
    with pytest.raises(SourceError) as caught:
        build(folder, built)
    assert [(p.path, p.message.split(";")[0]) for p in caught.value.problems] == [
        (CARD, "outcome 'x' is unknown"),
        (MSTT, "the file is not UTF-8"),
    ]
    assert files(built.parent) == before


def test_the_same_sources_leave_the_file_untouched(built: Path) -> None:
    before = files(built.parent)
    assert compile_texts(dict(reversed(SAMPLE.items())), built) is False
    assert files(built.parent) == before


def test_the_same_sources_give_the_same_content_in_another_place(built: Path, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "sources", SAMPLE)
    for path in folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    other = tmp_path / "other.sqlite"
    assert build(folder, other)
    assert dump(other) == dump(built)
    assert trust.list_file(other).read_bytes() == trust.list_file(built).read_bytes()


def test_changed_sources_replace_the_file(built: Path) -> None:
    before = dump(built)
    assert compile_texts(changed("knowledge.yaml", '"1.0"', '"1.1"'), built)
    assert [line for line in dump(built) if line not in before and "'version'" in line] == ["meta: ('version', '1.1')"]


@pytest.mark.parametrize("damage", ["text", "empty", "foreign", "cut", "no list"])
def test_whatever_stood_there_is_replaced(built: Path, damage: str) -> None:
    whole = dump(built)
    if damage == "no list":
        trust.list_file(built).unlink()
    elif damage == "foreign":
        built.unlink()
        connection = sqlite3.connect(built)
        connection.execute("CREATE TABLE x(y)")
        connection.close()
    else:
        built.write_bytes({"text": b"x" * 9000, "empty": b"", "cut": built.read_bytes()[:9000]}[damage])
    assert compile_texts(SAMPLE, built)
    assert dump(built) == whole
    assert files(built.parent).names == ["kb.rendered.json", "kb.sqlite"]


@pytest.mark.parametrize("kind", ["no folder", "a folder"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "missing" / "kb.sqlite"
    if kind == "a folder":
        target.mkdir(parents=True)
        (target / "x").touch()
    with pytest.raises(KBError) as caught:
        compile_texts(SAMPLE, target)
    assert caught.value.message.startswith(f"{target} cannot be written: ")
    assert caught.value.hint == "name a file in a folder that can be written"
    assert not target.is_file()


_BUILD = """
from ascend_kb.app.building import build
try:
    build(Path(sys.argv[1]), Path(sys.argv[2]))
except KBError as error:
    print(error.message)
else:
    print("built")
"""


def test_a_folder_that_may_not_be_written_is_named(public: Path) -> None:
    sources = write_folder(public / "sources", SAMPLE)
    target = public / "target" / "kb.sqlite"
    target.parent.mkdir()
    target.parent.chmod(0o555)
    said = run_unprivileged(_BUILD, sources, target, home=public / "home")
    assert said == f"{target} cannot be written: Permission denied\n"
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("locked", ["", "cards/mstt", "themes", "themes/hooks.md"])
def test_a_source_that_may_not_be_read_is_named_and_never_passed_over(public: Path, locked: str) -> None:
    sources = write_folder(public / "sources", SAMPLE)
    target = public / "target" / "kb.sqlite"
    target.parent.mkdir()
    target.parent.chmod(0o777)
    place = sources / locked
    place.chmod(0)
    said = run_unprivileged(_BUILD, sources, target, home=public / "home")
    place.chmod(0o755)
    assert said == f"{place} cannot be read: Permission denied\n"
    assert list(target.parent.iterdir()) == []
    assert build(sources, target)


def test_a_full_disk_is_named_and_leaves_the_old_file_untouched(built: Path, tmp_path: Path) -> None:
    before = files(built.parent)
    folder = write_folder(tmp_path / "sources", changed("knowledge.yaml", '"1.0"', '"1.1"'))
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, {resource.RLIM_INFINITY}))\n"
    code = "import sys\nfrom pathlib import Path\nfrom ascend_kb.core.errors import KBError\n" + limit + _BUILD
    done = subprocess.run(
        [sys.executable, "-c", code, folder, built], capture_output=True, check=True, cwd=ROOT, encoding="utf-8"
    )
    assert done.stdout.startswith(f"{built} cannot be written: ")
    assert files(built.parent) == before


def test_long_cards_are_not_rendered_beforehand() -> None:
    long = changed(MSTT, "维护者答复。", "维护者答复。" * 1200)
    assert list(rendered(load(SAMPLE))) == [(CardKey("msopcom", 57), "zh"), (CardKey("mstt", 5), "zh")]
    assert list(rendered(load(long))) == [(CardKey("msopcom", 57), "zh")]
