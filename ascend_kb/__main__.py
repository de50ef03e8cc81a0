"""Start of the program: the window without a command, the command line with one."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

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
    "ascend_kb.app.recent",
    "ascend_kb.core.editing",
    "ascend_kb.core.explain",
    "ascend_kb.core.highlight",
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

    return run_window(path, exit_when_ready=exit_when_ready)


def _run(arguments: list[str]) -> int:
    """Be the window's diagnosis process, or the program."""
    if arguments == ["--diagnosis-process"]:
        from ascend_kb.app.diagnosis_process import serve

        return serve()
    from ascend_kb.cli.main import run

    return run(arguments, _open_window)


def main() -> NoReturn:
    """Run the program and end with its exit status."""
    gc.set_threshold(100_000, 20, 20)  # start-up makes many objects and hardly any garbage
    status = _run(sys.argv[1:])
    # All is written, closed and cleaned up: the interpreter need not be taken down piece by piece.
    atexit._run_exitfuncs()  # noqa: SLF001  (temporary folders are removed there)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
