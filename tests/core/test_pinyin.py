"""How Chinese sounds, and what typed letters can stand for."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.pinyin import LEAST_INITIALS, LONGEST, sound, sound_phrases, sound_tokens, split
from tests.pace import loops

SOME = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12)
SYLLABLE, INITIAL, BREAK = "\uf000", "\uf001", "\uf002"
FIELD = "算子精度比对误报劫持内存越界崩溃溢出图模式权限版本编译安装数据采集性能分析迁移接口参数校验失败超时死锁泄漏随机"


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("误报", "wu bao"),
        ("吴报", "wu bao"),
        ("劫持", "jie chi"),
        ("重复", "chong fu"),
        ("重量", "zhong liang"),
        ("银行", "yin hang"),
        ("行为", "xing wei"),
        ("率", "lv"),
        ("女", "nv"),
        ("", ""),
        ("a", ""),
        ("误a", ""),
        ("誤 報", ""),
        ("，", ""),
    ],
)
def test_characters_sound_as_in_the_word_that_they_make(text: str, spoken: str) -> None:
    assert sound(text) == spoken


def test_tokens_are_the_syllables_and_initials_of_every_run() -> None:
    tokens = sound_tokens(["误报a内存", "图"])
    runs = [["wu", "bao"], ["nei", "cun"], ["tu"]]
    spoken = [token for run in runs for token in [*(SYLLABLE + s for s in run), BREAK]]
    initials = [token for run in runs for token in [*(INITIAL + s[0] for s in run), BREAK]]
    assert tokens == spoken + initials


def test_texts_without_chinese_have_no_sound() -> None:
    assert sound_tokens([]) == sound_tokens(["", "abc 123", "ミク", "한국"]) == []


@SOME
@given(st.lists(st.text(max_size=20), max_size=4))
def test_every_text_has_tokens_that_no_text_can_be(texts: list[str]) -> None:
    for token in sound_tokens(texts):
        assert token[0] in (SYLLABLE, INITIAL, BREAK)
        assert not re.search(r"\s", token)


@pytest.mark.parametrize(
    ("letters", "syllables"),
    [
        ("wubao", ["wu", "bao"]),
        ("jiechi", ["jie", "chi"]),
        ("neicunxielou", ["nei", "cun", "xie", "lou"]),
        ("xian", ["xian"]),
        ("fangan", ["fan", "gan"]),
        ("wub", ["wu", "b"]),
        ("wubazh", ["wu", "ba", "zh"]),
        ("jingduwenti", ["jing", "du", "wen", "ti"]),
        ("b", []),
        ("zh", []),
        ("", []),
        ("WUBAO", []),
        ("wu bao", []),
        ("wu3bao4", []),
        ("malloc", []),
        ("pvqx", []),
        ("误报", []),
    ],
)
def test_letters_are_cut_into_syllables(letters: str, syllables: list[str]) -> None:
    assert split(letters) == syllables


@SOME
@given(st.text(st.sampled_from(FIELD), min_size=1, max_size=6))
def test_what_is_spoken_can_be_typed(text: str) -> None:
    typed = sound(text).replace(" ", "")
    if 2 <= len(typed) <= LONGEST:
        syllables = split(typed)
        assert "".join(syllables) == typed
        assert len(syllables) <= len(text)


@SOME
@given(HAN)
def test_every_han_character_is_read(text: str) -> None:
    assert len(sound(text).split(" ")) == len(text)


@SOME
@given(st.text(max_size=60) | st.text("abcdefghijklmnopqrstuvwxyz", max_size=60))
def test_every_text_can_be_asked_for(letters: str) -> None:
    syllables = split(letters)
    assert "".join(syllables) in ("", letters)
    for phrase in sound_phrases(letters):
        assert phrase
        assert len({token[0] for token in phrase}) == 1
        assert "".join(token[1:] for token in phrase) == letters


def test_letters_stand_for_syllables_and_for_initials() -> None:
    assert sound_phrases("wubao") == [
        [SYLLABLE + "wu", SYLLABLE + "bao"],
        [INITIAL + letter for letter in "wubao"],
    ]
    assert sound_phrases("ncxl") == [[INITIAL + letter for letter in "ncxl"]]
    assert sound_phrases("x" * (LEAST_INITIALS - 1)) == []
    assert sound_phrases("a" * (LONGEST + 1)) == []
    assert sound_phrases("误报") == sound_phrases("") == sound_phrases("a_b") == []


def test_a_phrase_stands_in_the_tokens_of_its_text() -> None:
    tokens = sound_tokens(["内存泄漏误报"])
    for typed in ("neicun", "xielou", "wubao", "ncxl", "lwb", "neicunxielouw"):
        assert any(stands_in(phrase, tokens) for phrase in sound_phrases(typed)), typed
    for typed in ("baonei", "cnx", "neixie"):
        assert not any(stands_in(phrase, tokens) for phrase in sound_phrases(typed)), typed


def stands_in(phrase: list[str], tokens: list[str]) -> bool:
    """Whether a phrase of tokens stands in a row, the last one as a beginning."""
    return any(
        tokens[i : i + len(phrase) - 1] == phrase[:-1] and tokens[i + len(phrase) - 1].startswith(phrase[-1])
        for i in range(len(tokens) - len(phrase) + 1)
    )


def test_time_grows_with_the_length_only() -> None:
    short, long = [FIELD * 50], [FIELD * 200]
    sound_tokens(short)  # reads the tables
    assert loops(lambda: sound_tokens(long)) < 8 * loops(lambda: sound_tokens(short)) + 2
