"""What to do where no card explains a log: a question, a row of the guide, an issue to file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.app.advice import DRAFT_FACTS, DRAFT_LINES, draft, nearest_guide, question
from ascend_kb.app.diagnosing import choose
from ascend_kb.core.diagnosis import Band, Match
from ascend_kb.core.facts import Fact, FactKind, extract
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.loglines import Line, lines, settle
from ascend_kb.core.logtext import clean

if TYPE_CHECKING:
    from ascend_kb.app.library import Library

SOME = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
LOG = """\
[lin@node17 ~]$ python3 /home/lin/proj/run.py --token=abcdef12
2026-07-05 08:15:33 INFO loading /home/lin/proj/weights.bin
[ERROR] call aclnnIndex failed, error code is 561103, from 10.1.2.3:6000
RuntimeError: it went wrong for lin
"""


def read(text: str) -> tuple[list[Line], list[Fact]]:
    """Return the lines of a log that are weighed, and their facts."""
    chosen = choose(settle(list(lines(clean(text)))))
    return chosen, extract(chosen)


def drafted(text: str) -> Bilingual:
    chosen, facts = read(text)
    return draft(facts, chosen, next((line for line in chosen if "failed" in line.text), None))


# --- the draft -------------------------------------------------------------------------------------------------------


def test_a_draft_holds_title_facts_and_log_and_nothing_private() -> None:
    zh, en = drafted(LOG)
    assert zh.startswith("# call aclnnIndex failed, error code is 561103")
    assert en.startswith("# call aclnnIndex failed, error code is 561103")
    for text in (zh, en):
        assert "- api: `aclnnIndex`" in text
        assert "- code: `561103` (" in text
        assert "RuntimeError: it went wrong for <user>" in text
        for private in ("lin", "node17", "10.1.2.3", "abcdef12", "/home"):
            assert private not in text.replace("<user>", "").replace("explain", "").replace("line", ""), private
    assert "aclnn：内部校验失败" in zh
    assert "aclnn: an inner check failed" in en


def test_healthy_lines_and_boilerplate_are_left_out_of_a_draft() -> None:
    assert "loading" not in drafted(LOG).en
    assert "Inner Error" not in drafted("EZ9999: Inner Error!\n[ERROR] it failed").en


def test_a_draft_of_nothing_can_be_filled_in() -> None:
    zh, en = draft([], [], None)
    assert zh.startswith("# …\n")
    assert en.startswith("# …\n")
    assert "```text\n\n```" in zh


def test_a_fence_of_the_log_does_not_end_that_of_the_draft() -> None:
    text = drafted("[ERROR] it failed\n[ERROR] ``` failed\n[ERROR] ````` failed").en
    assert text.count("```") == 2


def test_a_draft_is_bounded() -> None:
    rows = [f"[ERROR] name_{chr(97 + i // 26)}{chr(97 + i % 26)}_x failed" for i in range(300)]
    text = drafted("\n".join(rows)).en
    assert text.count("[ERROR]") == DRAFT_LINES
    assert text.count("\n- ") == DRAFT_FACTS
    assert len(drafted("[ERROR] failed " + "x" * 5_000).en.splitlines()[0]) <= 130


@SOME
@given(st.text(max_size=300))
def test_every_log_gives_a_draft(text: str) -> None:
    for draft_text in drafted(text):
        assert draft_text.count("## ") >= 4
        assert draft_text.endswith("\n")


# --- the question ----------------------------------------------------------------------------------------------------


def code(text: str) -> Fact:
    return Fact(FactKind.CODE, text, 1, 0, len(text), 3.0)


def test_a_code_that_several_cards_share_asks_which_it_is(library: Library) -> None:
    evidence = library.evidence()
    asked = question(library, evidence, [code("999999"), code("107001")])
    assert asked is not None
    assert asked.code == "107001"
    assert len({choice.key for choice in asked.choices}) == len(asked.choices) > 1
    assert len({choice.text.en for choice in asked.choices}) == len(asked.choices)
    for choice in asked.choices:
        card = library.card(choice.key)
        assert card is not None
        assert choice.text.zh.startswith(card.title.zh)
    assert all(asked.code in text for text in asked.text)


@pytest.mark.parametrize("text", ["999999", "[Errno 99]", "zqxj OR kwvy"])
def test_a_code_that_no_cards_share_asks_nothing(library: Library, text: str) -> None:
    assert question(library, library.evidence(), [code(text)]) is None


def test_only_codes_are_asked_about(library: Library) -> None:
    names = [code("aclrtMallocHost")._replace(kind=FactKind.API)]
    assert question(library, library.evidence(), names) is None
    assert question(library, library.evidence(), []) is None


# --- the guide -------------------------------------------------------------------------------------------------------


def test_the_symptom_of_a_row_leads_to_it(library: Library) -> None:
    reached = 0
    for entry in library.guide():
        chosen, _ = read("\n".join(f"[ERROR] {text}" for text in entry.symptom if text))
        reached += nearest_guide(library, chosen, []) == entry
    assert reached >= len(library.guide()) - 1


def test_a_related_card_leads_to_its_row(library: Library) -> None:
    entry = library.guide()[0]
    related = Match(entry.cards[0], Band.RELATED, Bilingual(), 40.0, ())
    found = nearest_guide(library, [], [related])
    assert found is not None
    assert entry.cards[0] in found.cards


def test_nothing_near_leads_nowhere(library: Library) -> None:
    assert nearest_guide(library, [], []) is None
    chosen, _ = read("[ERROR] zqxj kwvy failed")
    assert nearest_guide(library, chosen, []) is None
    unrelated = Match(CardKey("nowhere", 1), Band.RELATED, Bilingual(), 40.0, ())
    assert nearest_guide(library, [], [unrelated]) is None
