"""Settings survive whatever happens to their file, and damage never stops the program."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.app.settings import Settings, load, save
from tests.unprivileged import ROOT, run_unprivileged

if TYPE_CHECKING:
    from pathlib import Path

OWN = Settings(
    language="zh",
    colours="dark",
    text="误报 100%",
    filters=[["repo", "msopcom"], ["tag", "hook"]],
    recent=["误报 100%", "dump"],
    card="msopcom#57",
    sort_column="date",
    sort_descending=True,
    geometry="AAEC",
    splitter="AwQF",
    columns="BgcI",
    library_visible=False,
    zoom=-2,
    expanded=["tags", "themes"],
)
DAMAGED = {
    "empty": b"",
    "blank": b" \n",
    "NULs": bytes(500),
    "half": json.dumps(asdict(OWN)).encode()[:150],
    "no JSON": b"language = zh\n",
    "list": b"[]",
    "number": b"3",
    "null": b"null",
    "not UTF-8": b'{"text": "\xff"}',
    "UTF-16": '{"zoom": 1}'.encode("utf-16"),
    "deep": b"[" * 200_000,
    "huge number": b'{"zoom": ' + b"9" * 5000 + b"}",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


def test_without_a_file_there_are_defaults_and_nothing_is_made(path: Path) -> None:
    assert load(path) == (Settings(), "")
    assert not path.parent.exists()


def test_every_setting_is_kept(path: Path) -> None:
    assert all(getattr(OWN, f.name) != getattr(Settings(), f.name) for f in fields(Settings))
    save(path, OWN)
    assert load(path) == (OWN, "")
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]


def test_the_file_is_readable_utf8(path: Path) -> None:
    save(path, OWN)
    assert '"text": "误报 100%"' in path.read_text("utf-8")


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_said_and_set_aside_by_the_next_save(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    loaded, notice = load(path)
    assert loaded == Settings()
    assert notice == f"{path} is damaged; defaults are used and the file will be kept as settings.json.damaged"
    assert path.read_bytes() == data
    save(path, OWN)
    assert path.with_name("settings.json.damaged").read_bytes() == data
    assert load(path) == (OWN, "")


@pytest.mark.parametrize("name", [f.name for f in fields(Settings)])
@pytest.mark.parametrize("value", [None, 1.5, "x", True, 7, {}, [1], [["repo"]], [["repo", 1]], ["a", ["b"]]], ids=repr)
def test_a_value_of_the_wrong_type_falls_back_alone(path: Path, name: str, value: object) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps(asdict(OWN) | {name: value}), "utf-8")
    fits = {
        "language": (),
        "colours": (),
        "filters": (),
        "expanded": (),
        "recent": (),
        "library_visible": (True,),
        "sort_descending": (True,),
        "zoom": (7,),
    }.get(name, ("x",))
    kept = any(value is x or (type(value) is type(x) and value == x) for x in fits)
    expected: Any = value if kept else getattr(Settings(), name)
    assert load(path) == (replace(OWN, **{name: expected}), "")


@pytest.mark.parametrize(("name", "allowed"), [("language", "en"), ("colours", "light")])
def test_a_closed_set_takes_its_own_values_only(path: Path, name: str, allowed: str) -> None:
    path.parent.mkdir()
    for value, expected in ((allowed, allowed), ("purple", "system"), ("", "system")):
        path.write_text(json.dumps({name: value}), "utf-8")
        assert getattr(load(path)[0], name) == expected


def test_fields_of_another_version_are_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"zoom": 1, "future": {"a": [1, "中"]}}), "utf-8")
    save(path, replace(load(path)[0], zoom=2))
    written = json.loads(path.read_text("utf-8"))
    assert (written["zoom"], written["future"]) == (2, {"a": [1, "中"]})


@pytest.mark.parametrize("text", ["\ud83d", "a\udcff", "\0\x01\u2028", "𠮷"])
def test_any_text_that_a_keyboard_gives_is_kept(path: Path, text: str) -> None:
    save(path, Settings(text=text))
    assert load(path) == (Settings(text=text), "")


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists), st.data())
def test_any_json_value_in_any_field_gives_usable_settings(path: Path, value: object, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([f.name for f in fields(Settings)]))
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({name: value}), "utf-8")
    loaded, notice = load(path)
    assert notice == ""
    assert type(getattr(loaded, name)) is type(getattr(Settings(), name))
    save(path, loaded)
    assert load(path) == (loaded, "")


def test_a_folder_in_place_of_the_file_is_a_notice(path: Path) -> None:
    path.mkdir(parents=True)
    assert load(path) == (Settings(), f"{path}: Is a directory")


def test_a_home_that_cannot_be_written_is_an_oserror_and_leaves_the_file_alone(public: Path) -> None:
    path = public / "home" / "settings.json"
    save(path, OWN)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    code = """
from ascend_kb.app.settings import Settings, load, save
path = Path(sys.argv[1])
print(load(path)[0].card)
try:
    save(path, Settings())
except OSError as error:
    print(type(error).__name__)
"""
    assert run_unprivileged(code, path, home=path.parent) == "msopcom#57\nPermissionError\n"
    assert load(path) == (OWN, "")
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]


_SAVE_FOR_EVER = """
import sys
from pathlib import Path
from ascend_kb.app.settings import Settings, save
path = Path(sys.argv[1])
number = int(sys.argv[2])
while True:
    number += 1
    save(path, Settings(zoom=number, text=str(number) * 3000))
    print(number, flush=True)
"""


def test_a_kill_at_any_moment_leaves_the_old_or_the_new_settings(path: Path) -> None:
    written = 0
    for saves in (1, 2, 19, 5, 11, 3, 25, 7, 1, 14):
        with subprocess.Popen(
            [sys.executable, "-c", _SAVE_FOR_EVER, path, str(written)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout is not None
            for _ in range(saves):
                written = int(writer.stdout.readline())
            writer.kill()
            said = writer.stdout.read()
        assert writer.returncode == -signal.SIGKILL
        written = max([written, *map(int, said.split("\n")[:-1])])
        loaded, notice = load(path)
        assert notice == ""
        assert loaded.zoom in (written, written + 1)
        assert loaded.text == str(loaded.zoom) * 3000
        written = loaded.zoom
    assert not path.with_name("settings.json.damaged").exists()
