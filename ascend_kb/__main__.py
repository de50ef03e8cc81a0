"""Start of the program: the window without a command, the command line with one."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def _open_window(path: Path | None, exit_when_ready: bool) -> int:
    """Open the window; Qt is imported only now, and only where a window can be opened."""
    from ascend_kb.app.environment import check_window

    check_window()
    gc.disable()  # start-up makes many objects and no garbage; the window turns it on again
    sys.setswitchinterval(0.001)  # the window waits less for its worker
    from ascend_kb.ui.main import run_window

    status = run_window(path, exit_when_ready=exit_when_ready)
    if exit_when_ready:
        # The window is closed and nothing is kept: the interpreter need not be taken down piece by piece.
        sys.stdout.flush()
        os._exit(status)
    return status


def main() -> int:
    """Run the program; returns the exit status."""
    from ascend_kb.cli.main import run

    return run(sys.argv[1:], _open_window)


if __name__ == "__main__":
    sys.exit(main())
