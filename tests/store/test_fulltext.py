"""Free text: every string is a legal query, and a word finds exactly the cards whose text holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from ascend_kb.app.building import compile_texts
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import Match, SearchQuery, Sort
from ascend_kb.core.text import MAX_WORD, normalise, searchable
from ascend_kb.store.indexing import indexed_text
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import Selection, facet_counts
from tests.conftest import BUNDLE
from tests.pace import loops
from tests.sources.sample import SAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascend_kb.core.query import CardRow

SOME = settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
BLANKS = [" ", "  ", "\t", "\n", "\u3000", " \u3000 ", "\u00a0"]


class Texts(NamedTuple):
    """The knowledge, and what each card's text is as the contract defines it."""

    file: KnowledgeFile
    raw: dict[CardKey, list[str]]
    normal: dict[CardKey, list[str]]

    def holding(self, word: str) -> set[CardKey]:
        """Return the cards that hold a word, found without the index; a key names its card as well."""
        found = {key for key, texts in self.normal.items() if any(searchable(word) in text for text in texts)}
        try:
            named = self.file.catalog.key(word)
        except KBError:
            return found
        return found | ({named} & set(self.normal))

    def rows(self, text: str) -> tuple[CardRow, ...]:
        """Return all rows for a free text."""
        selection = Selection(self.file, SearchQuery(text), Sort(), "zh")
        rows = selection.rows(0, selection.total + 1)
        assert len(rows) == selection.total
        return rows

    def full(self, text: str) -> set[CardKey]:
        """Return the cards that are full matches."""
        return {row.key for row in self.rows(text) if row.match is Match.FULL}


def read(file: KnowledgeFile) -> Texts:
    """Read the texts of all cards."""
    tags = {tag.id: tag for tag in file.catalog.tags}
    raw = {card.key: list(indexed_text(card, tags).values()) for card in file.cards()}
    return Texts(file, raw, {key: [searchable(text) for text in texts] for key, texts in raw.items()})


@pytest.fixture(scope="module")
def texts() -> Iterator[Texts]:
    file = KnowledgeFile(BUNDLE)
    yield read(file)
    file.close()


def is_plain_word(text: str) -> bool:
    """Whether a query is one word: no white space in it, nor in what it is normalised to."""
    return bool(text) and len(normalise(text).split()) == 1 and not any(c.isspace() for c in text + normalise(text))


def draw_piece(data: st.DataObject, texts: Texts, key: CardKey | None = None) -> str:
    """Draw 1 to 8 characters without white space that stand somewhere in a card."""
    if key is None:
        key = data.draw(st.sampled_from(sorted(texts.raw)))
    text = data.draw(st.sampled_from([text for text in texts.raw[key] if text.strip()]))
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : start + data.draw(st.integers(1, 8))].split()
    assume(piece and is_plain_word(piece[0]))
    return piece[0]


# --- a word finds what holds it --------------------------------------------------------------------------------------


@settings(SOME, max_examples=250)
@given(st.data())
def test_a_piece_of_a_card_finds_exactly_the_cards_that_hold_it(texts: Texts, data: st.DataObject) -> None:
    word = draw_piece(data, texts)
    assert texts.full(word) == texts.holding(word) != set()


@SOME
@given(st.text(min_size=1, max_size=6).filter(is_plain_word))
@example("桩")
@example("ﬁ")
@example("ß")
@example("İ")
def test_any_word_finds_exactly_the_cards_that_hold_it(texts: Texts, word: str) -> None:
    assert texts.full(word) == texts.holding(word)


# What broke other programs: syntax of the full-text index, wildcards, hyphens, quotes, CJK beside Latin.
SIGNS = """
    park. torch.compile 8.3.RC2 = \\ a/b op-plugin op-plugin#40 #40 msopcom-60 -x a-b - don't ' '' " "a a"b ( )
    ((a NEAR( AND OR NOT * a* *a ^a {a} % _ %% %_ npu_moe_ npu_ 100% % \\% \\_ ? [a-z] : a: title:x ; -- /* ( ．
    ．．． ＡＣＬ 第63行 精度2 （推断关联 PR!22 !5095 超4G 910B图算子 桩 误报 越界 劫持面 鼷 mallochost
    MallocHost aclrtMallocHost uint32_t 誤報 越界訪問 🙂
"""


@pytest.mark.parametrize("word", SIGNS.split())
def test_signs_and_parts_of_words_are_literal(texts: Texts, word: str) -> None:
    assert texts.full(word) == texts.holding(word)


