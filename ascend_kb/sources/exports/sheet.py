"""CSV and XLSX into rows of text, each with its number; broken rows are noted and passed over."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint
from ascend_kb.sources.archives import open_archive
from ascend_kb.sources.articles.blocks import numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.sources.faults import Faults

MOST_COLUMNS = 200
MOST_ROWS = 300_000
QUOTED_LINES = 2000  # lines that a quoted cell may go over
WORKBOOK = "xl/workbook.xml"
_DELIMITERS = ",;\t|"
_LONGEST = 4 * 2**20


class Line(NamedTuple):
    """A row: its sheet (empty for CSV), its number from 1 (the file's line in CSV), its cells."""

    sheet: str
    number: int
    cells: tuple[str, ...]


def csv_rows(text: str, faults: Faults) -> Iterator[Line]:
    """Yield the rows of a CSV text; the delimiter is the sign that the first line has most of."""
    if csv.field_size_limit() < _LONGEST:
        csv.field_size_limit(_LONGEST)  # of the whole process; bodies of issues are longer than its default
    source = numbered(text)
    ahead: deque[tuple[int, str]] = deque()
    delimiter = ""
    while (item := ahead.popleft() if ahead else next(source, None)) is not None:
        number, line = item
        if line.lower().startswith("sep=") and len(line) == 5 and not delimiter:
            delimiter = line[4]
            continue
        if not line.strip():
            continue
        delimiter = delimiter or max(_DELIMITERS, key=line.count)
        whole = _whole(line, source, ahead)
        if whole is None:
            faults.add(Complaint.QUOTE_OPEN, number)
            continue
        try:
            cells = next(csv.reader([whole], delimiter=delimiter), [])
        except csv.Error as error:
            faults.add(Complaint.BROKEN_ENTRY, number, why=str(error))
            continue
        yield Line("", number, tuple(cell.strip() for cell in cells[:MOST_COLUMNS]))


def _whole(line: str, source: Iterator[tuple[int, str]], ahead: deque[tuple[int, str]]) -> str | None:
    """Return a row with the lines that its open quote takes in; None where the quote has no end near by."""
    if line.count('"') % 2 == 0:
        return line
    whole, size = [line], len(line)
    for index in range(QUOTED_LINES):
        if index == len(ahead):
            item = next(source, None)
            if item is None:
                return None
            ahead.append(item)
        following = ahead[index][1]
        whole.append(following)
        size += len(following)
        if size > _LONGEST:
            return None
        if following.count('"') % 2:
            for _ in range(index + 1):
                ahead.popleft()
            return "\n".join(whole)
    return None


def xlsx_rows(data: bytes, name: str) -> Iterator[Line]:
    """Yield the rows of all sheets. Formulas give the value that was saved with them.

    Raises:
        KBError: the workbook is damaged.
    """
    from xml.etree.ElementTree import ParseError

    import openpyxl
    from defusedxml.common import DefusedXmlException

    open_archive(data, name)  # its bounds hold for what openpyxl unpacks, too
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        for sheet in book.worksheets:
            # The bounds keep a sheet from claiming a million empty rows.
            rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
            for number, values in enumerate(rows, 1):
                cells = tuple(map(_text, values))
                if any(cells):
                    yield Line(str(sheet.title), number, cells)
        book.close()
    except KBError:
        raise
    except DefusedXmlException as error:
        raise KBError(f"{name} declares XML entities, which are not read", "save it again in its program") from error
    except (ParseError, ValueError, LookupError, TypeError, AttributeError, OSError, RuntimeError, EOFError) as error:
        raise _damaged(name) from error
    except Exception as error:  # openpyxl and zlib raise whatever a damaged part leads to
        if type(error).__module__.split(".")[0] not in ("openpyxl", "zipfile", "zlib", "lxml", "defusedxml", "decimal"):
            raise
        raise _damaged(name) from error


def _damaged(name: str) -> KBError:
    return KBError(f"{name} is damaged: its sheets cannot be read", "open it in its program and save it again")


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dt.datetime):
        return value.isoformat(" ") if value.time() != dt.time() else value.date().isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).replace("\r\n", "\n").replace("_x000D_", "").strip()
