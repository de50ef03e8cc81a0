"""Terms of a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core.logterms import MOST_TERMS, parts, stem, terms
from ascend_kb.core.text import normalise


def words(text: str) -> list[str]:
    return [term.word for term in terms(text)]


def test_names_tell_more_than_words_and_words_of_every_log_tell_little() -> None:
    found = {term.word: term for term in terms("aclrtMallocHost reports an unused failed block")}
    assert found["aclrtmallochost"].is_name
    assert found["aclrtmallochost"].tells > found["unus"].tells > found["failed"].tells
    assert "an" not in found


@pytest.mark.parametrize(
    ("text", "spelling"),
    [("queryRope", "query_rope"), ("query_rope", "queryrope"), ("aclnnQuantMatmulV4", "aclnnquantmatmul")],
)
def test_names_are_known_in_other_spellings(text: str, spelling: str) -> None:
    assert spelling in terms(text)[0].others


@pytest.mark.parametrize(
    "forms", [("compare", "compared", "compares"), ("instrumentation", "instrumented"), ("stops", "stopped")]
)
def test_forms_of_a_word_share_their_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_short_words_are_no_stems() -> None:
    assert stem("used") == "used"


def test_chinese_is_cut_into_pairs() -> None:
    assert words("算子精度") == ["算子", "子精", "精度"]


def test_amounts_are_terms_however_they_are_written() -> None:
    assert {words(text)[0] for text in ("4 GB", "4G", "4gb", "4 GiB")} == {"4g"}


@pytest.mark.parametrize("text", ["0x7f5a10400000", "12345", "2.9.0.post1", "9c1f00aa77bb4411", "the of and"])
def test_addresses_numbers_and_versions_are_no_terms(text: str) -> None:
    assert words(text) == []


def test_parts_of_names() -> None:
    assert parts("npu_dequant_swiglu_quant") == ["dequant", "swiglu", "quant"]
    assert parts("aclrtGetPhyDevId") == ["aclrt"]


@given(st.text(max_size=200))
def test_terms_are_distinct_and_few(text: str) -> None:
    found = words(text)
    assert len(found) == len(set(found)) <= MOST_TERMS + 1
    assert all(normalise(word) == word for word in found)
