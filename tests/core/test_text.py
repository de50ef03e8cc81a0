"""One normaliser and one tokeniser: what they keep, what they fold, and that tokens stand for substrings."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.text import MAX_WORD, SPACE, atoms, encode, index_tokens, normalise, searchable, terms, words

SOME = settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
HARD = [
    "\x00", "\ud800", "\udfff", "\ue001", SPACE, "\ufeff", "\u200b", "\u3000", "\u00a0", "\u2028", "\r", "\n", "\t",
    " ", "e\u0301", "\u0301", "\u0323\u0307", "ﬁ", "ß", "ẞ", "İ", "ı", "Σ", "ς", "ΐ", "½", "㎏", "①", "Ａ", "！",
    "ｶﾞ", "ｶ", "한", "ᄒ", "ᅡ", "שָׁ", "مرحبا", "\u202e", "\u2067", "👩\u200d💻", "記", "龜", "体", "算子", "々",
    "〇", "𠮷", "𰻝", "ꭰ", "_", "-", ".", "#", "%", '"', "'", "aclrtMalloc", "8.3.RC2", "63",
]  # fmt: skip
anything = st.text(st.characters(exclude_categories=()), max_size=30)
hard_text = st.lists(st.sampled_from(HARD), max_size=12).map("".join)
mixed_text = st.text(st.sampled_from("算子误报ab1_ .-#\n"), max_size=25)
texts = st.one_of(anything, hard_text, mixed_text)


def phrase_stands_in(phrase: str, text: str) -> bool:
    """Whether the tokens of a phrase stand in a row among those of a text, cut ends seen as the index sees them."""
    wanted, found = index_tokens(phrase), index_tokens(text)
    kinds = [kind for kind, _ in atoms(phrase.strip())]
    if kinds[-1] == "cjk":  # the last character is the second half of the token before it, or begins one
        wanted = wanted[:-1] if kinds[-2:-1] == ["cjk"] else [*wanted[:-1], wanted[-1].removesuffix(SPACE)]
    for i in range(len(found) - len(wanted) + 1):
        row = found[i : i + len(wanted)]
        first, middle, last = row[0], row[1:-1], row[-1]
        if len(wanted) == 1 and kinds == ["word"]:
            matches = wanted[0] in first
        elif len(wanted) == 1:
            matches = first.startswith(wanted[0])
        else:
            begins = first.endswith(wanted[0]) if kinds[0] == "word" else first == wanted[0]
            ends = last.startswith(wanted[-1]) if kinds[-1] in ("word", "cjk") else last == wanted[-1]
            matches = begins and middle == wanted[1:-1] and ends
        if matches:
            return True
    return False


class TestNormalise:
    def test_is_idempotent_for_every_character(self) -> None:
        for start in range(0, sys.maxunicode + 1, 0x4000):
            once = normalise("\n".join(map(chr, range(start, start + 0x4000))))
            assert normalise(once) == once, hex(start)

    @given(texts)
    @SOME
    def test_is_idempotent_for_every_text(self, text: str) -> None:
        assert normalise(normalise(text)) == normalise(text)

    @given(texts)
    @SOME
    def test_gives_a_text_that_every_store_can_hold(self, text: str) -> None:
        made = normalise(text)
        assert made.encode("utf-8").decode("utf-8") == made
        assert "\x00" not in made
        assert SPACE not in made

    @pytest.mark.parametrize("text", ["\u1f82\u0341", "\u0130\U0001d165", "\u1f84\u0301", "\u1fa5\u0304"])
    def test_is_idempotent_where_folding_undoes_the_normal_form(self, text: str) -> None:
        assert normalise(normalise(text)) == normalise(text)

    @given(texts, texts)
    @SOME
    def test_keeps_lines_apart(self, first: str, second: str) -> None:
        assert normalise(first + "\n" + second) == normalise(first) + "\n" + normalise(second)

    @given(st.text(st.characters(max_codepoint=127)))
    @SOME
    def test_of_plain_ascii_does_not_depend_on_what_stands_beside_it(self, text: str) -> None:
        assert normalise(text) == normalise(text + "\n中").removesuffix("\n中")

    @pytest.mark.parametrize(
        ("text", "normal"),
        [
            ("ACLRT", "aclrt"),
            ("ＡＢＣ１２３！", "abc123!"),
            ("記憶體誤報", "记忆体误报"),
            ("第\u300063\u00a0行", "第 63 行"),
            ("ﬁle", "file"),
            ("Straße", "strasse"),
            ("ΣΑΣ", "σασ"),
            ("e\u0301", "é"),
            ("ｶﾞ", "ガ"),
            ("㎏", "kg"),
            ("①", "1"),
            ("a\x00b\ud800c", "a\ufffdb\ufffdc"),
            (f"a{SPACE}b", "a\ufffdb"),
            ("\u202eabc", "\u202eabc"),
            ("", ""),
        ],
    )
    def test_folds_width_case_and_script(self, text: str, normal: str) -> None:
        assert normalise(text) == normal

    @given(st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF)))
    @SOME
    def test_keeps_the_place_of_every_han_character(self, text: str) -> None:
        assert len(normalise(text)) == len(text)

    def test_ends_for_marks_in_any_order(self) -> None:
        marks = "".join(chr(c) for c in range(0x300, 0x370))
        assert normalise("A" + marks) == normalise(unicodedata.normalize("NFD", "A" + marks))


class TestSearchable:
    @pytest.mark.parametrize(
        ("text", "found_as"),
        [
            ("第 63 行", "第63行"),
            ("使用 aclrtMalloc 申请", "使用aclrtmalloc申请"),
            ("精度\t2", "精度2"),
            ("精度   2", "精度2"),
            ("算子 精度", "算子 精度"),
            ("torch compile", "torch compile"),
            ("超 -x", "超 -x"),
            ("行\n63", "行\n63"),
            ("a _b_ 中", "a _b_中"),
        ],
    )
    def test_blanks_between_han_and_latin_do_not_count(self, text: str, found_as: str) -> None:
        assert searchable(text) == found_as

    @given(texts)
    @SOME
    def test_is_idempotent(self, text: str) -> None:
        assert searchable(searchable(text)) == searchable(text)

    @given(texts)
    @SOME
    def test_changes_nothing_but_blanks(self, text: str) -> None:
        assert re.sub(r"[ \t]", "", searchable(text)) == re.sub(r"[ \t]", "", normalise(text))


class TestTokens:
    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("算子", ["算子", "子▁"]),
            ("算", ["算▁"]),
            ("误报 63行", ["误报", "报▁", "▁", "63", "行▁"]),
            ("npu_moe", ["npu＿moe"]),
            ("8.3.rc2", ["8", "．", "3", "．", "rc2"]),
            ("a  \n b", ["a", "▁", "b"]),
            (" a ", ["a"]),
            ("算a子", ["算▁", "a", "子▁"]),
            ("", []),
        ],
    )
    def test_of_a_text(self, text: str, tokens: list[str]) -> None:
        assert index_tokens(text) == tokens

    @given(texts)
    @SOME
    def test_hold_the_whole_text(self, text: str) -> None:
        text = searchable(text).strip()
        kinds = [kind for kind, _ in atoms(text)]
        read = [
            " " if kind == "space" else token[0] if kind == "cjk" else token
            for kind, token in zip(kinds, index_tokens(text), strict=True)
        ]
        assert "".join(read) == encode(re.sub(r"\s+", " ", text)).replace(encode(" "), " ")

    @given(texts)
    @SOME
    def test_hold_no_sign_that_the_index_would_cut_at(self, text: str) -> None:
        joined = "".join(index_tokens(normalise(text)))
        assert not re.search(r"[\x00-\x7f]", re.sub(r"[0-9a-z]", "", joined))

    @given(st.one_of(mixed_text, hard_text), st.data())
    @SOME
    def test_of_a_part_stand_in_a_row_in_the_whole(self, text: str, data: st.DataObject) -> None:
        text = searchable(text)
        start = data.draw(st.integers(0, len(text)))
        part = text[start : data.draw(st.integers(start, len(text)))]
        if part.strip() and part == part.strip():
            assert phrase_stands_in(part, text)

    @given(mixed_text, mixed_text)
    @SOME
    def test_of_what_is_no_part_do_not(self, text: str, other: str) -> None:
        text, other = (re.sub(r"\s+", " ", searchable(t)).strip() for t in (text, other))
        if other:
            assert phrase_stands_in(other, text) == (other in text)

    def test_of_an_endless_word_are_cut(self) -> None:
        tokens = index_tokens("a" * (2 * MAX_WORD + 7))
        assert [len(token) for token in tokens] == [MAX_WORD, MAX_WORD, 7]

    @given(texts)
    @SOME
    def test_atoms_leave_nothing_out(self, text: str) -> None:
        assert "".join(atom for _, atom in atoms(text)) == text

    @given(texts)
    @SOME
    def test_words_are_the_word_tokens(self, text: str) -> None:
        text = normalise(text)
        assert {encode(word) for word in words(text)} <= set(index_tokens(text))

    def test_words_of_a_text(self) -> None:
        assert words("使用aclrt_malloc 与8.3.rc2，x") == {"aclrt_malloc", "8", "3", "rc2", "x"}


class TestTerms:
    @pytest.mark.parametrize("blank", [" ", "  ", "\u3000", "\t", "\n", "\u00a0", " \u3000 "])
    def test_any_blank_parts_words(self, blank: str) -> None:
        assert terms(f"算子{blank}精度{blank}") == ["算子", "精度"]

    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("", []),
            (" \u3000", []),
            ("a A ａ", ["a"]),
            ("op-plugin#40 AND (", ["op-plugin#40", "and", "("]),
            ("\u037a", ["\u03b9"]),
        ],
    )
    def test_of_a_query(self, text: str, pieces: list[str]) -> None:
        assert terms(text) == pieces

    @given(texts)
    @SOME
    def test_hold_no_blank_and_nothing_twice(self, text: str) -> None:
        found = terms(text)
        assert len(set(found)) == len(found)
        assert all(piece and piece == "".join(piece.split()) for piece in found)
