"""Office files: ZIP archives whose parts are read within bounds, as XML without entities and document types."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

MOST_UNPACKED = 256 * 2**20  # bytes of all parts together
MOST_PARTS = 10_000
RATIO = 500  # how far a part may be compressed; text reaches about 30
DAMAGED = "open the file in its program and save it again"


def open_archive(data: bytes, name: str) -> zipfile.ZipFile:
    """Open an office file.

    Raises:
        KBError: it is no whole archive, or would unpack into far more than it should.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, zlib.error, OSError) as error:
        raise KBError(f"{name} is damaged: it is no whole archive", DAMAGED) from error
    total = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or total > MOST_UNPACKED:
        raise KBError(f"{name} would unpack into {total // 2**20} MB in {len(parts)} parts", "split the file")
    if any(part.file_size > 2**20 and part.file_size > RATIO * part.compress_size for part in parts):
        raise KBError(f"{name} is packed suspiciously tightly", DAMAGED)
    if any(part.flag_bits & 1 for part in parts):
        raise KBError(f"{name} is encrypted", "save it without a password")
    return archive


def elements(archive: zipfile.ZipFile, part: str, name: str, events: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield events and elements of an XML part; the caller clears what it has used.

    Raises:
        KBError: the part is missing or damaged, or declares entities or a document type.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    try:
        with _open(archive, part) as file:
            yield from iterparse(file, events, forbid_dtd=True)
    except KeyError as error:
        raise KBError(f"{name} lacks its part {part}", DAMAGED) from error
    except DefusedXmlException as error:
        raise KBError(f"{name} declares XML entities, which are not read", DAMAGED) from error
    except (
        ParseError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError,
        LookupError,
    ) as error:  # fmt: skip
        raise KBError(f"{name} is damaged: {part} cannot be read", DAMAGED) from error


def _open(archive: zipfile.ZipFile, part: str) -> IO[bytes]:
    return archive.open(part)
