"""The versions of everything."""

from __future__ import annotations

import platform
import sqlite3
from importlib import metadata
from typing import TYPE_CHECKING

from ascend_kb import __version__
from ascend_kb.app.about import versions
from ascend_kb.app.library import Library

if TYPE_CHECKING:
    from pathlib import Path


def test_all_versions_are_named(sample_kb: Path) -> None:
    library = Library(sample_kb)
    assert versions(library) == [
        f"Ascend KB {__version__}",
        "knowledge 1.0 as of 2026-09-08",
        f"Python {platform.python_version()}",
        f"Qt {metadata.version('PySide6-Essentials')}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
    library.close()
