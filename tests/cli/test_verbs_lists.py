"""``repos``, ``guide``, ``themes`` and ``--version``."""

from __future__ import annotations

import platform
import re
import sqlite3
from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from ascend_kb import __version__
from tests.cli.calling import call, program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.app.library import Library
    from ascend_kb.core.language import Language


@pytest.fixture(params=["zh", "en"])
def language(request: pytest.FixtureRequest) -> Language:
    """Each language."""
    return "zh" if request.param == "zh" else "en"


def test_repos_as_json(library: Library, language: Language) -> None:
    assert call("repos", "--format", "json", "--lang", language).json == [
        {"name": r.name, "abbreviation": r.abbreviation, "title": r.title.get(language),
         "purpose": r.purpose.get(language), "cards": r.cards, "owner": r.owner}
        for r in library.catalog.repos
    ]  # fmt: skip


def test_repos_as_table(library: Library, language: Language) -> None:
    rows = [re.split(r" {2,}", line) for line in call("repos", "--lang", language).lines]
    assert rows == [[r.name, r.abbreviation, str(r.cards), r.title.get(language)] for r in library.catalog.repos]
    assert sum(int(row[2]) for row in rows) == library.card_count()


def test_guide_as_json(library: Library, language: Language) -> None:
    made = call("guide", "--format", "json", "--lang", language).json
    assert [(e["id"], e["symptom"], e["first_action"], e["cards"]) for e in made] == [
        (e.id, e.symptom.get(language), e.first_action.get(language), [str(key) for key in e.cards])
        for e in library.guide()
    ]
    assert len(made) == 12


def test_guide_as_table(library: Library, language: Language) -> None:
    assert call("guide", "--lang", language).out == "".join(
        f"{e.symptom.get(language)}\n  -> {e.first_action.get(language)}\n     {', '.join(map(str, e.cards))}\n"
        for e in library.guide()
    )


def test_themes_as_json(library: Library, language: Language) -> None:
    made = call("themes", "--format", "json", "--lang", language).json
    assert [(t["id"], t["title"], t["summary"], t["cards"]) for t in made] == [
        (t.id, t.title.get(language), t.summary.get(language), [str(key) for key in t.cards]) for t in library.themes()
    ]
    assert len(made) == 8


def test_themes_as_table(library: Library, language: Language) -> None:
    rows = [re.split(r" {2,}", line) for line in call("themes", "--lang", language).lines]
    assert rows == [[t.id, str(len(t.cards)), t.title.get(language)] for t in library.themes()]


@pytest.mark.parametrize("command", ["repos", "guide", "themes"])
def test_every_card_of_a_list_can_be_shown(command: str) -> None:
    for entry in call(command, "--format", "json").json:
        for key in entry["cards"] if command != "repos" else ():
            assert call("show", key, "--format", "json").json["key"] == key


@pytest.mark.parametrize("command", ["repos", "guide", "themes"])
def test_lists_come_from_the_named_file(command: str, build_kb: Callable[..., Path]) -> None:
    own = str(build_kb({"about.md": "# 中文\n\n另一份。\n"}))
    assert call(command, "--kb", own) == call("--kb", own, command)
    assert call(command, "--kb", own).status == 0


def test_version_prints_the_five_versions(library: Library) -> None:
    result = call("--version")
    assert (result.status, result.err) == (0, "")
    assert result.lines == [
        f"Ascend KB {__version__}",
        f"knowledge {library.version} as of {library.as_of}",
        f"Python {platform.python_version()}",
        f"Qt {metadata.version('PySide6-Essentials')}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", library.as_of)


def test_version_is_that_of_the_named_file(build_kb: Callable[..., Path], source_texts: dict[str, str]) -> None:
    text = re.sub(r"(?m)^version: .*$", 'version: "1999.9"', source_texts["knowledge.yaml"])
    own = str(build_kb({"knowledge.yaml": re.sub(r"(?m)^as_of: .*$", 'as_of: "1999-09-09"', text)}))
    for arguments in (["--version", "--kb", own], ["--kb", own, "--version"]):
        assert call(*arguments).lines[1] == "knowledge 1999.9 as of 1999-09-09"


def test_version_without_qt_says_so() -> None:
    before = (
        "from importlib import metadata\nreal = metadata.version\n"
        "def version(name):\n"
        "    if name.startswith('PySide6'):\n        raise metadata.PackageNotFoundError(name)\n"
        "    return real(name)\n"
        "metadata.version = version\n"
    )
    result = program("--version", before=before)
    assert (result.status, result.lines[3]) == (0, "Qt not installed")
