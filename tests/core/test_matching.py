"""Weighing cards against lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ascend_kb.core.loglines import lines, settle
from ascend_kb.core.matching import Support, Weighing, families, rarity

if TYPE_CHECKING:
    from ascend_kb.core.logterms import Term

CARDS = {
    1: "aclrtMallocHost unused memory written host",
    2: "swiglu_mode npu_dequant_swiglu_quant clamp variant",
    3: "bandwidth matrix communication profile level0 collect",
}


class Held(NamedTuple):
    anywhere: frozenset[int]
    telling: frozenset[int]
    number: int


def holders(term: Term) -> Held:
    found = frozenset(
        card
        for card, text in CARDS.items()
        if any(
            word == spelling or (term.prefix and word.startswith(spelling))
            for word in text.lower().split()
            for spelling in (term.word, *term.others)
        )
    )
    return Held(found, found, len(found))


def weighed(text: str) -> dict[int, Support]:
    weighing = Weighing(holders, 50)
    for line in settle(list(lines(text))):
        weighing.add(line)
    return weighing.support


def test_a_name_and_what_is_said_about_it_are_two_facts() -> None:
    assert (
        weighed("[ERROR] unused memory of 12 bytes was written\n[ERROR] allocated by aclrtMallocHost")[1].independent()
        >= 2
    )


def test_the_name_alone_is_one_fact() -> None:
    assert weighed("[ERROR] aclrtMallocHost failed, out of space on the machine")[1].independent() == 1


def test_a_call_and_its_own_parameter_are_one_fact() -> None:
    assert weighed("[ERROR] npu_dequant_swiglu_quant(swiglu_mode) got an odd tensor")[2].independent() == 1


def test_noise_and_boilerplate_weigh_nothing() -> None:
    assert weighed("[INFO] GE(1,a):2026-08-08-09:00:00.1 aclrtMallocHost unused memory written") == {}


def test_telling_lines_weigh_more_than_healthy_ones() -> None:
    healthy, telling = (weighed(f"[{level}] communication matrix lost")[3].score for level in ("INFO", "ERROR"))
    assert healthy < telling


def test_best_pieces_come_first() -> None:
    best = weighed("[ERROR] aclrtMallocHost memory")[1].best()
    assert [piece.term.word for piece in best] == ["aclrtmallochost", "memory"]


def test_families_of_names() -> None:
    assert families(["npu_dequant_swiglu_quant", "swiglu_mode", "enforce_eager"]) == [
        "npu_dequant_swiglu_quant",
        "enforce_eager",
    ]


@pytest.mark.parametrize("total", [2, 50, 1_000_000])
def test_rare_terms_tell_more(total: int) -> None:
    assert rarity(0, total) == 0
    assert rarity(1, total) == pytest.approx(1)
    assert rarity(1, total) > rarity(2, total) > 0
