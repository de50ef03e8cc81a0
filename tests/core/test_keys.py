"""Card keys and references in running text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import REFERENCE, CardKey, parse_key

NAMES = {"msc": "msopcom", "msopcom": "msopcom", "opl": "op-plugin", "op-plugin": "op-plugin"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("msopcom#57", CardKey("msopcom", 57)),
        ("msc#57", CardKey("msopcom", 57)),
        ("MSC#57", CardKey("msopcom", 57)),
        ("Op-Plugin#40", CardKey("op-plugin", 40)),
        ("  msc#57\n", CardKey("msopcom", 57)),
        ("unknown#1", CardKey("unknown", 1)),
        ("Own.Name_2#9999999999", CardKey("Own.Name_2", 9999999999)),
    ],
)
def test_a_key_is_read_in_both_forms_and_any_letter_case(text: str, key: CardKey) -> None:
    assert parse_key(text, NAMES) == key


@pytest.mark.parametrize(
    "text",
    [
        "", "msc", "#57", "57", "msc57", "msc#", "msc#0", "msc#057", "msc#-1", "msc#5x", "msc#57 msc#58", "msc!57",
        "a/b#1", "msc #57", "msc#１", "算子#1", "1a#1", "msc##57", "msc#99999999999", "msc#57\nx",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(KBError, match="is not a card key") as caught:
        parse_key(text, NAMES)
    assert text in caught.value.message
    assert "msopcom#57" in caught.value.hint


def test_a_key_reads_back_from_its_text() -> None:
    key = CardKey("op-plugin", 40)
    assert str(key) == "op-plugin#40"
    assert parse_key(str(key), {}) == key


def test_keys_are_ordered_by_repo_then_number() -> None:
    keys = [CardKey("b", 1), CardKey("a", 10), CardKey("a", 9)]
    assert sorted(keys) == [CardKey("a", 9), CardKey("a", 10), CardKey("b", 1)]


@given(st.text(max_size=20))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_every_text_is_a_key_or_a_plain_refusal(text: str) -> None:
    try:
        read = str(parse_key(text, NAMES).number)
    except KBError as error:
        read = error.hint
    assert read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("见msc#57。", [(None, "msc", "#", "57")]),
        ("(op-plugin#40, mstt!5095)", [(None, "op-plugin", "#", "40"), (None, "mstt", "!", "5095")]),
        ("cann/ops-nn#12号", [("cann", "ops-nn", "#", "12")]),
        ("**msc#57**", [(None, "msc", "#", "57")]),
        ("PR!22", [(None, "PR", "!", "22")]),
        ("msc#57.", [(None, "msc", "#", "57")]),
        ("a#1/b#2", [(None, "a", "#", "1")]),
    ],
)
def test_references_are_found_in_running_text(text: str, found: list[tuple[str | None, ...]]) -> None:
    assert [match.group("owner", "repo", "mark", "number") for match in REFERENCE.finditer(text)] == found


@pytest.mark.parametrize(
    "text",
    ["#57", "!57", "msc#", "msc#0", "msc#5a", "msc #57", "msc##57", "http://host/a/b/msc#5", "../msc#57", "x_msc#57#",
     "a/b/c#1", "--msc#57", "第#3行", "msc#12345678901"],
)  # fmt: skip
def test_no_reference_is_seen_where_there_is_none(text: str) -> None:
    assert [match.group() for match in REFERENCE.finditer(text)] == []
