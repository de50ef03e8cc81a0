"""Where things lie: the bundle that ships with the program and the user's data folder."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def _shipped() -> Path:
    """Return the folder that holds ``data`` and ``resources``: inside the wheel, or the checkout."""
    inside = PACKAGE / "bundle"
    return inside if inside.is_dir() else PACKAGE.parent


def bundled_knowledge() -> Path:
    """Return the knowledge file that ships with the program."""
    return _shipped() / "data" / "kb.sqlite"


def resources() -> Path:
    """Return the folder of icons, styles and translations."""
    return _shipped() / "resources"


def home() -> Path:
    """Return the user's data folder: ``ASCEND_KB_HOME`` or the platform's; it may not exist yet."""
    named = os.environ.get("ASCEND_KB_HOME")
    if named:
        return Path(named).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("ascend-kb", appauthor=False)


def working_knowledge() -> Path:
    """Return the place of the user's working copy (bundle and imports); it exists once something was imported."""
    return home() / "knowledge.sqlite"


def settings_file() -> Path:
    """Return the place of the settings."""
    return home() / "settings.json"


def log_file() -> Path:
    """Return the place of the log."""
    return home() / "log" / "ascend-kb.log"
