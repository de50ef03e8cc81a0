"""Plain text as Markdown shows the same, and an answer is cut without losing a sentence."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.links import LinkMap
from ascend_kb.core.markdown import render
from ascend_kb.core.vocabulary import SectionId
from ascend_kb.sources.rules.prose import language, markdown, sections, summary

NO_LINKS = LinkMap({}, {}, lambda _key: False)
SOME = settings(max_examples=150, deadline=None, derandomize=True)


def shown(text: str) -> str:
    """Return what a reader sees of Markdown, without blanks."""
    return re.sub(r"\s", "", html.unescape(re.sub(r"<[^>]*>", "", render(text, NO_LINKS, "zh"))))


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("缺__vector__修饰", "缺`__vector__`修饰"),
        ("n_fft>=2048时", "`n_fft>=2048`时"),
        ("npu_* 新能力", "`npu_*` 新能力"),
        ("限死{0,1,2}，", "限死`{0,1,2}`，"),
        ("已经是`a_b`了", "已经是`a_b`了"),
        ("- 不是列表", "\\- 不是列表"),
        ("--flag 在行首", "--flag 在行首"),
        ("1. 不是编号", "1\\. 不是编号"),
        ("# 不是标题", "\\# 不是标题"),
        ("普通文字 a-b 3.1", "普通文字 a-b 3.1"),
        ("路径C:\\a\\b结束", "路径`C:\\a\\b`结束"),
        ('("a_b", c)', '("`a_b`", c)'),
    ],
)
def test_words_with_marks_become_code(text: str, made: str) -> None:
    assert markdown(text) == made
    assert shown(made) == re.sub(r"[\s`]", "", text)


@SOME
@given(st.text(alphabet="ab*_#->[]()!\\{}|.1 \n中。", max_size=40))
def test_markdown_shows_what_the_text_says(text: str) -> None:
    assert shown(markdown(text)) == re.sub(r"\s", "", text)


@SOME
@given(st.text(alphabet="根因修复推断关联建议ab。！\n ", max_size=60))
def test_no_sentence_of_an_answer_is_lost(text: str) -> None:
    made = sections("标题", text, is_markdown=False)
    whole = re.sub(r"\s", "", "".join(made.values()))
    for sentence in re.split(r"[。\n]", text):
        assert re.sub(r"\s", "", sentence) in whole


def test_sentences_go_to_their_sections() -> None:
    made = sections("问题", "根因是甲。修复为乙。建议升级到丙。（推断关联：标题对应）", is_markdown=False)
    assert made == {
        SectionId.SYMPTOM: "问题",
        SectionId.CAUSE: "根因是甲。",
        SectionId.FIX: "修复为乙。",
        SectionId.RECIPE: "1. 建议升级到丙。",
        SectionId.EVIDENCE: "（推断关联：标题对应）",
    }


def test_without_advice_the_answer_is_the_recipe() -> None:
    made = sections("问题", "根因是甲。修复为乙。（推断关联）", is_markdown=False)
    assert made[SectionId.RECIPE] == "1. 根因是甲。\n2. 修复为乙。"


def test_markdown_with_lines_stays_whole() -> None:
    answer = "说明\n\n```bash\nls\n```"
    assert sections("问题", answer, is_markdown=True)[SectionId.RECIPE] == answer


def test_the_summary_names_the_cause() -> None:
    assert summary("问题", "已修复。根因是甲。") == "根因是甲。"
    assert summary("问题", "已修复。") == "已修复。"
    assert summary("问题", "") == "问题"
    assert len(summary("问题", "长" * 5000)) == 300


@pytest.mark.parametrize(
    ("text", "tongue"), [("算子报错", "zh"), ("operator fails", "en"), ("", "zh"), ("aclrtMalloc 报错", "zh")]
)
def test_language(text: str, tongue: str) -> None:
    assert language(text) == tongue
