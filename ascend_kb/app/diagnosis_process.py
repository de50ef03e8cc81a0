"""Diagnosis in a process of its own, for the window: what the process does, and what the two say to each other.

A thread would share the interpreter lock with the window, and patterns hold it for long. The process is the program
itself with one option, so that it works the same for an installed and for a frozen program (``multiprocessing`` would
import the main module anew and need a hook in frozen ones); ending the process cancels, whatever it does.

The window writes the knowledge file as one line of JSON when it starts the process, later the log as another and, for
a pasted one, its bytes up to the end of the stream; the end of the stream ends a process that waits. The process writes
frames: a line ``kind size`` and ``size`` bytes.
"""

from __future__ import annotations

import json
import pickle
import re
import stat
import sys
import traceback
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import ascend_kb
from ascend_kb.app import translation
from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import current, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.app.library import Library
    from ascend_kb.core.diagnosis import Diagnosis
    from ascend_kb.core.excerpt import Excerpt

OPTION = "--diagnosis-process"
_BLOCK = 1 << 20
_HEAD = 4096  # bytes that tell whether a file holds text
_MOST_STRANGE = 0.05  # share of characters that no text has
_STRANGE = frozenset(map(chr, (*range(8), *range(14, 27), *range(28, 32))))
_HOLE = re.compile(rb"\0{16,}")  # what a log holds where it was cut off while it was written
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd")
_DATABASE = b"SQLite format 3\0"


class LogError(KBError):
    """This log was not diagnosed; the knowledge is not to blame."""


class Log(NamedTuple):
    """A log to diagnose: a file, or the bytes of a text that was pasted or dropped."""

    path: Path | None = None
    data: bytes = b""


class Answer(NamedTuple):
    """A diagnosis, without the text of the log, and what to show of that text; ``size`` is that of the log in bytes."""

    diagnosis: Diagnosis
    excerpt: Excerpt
    size: int


def command() -> tuple[list[str], Path]:
    """Return program and arguments of the process, and the folder to start it in.

    ``-m`` looks for modules in the folder that the process starts in: that must be ours, not one full of logs.

    Raises:
        KBError: there is no program to start.
    """
    if not sys.executable:
        raise LogError(tr("The diagnosis cannot be started."), tr("Use the command line: ascend-kb diagnose FILE"))
    module = [] if getattr(sys, "frozen", False) else ["-m", "ascend_kb"]
    return [sys.executable, *module, OPTION], Path(ascend_kb.__file__).resolve().parent.parent


def introduction(knowledge: Path) -> bytes:
    """Return what the process reads first."""
    return json.dumps({"knowledge": str(knowledge.absolute())}).encode() + b"\n"


def request(log: Log) -> bytes:
    """Return what the process reads before the bytes of a pasted log."""
    path = str(log.path.absolute()) if log.path is not None else None
    return json.dumps({"path": path, "language": current()}).encode() + b"\n"


class Frames:
    """Puts together what comes from the process in pieces."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield kind and content of each frame that is complete.

        Raises:
            ValueError: this is no frame.
        """
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


def told(kind: str, content: bytes) -> KBError:
    """Return the error of a frame: a LogError where another log would do."""
    message, hint = json.loads(content)
    return LogError(message, hint) if kind == "unreadable" else KBError(message, hint)


