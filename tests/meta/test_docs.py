"""Documents are held to the code: settings, make targets, commands, links; no file names a place of one machine."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.settings import Settings
from ascend_kb.cli.parser import parse
from ascend_kb.core.fences import find_fences
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
WITH_COMMANDS = ("README.md", "CONTRIBUTING.md")
_INLINE = re.compile(r"(`+)(.+?)\1")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_PROGRAM = re.compile(r"(?:\.venv/bin/)?ascend-kb(?= |$)(.*)")
_MAKE = re.compile(r"make ([a-z]+)\b(?!-)")

# Put together here, so that this file does not hold what it looks for.
_ROOT_FOLDER = "/" + "work"
_LIBRARY = "." + "library"
_INDEXES = ("py" + r"pi(?!\w)", "python" + "hosted", "npm" + "js")
FORBIDDEN = re.compile(
    rf"(?<![\w.]){_ROOT_FOLDER}(?!\w)|(?<![\w)\]]){re.escape(_LIBRARY)}\b|{'|'.join(_INDEXES)}|https?://\S+/simple\b",
    re.IGNORECASE,
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """Return a page without its fenced code."""
    hidden = {n for fence in find_fences(text) for n in range(fence.start, fence.end)}
    return "\n".join(line for n, line in enumerate(text.split("\n")) if n not in hidden)


def code(text: str) -> list[str]:
    """Return every line of fenced code and every piece of inline code of a page."""
    lines = [line for fence in find_fences(text) for line in fence.code.split("\n")]
    return [piece.strip() for piece in [*lines, *(found[2] for found in _INLINE.finditer(prose(text)))]]


def repository_texts() -> Iterator[tuple[Path, str]]:
    """Yield every text file of the repository that is not ignored."""
    ignored = [line.strip("/ ") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines() if line.strip()]
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name != ".git" and not any(fnmatch.fnmatch(name, p) for p in ignored)]
        for name in names:
            path = Path(folder) / name
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError:
                continue
            if "\0" not in text:
                yield path, text


def test_every_setting_stands_in_the_settings_page_with_its_default() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    table = page.partition("## `settings.json`\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| `(.*?)` \|", table, re.MULTILINE))
    assert rows == {f.name: json.dumps(getattr(Settings(), f.name)) for f in fields(Settings)}


def test_every_environment_variable_of_the_program_stands_in_the_settings_page() -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    places = [*ROOT.glob("ascend_kb/**/*.py"), *ROOT.glob("tests/**/*.py"), ROOT / "Makefile"]
    used = {name for place in places for name in re.findall(r"ASCEND_KB_[A-Z]+", place.read_text("utf-8"))}
    assert {name for name in used if f"`{name}`" not in page} == set()


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_make_target_that_a_page_names_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {found[1] for piece in code(path.read_text("utf-8")) if (found := _MAKE.match(piece))}
    assert named - targets == set()


def test_the_readme_names_the_two_commands_and_the_system_packages() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "apt-get install git make python3-venv" in text.split("\n")[0]
    assert {"make run", "make test"} <= {piece.partition("  ")[0] for piece in code(text)}


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_every_command_line_that_a_page_shows_is_accepted(name: str) -> None:
    shown = [found[1] for piece in code((ROOT / name).read_text("utf-8")) if (found := _PROGRAM.fullmatch(piece))]
    assert shown
    for words in shown:
        with contextlib.suppress(SystemExit):  # --help has been printed
            parse(shlex.split(re.sub(r"\s#\s.*", "", words)))


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_every_relative_link_leads_to_a_file(path: Path) -> None:
    targets = {found.partition("#")[0] for found in _LINK.findall(prose(path.read_text("utf-8")))}
    relative = {target for target in targets if target and not re.match(r"[a-z]+:", target)}
    assert {target for target in relative if not (path.parent / target).exists()} == set()


def test_no_file_names_a_place_of_one_machine_or_a_package_index() -> None:
    found = [
        f"{name_of(path)}:{number}: {line.strip()[:100]}"
        for path, text in repository_texts()
        for number, line in enumerate(text.split("\n"), 1)
        if FORBIDDEN.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        f"cd {_ROOT_FOLDER}/main",
        f"see {_LIBRARY}/env",
        f"pip install -i https://mirror.example/{'simple'}",
        _INDEXES[0],
    ],
)
def test_the_search_for_places_finds_them(line: str) -> None:
    assert FORBIDDEN.search(line)


@pytest.mark.parametrize("line", ["ascend_kb/ui/workbench.py", "self.library.card(key)", "the simple way"])
def test_the_search_for_places_lets_our_own_names_pass(line: str) -> None:
    assert not FORBIDDEN.search(line)
