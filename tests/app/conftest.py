"""What the tests of the use cases share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ascend_kb.app.building import compile_texts
from tests.sources.sample import SAMPLE
from tests.unprivileged import public

__all__ = ["public"]


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the knowledge file of the sample sources and its list of documents; not to be changed."""
    folder = tmp_path_factory.mktemp("sample")
    compile_texts(SAMPLE, folder / "kb.sqlite")
    return folder


@pytest.fixture
def sample_kb(tmp_path: Path, built_once: Path) -> Path:
    """A knowledge file of the two cards of the sample sources, to be changed at will."""
    return Path(shutil.copyfile(built_once / "kb.sqlite", tmp_path / "sample.sqlite"))
