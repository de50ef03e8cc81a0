"""From logs to cards, over the bundle's sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.app.building import build
from ascend_kb.app.diagnosing import STEPS, CancelledError, choose, diagnose
from ascend_kb.app.evaluation import answers, measures, read_questions
from ascend_kb.app.library import Library
from ascend_kb.core.diagnosis import Band, Diagnosis
from ascend_kb.core.keys import CardKey
from ascend_kb.core.loglines import lines
from ascend_kb.store import evidence
from tests.conftest import ROOT
from tests.pace import loops

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGS = ROOT / "tests" / "data" / "logs.jsonl"
SAMPLE = (ROOT / "tests" / "data" / "sample.log").read_bytes()
NOISE = "[INFO] RUNTIME(301,a):2026-06-03-10:11:05.547.792 [device.cc:154] 301 ts heartbeat normal, devId=0\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The knowledge of the sources as they are now."""
    path = tmp_path_factory.mktemp("diagnosing") / "kb.sqlite"
    build(ROOT / "data", path)
    opened = Library(path)
    yield opened
    opened.close()


def keys(found: Diagnosis) -> list[str]:
    return [str(match.key) for match in found.matches]


def test_reach_on_the_logs_of_the_project(library: Library) -> None:
    measured = measures(answers(library, read_questions(LOGS.read_bytes(), "logs"), "diagnose"))
    assert measured["p1"] >= 0.94
    assert measured["r3"] >= 0.98
    assert measured["refused"] >= 0.93


def test_a_log_leads_to_its_card_with_reasons_in_log_and_card(library: Library) -> None:
    found = diagnose(library, SAMPLE)
    assert found.band is Band.SIGNATURE
    assert keys(found)[0] == "msopcom#54"
    for why in found.matches[0].why:
        assert found.text[why.span.start : why.span.end] == why.text
        assert found.text.count("\n", 0, why.span.start) == why.span.line - 1
        assert why.card
    assert found.telling is not None
    assert found.text[found.telling.start : found.telling.end].startswith("[ERROR] ")
    assert (found.question, found.guide, found.draft) == (None, None, None)


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030"])
def test_bytes_of_any_encoding_lead_to_the_same(library: Library, encoding: str) -> None:
    text = "算子直调：\r\n" + SAMPLE.decode()
    assert keys(diagnose(library, text.encode(encoding)))[:1] == ["msopcom#54"]


def test_the_card_is_found_amid_noise(library: Library) -> None:
    text = NOISE * 3_000 + SAMPLE.decode() + NOISE * 3_000
    found = diagnose(library, text)
    assert keys(found)[0] == "msopcom#54"
    assert found.matches[0].why[0].span.line > 3_000


def test_a_code_alone_is_never_an_answer(library: Library) -> None:
    for code in ("500000", "ret 500000", "[ERROR] failed, error code is 107001", "EZ9999", "507035 EZ9999"):
        assert not diagnose(library, code).band.answers, code


