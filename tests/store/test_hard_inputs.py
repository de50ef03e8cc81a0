"""Queries that broke other programs: whatever is typed is a query, one plain word finds what Python's ``in`` finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ascend_kb.core.query import Facet, Match, SearchQuery, Sort, SortColumn
from ascend_kb.core.text import normalise, searchable
from ascend_kb.store.indexing import indexed_text
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.listing import MOST_PARTIAL, Selection, facet_counts
from tests.conftest import BUNDLE
from tests.pace import loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.keys import CardKey

SOME = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
HARD = {
    "right to left": "مرحبا",
    "right to left and Latin": "אבגabc",
    "bidi controls": "\u202eaclrt\u202c\u2066x\u2069",
    "combining marks": "e\u0301\u0302\u0303\u0304",
    "a mark alone": "\u0301",
    "a mark on Chinese": "误\u0301报",
    "marks without end": "a" + "\u0363" * 500,
    "joined emoji": "👩‍👩‍👧‍👦",
    "a flag": "🇨🇳",
    "a skin tone": "👍🏽",
    "a variation selector": "⚠\ufe0f",
    "an ideographic variation": "误\U000e0100",
    "zero width": "误\u200b报",
    "a byte order mark": "\ufeff误报",
    "a soft hyphen": "mal\u00adloc",
    "no-break hyphen": "op\u2011plugin",
    "private use": "\ue000\uf8ff",
    "the sign of a syllable": "\uf000wu",
    "the sign of initials": "\uf001w",
    "beyond the first plane": "𠀀𪚥",
    "mathematical letters": "𝐦𝐚𝐥𝐥𝐨𝐜",
    "circled": "①②",
    "ligature": "ﬁ",
    "full width": "ＡＣＬ",
    "half-width kana": "ﾃﾞｰﾀ",
    "jamo": "\u1112\u1161\u11ab",
    "Turkish": "İI\u0131i",
    "sharp s": "ẞß",
    "one surrogate": "\ud83d",
    "surrogates the wrong way": "\ude00\ud83d",
    "NUL": "误\0报",
    "controls": "\x01\x02\x7f\x80\x9f",
    "an escape sequence": "\x1b[31m误报\x1b[0m",
    "the replacement character": "\ufffd",
    "a non-character": "\ufffe\uffff",
    "the last character": "\U0010ffff",
    "the sign of a blank": "▁",
    "a form feed": "a\fb",
}


class Texts:
    """The knowledge and the normalised fields of each card."""

    def __init__(self) -> None:
        self.file = KnowledgeFile(BUNDLE)
        tags = {tag.id: tag for tag in self.file.catalog.tags}
        self.fields = {c.key: [searchable(t) for t in indexed_text(c, tags).values()] for c in self.file.cards()}

    def select(self, text: str, column: SortColumn = SortColumn.RANK) -> Selection:
        return Selection(self.file, SearchQuery(text), Sort(column), "zh")

    def full(self, text: str) -> set[CardKey]:
        return {row.key for row in self.select(text).rows(0, 1000) if row.match is Match.FULL}

    def holding(self, word: str) -> set[CardKey]:
        """Return the cards with a field that holds a word, counted by Python."""
        return {key for key, fields in self.fields.items() if any(searchable(word) in field for field in fields)}


@pytest.fixture(scope="module")
def texts() -> Iterator[Texts]:
    made = Texts()
    yield made
    made.file.close()


def is_plain(text: str) -> bool:
    """Whether a text is one word of a query, before and after it is normalised."""
    both = text + normalise(text)
    return bool(text) and not any(c.isspace() for c in both) and not set('()":-#!/') & set(both)


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_one_word_of_any_script_finds_what_python_finds(texts: Texts, text: str) -> None:
    if is_plain(text):
        assert texts.full(text) == texts.holding(text)
    for query in (
        text,
        f"误报 {text}",
        f"{text} 误报",
        f'"{text}"',
        f"误报 -{text}",
        f"({text} OR 误报)",
        f"repo:{text}",
    ):
        assert_sound(texts, query)


def assert_sound(texts: Texts, query: str) -> None:
    """Fail unless the rows of a query are as many as it says, each once, in every order and from any row on."""
    selection = texts.select(query)
    keys = [row.key for row in selection.rows(0, 1000)]
    assert len(keys) == len(set(keys)) == selection.total
    assert selection.rows(selection.total, 10) == ()
    assert [row.key for row in selection.rows(3, 4)] == keys[3:7]
    assert 0 <= selection.full <= selection.total
    assert {row.key for row in texts.select(query, SortColumn.TITLE).rows(0, 1000)} == set(keys)
    assert sum(facet_counts(texts.file, SearchQuery(query))[Facet.OUTCOME].values()) == selection.total
    if selection.refused:
        assert selection.full == 0


@SOME
@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=5).filter(is_plain))
@example("\ufdfa")
@example("㍿")
@example("\u0345")
@example("ͅα")
def test_any_plain_word_finds_what_python_finds(texts: Texts, text: str) -> None:
    assert texts.full(text) == texts.holding(text)


@SOME
@given(st.data())
def test_any_piece_of_a_card_is_found_in_exactly_the_cards_that_hold_it(texts: Texts, data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(texts.fields)))
    field = data.draw(st.sampled_from([field for field in texts.fields[key] if field.strip()]))
    start = data.draw(st.integers(0, len(field) - 1))
    piece = field[start : start + data.draw(st.integers(1, 40))]
    words = [word for word in piece.split() if is_plain(word)]
    if words:
        found = texts.full(words[0])
        assert key in found
        assert found == texts.holding(words[0])


@SOME
@given(st.lists(st.sampled_from(sorted(HARD.values())), max_size=4), st.sampled_from([" ", "", "\0", "\u3000", "\n"]))
def test_hard_words_together_are_a_query(texts: Texts, words: list[str], blank: str) -> None:
    assert_sound(texts, blank.join(words))


LONG = {
    "right to left": "مرحبا ",
    "marks": "\u0301",
    "marks on letters": "e\u0301",
    "surrogates": "\ud83d\ude00",
    "NUL and words": "误报\0 ",
    "emoji": "👩‍👩‍👧‍👦",
    "quotes in pairs": '"误报" ',
    "exclusions": "-误报 ",
    "choices": "误报 OR ",
    "filters": "repo:msc ",
    "groups": "(误报) ",
    "keys": "msc#57 ",
    "addresses": "https://gitcode.com/Ascend/msopcom/issues/57 ",
    "percents": "%_",
    "numbers": "0123456789",
    "pinyin": "wubao",
    "pinyin words": "wubao ",
    "camel": "MallocHost",
    "lines": "aclrtMallocHost failed\n",
    "zeros": "0 ",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_a_query_of_100_000_characters_ends_quickly(texts: Texts, piece: str) -> None:
    text = (piece * 100_000)[:100_000]

    def ask() -> None:
        selection = texts.select(text)
        assert len(selection.rows(0, 1000)) == selection.total

    assert loops(ask) < 300


def test_what_is_left_out_is_counted(texts: Texts) -> None:
    selection = texts.select("怎么 算子 报错 内存 版本 精度 工具 鼷")
    partial = [row for row in selection.rows(0, 1000) if row.match is not Match.FULL]
    assert len(partial) == MOST_PARTIAL
    assert selection.left_out > 0


def test_full_matches_are_never_cut(texts: Texts) -> None:
    assert texts.select("").total == len(texts.fields)
    for word in ("的", "a", "1", "_"):
        assert texts.full(word) == texts.holding(word)
        assert texts.select(word).total >= len(texts.holding(word)) > MOST_PARTIAL