def serve() -> int:
    """Be the process: read one log from standard input and write frames to standard output."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but frames may come between frames

    def write(kind: str, content: bytes) -> None:
        writer.write(f"{kind} {len(content)}\n".encode("ascii") + content)
        writer.flush()

    try:
        try:
            _serve(reader, write)
        except LogError as error:
            write("unreadable", json.dumps([error.message, error.hint]).encode())
        except KBError as error:
            write("error", json.dumps([error.message, error.hint]).encode())
    except BrokenPipeError:  # the window is gone
        return 1
    except Exception:  # noqa: BLE001  (the window shows it as a fault)
        traceback.print_exc()
        return 1
    return 0


def _serve(reader: BinaryIO, write: Callable[[str, bytes], None]) -> None:
    introduced = reader.readline()
    if not introduced:
        return
    library = _prepared(json.loads(introduced)["knowledge"])
    asked = reader.readline()
    if not asked:  # nobody wants anything any more
        return
    wanted = json.loads(asked)
    translation.use(wanted["language"])

    def report(done: int, total: int) -> None:
        write("progress", f"{done}/{total}".encode())

    log = _log(wanted["path"], reader, report)
    write("answer", pickle.dumps(_answer(library, log, report), protocol=5))


def _prepared(knowledge: str) -> Library:
    """Load all that a diagnosis needs, while nobody waits yet."""
    from ascend_kb.app.diagnosing import diagnose
    from ascend_kb.app.library import Library
    from ascend_kb.core import excerpt  # noqa: F401

    library = Library(Path(knowledge))
    diagnose(library, "error: 0")
    return library


class _Read(NamedTuple):
    """The bytes of a log, whether its middle was left out, its size, and what it is called."""

    data: bytes
    is_cut: bool
    size: int
    name: str


def _log(path: str | None, reader: BinaryIO, report: Callable[[int, int], None]) -> _Read:
    from ascend_kb.core.logtext import gather

    size = 0

    def blocks(stream: BinaryIO) -> Iterator[bytes]:
        nonlocal size
        for block in iter(partial(stream.read, _BLOCK), b""):
            if not size and path is not None:
                _refuse_foreign(path, block[:_HEAD])
            size += len(block)
            report(0, 0)  # how much more comes is not known; and where the window is gone, this ends the process
            yield block

    if path is None:
        return _Read(*gather(blocks(reader)), size, tr("The pasted text"))
    try:
        _refuse_special(path, Path(path).stat().st_mode)
        with Path(path).open("rb") as file:
            return _Read(*gather(blocks(file)), size, path)
    except FileNotFoundError as error:
        raise LogError(tr("{path} does not exist", path=path), tr("Choose another log.")) from error
    except PermissionError as error:
        raise LogError(
            tr("{path} may not be read by you.", path=path), tr("Copy it to where you may read it, or paste its text.")
        ) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise LogError(
            tr("{path} cannot be read: {error}", path=path, error=error.strerror or error),
            tr("Try again, or paste its text."),
        ) from error


def _refuse_special(path: str, mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise LogError(tr("{path} is a folder.", path=path), tr("Choose the log file inside it."))
    if not stat.S_ISREG(mode):
        raise LogError(tr("{path} is not a file.", path=path), tr("Choose the log file itself."))


def _refuse_foreign(path: str, head: bytes) -> None:
    if head.startswith(_DATABASE):
        raise LogError(tr("{path} is a database, not a log.", path=path), tr("Knowledge files are opened with Ctrl+O."))
    if head.startswith(_PACKED):
        raise LogError(tr("{path} is packed.", path=path), tr("Unpack it and choose the log inside."))
    if is_binary(head):
        raise LogError(tr("{path} holds no text.", path=path), tr("Choose a log, or paste its text."))


def is_binary(head: bytes) -> bool:
    """Return whether a file that begins like this is no text in any encoding."""
    from ascend_kb.core.logtext import decode

    text, _encoding = decode(_HOLE.sub(b"", head))
    return sum(character in _STRANGE for character in text) > _MOST_STRANGE * len(text)


def _answer(library: Library, log: _Read, report: Callable[[int, int], None]) -> Answer:
    from ascend_kb.app.diagnosing import diagnose
    from ascend_kb.core.excerpt import excerpt

    found = diagnose(library, log.data, report)
    if not found.text.strip():
        raise LogError(tr("{path} is empty", path=log.name), tr("Choose or paste a log that holds text."))
    telling = [found.telling.start] if found.telling else []
    reasons = [why.span.start for match in found.matches for why in match.why]
    facts = [fact.start for fact in found.facts]
    shown = excerpt(found.text, [*telling, *reasons, *facts])
    return Answer(found._replace(text="", cut=found.cut or log.is_cut), shown, log.size)
