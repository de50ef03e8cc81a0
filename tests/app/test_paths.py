"""Where things lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.app import paths
from tests.conftest import BUNDLE, ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["plain", "with space", "# % ?", "中文"])
def test_the_home_is_what_the_environment_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("ASCEND_KB_HOME", str(tmp_path / name))
    assert paths.home() == tmp_path / name
    assert paths.working_knowledge() == tmp_path / name / "knowledge.sqlite"
    assert paths.settings_file() == tmp_path / name / "settings.json"
    assert paths.log_file() == tmp_path / name / "log" / "ascend-kb.log"
    assert not (tmp_path / name).exists()


def test_a_relative_home_is_taken_from_where_the_program_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASCEND_KB_HOME", "here")
    assert paths.home() == tmp_path / "here"


def test_a_tilde_is_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ASCEND_KB_HOME", "~/kb")
    assert paths.home() == tmp_path / "kb"


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_name_it_is_the_platforms_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ASCEND_KB_HOME")
    if value is not None:
        monkeypatch.setenv("ASCEND_KB_HOME", value)
    assert paths.home().name == "ascend-kb"
    assert paths.home().is_relative_to(tmp_path)


def test_the_bundle_and_the_resources_are_those_of_the_checkout() -> None:
    assert paths.bundled_knowledge() == BUNDLE
    assert paths.resources() == ROOT / "resources"
    assert (paths.resources() / "translations").is_dir()
