"""Start of the program: the window without a command, the command line with one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def _open_window(path: Path | None, exit_when_ready: bool) -> int:
    """Open the window; Qt is imported only now, and only where a window can be opened."""
    from ascend_kb.app.environment import check_window

    check_window()
    from ascend_kb.ui.main import run_window

    return run_window(path, exit_when_ready=exit_when_ready)


def main() -> int:
    """Run the program; returns the exit status."""
    from ascend_kb.cli.main import run

    return run(sys.argv[1:], _open_window)


if __name__ == "__main__":
    sys.exit(main())
