"""A file from outside into draft cards: what it is, is told by its content; its name decides between tables only."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import FileKind, Imported, Watch
from ascend_kb.sources.articles import page, plain
from ascend_kb.sources.articles.article import Reading
from ascend_kb.sources.articles.drafts import Origin
from ascend_kb.sources.decoding import MOST_BYTES, decode
from ascend_kb.sources.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from zipfile import ZipFile

    from ascend_kb.core.catalog import Catalog
    from ascend_kb.sources.decoding import Decoded
    from ascend_kb.sources.exports.export import Job
    from ascend_kb.sources.exports.sheet import Line

_JSON = re.compile(r"\s*(?:\[\s*[\[{\]]|\{\s*[\"}])")


class Columns(NamedTuple):
    """The columns of a table of issues, for the user to choose from: headings, and the guess by field (from 1)."""

    headings: tuple[str, ...]
    guess: Mapping[str, int]


def read_file(
    data: bytes,
    name: str,
    date: str,
    catalog: Catalog,
    *,
    repo: str = "",
    mapping: Mapping[str, str] | None = None,
    watch: Watch | None = None,
) -> Imported:
    """Read an article of the series or an export of issues.

    Articles: text with tabs, Markdown, a saved web page, a Word document. Exports: JSON, CSV, XLSX.

    Args:
        data: The bytes of the file.
        name: Its name, for messages and provenance; ``.csv`` and ``.tsv`` mean a table of issues.
        date: The day of import, ``YYYY-MM-DD``.
        catalog: That of the open knowledge: it tells owners, tags and repositories that the file does not name.
        repo: ``owner/name`` for issues that do not say where they belong.
        mapping: The column of each field of a table, by heading or number from 1; guessed where it is None.
        watch: Told how far the reading is, and asked whether it shall stop.

    Raises:
        KBError: nothing can be read from the file; message and hint say why.
        CancelledError: the watch says so.
    """
    source = _Source(data, name, date, catalog, repo, mapping, watch or Watch())
    source.watch.step(0.0)
    if data.startswith(b"PK"):
        return source.read_archive()
    return source.read_text(decode(data, name))


def table_columns(data: bytes, name: str) -> Columns:
    """Return the columns of a CSV or XLSX table.

    Raises:
        KBError: the file cannot be read, or is empty.
    """
    from itertools import islice

    from ascend_kb.sources.exports import columns, sheet

    rows = sheet.xlsx_rows(data, name) if data.startswith(b"PK") else sheet.csv_rows(decode(data, name).text, Faults())
    first = list(islice(rows, 10))
    if not first:
        raise KBError(f"{name} is empty", "choose another file")
    best = max(first, key=lambda row: len(columns.guess(row.cells)))
    return Columns(best.cells, {field: column + 1 for field, column in columns.guess(best.cells).items()})


class _Source(NamedTuple):
    data: bytes
    name: str
    date: str
    catalog: Catalog
    repo: str
    mapping: Mapping[str, str] | None
    watch: Watch

    def read_text(self, decoded: Decoded) -> Imported:
        faults, text = Faults(), decoded.text
        faults.add_decoded(decoded)
        lines = text.count("\n") + 1
        suffix = self.name.lower().rpartition(".")[2]
        if suffix in ("json", "jsonl", "ndjson") or (_JSON.match(text) and suffix not in ("md", "csv", "tsv")):
            from ascend_kb.sources.exports.export import read_json

            return read_json(text, self._job(faults, decoded.encoding))
        if page.is_page(text):
            blocks, kind = page.blocks(text), FileKind.HTML
        elif suffix in ("csv", "tsv") or self.mapping:
            from ascend_kb.sources.exports.sheet import csv_rows

            return self._table(csv_rows(text, faults), lines, FileKind.CSV, faults, decoded.encoding)
        else:
            kind = FileKind.MARKDOWN if plain.has_pipe_table(text) else FileKind.TEXT
            blocks = plain.blocks(text)
        origin = self._origin(is_markdown=kind is FileKind.MARKDOWN)
        return Reading(self.catalog, faults, self.watch).read(blocks, lines, origin, kind, decoded.encoding)

    def read_archive(self) -> Imported:
        from ascend_kb.sources.archives import open_archive
        from ascend_kb.sources.articles import word
        from ascend_kb.sources.exports import sheet

        if len(self.data) > MOST_BYTES:
            raise KBError(f"{self.name} is larger than {MOST_BYTES // 2**20} MB", "split the file")
        archive: ZipFile = open_archive(self.data, self.name)
        parts = archive.namelist()
        faults = Faults()
        if sheet.WORKBOOK in parts:
            rows = sheet.xlsx_rows(self.data, self.name)
            return self._table(rows, 10_000, FileKind.XLSX, faults, "UTF-8")
        if word.DOCUMENT in parts:
            lines = archive.getinfo(word.DOCUMENT).file_size // 400
            blocks = word.blocks(archive, self.name)
            origin = self._origin(is_markdown=False)
            return Reading(self.catalog, faults, self.watch).read(blocks, lines, origin, FileKind.DOCX, "UTF-8")
        raise KBError(
            f"{self.name} is a ZIP archive, but no Word document and no workbook",
            "unpack it and import the files inside; save Word as .docx and Excel as .xlsx",
        )

    def _table(self, rows: Iterable[Line], lines: int, kind: FileKind, faults: Faults, encoding: str) -> Imported:
        from ascend_kb.sources.exports.export import read_rows

        return read_rows(rows, lines, kind, self._job(faults, encoding), self.mapping)

    def _job(self, faults: Faults, encoding: str) -> Job:
        from ascend_kb.sources.exports.export import Job

        return Job(self.name, self.date, self._sha256(), encoding, self.catalog, self.repo, faults, self.watch)

    def _origin(self, *, is_markdown: bool) -> Origin:
        return Origin(self.name, self.date, self._sha256(), is_markdown)

    def _sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()
