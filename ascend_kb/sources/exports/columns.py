"""Which column of a table of issues is what: guessed by its heading, or named by the user."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint
from ascend_kb.core.keys import REPO_NAME
from ascend_kb.sources.exports.issues import MOST_TEXT, RawIssue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ascend_kb.sources.exports.sheet import Line
    from ascend_kb.sources.faults import Faults

# Every field of a table, with the headings that it is known by, the surest first.
FIELDS: dict[str, tuple[str, ...]] = {
    "number": ("number", "编号", "issue编号", "issue号", "序号", "no.", "no", "iid", "id", "key", "#"),
    "title": ("title", "标题", "issue问题内容", "问题内容", "问题", "issue", "summary", "subject"),
    "body": ("body", "描述", "问题描述", "正文", "内容", "现象", "description", "content"),
    "answer": (
        "answer",
        "解答总结",
        "解答",
        "答案",
        "结论",
        "回复",
        "解决方案",
        "处理结果",
        "solution",
        "resolution",
        "reply",
    ),
    "repo": ("repo", "repository", "仓库", "仓名", "项目", "project"),
    "state": ("state", "status", "状态"),
    "url": ("url", "链接", "地址", "html_url", "link"),
    "labels": ("labels", "label", "标签"),
    "created": ("created", "createdat", "created_at", "创建时间", "提出时间", "日期", "date"),
}
NEEDED = ("title",)
_REF = re.compile(
    rf"(?:(?:(?:(?P<owner>{REPO_NAME})/)?(?P<repo>{REPO_NAME})\s?)?[#!])?(?P<number>[1-9][0-9]{{0,9}})(?:\.0)?",
    re.ASCII,
)
_URL = re.compile(
    rf"https?://[^/\s]{{1,200}}/(?P<owner>{REPO_NAME})/(?P<repo>{REPO_NAME})/(?:-/)?issues/(?P<number>[1-9][0-9]{{0,9}})\b.*",
    re.ASCII,
)
_OPEN = ("open", "opened", "打开", "未解决", "待办", "进行中", "处理中", "开启", "新建", "reopened", "progressing")


def _plain(heading: str) -> str:
    return re.sub(r"[\s_*]+", "", unicodedata.normalize("NFKC", heading)).lower()


def guess(header: Sequence[str]) -> dict[str, int]:
    """Return the column of each field whose heading is known."""
    plain = [_plain(cell) for cell in header]
    found: dict[str, int] = {}
    for field, names in FIELDS.items():
        known = [plain.index(name) for name in map(_plain, names) if name in plain]
        free = [column for column in known if column not in found.values()]
        if free:
            found[field] = free[0]
    return found


def chosen(header: Sequence[str], mapping: Mapping[str, str]) -> dict[str, int]:
    """Return the column of each field that ``mapping`` names by its heading or its number from 1.

    Raises:
        KBError: a field or a heading is unknown.
    """
    plain = [_plain(cell) for cell in header]
    found: dict[str, int] = {}
    for field, heading in mapping.items():
        if field not in FIELDS:
            raise KBError(f"unknown field '{field}' of a table of issues", f"allowed: {', '.join(FIELDS)}")
        if _plain(heading) in plain:
            found[field] = plain.index(_plain(heading))
        elif heading.isascii() and heading.isdigit() and 0 < int(heading[:6]) <= len(header):
            found[field] = int(heading) - 1
        else:
            raise KBError(f"the table has no column '{heading}'", f"its columns: {', '.join(header)[:500]}")
    if not all(field in found for field in NEEDED):
        raise KBError("the column mapping lacks a title", f"name the columns of: {', '.join(NEEDED)}")
    return found


class TableReader:
    """Turns rows into issues; empty cells of the repository take it from the row above, as merged cells mean it."""

    def __init__(self, columns: Mapping[str, int], repo: str, faults: Faults) -> None:
        self._columns = columns
        self._owner, _, self._repo = repo.rpartition("/")
        self._above = ("", "")
        self._faults = faults
        self.filled = 0
        self.filled_line = 0

    def read(self, line: Line) -> RawIssue | None:
        """Return the issue of a row, or None with a fault noted."""
        cell = {f: line.cells[c] if c < len(line.cells) else "" for f, c in self._columns.items()}
        where, title = line.sheet, cell.get("title", "")
        if not title:
            self._faults.add(Complaint.CELL_EMPTY, line.number, f"{where}!title" if where else "title")
            return None
        address = _URL.fullmatch(cell.get("url", "")) or _URL.fullmatch(cell.get("number", ""))
        named = address or _REF.fullmatch(cell.get("number", ""))
        if named is None:
            self._faults.add(Complaint.NO_NUMBER, line.number, where, text=cell.get("number", "")[:40])
            return None
        owner, repo = self._place(cell.get("repo", ""), named["owner"] or "", named["repo"] or "", line.number)
        if not repo:
            self._faults.add(
                Complaint.NO_REPO,
                line.number,
                where,
                hint="add a column of repositories, or name one for the whole file",
            )
            return None
        for field in ("body", "answer"):
            if len(cell.get(field, "")) > MOST_TEXT:
                self._faults.add(Complaint.TOO_LONG, line.number, field, limit=MOST_TEXT)
        return RawIssue(
            line=line.number,
            owner=owner,
            repo=repo,
            number=int(named["number"]),
            title=title[:2000],
            body=cell.get("body", "")[:MOST_TEXT],
            url=address.group() if address else "",
            is_open=_plain(cell.get("state", "")) in _OPEN,
            labels=tuple(filter(None, re.split(r"[,，;；、\s]+", cell.get("labels", "")[:1000]))),
            created=found[0] if (found := re.match(r"\d{4}-\d\d-\d\d", cell.get("created", ""))) else "",
            answer=cell.get("answer", "")[:MOST_TEXT],
        )

    def _place(self, given: str, owner: str, repo: str, line: int) -> tuple[str, str]:
        if repo:
            return owner or self._owner, repo
        if "repo" not in self._columns:
            return self._owner, self._repo
        place, _, name = given.strip().rpartition("/")
        if re.fullmatch(REPO_NAME, name, re.ASCII):
            self._above = (place.rpartition("/")[2], name)
        elif not given and self._above[1]:
            self.filled += 1
            self.filled_line = self.filled_line or line
        else:
            self._above = ("", "")
        return self._above[0] or self._owner, self._above[1] or self._repo