@pytest.mark.parametrize("word", ["桩", "误报", "mallochost", "npu_", "!5095", "1187", "_", "劫持面", "超过4G", "誤報"])
def test_words_that_stand_in_cards_find_some_and_not_all(texts: Texts, word: str) -> None:
    assert 0 < len(texts.full(word)) < 50


@pytest.mark.parametrize("word", ["鼷", "%%", "*a*", "\\%", "msopcom#1", "zq", "🙂"])
def test_words_that_stand_nowhere_find_nothing(texts: Texts, word: str) -> None:
    assert texts.full(word) == set()


def test_one_character_of_a_single_card_finds_it(texts: Texts) -> None:
    seen: dict[str, set[CardKey]] = {}
    for key, fields in texts.normal.items():
        for character in set("".join(fields)):
            seen.setdefault(character, set()).add(key)
    single = sorted(c for c, keys in seen.items() if len(keys) == 1 and "一" <= c <= "鿿")
    assert len(single) > 30
    for character in single[::8]:
        assert texts.full(character) == seen[character]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("误报", "誤報"),
        ("aclrtMallocHost", "ACLRTMALLOCHOST"),
        ("PR!22", "ＰＲ！２２"),
        ("910b上图算子", "910Ｂ上圖算子"),
    ],
)
def test_width_case_script_and_typographic_blanks_make_no_difference(texts: Texts, one: str, other: str) -> None:
    assert texts.full(one) == texts.full(other) != set()


# --- several words ---------------------------------------------------------------------------------------------------


@SOME
@given(st.data())
def test_words_are_anded_in_any_order_with_any_white_space(texts: Texts, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(texts.raw)))
    words = [draw_piece(data, texts, key) for _ in range(data.draw(st.integers(2, 4)))]
    blank = data.draw(st.sampled_from(BLANKS))
    assume(all("#" not in word for word in words))  # a key names a card that need not hold it
    expected = set.intersection(*(texts.holding(word) for word in words))
    assert key in expected
    assert texts.full(blank.join(words)) == expected
    assert texts.full(blank + blank.join(reversed(words)) + blank) == expected


@pytest.mark.parametrize(
    "words", [("算子", "精度"), ("msprobe", "比对"), ("误报", "malloc"), ("dump", "回调", "stream")]
)
@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_chinese_and_latin_words_are_anded_alike(texts: Texts, words: tuple[str, ...], blank: str) -> None:
    expected = set.intersection(*map(texts.holding, words))
    assert texts.full(blank.join(words)) == texts.full(blank.join(reversed(words))) == expected != set()


@SOME
@given(st.data())
def test_partial_rows_follow_the_full_ones_and_lack_a_word(texts: Texts, data: st.DataObject) -> None:
    words = [draw_piece(data, texts) for _ in range(data.draw(st.integers(2, 5)))]
    assume(not any(word[0] in '-("' for word in words))  # operators
    rows = texts.rows(" ".join(words))
    matches = [row.match for row in rows]
    assert matches == sorted(matches, key=lambda match: match is not Match.FULL)
    for full in (True, False):
        scores = [row.score for row in rows if (row.match is Match.FULL) is full]
        assert scores == sorted(scores, reverse=True)
    held = [texts.holding(word) for word in words]
    for row in rows:
        if row.match is not Match.FULL:
            assert any(row.key not in keys for keys in held)


@pytest.mark.parametrize("text", ["", " ", "\u3000\n\t", "\u00a0"])
def test_white_space_alone_is_no_free_text(texts: Texts, text: str) -> None:
    rows = texts.rows(text)
    assert len(rows) == 50
    assert {(row.match, row.score) for row in rows} == {(Match.FULL, 0.0)}


# --- no string is illegal --------------------------------------------------------------------------------------------


@SOME
@given(st.text(max_size=40) | st.text("\"'()*-^{}:+,.%_\\ ANDORNOTEa误\0\ud800\u3000\ufffd▁＃", max_size=25))
@example("\0")
@example("\ud83d")
@example('"' * 7)
@example("▁")
@example('NEAR(a b, 3) AND {title} : "x')
def test_every_string_is_a_query(texts: Texts, text: str) -> None:
    rows = texts.rows(text)
    counts = facet_counts(texts.file, SearchQuery(text))
    assert sum(next(iter(counts.values())).values()) == len(rows)
    assert len({row.key for row in rows}) == len(rows)


