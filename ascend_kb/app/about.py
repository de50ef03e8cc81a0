"""The versions of everything, for ``--version`` and the About dialog."""

from __future__ import annotations

import platform
import sqlite3
from importlib import metadata
from typing import TYPE_CHECKING

from ascend_kb import __version__

if TYPE_CHECKING:
    from ascend_kb.app.library import Library


def versions(library: Library) -> list[str]:
    """Return the versions of program, knowledge, Python, Qt and SQLite, one a line."""
    try:
        qt = metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        qt = "not installed"
    return [
        f"Ascend KB {__version__}",
        f"knowledge {library.version} as of {library.as_of}",
        f"Python {platform.python_version()}",
        f"Qt {qt}",
        f"SQLite {sqlite3.sqlite_version}",
    ]
