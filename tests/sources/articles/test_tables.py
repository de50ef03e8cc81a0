"""Which table a header begins, and which cells are issue numbers."""

from __future__ import annotations

import pytest

from ascend_kb.sources.articles.tables import Columns, TableKind, header, issue_number


@pytest.mark.parametrize(
    ("cells", "made"),
    [
        (("编号", "Issue 问题内容", "解答总结"), Columns(TableKind.CARDS, ("number", "title", "answer"))),
        (("解答", "**编号**", "问题"), Columns(TableKind.CARDS, ("answer", "number", "title"))),
        (("No.", "Issue", "Answer", "Owner"), Columns(TableKind.CARDS, ("number", "title", "answer", ""))),
        (("仓库", "定位", "收录条数"), Columns(TableKind.OVERVIEW, ("repo", "purpose", "count"))),
        (("症状", "第一优先动作", "本篇相关案例"), Columns(TableKind.GUIDE, ("symptom", "action", "cards"))),
        (("Symptom", "First action", "Cards"), Columns(TableKind.GUIDE, ("symptom", "action", "cards"))),
        (("a", "b", "c"), None),
        (("编号",), None),
        (("#4", "问题" * 30, "解答"), None),
    ],
)
def test_header(cells: tuple[str, ...], made: Columns | None) -> None:
    assert header(cells) == made


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("#57", 57), ("57", 57), ("＃57", 57), ("**#57**", 57), ("msopcom#57", 57), ("Ascend/msopcom#57", 57),
        ("[#57](https://host.example/a/b/issues/57)", 57), ("`#57`", 57), ("issue 57", 57), ("57.", 57), ("!57", 57),
        ("", 0), ("x57", 0), ("#0", 0), ("-1", 0), ("5a", 0), ("#12345678901", 0), ("#5 #6", 0), ("1.5", 0),
    ],
)  # fmt: skip
def test_issue_number(cell: str, number: int) -> None:
    assert issue_number(cell) == number
