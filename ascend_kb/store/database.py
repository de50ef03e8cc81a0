"""Opening a knowledge file: read-only, from any place, without leaving a trace beside it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from peewee import DatabaseError, SqliteDatabase

from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import tr
from ascend_kb.store.models import APPLICATION_ID, FORMAT_VERSION

if TYPE_CHECKING:
    import tempfile
    from collections.abc import Callable

_MAGIC = b"SQLite format 3\0"


def way_out() -> str:
    """Return what to do about a file that cannot be used."""
    return tr("open another file with --kb FILE, or leave --kb out to use the bundled knowledge")


class OlderFormatError(KBError):
    """The file is ours but of an older format; it can be rebuilt from the sources it holds."""


class DamagedFileError(KBError):
    """The file is a database, but its content cannot be read."""


def damaged(path: Path, error: Exception | str) -> DamagedFileError:
    """Return the error for a file whose content cannot be read."""
    return DamagedFileError(tr("{path} is damaged ({error})", path=path, error=error), way_out())


class ReadOnlyFile:
    """A knowledge file opened for reading.

    ``place`` is where it is read: in place or in a private copy; then ``notice`` is a plain sentence about that for the
    user, else empty.

    Raises:
        KBError: the file is missing, empty, foreign, damaged or of a newer format.
        OlderFormatError: the file must be rebuilt first.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = ""
        self._private: tempfile.TemporaryDirectory[str] | None = None
        _check_header(path)
        self.place = self._readable_place()
        self.database = SqliteDatabase(_uri(self.place), uri=True, thread_safe=True)
        try:
            self._check_identity()
        except BaseException:
            self.close()
            raise

    def _readable_place(self) -> Path:
        """Return where to read: in place, or in a private copy when another program left a log beside the file."""
        logs = [
            log for end in ("-wal", "-journal") if (log := Path(f"{self.path}{end}")).exists() and log.stat().st_size
        ]
        if not logs:
            return self.path
        import shutil
        import tempfile

        self._private = tempfile.TemporaryDirectory(prefix="ascend-kb-")
        copy = Path(self._private.name) / self.path.name
        try:
            for file in (self.path, *logs):
                shutil.copyfile(file, copy.with_name(file.name))
        except OSError as error:
            self._private.cleanup()
            raise KBError(
                tr("{path} cannot be read: {error}", path=self.path, error=error.strerror), way_out()
            ) from error
        # The copy takes the log in now, so that it can be read like any other file.
        connection = sqlite3.connect(copy)
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.Error as error:
            self._private.cleanup()
            raise damaged(self.path, error) from error
        finally:
            connection.close()
        self.notice = tr(
            "{path} has unfinished changes of another program beside it; a private copy is shown", path=self.path
        )
        return copy

    def _check_identity(self) -> None:
        try:
            application = self.database.pragma("application_id")
            version = self.database.pragma("user_version")
        except DatabaseError as error:
            raise damaged(self.path, error) from error
        if application != APPLICATION_ID:
            raise KBError(
                tr("{path} is a database of another program, not a knowledge file", path=self.path), way_out()
            )
        if version > FORMAT_VERSION:
            raise KBError(
                tr(
                    "{path} was written by a newer Ascend KB (format {version}; this program reads up to {own})",
                    path=self.path,
                    version=version,
                    own=FORMAT_VERSION,
                ),
                tr("update the program; the file was left untouched. Or:") + " " + way_out(),
            )
        if version < FORMAT_VERSION:
            raise OlderFormatError(
                tr("{path} was written by an older Ascend KB (format {version})", path=self.path, version=version),
                tr("open it once in the window or search in it: it is rebuilt into your data folder"),
            )

    def interrupter(self) -> Callable[[], None]:
        """Return a function that stops, from any thread, the query that runs on the calling thread."""
        try:
            connection = self.database.connection()
        except DatabaseError as error:  # the file vanished after it was opened
            raise damaged(self.path, error) from error
        return connection.interrupt

    def close(self) -> None:
        """Close the calling thread's connection and drop the private copy."""
        self.database.close()
        if self._private is not None:
            self._private.cleanup()


def _uri(path: Path) -> str:
    # immutable: no lock and no file beside it is ever made; right since logs were folded in above.
    place = os.fsencode(path.resolve()).replace(b"\\", b"/") if os.name == "nt" else os.fsencode(path.resolve())
    return f"file:///{quote(place.lstrip(b'/'))}?mode=ro&immutable=1"


def _check_header(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise KBError(tr("{path} does not exist", path=path), way_out()) from error
    except IsADirectoryError as error:
        raise KBError(tr("{path} is a folder, not a knowledge file", path=path), way_out()) from error
    except OSError as error:
        raise KBError(tr("{path} cannot be read: {error}", path=path, error=error.strerror), way_out()) from error
    if not head:
        raise KBError(tr("{path} is empty", path=path), way_out())
    if head != _MAGIC:
        raise KBError(tr("{path} is not a knowledge file", path=path), way_out())


def read_sources(path: Path) -> dict[str, str]:
    """Return the source texts that a knowledge file of any format holds, by relative path.

    Raises:
        KBError: the file holds none.
    """
    connection = sqlite3.connect(_uri(path), uri=True)
    try:
        return dict(connection.execute("SELECT path, text FROM source ORDER BY path"))
    except sqlite3.Error as error:
        raise KBError(
            tr("{path} holds no sources to rebuild it from ({error})", path=path, error=error), way_out()
        ) from error
    finally:
        connection.close()
