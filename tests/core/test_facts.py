"""Facts of a log."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core.facts import MEANINGS, FactKind, extract, meaning
from ascend_kb.core.loglines import lines, settle
from ascend_kb.core.logtext import clean
from tests.pace import loops

FACTS = {
    "[ERROR] RegisterAscendBinary return ret 500000": [
        (FactKind.OPERATOR, "RegisterAscendBinary"), (FactKind.CODE, "500000"),
    ],
    "error code is 561103": [(FactKind.CODE, "561103")],
    "ERR00100 PTA call failed here": [(FactKind.CODE, "ERR00100")],
    "OSError: [Errno 28] No space left": [(FactKind.CODE, "[Errno 28]")],
    "call aclnnQuantMatmulV4 failed": [(FactKind.API, "aclnnQuantMatmulV4")],
    "aclrtMallocHost failed": [(FactKind.API, "aclrtMallocHost")],
    "torch_npu.npu_quant_matmul failed": [(FactKind.API, "torch_npu.npu_quant_matmul")],
    "failed: CANN 8.3.RC2 on Ascend910B2": [(FactKind.VERSION, "CANN 8.3.RC2"), (FactKind.HARDWARE, "Ascend910B2")],
    "torch_npu 2.6.0.post3 fails": [(FactKind.VERSION, "torch_npu 2.6.0.post3")],
    "mssanitizer failed": [(FactKind.TOOL, "mssanitizer")],
    "failed with swiglu_mode=3": [(FactKind.OPTION, "swiglu_mode")],
    "ASCEND_RT_VISIBLE_DEVICES is wrong": [(FactKind.OPTION, "ASCEND_RT_VISIBLE_DEVICES")],
    "bad --soc-version given": [(FactKind.OPTION, "--soc-version")],
    "vector core exception[FUNC:GetError][FILE:stream.cc][LINE:1191]": [
        (FactKind.FUNCTION, "GetError"), (FactKind.FILE, "stream.cc"),
    ],
    "wrong: see msopcom#57": [(FactKind.ISSUE, "msopcom#57")],
    "wrong: see https://gitcode.com/Ascend/mstt/issues/7": [(FactKind.URL, "https://gitcode.com/Ascend/mstt/issues/7")],
    "failed: 'can not be null when MLA'": [(FactKind.MESSAGE, "can not be null when MLA")],
    "case 7_SparseFlashAttention failed": [(FactKind.OPERATOR, "7_SparseFlashAttention")],
}  # fmt: skip


@pytest.mark.parametrize("text", FACTS)
def test_facts_of_a_line(text: str) -> None:
    found = [(fact.kind, fact.text) for fact in extract(lines(text))]
    assert [fact for fact in FACTS[text] if fact not in found] == []


@pytest.mark.parametrize(
    "text", ["blocks hold 507035.5 tokens", "x failed in 1.107002 s", "INFO kv blocks hold 107577 tokens"]
)
def test_numbers_are_no_codes(text: str) -> None:
    assert [fact for fact in extract(lines(text)) if fact.kind is FactKind.CODE] == []


def test_boilerplate_gives_its_codes_only() -> None:
    assert [(fact.kind, fact.text) for fact in extract(lines("EZ9999: Inner Error!"))] == [(FactKind.CODE, "EZ9999")]


def test_a_fact_is_kept_from_the_line_that_tells_most() -> None:
    [fact] = [f for f in extract(lines("plain aclrtMalloc here\n[ERROR] aclrtMalloc failed")) if f.kind is FactKind.API]
    assert (fact.line, fact.weight) == (2, 3.0)


@given(st.text(max_size=300))
def test_every_fact_stands_where_it_says(text: str) -> None:
    text = clean(text)
    for fact in extract(settle(list(lines(text)))):
        assert text[fact.start : fact.end] == fact.text
        assert text.count("\n", 0, fact.start) == fact.line - 1


@given(st.text(alphabet="aA_0.:-/#!'\"`=( \nE[1", max_size=400))
def test_signs_of_facts_in_any_order_are_read(text: str) -> None:
    for fact in extract(lines(text)):
        assert text[fact.start : fact.end] == fact.text


@pytest.mark.parametrize("piece", ["a_", "a/", "a.", "A_", "aB", '"', "::", "Ascend ", "x#", "https://", "torch ", "-"])
def test_time_grows_with_the_length_only(piece: str) -> None:
    short, long = (piece * 50_000)[:20_000], (piece * 50_000)[:80_000]
    assert loops(lambda: extract(lines(long))) < 8 * loops(lambda: extract(lines(short))) + 2


def test_known_codes_have_their_meaning_in_both_languages() -> None:
    assert all(zh and en for zh, en in MEANINGS.values())
    assert meaning("507035")[1].startswith("vector core exception")
    assert meaning("12345") == ("", "")