@pytest.mark.parametrize(
    "text",
    ["x" * 100_000, "桩" * 100_000, "桩 误" * 33_000, "a-" * 50_000, "(a" * 50_000, '"' * 100_000, "\0" * 100_000,
     " ".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) * 2, "".join(map(chr, range(0x4E00, 0x4E00 + 20_000))) * 5,
     " ".join(f"w{i}" for i in range(15_000)), "误报 " + "e" * 100_000, "-" * 100_000],
    ids=["word", "CJK", "CJK words", "hyphens", "parentheses", "quotes", "NULs", "all words", "all CJK", "new words",
         "a word and a long one", "dashes"],
)  # fmt: skip
def test_a_huge_query_ends_quickly(texts: Texts, text: str) -> None:
    assert loops(lambda: texts.rows(text)) < 300


# --- rank and refusal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key"),
    [("op-plugin#40", "op-plugin#40"), ("opl#40", "op-plugin#40"), ("OPL#40", "op-plugin#40"),
     (" opl#40 ", "op-plugin#40"), ("msc#57", "msopcom#57"), ("akd#4", "ascendc-kernelgen-data#4"),
     ("Msopcom#57", "msopcom#57")],
)  # fmt: skip
def test_a_key_names_its_card_first(texts: Texts, text: str, key: str) -> None:
    first = texts.rows(text)[0]
    assert (str(first.key), first.match) == (key, Match.FULL)


def test_a_title_finds_its_card_first(texts: Texts) -> None:
    for card in texts.file.cards():
        for title in card.title:
            first = texts.rows(title)[0]
            assert (first.key, first.match) == (card.key, Match.FULL)


@pytest.mark.parametrize(
    "text", ["今天天气怎么样", "how to bake a chocolate cake", "鼷鼠 xyzzy", "qwertyuiop", "股票 行情"]
)
def test_a_question_that_no_card_answers_is_refused(texts: Texts, text: str) -> None:
    selection = Selection(texts.file, SearchQuery(text), Sort(), "zh")
    assert selection.refused
    assert selection.full == 0
    assert all(row.related and row.match is not Match.FULL for row in texts.rows(text))


@pytest.mark.parametrize(
    "text", ["", "误报", "opl#40", "申请超过4G内存 误报越界 怎么办", "why does msprobe compare fail unique"]
)
def test_a_question_that_cards_answer_is_not_refused(texts: Texts, text: str) -> None:
    selection = Selection(texts.file, SearchQuery(text), Sort(), "zh")
    assert not selection.refused
    assert selection.total > 0
    assert not any(row.related for row in texts.rows(text))


# --- long words and long questions -----------------------------------------------------------------------------------

LONG_WORD = "".join(f"q{i:03d}" for i in range(130))  # 520 characters: cut twice in the index
LONG_RUN = "".join(chr(0x5000 + i) for i in range(400))
WORDS = " ".join(f"w{i}z" for i in range(90))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Texts]:
    """A knowledge of two cards, one of which holds overlong words."""
    path: Path = tmp_path_factory.mktemp("own") / "own.sqlite"
    added = f"`_Z{LONG_WORD}-{LONG_WORD}.x` {LONG_RUN} {WORDS}"
    card = SAMPLE["cards/mstt/5.md"].replace("维护者答复。", f"维护者答复。{added}")
    compile_texts(SAMPLE | {"cards/mstt/5.md": card}, path)
    file = KnowledgeFile(path)
    yield read(file)
    file.close()


@SOME
@given(st.integers(0, 1049), st.integers(1, 700))
@example(0, 1047)
@example(MAX_WORD - 3, 6)
def test_any_part_of_an_overlong_word_finds_it(own: Texts, start: int, length: int) -> None:
    part = f"_Z{LONG_WORD}-{LONG_WORD}.x`"[start : start + length]
    assume(part)
    assert CardKey("mstt", 5) in own.holding(part)
    assert own.full(part) == own.holding(part)
    assert own.full(part + "鼷") == set()


@SOME
@given(st.integers(0, 399), st.integers(1, 400))
def test_any_part_of_a_long_run_of_chinese_finds_it(own: Texts, start: int, length: int) -> None:
    part = LONG_RUN[start : start + length]
    assert own.full(part) == own.holding(part) != set()
    assert own.full(part[::-1]) == own.holding(part[::-1])


@pytest.mark.parametrize("count", [39, 40, 41, 90])
def test_many_words_are_all_needed(own: Texts, count: int) -> None:
    words = WORDS.split()[:count]
    assert own.full(" ".join(words)) == {CardKey("mstt", 5)}
    assert own.full(" ".join([*words, "鼷"])) == set()
    assert own.full(" ".join(["鼷", *words])) == set()
