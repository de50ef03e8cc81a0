"""Knowledge files in every bad state."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def changed_copy(own_copy: Path) -> Callable[..., Path]:
    """Return the copy after some SQL statements."""

    def change(*statements: str) -> Path:
        connection = sqlite3.connect(own_copy)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return own_copy

    return change


@pytest.fixture
def damaged(own_copy: Path) -> Path:
    """A knowledge file whose first page is whole, and nothing else."""
    data = own_copy.read_bytes()
    own_copy.write_bytes(data[:4096] + bytes(len(data) - 4096))
    return own_copy


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A database of another program."""
    path = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE card (id INTEGER)")
    connection.close()
    return path


@pytest.fixture
def unusable(
    request: pytest.FixtureRequest, tmp_path: Path, foreign: Path, changed_copy: Callable[..., Path]
) -> tuple[Path, str]:
    """A path that is no knowledge file (which one, the parameter says) and what the message says about it."""
    path = tmp_path / f"{request.param}.sqlite"
    if request.param == "folder":
        path.mkdir()
        return path, "is a folder"
    if request.param == "empty":
        path.touch()
        return path, "is empty"
    if request.param == "text":
        path.write_text("key,title\n", "utf-8")
        return path, "is not a knowledge file"
    if request.param == "foreign":
        return foreign, "is a database of another program"
    if request.param == "newer":
        return changed_copy("PRAGMA user_version = 999"), "newer Ascend KB (format 999"
    return path, "does not exist"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike ``tmp_path``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
