"""What the program remembers about the window and the user's choices: one readable file, written in one step."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings with their defaults; every field is documented in docs/settings.md."""

    language: str = "system"  # system, zh, en
    colours: str = "system"  # system, light, dark
    text: str = ""  # of the search box, filters included
    filters: list[list[str]] = field(default_factory=list)  # [facet, value], of older versions; now part of the text
    recent: list[str] = field(default_factory=list)  # searches that were made, newest first
    card: str = ""  # key of the selected card
    sort_column: str = "rank"
    sort_descending: bool = False
    geometry: str = ""  # of the window, as Qt writes it, in base 64
    splitter: str = ""
    columns: str = ""
    library_visible: bool = True
    zoom: int = 0  # steps of one point by which the text is larger than usual
    expanded: list[str] = field(default_factory=lambda: ["repos"])  # open groups of the library tree


_ALLOWED = {"language": ("system", "zh", "en"), "colours": ("system", "light", "dark")}


def load(path: Path) -> tuple[Settings, str]:
    """Read the settings; returns them and a notice for the user, empty when all was well.

    Values of the wrong type fall back to their default one by one. A file that is no JSON object is set aside as
    ``settings.json.damaged`` by the next ``save``.
    """
    try:
        raw = json.loads(path.read_text("utf-8"))
        if not isinstance(raw, dict):
            raise TypeError("not an object")  # noqa: TRY301  (one way for every kind of damage)
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        return Settings(), f"{path}: {error.strerror}"
    except (ValueError, TypeError, RecursionError):
        return Settings(), f"{path} is damaged; defaults are used and the file will be kept as {path.name}.damaged"
    known = {f.name: getattr(Settings(), f.name) for f in fields(Settings)}
    return Settings(**{name: raw[name] for name, default in known.items() if _fits(name, raw.get(name), default)}), ""


def _fits(name: str, value: object, default: object) -> bool:
    if type(value) is not type(default):
        return False
    if name == "filters":
        return all(isinstance(f, list) and len(f) == 2 and all(isinstance(x, str) for x in f) for f in value)  # type: ignore[attr-defined]
    if name in ("expanded", "recent"):
        return all(isinstance(x, str) for x in value)  # type: ignore[attr-defined]
    return name not in _ALLOWED or value in _ALLOWED[name]


def save(path: Path, settings: Settings) -> None:
    """Write the settings in one step: whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    _set_damaged_aside(path)
    kept = _unknown_fields(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".settings-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_written(asdict(settings) | kept))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _written(values: dict[str, Any]) -> bytes:
    try:
        return json.dumps(values, ensure_ascii=False, indent=1, sort_keys=True).encode()
    except UnicodeEncodeError:  # half a character, as a keyboard or the clipboard can give
        return json.dumps(values, indent=1, sort_keys=True).encode()


def _read_object(path: Path) -> dict[str, Any] | None:
    try:
        raw = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return raw if isinstance(raw, dict) else None


def _unknown_fields(path: Path) -> dict[str, Any]:
    """Return what another version of the program keeps in the file, so that it is not lost."""
    known = {f.name for f in fields(Settings)}
    return {name: value for name, value in (_read_object(path) or {}).items() if name not in known}


def _set_damaged_aside(path: Path) -> None:
    if path.exists() and _read_object(path) is None:
        path.replace(path.with_name(path.name + ".damaged"))
