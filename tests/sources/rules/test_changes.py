"""Changes in prose: every way that the series writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.vocabulary import ChangeState, Relation, Role
from ascend_kb.sources.rules.changes import Context, read_changes
from ascend_kb.sources.rules.dates import dates, last_year
from tests.pace import loops

if TYPE_CHECKING:
    from ascend_kb.core.card import Change

CONTEXT = Context("mill/paper", {"press": "paper/press"}.get, 2026)  # type: ignore[arg-type]
SOME = settings(max_examples=300, deadline=None, derandomize=True)


def read(text: str, year: int = 2026) -> tuple[Change, ...]:
    context = Context("mill/paper", lambda name: "paper/press" if name == "press" else "", year)
    return read_changes(text, context)


def short(text: str) -> list[str]:
    return [
        f"{c.repo.partition('/')[2]}!{c.number} {c.state.value} {c.date}{'~' * c.date_derived} {c.branch}".strip()
        for c in read(text)
    ]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("PR!22（2026-01-23合并）", ["paper!22 merged 2026-01-23"]),
        ("PR !3646/!3647《x》于2025-11-30合入", ["paper!3646 merged 2025-11-30", "paper!3647 merged 2025-11-30"]),
        ("PR!189（07-14合并）、PR!191（07-17合并）", ["paper!189 merged 2026-07-14~", "paper!191 merged 2026-07-17~"]),
        ("PR!1/!2/!3（08-27至09-03合并）",
         ["paper!1 merged 2026-08-27~", "paper!2 merged", "paper!3 merged 2026-09-03~"]),
        ("PR !5合入master(2026-06-05)、!6合入26.0.0分支(2026-06-08)",
         ["paper!5 merged 2026-06-05 master", "paper!6 merged 2026-06-08 26.0.0"]),
        ("PR !5（master）与!6（26.1.0）“修”2026-06-25合并",
         ["paper!5 merged 2026-06-25 master", "paper!6 merged 2026-06-25 26.1.0"]),
        ("!85/!86(master与26.1.0)于2026-07-13双分支合入",
         ["paper!85 merged 2026-07-13 master", "paper!86 merged 2026-07-13 26.1.0"]),
        ("官方（2025-12-05）：PR !7“修”当日合并", ["paper!7 merged 2025-12-05"]),
        ("PR!180（2026-07-07合并，!181为26.1.0分支）", ["paper!180 merged 2026-07-07", "paper!181 unknown  26.1.0"]),
        ("首版!5680被关闭后由!5845重提合入", ["paper!5680 closed", "paper!5845 merged"]),
        ("自发PR !17改case63未合入。", ["paper!17 open"]),
        ("上游paper/press PR !1187（2026-02-06合入）", ["press!1187 merged 2026-02-06"]),
        ("见press !12", ["press!12 unknown"]),
        ("https://host.example/paper/press/pulls/12 已合并", ["press!12 merged"]),
        ("https://host.example/paper/press/merge_requests/3", ["press!3 unknown"]),
        ("产物见PR4046构建页", []),
        ("PR 4046于2026-01-02合入", ["paper!4046 merged 2026-01-02"]),
        ("全角！12合入", ["paper!12 merged"]),
        ("a!=1、![图](x)、b!0、x != 5、!12345678901", []),
        ("CANN 9.0.0与2.1.0~2.10.0、36/49用例、26.1.0", []),
    ],
)  # fmt: skip
def test_changes(text: str, made: list[str]) -> None:
    assert short(text) == made


def test_relation_role_and_title() -> None:
    (fix, late) = read("PR !4715于2026-06-26合入，正文显式链接本issue；后续!5286(06-29)补校验。")
    assert (fix.relation, fix.role) == (Relation.EXPLICIT, Role.FIX)
    assert (late.relation, late.role, late.state) == (Relation.INFERRED, Role.FOLLOW_UP, ChangeState.MERGED)
    assert read("官方：PR !9“修复某问题”2025-12-05合并")[0].title == "修复某问题"
    assert read("官方：PR !9合入")[0].relation is Relation.OFFICIAL
    assert read("配套文档PR !8")[0].role is Role.DOCS


def test_a_second_mention_fills_in_what_the_first_lacks() -> None:
    assert short("PR !9改schema。!9于2026-03-04合入。") == ["paper!9 merged 2026-03-04"]


def test_a_date_without_a_year_needs_one_before_it() -> None:
    assert [c.date for c in read("PR!1（07-14合并）", year=0)] == [""]
    assert [c.date for c in read("PR!1（2025-12-30合并）。PR!2（12-31合并）", year=0)] == ["2025-12-30", "2025-12-31"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-01-23", ["2026-01-23"]), ("2026年1月2日", ["2026-01-02"]), ("2026/1/2", ["2026-01-02"]),
        ("2026.01.02", ["2026-01-02"]), ("2026-02-30", []), ("2026-13-01", []), ("12026-01-02", []),
        ("2026-01-02-03", ["2026-01-02"]), ("07-14", ["2026-07-14"]), ("13-14", []), ("1-07-14", []), ("!07-14", []),
    ],
)  # fmt: skip
def test_dates(text: str, days: list[str]) -> None:
    assert [day.day for day in dates(text, 2026)] == days


def test_the_year_of_a_text_is_that_of_its_last_full_date() -> None:
    assert (last_year("2025-01-02，2026-03-04，05-06"), last_year("05-06")) == (2026, 0)


@SOME
@given(st.text(alphabet="PRM!！#/（）()、，。；0123-至合入并未显式推断被关闭首版后续ab. \n", max_size=80))
def test_any_text_gives_well_formed_changes(text: str) -> None:
    for change in read(text):
        assert change.repo.count("/") == 1
        assert 1 <= change.number < 10**10
        assert change.url.startswith("https://")


@pytest.mark.parametrize(
    "piece",
    [
        "!1",
        "PR",
        "R",
        "a/",
        "a-",
        "PR!1、",
        "!1（",
        "（",
        "2026-01-02",
        "01-02至",
        "合入",
        "http://a/b/c/pull/",
        "《",
        "!1/",
    ],
)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(count: int) -> float:
        text = "PR!1" + piece * count
        return loops(lambda: read_changes(text, CONTEXT))

    assert spent(16_000) < 10 * spent(4_000) + 2