def test_a_code_that_cards_share_gives_a_question(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = library.evidence().ids([CardKey("msopcom", 54), CardKey("msopcom", 60)])
    both = evidence.Holders(frozenset(ids.values()), frozenset(ids.values()), 2)
    monkeypatch.setattr(evidence.EvidenceFile, "holders", lambda *_: both)
    found = diagnose(library, "[ERROR] ret 500000")
    assert not found.band.answers
    assert found.question is not None
    assert found.question.code == "500000"
    assert [str(choice.key) for choice in found.question.choices] == ["msopcom#54", "msopcom#60"]
    assert all("(" in choice.text.en for choice in found.question.choices)


def test_the_same_interface_with_another_fault_is_no_answer(library: Library) -> None:
    found = diagnose(library, "[ERROR] aclrtMallocHost failed, size 137438953472, out of memory")
    assert found.band is Band.RELATED
    assert keys(found)[0] == "msopcom#20"


def test_a_log_that_nothing_explains_gets_a_draft_with_private_data_masked(library: Library) -> None:
    text = (
        "/home/wangwu/run.py\n[ERROR] 10.1.2.3 wangwu: aclrtSynchronizeStream failed, ret 507035\n"
        "job of wangwu on CANN 8.3.RC2 died"
    )
    found = diagnose(library, text)
    assert not found.band.answers
    assert found.draft is not None
    for draft in found.draft:
        assert "507035" in draft
        assert "CANN 8.3.RC2" in draft
        assert "wangwu" not in draft
        assert "10.1.2.3" not in draft


def test_the_nearest_row_of_the_guide_is_shown(library: Library) -> None:
    found = diagnose(library, "[ERROR] TORCH_CHECK of npu_something rejects the new mode of the plugin")
    assert found.guide is not None
    assert found.guide.id == "torch-check-blocks-feature"


def test_a_log_that_names_the_issue_leads_to_its_card(library: Library) -> None:
    for text in ("same as msopcom#57 here", "see https://gitcode.com/Ascend/msopcom/issues/57 for the same"):
        found = diagnose(library, text)
        assert found.band is Band.LIKELY
        assert keys(found)[0] == "msopcom#57"


def test_versions_that_have_the_fix_already_are_named(library: Library) -> None:
    text = (
        "torch_npu.npu_quant_matmul with w4a4 and Nz weight, pertoken scale\n"
        "[ERROR] call aclnnQuantMatmulV4 failed, weight Nz is not supported\nCANN 9.2.0 torch_npu 2.9.0.post2"
    )
    [match] = [match for match in diagnose(library, text).matches if str(match.key) == "op-plugin#40"]
    assert {(d.kind, d.log) for d in match.differs} >= {("version", "CANN 9.2.0"), ("version", "torch_npu 2.9.0.post2")}


@pytest.mark.parametrize("text", ["", "\n\n", " ", "\0", "=====", "\x1b[31m"])
def test_nothing_gives_nothing(library: Library, text: str) -> None:
    found = diagnose(library, text)
    assert (found.band, found.matches, found.facts) == (Band.NONE, (), ())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_anything_can_be_diagnosed(library: Library, data: bytes | str) -> None:
    found = diagnose(library, data)
    assert (found.band is Band.NONE) == (not found.matches)
    for fact in found.facts:
        assert found.text[fact.start : fact.end] == fact.text


def test_progress_grows_to_its_end(library: Library) -> None:
    seen: list[tuple[int, int]] = []
    diagnose(library, NOISE * 2_000, lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (STEPS, STEPS)
    assert len(seen) > 5


@pytest.mark.parametrize("after", [0, 3, 10])
def test_work_stops_once_it_is_cancelled(library: Library, after: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    with pytest.raises(CancelledError):
        diagnose(library, NOISE * 20_000, cancelled=cancelled)
    assert asked == after + 1


def test_lines_are_chosen_from_both_ends() -> None:
    rows = [f"[ERROR] {chr(97 + i % 26) * (i // 26 + 1)} failed" for i in range(1_000)]
    chosen = choose(lines("\n".join(rows)))
    assert len(chosen) == 240
    assert chosen[0].text == rows[0]
    assert chosen[-1].text == rows[-1]


def test_time_grows_with_the_length_only(library: Library) -> None:
    rows = [f"worker {chr(97 + i % 26) * (i % 60)}: {i:x} failed to flush {i * 7919:x}\n" for i in range(40_000)]
    short, long = "".join(rows[:10_000]), "".join(rows)
    assert loops(lambda: diagnose(library, long)) < 8 * loops(lambda: diagnose(library, short)) + 2


def test_cards_are_found_where_every_term_is_common(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "COMMON", 2)
    monkeypatch.setattr("ascend_kb.app.diagnosing.COMMON", 2)
    monkeypatch.setattr(evidence, "MANY", evidence.Holders(frozenset(), frozenset(), 3))
    measured = measures(answers(library, read_questions(LOGS.read_bytes(), "logs"), "diagnose"))
    assert measured["r3"] >= 0.9
