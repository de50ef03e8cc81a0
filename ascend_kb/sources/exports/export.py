"""Exports of issue trackers into what is imported: issues collected, double ones noted, repositories counted."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.card import Repo
from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint, FileKind, Imported
from ascend_kb.core.language import Bilingual
from ascend_kb.sources.exports import columns
from ascend_kb.sources.exports.drafts import IssueDrafts, Source, owner_path
from ascend_kb.sources.exports.issues import RawIssue, Reader
from ascend_kb.sources.exports.values import objects
from ascend_kb.sources.owners import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.imported import Watch
    from ascend_kb.sources.exports.sheet import Line
    from ascend_kb.sources.faults import Faults

MOST_ISSUES = 300_000
_HEADER_ROWS = 10  # a title may stand above the header


class Job(NamedTuple):
    """What an export is read with: the file, the catalog of the open knowledge, the repository for the whole file."""

    file: str
    date: str
    sha256: str
    encoding: str
    catalog: Catalog
    repo: str
    faults: Faults
    watch: Watch


def read_json(text: str, job: Job) -> Imported:
    """Read JSON of issues.

    Raises:
        KBError: there is no issue in it.
    """
    reader = Reader(job.repo, job.faults)
    lines = text.count("\n") + 1
    found = (issue for value in objects(text, job.faults) if (issue := reader.read(value)) is not None)
    made = _collected(found, job, lines)
    if reader.pull_requests:
        job.faults.add(Complaint.PULL_REQUESTS, 1, count=reader.pull_requests)
    return _imported(made, FileKind.JSON, job)


def read_rows(
    rows: Iterable[Line], lines: int, kind: FileKind, job: Job, mapping: Mapping[str, str] | None
) -> Imported:
    """Read a table of issues; ``mapping`` names the column of each field, and is guessed where it is None.

    Raises:
        KBError: no column is known to hold the titles, or there is no issue.
    """
    return _imported(_collected(_issues(rows, job, mapping), job, lines), kind, job)


def _issues(rows: Iterable[Line], job: Job, mapping: Mapping[str, str] | None) -> Iterator[RawIssue]:
    readers: dict[str, columns.TableReader] = {}
    tried: dict[str, list[Line]] = {}
    for row in rows:
        reader = readers.get(row.sheet)
        if reader is not None:
            if (issue := reader.read(row)) is not None:
                yield issue
            continue
        above = tried.setdefault(row.sheet, [])
        above.append(row)
        if len(above) <= _HEADER_ROWS:
            found = columns.chosen(row.cells, mapping) if mapping else columns.guess(row.cells)
            if "title" in found and ("number" in found or "url" in found or mapping):
                readers[row.sheet] = columns.TableReader(found, job.repo, job.faults)
    if not readers:
        first = next((above[0] for above in tried.values() if above), None)
        shown = ", ".join(first.cells)[:300] if first else ""
        raise KBError(
            f"{job.file} has no columns that are known as number and title: {shown}",
            "say which columns hold " + ", ".join(columns.FIELDS),
        )
    for reader in readers.values():
        if reader.filled:
            job.faults.add(Complaint.REPO_FILLED, reader.filled_line, count=reader.filled)


def _collected(found: Iterable[RawIssue], job: Job, lines: int) -> list[RawIssue]:
    """Return the issues, each once; the first one holds."""
    made: list[RawIssue] = []
    seen: dict[tuple[str, int], tuple[int, bytes]] = {}
    for issue in found:
        if len(made) % 100 == 0:
            job.watch.step(issue.line / max(lines, 1))
        key = (issue.repo.lower(), issue.number)
        text = hashlib.sha256(repr(issue[4:]).encode("utf-8", "replace")).digest()
        if key in seen:
            first, known = seen[key]
            complaint = Complaint.SAME_TWICE if text == known else Complaint.OTHER_TEXT
            job.faults.add(complaint, issue.line, key=f"{issue.repo}#{issue.number}", first=first)
        elif len(made) >= MOST_ISSUES:
            job.faults.add(Complaint.TOO_MANY, issue.line, limit=MOST_ISSUES)
            break
        else:
            seen[key] = (issue.line, text)
            made.append(issue)
    return made


def _imported(issues: list[RawIssue], kind: FileKind, job: Job) -> Imported:
    if not issues:
        reasons = "".join(f"\nline {p.line}: {p.message}" for p in job.faults.all()[:20])
        raise KBError(f"{job.file} has no issue{reasons}", "export issues as JSON, CSV or XLSX, see docs/import.md")
    owners = owners_of(job.catalog)
    counts: dict[str, int] = {}
    for issue in issues:
        path = owner_path(issue, owners)
        counts[path] = counts.get(path, 0) + 1
    curated = {f"{repo.owner}/{repo.name}".lower(): repo for repo in job.catalog.repos}
    repos = []
    for path, count in counts.items():
        owner, _, name = path.partition("/")
        repo = curated.get(path.lower()) or Repo(name, owner, "", Bilingual(name, name), Bilingual(path, path), 0)
        repos.append(repo._replace(cards=count))
    source = Source(job.file, job.date, job.sha256, owners, job.catalog.tags)
    drafts = IssueDrafts(issues, source)
    return Imported(job.file, kind, job.encoding, job.sha256, job.file, tuple(repos), drafts, problems=job.faults.all())
