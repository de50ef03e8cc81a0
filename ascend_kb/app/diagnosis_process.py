"""Diagnosis in a process of its own, for the window: what the process does, and what the two say to each other.

A thread would share the interpreter lock with the window, and patterns hold it for long. The process is the program
itself with one option, so that it works the same for an installed and for a frozen program (``multiprocessing`` would
import the main module anew and need a hook in frozen ones); ending the process cancels, whatever it does.

The window writes one line of JSON and, for a pasted log, its bytes up to the end of the stream. The process writes
frames: a line ``kind size`` and ``size`` bytes.
"""

from __future__ import annotations

import json
import pickle
import stat
import sys
import traceback
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from ascend_kb.app import translation
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import current, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.app.library import Library
    from ascend_kb.core.diagnosis import Diagnosis
    from ascend_kb.core.excerpt import Excerpt

OPTION = "--diagnosis-process"
_BLOCK = 1 << 20
_FOREIGN = (  # how files begin that hold no text
    (b"SQLite format 3\0", "knowledge"), (b"\x1f\x8b", "packed"), (b"PK\x03\x04", "packed"), (b"BZh", "packed"),
    (b"\xfd7zXZ\0", "packed"), (b"7z\xbc\xaf\x27\x1c", "packed"), (b"\x28\xb5\x2f\xfd", "packed"),
)  # fmt: skip


class Log(NamedTuple):
    """A log to diagnose: a file, or the bytes of a text that was pasted or dropped."""

    path: Path | None = None
    data: bytes = b""


class Answer(NamedTuple):
    """A diagnosis, without the text of the log, and what to show of that text; ``size`` is that of the log in bytes."""

    diagnosis: Diagnosis
    excerpt: Excerpt
    size: int


def command(knowledge: Path) -> list[str]:
    """Return program and arguments of the process.

    Raises:
        KBError: there is no program to start.
    """
    if not sys.executable:
        raise KBError(tr("The diagnosis cannot be started."), tr("Use the command line: ascend-kb diagnose FILE"))
    module = [] if getattr(sys, "frozen", False) else ["-m", "ascend_kb"]
    return [sys.executable, *module, OPTION, str(knowledge)]


def request(log: Log) -> bytes:
    """Return what the process reads before the bytes of a pasted log."""
    path = str(log.path) if log.path is not None else None
    return json.dumps({"path": path, "language": current()}).encode() + b"\n"


class Frames:
    """Puts together what comes from the process in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield kind and content of each frame that is complete."""
        self._buffer += data
        while (end := self._buffer.find(b"\n", 0, 80)) >= 0:
            kind, size = self._buffer[:end].decode("ascii").split(" ")
            last = end + 1 + int(size)
            if len(self._buffer) < last:
                return
            content = bytes(self._buffer[end + 1 : last])
            del self._buffer[:last]
            yield kind, content


def unpacked(content: bytes) -> Answer:
    """Return the answer of a frame."""
    answer: Answer = pickle.loads(content)  # noqa: S301  (our own child wrote it into a pipe that nobody else has)
    return answer


def told(content: bytes) -> KBError:
    """Return the error of a frame."""
    message, hint = json.loads(content)
    return KBError(message, hint)


def serve(knowledge: str) -> int:
    """Be the process: read one log from standard input and write frames to standard output."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but frames may come between frames

    def write(kind: str, content: bytes) -> None:
        writer.write(f"{kind} {len(content)}\n".encode("ascii") + content)
        writer.flush()

    try:
        library = _prepared(knowledge)
        asked = reader.readline()
        if not asked:
            return 0
        wanted = json.loads(asked)
        translation.use(wanted["language"])
        log = _log(wanted["path"], reader)
        answer = _answer(library, log, lambda done, total: write("progress", f"{done}/{total}".encode()))
        write("answer", pickle.dumps(answer, protocol=5))
    except KBError as error:
        write("error", json.dumps([error.message, error.hint]).encode())
    except BrokenPipeError:  # the window is gone
        return 1
    except Exception:  # noqa: BLE001  (the window shows it as a fault)
        traceback.print_exc()
        return 1
    return 0


def _prepared(knowledge: str) -> Library:
    """Load all that a diagnosis needs, while nobody waits yet."""
    from ascend_kb.app.diagnosing import diagnose
    from ascend_kb.app.library import Library
    from ascend_kb.core import excerpt  # noqa: F401

    library = Library(Path(knowledge))
    diagnose(library, "error: 0")
    return library


def _log(path: str | None, reader: BinaryIO) -> tuple[bytes, bool, int]:
    """Return the bytes of the log, whether its middle was left out, and its size."""
    from ascend_kb.core.logtext import gather

    size = 0

    def blocks(stream: BinaryIO) -> Iterator[bytes]:
        nonlocal size
        for block in iter(partial(stream.read, _BLOCK), b""):
            size += len(block)
            yield block

    if path is None:
        data, cut = gather(blocks(reader))
        return data, cut, size
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise KBError(tr("{path} is not a file.", path=path), tr("Choose the log file itself."))
        with Path(path).open("rb") as file:
            data, cut = gather(blocks(file))
    except OSError as error:
        raise KBError(
            tr("{path} cannot be read: {error}", path=path, error=error.strerror or error),
            tr("Check its name and permissions."),
        ) from error
    _refuse_foreign(path, data)
    return data, cut, size


def _refuse_foreign(path: str, data: bytes) -> None:
    kind = next((kind for start, kind in _FOREIGN if data.startswith(start)), "")
    if kind == "knowledge":
        raise KBError(tr("{path} is a database, not a log.", path=path), tr("Open a knowledge file with Ctrl+O."))
    if kind == "packed":
        raise KBError(tr("{path} is packed.", path=path), tr("Unpack it and open the log inside."))


def _answer(library: Library, log: tuple[bytes, bool, int], report: Any) -> Answer:
    from ascend_kb.app.diagnosing import diagnose
    from ascend_kb.core.excerpt import excerpt

    data, cut, size = log
    found = diagnose(library, data, report)
    telling = [found.telling.start] if found.telling else []
    reasons = [why.span.start for match in found.matches for why in match.why]
    facts = [fact.start for fact in found.facts]
    shown = excerpt(found.text, [*telling, *reasons, *facts])
    return Answer(found._replace(text="", cut=found.cut or cut), shown, size)
