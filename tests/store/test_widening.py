"""Matches in part: other spellings, sounds and terms of a question, and questions that nothing answers.

All of it is asked through the list, as the program does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.query import Match, SearchQuery, Sort
from ascend_kb.core.text import searchable
from ascend_kb.sources.load import load
from ascend_kb.store.indexing import indexed_text
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import MOST_PARTIAL, Selection
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.query import CardRow

SOME = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


class Found(NamedTuple):
    """What a query finds, best first, and whether none of it is an answer."""

    rows: tuple[CardRow, ...]
    refused: bool

    @property
    def keys(self) -> list[str]:
        return [str(row.key) for row in self.rows]

    @property
    def kinds(self) -> set[Match]:
        return {row.match for row in self.rows}


class Texts(NamedTuple):
    """The knowledge, and the text of each card."""

    file: KnowledgeFile
    texts: dict[CardKey, str]

    def find(self, text: str) -> Found:
        selection = Selection(self.file, SearchQuery(text), Sort(), "zh")
        return Found(selection.rows(0, 100), selection.refused)

    def holding(self, text: str) -> set[CardKey]:
        return {key for key, whole in self.texts.items() if searchable(text) in whole}


@pytest.fixture(scope="module")
def kb() -> Iterator[Texts]:
    file = KnowledgeFile(BUNDLE)
    tags = {tag.id: tag for tag in file.catalog.tags}
    yield Texts(file, {card.key: searchable("\n".join(indexed_text(card, tags).values())) for card in file.cards()})
    file.close()


# --- how a word may be written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant", "key"),
    [
        ("mallochst", "mallochost", "msopcom#20"),
        ("aclrtMalocHost", "aclrtmallochost", "msopcom#20"),
        ("aclrtMallocHosst", "aclrtmallochost", "msopcom#20"),
    ],
)
def test_a_misspelt_word_finds_the_cards_that_hold_the_right_one(kb: Texts, typed: str, meant: str, key: str) -> None:
    found = kb.find(typed)
    assert kb.holding(typed) == set()
    assert key in found.keys[:3]
    assert found.kinds == {Match.FUZZY}
    assert kb.holding(meant) >= {found.rows[0].key}


@pytest.mark.parametrize("typed", ["profilng", "sanitzer", "permision", "timline"])
def test_a_misspelt_word_is_never_a_full_match(kb: Texts, typed: str) -> None:
    found = kb.find(typed)
    assert found.rows
    assert Match.FULL not in found.kinds


@pytest.mark.parametrize(("typed", "meant"), [("吴报", "误报"), ("劫池面", "劫持"), ("精度笔对", "比对")])
def test_chinese_that_sounds_the_same_is_found(kb: Texts, typed: str, meant: str) -> None:
    found = kb.find(typed)
    assert Match.FULL not in found.kinds
    assert found.rows[0].key in kb.holding(meant)


@pytest.mark.parametrize(
    ("typed", "other"),
    [("SparseBlockSize", "sparse_block_size"), ("sparseBlockSize", "sparse_block_size"), ("opplugin", "op_plugin")],
)
def test_another_spelling_of_an_identifier_is_found(kb: Texts, typed: str, other: str) -> None:
    found = kb.find(typed)
    assert found.rows[0].key in kb.holding(other)
    assert not found.refused
    assert found.kinds == {Match.PARTIAL}


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("torchcompile", ("torch", "compile")),
        ("graphmode", ("graph", "mode")),
        ("memorycheck", ("memory", "check")),
        ("TimelineSampling", ("timeline", "sampling")),
        ("MallocHostWrapper", ("malloc", "host")),
    ],
)
def test_the_words_in_an_unknown_one_are_found(kb: Texts, typed: str, parts: tuple[str, ...]) -> None:
    found = kb.find(typed)
    assert kb.holding(typed) == set()
    assert found.rows
    assert all(found.rows[0].key in kb.holding(part) for part in parts)
    assert Match.FULL not in found.kinds


# --- how it sounds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wubao", "误报"),
        ("jiechi", "劫持"),
        ("chongtu", "冲突"),
        ("tumoshi", "图模式"),
        ("quanxian", "权限"),
        ("neicun", "内存"),
        ("jingdu", "精度"),
    ],
)
def test_pinyin_finds_what_sounds_so(kb: Texts, typed: str, meant: str) -> None:
    found = kb.find(typed)
    assert found.rows
    assert not found.refused
    assert Match.FULL not in found.kinds
    assert {row.key for row in found.rows[:3]} <= kb.holding(meant)


@pytest.mark.parametrize(("typed", "meant"), [("ncyj", "内存越界"), ("wbyj", "误报越界"), ("tms", "图模式")])
def test_initials_find_what_begins_so(kb: Texts, typed: str, meant: str) -> None:
    found = kb.find(typed)
    assert not found.refused
    assert Match.FULL not in found.kinds
    assert {row.key for row in found.rows[:2]} & kb.holding(meant)


def test_pinyin_of_several_words_finds_a_card_with_all_of_them(kb: Texts) -> None:
    assert kb.find("tongxin juzhen").keys[0] == "mstt#135"
    assert kb.find("wubao yuejie").keys[0] in ("msopcom#57", "msopcom#58")


# --- other terms for the same ----------------------------------------------------------------------------------------


def test_a_term_of_the_glossary_finds_what_is_said_otherwise(kb: Texts, source_texts: dict[str, str]) -> None:
    glossary = load(source_texts).glossary
    tried = found_other = 0
    for group in glossary:
        held = {term: kb.holding(term) for term in group if len(term) > 3 or not term.isascii()}
        cards = set().union(*held.values()) if held else set()
        for term in group:
            if kb.holding(term) or not cards or len(term.split()) > 1:
                continue
            found = kb.find(term)
            assert Match.FULL not in found.kinds, term
            tried += 1
            found_other += bool(found.rows) and found.rows[0].key in cards
    assert tried >= 20
    assert found_other >= 0.9 * tried


@pytest.mark.parametrize(
    ("text", "key"),
    [("false alarm 4G", "msopcom#57"), ("duplicate key 比对", "mstt#132"), ("EACCES 脚本 运行", "mstt#141")],
)
def test_a_question_in_other_terms_finds_its_card(kb: Texts, text: str, key: str) -> None:
    assert key in kb.find(text).keys[:3]


# --- what nothing answers --------------------------------------------------------------------------------------------

NEGATIVES = """
    今天中午吃什么
    怎么退订会员
    how do I cook rice
    best holiday in spain
    红楼梦 作者
    kubernetes pod evicted
    mysql 主从复制延迟
    React useEffect 无限循环
    浏览器 打不开 网页
    qwertz asdfgh yxcvbn
    xyzzy
    鼷鼠
    ？！
