"""Exit status and the one door for errors of the command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOUND, NOT_FOUND, FAILED = 0, 1, 2


def run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    """Run the command line and return the exit status.

    ``open_window`` takes the knowledge file (None for the usual one) and whether to end as soon as it is painted.
    """
    _use_utf8()
    try:
        return _run(arguments, open_window)
    except KBError as error:
        print(f"error: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        return FAILED


def _run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    if set(arguments) <= {"--exit-when-ready"}:  # the usual start: nothing to parse
        return open_window(None, bool(arguments))
    from ascend_kb.cli.parser import parse

    options = parse(arguments)
    if options.version:
        from ascend_kb.app.about import versions
        from ascend_kb.app.library import Library

        print("\n".join(versions(Library(options.kb))))
        status = FOUND
    elif options.verb is None:
        status = open_window(options.kb, options.exit_when_ready)
    else:
        from ascend_kb.cli import verbs

        status = getattr(verbs, options.verb)(options)
    sys.stdout.flush()
    return int(status)


def _use_utf8() -> None:
    """Write UTF-8 and the exact bytes, whatever the locale and platform."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace", newline="\n")
