"""In what a log differs from a card: versions, hardware, interfaces."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.app.differences import MOST_INTERFACES, differences, names_another_interface, order
from ascend_kb.core.card import Card, Entity, Version
from ascend_kb.core.facts import Fact, extract
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.linekinds import LineKind
from ascend_kb.core.loglines import Line
from ascend_kb.core.matching import Piece, Support
from ascend_kb.core.vocabulary import EntityKind, Evidence, Outcome

CARD = Card(
    CardKey("op-plugin", 1),
    "Ascend",
    Bilingual("题", "title"),
    Bilingual("要", "sum"),
    Outcome.FIXED,
    Evidence.OFFICIAL,
    {},
)


def card(**fields: Any) -> Card:
    """Return a card with some fields set."""
    return CARD._replace(**fields)


def facts(*texts: str) -> list[Fact]:
    """Return the facts of lines that report errors."""
    lines = [Line(i, 100 * i, text, LineKind.TELLING) for i, text in enumerate(texts, 1)]
    return extract(lines)


def kinds(found: object) -> list[tuple[str, str, str]]:
    assert isinstance(found, tuple)
    for difference in found:
        assert all(difference.text)
        assert difference.log in difference.text.zh
        assert difference.log in difference.text.en
        assert difference.card in difference.text.en
    return [(d.kind, d.log, d.card) for d in found]


# --- versions --------------------------------------------------------------------------------------------------------


def test_versions_are_ordered_by_components_and_pre_releases_stand_before() -> None:
    ascending = ["8.3.RC1", "8.3.rc2", "8.3", "8.3.0", "8.3.1", "8.10.0", "9.0.0"]
    for lower, higher in pairwise(ascending):
        assert order(lower) < order(higher), (lower, higher)
    assert order("2.6.0") < order("2.6.0.post1") < order("2.6.0.post3") < order("2.7.1rc1") < order("2.7.1")


@given(st.text("0123456789.rcpostabc+", max_size=12), st.text("0123456789.rcpostabc+", max_size=12))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_two_versions_can_be_compared(one: str, other: str) -> None:
    assert (order(one) < order(other)) + (order(one) == order(other)) + (order(one) > order(other)) == 1


@pytest.mark.parametrize(
    ("text", "log"),
    [
        ("CANN 8.5.0 failed", "CANN 8.5.0"),
        ("failed with cann version: 8.5.0", "cann version: 8.5.0"),
        ("CANN 9.0.RC1 failed", "CANN 9.0.RC1"),
    ],
)
def test_a_version_that_has_the_fix_already_is_named(text: str, log: str) -> None:
    found = differences(card(fixed=(Version("CANN", "8.5.0"),)), facts(text), Support())
    assert kinds(found) == [("version", log, "CANN 8.5.0")]


@pytest.mark.parametrize(
    "text", ["CANN 8.3.RC2 failed", "CANN 8.5.RC1 failed", "torch_npu 9.1.0 failed", "CANN failed"]
)
def test_a_version_before_the_fix_is_no_difference(text: str) -> None:
    assert differences(card(fixed=(Version("CANN", "8.5.0"),)), facts(text), Support()) == ()


def test_where_several_versions_have_the_fix_none_of_them_may_be_later() -> None:
    fixed = (Version("torch_npu", "2.6.0.post3"), Version("torch_npu", "2.7.1"))
    assert differences(card(fixed=fixed), facts("torch_npu 2.6.0.post3 failed"), Support()) == ()
    assert len(differences(card(fixed=fixed), facts("torch-npu 2.8.0 failed"), Support())) == 1


def test_a_version_that_the_card_does_not_speak_of_is_named() -> None:
    speaks = card(affected=(Version("CANN", "8.3"), Version("CANN", "8.5.0")))
    assert kinds(differences(speaks, facts("CANN 7.0.RC1 failed"), Support())) == [
        ("version", "CANN 7.0.RC1", "CANN 8.3, CANN 8.5.0")
    ]
    assert differences(speaks, facts("CANN 8.3.RC2 failed"), Support()) == ()
    assert len(differences(card(affected=(Version("torch", "2.10.0"),)), facts("torch 2.1.0 failed"), Support())) == 1
    assert len(differences(card(affected=(Version("CANN", "8.3"),)), facts("CANN 8.31.0 failed"), Support())) == 1


# --- hardware --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "text", "differs"),
    [
        ("910B", "Ascend910B2 failed", False),
        ("910B", "Atlas 800T A2 failed", False),
        ("A3", "Ascend910_9391 failed", False),
        ("910B", "Ascend310P3 failed", True),
        ("Ascend950", "Ascend910B2 failed", True),
        ("910B", "no hardware named, failed", False),
    ],
)
def test_hardware_is_compared_by_family(listed: str, text: str, differs: bool) -> None:
    found = differences(card(hardware=(listed,)), facts(text), Support())
    assert [d.kind for d in found] == (["hardware"] if differs else [])
    kinds(found)


def test_a_card_without_hardware_fits_all() -> None:
    assert differences(CARD, facts("Ascend310P3 failed"), Support()) == ()


# --- interfaces ------------------------------------------------------------------------------------------------------


def supported(*words: str) -> Support:
    found = Support()
    for word in words:
        found.pieces[word] = Piece(None, None, 1.0)  # type: ignore[arg-type]
    return found


def test_an_interface_of_the_error_that_the_card_does_not_hold_is_named() -> None:
    found = differences(CARD, facts("call aclnnIndex failed", "aclrtMalloc failed"), supported("aclrtmalloc"))
    assert kinds(found) == [("api", "aclnnIndex", "")]


def test_only_so_many_interfaces_are_named() -> None:
    texts = [f"aclnnOp{chr(65 + i)}x failed" for i in range(6)]
    assert len(differences(CARD, facts(*texts), Support())) == MOST_INTERFACES


@pytest.mark.parametrize(
    ("text", "own", "other"),
    [
        ("aclnnIndex failed", "aclnnMatmul", True),
        ("aclnnIndex failed", "aclnnIndexPutImpl", False),
        ("aclnnQuantMatmulV4 failed", "aclnnQuantMatmul", False),
        ("torch_npu.npu_iou failed", "npu_iou", False),
        ("torch_npu.npu_iou failed", "npu_mm", True),
        ("aclrtMalloc failed", "aclnnMatmul", False),
        ("aclnnIndex failed", "swiglu_mode", False),
        ("it failed", "aclnnMatmul", False),
    ],
)
def test_another_interface_is_one_that_shares_no_name(text: str, own: str, other: bool) -> None:
    named = card(entities=(Entity(EntityKind.API, own),))
    assert names_another_interface(named, facts(text)) is other


def test_interfaces_of_lines_that_tell_nothing_do_not_count() -> None:
    line = Line(1, 0, "INFO aclnnIndex called", LineKind.INFO)
    named = card(entities=(Entity(EntityKind.API, "aclnnMatmul"),))
    assert not names_another_interface(named, extract([line]))