"""


@pytest.mark.parametrize("text", [line.strip() for line in NEGATIVES.strip().split("\n")])
def test_a_question_about_something_else_is_refused(kb: Texts, text: str) -> None:
    found = kb.find(text)
    assert found.refused
    assert Match.FULL not in found.kinds
    assert all(row.related for row in found.rows)


# --- what holds for every question -----------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["误报", "内存", "wubao", "mallochst", "graphmode", "crash", "精度笔对", "SparseBlockSize", "4G", "tumoshi",
     "怎么办", "why", "鼷", "npu_", "死锁", "hang", "timeout", "x"]
)  # fmt: skip


@SOME
@given(st.lists(WORDS, min_size=1, max_size=5).map(" ".join))
def test_matches_in_part_follow_by_score_and_none_stands_twice(kb: Texts, text: str) -> None:
    found = kb.find(text)
    kinds = [row.match is Match.FULL for row in found.rows]
    assert kinds == sorted(kinds, reverse=True)
    partial = [row for row in found.rows if row.match is not Match.FULL]
    assert len(partial) <= MOST_PARTIAL
    assert [row.score for row in partial] == sorted((row.score for row in partial), reverse=True)
    assert len(set(found.keys)) == len(found.keys)
    assert found.refused is bool(found.rows and found.rows[0].related) or not found.rows


@SOME
@given(st.lists(WORDS, min_size=2, max_size=5))
def test_width_case_and_script_make_no_difference(kb: Texts, words: list[str]) -> None:
    text = " ".join(words)
    wide = text.translate({i: i + 0xFEE0 for i in range(0x30, 0x3A)} | {ord("误"): "誤", ord("报"): "報"})
    assert kb.find(wide).keys == kb.find(text).keys
