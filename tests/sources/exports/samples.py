"""Made-up issues as several hosts export them, and tables as CSV and XLSX."""

from __future__ import annotations

import io
import json
from typing import Any

import openpyxl

GH: list[dict[str, Any]] = [  # gh issue list --json number,title,body,state,labels,author,comments,url,createdAt
    {
        "number": 12,
        "title": "Folds slip on CANN 9.0.0",
        "body": "Calling `aclrtFold` fails with ret 107001.\r\n\r\n@keeper-one please look.",
        "state": "CLOSED",
        "stateReason": "COMPLETED",
        "createdAt": "2026-01-02T03:04:05Z",
        "labels": [{"name": "bug"}, {"name": "fold"}],
        "author": {"login": "asker-one"},
        "url": "https://host.example/mill/paperlib/issues/12",
        "comments": [
            {
                "author": {"login": "passer-by"},
                "authorAssociation": "NONE",
                "body": "Same here.",
                "createdAt": "2026-01-03",
            },
            {
                "author": {"login": "keeper-one"},
                "authorAssociation": "MEMBER",
                "body": "The root cause is a shared ruler. Fixed by !34 (merged 2026-01-05). Thanks @asker-one.",
                "createdAt": "2026-01-05T00:00:00Z",
            },
            {"author": {"login": "asker-one"}, "body": "Works.", "createdAt": "2026-01-06"},
        ],
        "closedByPullRequestsReferences": [{"number": 35, "url": "https://host.example/mill/paperlib/pull/35"}],
    },
    {
        "number": 13,
        "title": "纸张误报越界",
        "body": "一跑就报。",
        "state": "OPEN",
        "labels": [{"name": "bug"}],
        "author": {"login": "asker-two"},
        "url": "https://host.example/mill/paperlib/issues/13",
        "comments": [],
    },
]

REST: list[dict[str, Any]] = [  # GET /repos/OWNER/NAME/issues of three hosts
    {
        "number": 7,
        "title": "GitHub",
        "body": None,
        "state": "closed",
        "user": {"login": "asker"},
        "labels": [{"name": "x"}],
        "comments": 3,
        "html_url": "https://host.example/mill/paperlib/issues/7",
        "repository_url": "https://api.host.example/repos/mill/paperlib",
    },
    {
        "number": 8,
        "title": "a pull request",
        "html_url": "https://host.example/mill/paperlib/pull/8",
        "pull_request": {"url": "https://api.host.example/repos/mill/paperlib/pulls/8"},
    },
    {
        "number": "9",
        "title": "GitCode",
        "body": "text",
        "state": "open",
        "user": {"login": "asker", "name": "x"},
        "labels": [],
        "html_url": "https://gitcode.example/mill/glue-kit/issues/9",
        "comments": [{"body": "hm", "user": {"login": "someone"}, "created_at": "2026-02-03T00:00:00+08:00"}],
    },
    {
        "number": "I5XYZ1",
        "id": 9876543,
        "title": "Gitee",
        "body": "text",
        "state": "progressing",
        "user": {"login": "asker"},
        "html_url": "https://gitee.example/mill/glue-kit/issues/I5XYZ1",
        "repository": {"full_name": "mill/glue-kit"},
    },
]

CSV = '''\
编号,仓库,标题,描述,解答,状态,标签
#4,mill/paperlib,"折痕错位, 耗时翻倍",同开时出现,根因是共用一把尺。PR!22（2026-01-23合并）：各用各的。,关闭,"bug,fold"
5,,"两行
标题",,官方答复：可手动改。,打开,
6,glue-kit,"说 ""引号""",,,打开,
'''


def as_json(value: object) -> bytes:
    """Return a value as a host would send it."""
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def workbook(**sheets: list[list[object]]) -> bytes:
    """Return a workbook with the rows of each sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
