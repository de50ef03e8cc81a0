"""Start of the program: the window without a command, the command line with one."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# Once PySide6 is loaded it reads the source of every module that is imported; those without Qt come before it.
_BEFORE_QT = (
    "queue",
    "ascend_kb.app.commands",
    "ascend_kb.app.library",
    "ascend_kb.app.settings",
    "ascend_kb.app.translation",
    "ascend_kb.app.trust",
    "ascend_kb.core.recipe",
)


def _open_window(path: Path | None, exit_when_ready: bool) -> int:
    """Open the window; Qt is imported only now, and only where a window can be opened."""
    from ascend_kb.app.environment import check_window

    check_window()
    sys.setswitchinterval(0.001)  # the window waits less for its worker
    for name in _BEFORE_QT:
        import_module(name)
    from ascend_kb.ui.main import run_window

    status = run_window(path, exit_when_ready=exit_when_ready)
    if exit_when_ready:
        # The window is closed and nothing is kept: the interpreter need not be taken down piece by piece.
        sys.stdout.flush()
        os._exit(status)
    return status


def main() -> int:
    """Run the program; returns the exit status."""
    gc.set_threshold(100_000, 20, 20)  # start-up makes many objects and hardly any garbage
    from ascend_kb.cli.main import run

    return run(sys.argv[1:], _open_window)


if __name__ == "__main__":
    sys.exit(main())
