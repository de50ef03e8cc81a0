"""Exit status and the one door for errors of the command line."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable

FOUND, NOT_FOUND, FAILED = 0, 1, 2


def run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    """Run the command line and return the exit status.

    ``open_window`` takes the knowledge file (None for the usual one) and whether to end as soon as it is painted.
    """
    _use_utf8()
    try:
        return _run(arguments, open_window)
    except KBError as error:
        return _fail(error.message, error.hint)
    except BrokenPipeError:  # the reader has what it wants, as in `| head`
        _settle()
        return FOUND
    except KeyboardInterrupt:
        return FAILED
    except Exception as error:  # noqa: BLE001  (the one door: no traceback unless it is asked for)
        return _fail(*_explained(error), trace=bool(os.environ.get("ASCEND_KB_TRACEBACK")))


def _run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    if set(arguments) <= {"--exit-when-ready"}:  # the usual start: nothing to parse
        return open_window(None, bool(arguments))
    from ascend_kb.cli.parser import parse

    try:
        options = parse(arguments)
    except SystemExit:  # --help has been printed
        sys.stdout.flush()
        return FOUND
    if options.verb is None and not options.version:
        status = open_window(options.kb, options.exit_when_ready)
    else:
        from ascend_kb.cli import verbs

        status = getattr(verbs, "version" if options.version else options.verb)(options)
    sys.stdout.flush()
    return int(status)


def _fail(message: str, hint: str, *, trace: bool = False) -> int:
    """Say what is wrong and what to do about it, after the output so far."""
    _settle()
    with contextlib.suppress(OSError):  # nobody can be told
        if trace:
            import traceback

            traceback.print_exc()
        print(f"error: {message}", file=sys.stderr)
        if hint:
            print(f"hint: {hint}", file=sys.stderr)
    _settle()
    return FAILED


def _explained(error: Exception) -> tuple[str, str]:
    """Return message and hint for an exception that no command foresees."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'standard output'}: {error.strerror}", "check permissions and free space there"
    return (
        f"{type(error).__name__}: {error}",
        "this is a fault of the program; set ASCEND_KB_TRACEBACK=1 to see where it is, and report it",
    )


def _settle() -> None:
    """Let streams that cannot be written swallow what they still hold, or the interpreter complains at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _use_utf8() -> None:
    """Write UTF-8 and the exact bytes, whatever the locale and platform; a closed stream swallows all."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  (open to the end)
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace", newline="\n")
