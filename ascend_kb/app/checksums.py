"""How the program knows its own bundle: the checksum that is shipped beside it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    whole = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            whole.update(block)
    return whole.hexdigest()


def checksum_file(path: Path) -> Path:
    """Return the place of the file that holds the checksum of a knowledge file."""
    return path.with_name(path.name + ".sha256")
