"""Runs code as a user without rights, for tests of permissions: root could read and write everything."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
# Everything is imported while we may still read it: the checkout can lie where others see nothing.
_PRELUDE = """
import encodings.utf_8_sig, importlib, os, pkgutil, shutil, sqlite3, sys, tempfile
from pathlib import Path
import ascend_kb
for module in pkgutil.walk_packages(ascend_kb.__path__, "ascend_kb."):
    if not module.name.startswith(("ascend_kb.ui", "ascend_kb.__main__")):
        importlib.import_module(module.name)
from ascend_kb.core.errors import KBError
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""


def run_unprivileged(code: str, *arguments: Path | str, home: Path) -> str:
    """Run Python code as nobody (as ourselves where we are not root) and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _PRELUDE + code, *map(str, arguments)],
        capture_output=True,
        check=False,
        cwd=ROOT,
        encoding="utf-8",
        env={**os.environ, "ASCEND_KB_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Takes from root the rights to pass over permissions, and becomes the command. Unlike nobody, this root still reads its
# own files, so the command may load modules and resources at any time.
_OBEY = """
import ctypes, os, sys
if os.geteuid() == 0:
    for right in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        assert ctypes.CDLL(None, use_errno=True).prctl(24, right, 0, 0, 0) == 0, os.strerror(ctypes.get_errno())
os.execv(sys.argv[1], sys.argv[1:])
"""


def obeying(command: list[str]) -> list[str]:
    """Return a command that runs ``command`` bound by the permissions of files and folders, even as root."""
    return [sys.executable, "-c", _OBEY, *command]


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can enter, unlike ``tmp_path``."""
    with tempfile.TemporaryDirectory(prefix="ascend-kb-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for inner in (place for place in folder.rglob("*") if place.is_dir()):
            inner.chmod(0o755)
