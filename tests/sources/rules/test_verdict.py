"""Outcome, evidence and grounds by the words of an answer."""

from __future__ import annotations

import pytest

from ascend_kb.core.card import Change
from ascend_kb.core.vocabulary import ChangeState, Evidence, GroundKind, Outcome, Relation, Role
from ascend_kb.sources.rules.verdict import evidence, grounds, is_docs, outcome
from tests.pace import loops


def change(role: Role = Role.FIX, state: ChangeState = ChangeState.MERGED) -> Change:
    return Change("mill/paper", 1, state, Relation.INFERRED, role)


@pytest.mark.parametrize(
    ("title", "answer", "changes", "made"),
    [
        ("误报", "修复为甲。", (change(),), Outcome.FIXED),
        ("文档有歧义", "已修订。", (change(Role.DOCS),), Outcome.DOCS_CORRECTED),
        ("触发doc加载失败", "不再触发。", (change(),), Outcome.FIXED),
        ("报错", "上游新增支持。", (change(Role.UPSTREAM),), Outcome.FIXED_UPSTREAM),
        ("报错", "该问题已在CANN 9.0修复。", (), Outcome.FIXED_UPSTREAM),
        ("无法采集", "暂不支持，该功能仍在开发中。", (), Outcome.PLANNED),
        ("误报", "官方确认为工具缺陷，将做对应bugfix。", (), Outcome.KNOWN_DEFECT),
        ("转换中止", "应向ATC侧反馈。", (), Outcome.OUT_OF_SCOPE),
        ("不随版本切换", "为设计预期。", (), Outcome.BY_DESIGN),
        ("版本未支持", "暂不支持开发版。", (), Outcome.UNSUPPORTED),
        ("没有权限", "chmod +x即可。", (), Outcome.WORKAROUND),
        ("问", "答。", (), Outcome.ANSWERED),
        ("问", "答。", (change(state=ChangeState.UNKNOWN),), Outcome.ANSWERED),
        ("问", "放宽容差。", (change(Role.FOLLOW_UP),), Outcome.WORKAROUND),
    ],
)
def test_outcome(title: str, answer: str, changes: tuple[Change, ...], made: Outcome) -> None:
    assert outcome(title, answer, changes) is made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("官方回复。（推断关联）", Evidence.INFERRED),
        ("正文显式关联本issue", Evidence.EXPLICIT),
        ("PR正文链接本issue", Evidence.EXPLICIT),
        ("未显式引用编号", Evidence.INFERRED),
        ("仓库无显式修复PR", Evidence.OFFICIAL),
        ("维护者回复", Evidence.OFFICIAL),
        ("推断，修复落地未核实", Evidence.UNVERIFIED),
        ("答", Evidence.OFFICIAL),
    ],
)
def test_evidence(text: str, made: Evidence) -> None:
    assert evidence(text, Evidence.OFFICIAL) is made


@pytest.mark.parametrize(
    ("answer", "value", "kind", "text"),
    [
        ("甲。（推断关联：标题逐字对应）", Evidence.INFERRED, GroundKind.TITLE_MATCH, "推断关联：标题逐字对应"),
        ("甲。（推断关联：作者与根因对应）", Evidence.INFERRED, GroundKind.SAME_AUTHOR, "推断关联：作者与根因对应"),
        ("甲（正文显式关联）。", Evidence.EXPLICIT, GroundKind.EXPLICIT_REFERENCE, "正文显式关联"),
        ("官方答复：是。", Evidence.OFFICIAL, GroundKind.MAINTAINER_STATEMENT, "官方答复：是"),
        ("答。", Evidence.INFERRED, GroundKind.SOURCE_NOTE, "总说明"),
    ],
)  # fmt: skip
def test_grounds(answer: str, value: Evidence, kind: GroundKind, text: str) -> None:
    (ground,) = grounds(answer, value, "总说明", zh=True)
    assert (ground.kind, ground.evidence, ground.text.zh) == (kind, value, text)


def test_an_inferred_card_always_has_a_ground() -> None:
    assert grounds("答。", Evidence.UNVERIFIED, "", zh=False)[0].text.en == "答。"
    assert grounds("答。", Evidence.OFFICIAL, "", zh=True) == ()


def test_documents_are_told_by_the_title() -> None:
    assert is_docs("README应改为链接")
    assert not is_docs("误报越界")


@pytest.mark.parametrize("piece", ["推断", "（推断", "上游", "应属", "并无", "已在a", "(", "资料", "已在 1."])
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(count: int) -> float:
        text = piece * count
        return loops(lambda: (outcome("", text, ()), grounds(text, evidence(text, Evidence.OFFICIAL), "", zh=True)))

    assert spent(16_000) < 10 * spent(4_000) + 2
