"""What a card says about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.card import Change, Reference, Version
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import ChangeState, ReferenceKind, Relation, Role, SectionId

if TYPE_CHECKING:
    from ascend_kb.core.card import Card

WEB = "https://gitcode.com"


def change(date: str, state: ChangeState) -> Change:
    """A change of that date and state."""
    return Change("Ascend/msopcom", 1, state, Relation.EXPLICIT, Role.FIX, date=date)


def test_addresses_are_those_of_the_host(card: Card) -> None:
    assert card.source_url == f"{WEB}/Ascend/msopcom/issues/57"
    assert [c.url for c in card.changes] == [
        f"{WEB}/Ascend/msopcom/pull/183",
        f"{WEB}/cann/sip/pull/9",
        f"{WEB}/Ascend/msopcom/pull/22",
    ]
    assert [r.url for r in card.references] == [f"{WEB}/cann/sip/issues/31", f"{WEB}/cann/sip/pull/32", ""]


def test_a_reference_without_a_repository_has_no_address() -> None:
    assert Reference(ReferenceKind.ISSUE, Bilingual("x"), "only-a-name", 3).url == ""


@pytest.mark.parametrize(
    ("changes", "latest"),
    [
        ([], ""),
        ([("2026-01-02", ChangeState.MERGED), ("2025-12-31", ChangeState.MERGED)], "2026-01-02"),
        ([("2026-01-02", ChangeState.CLOSED), ("2025-12-31", ChangeState.MERGED)], "2025-12-31"),
        ([("2026-01-02", ChangeState.OPEN)], ""),
        ([("", ChangeState.MERGED)], ""),
    ],
)
def test_the_latest_change_is_the_latest_merged_one(
    card: Card, changes: list[tuple[str, ChangeState]], latest: str
) -> None:
    assert card._replace(changes=tuple(change(*c) for c in changes)).latest_change == latest


def test_a_missing_body_is_stood_in_for_by_the_other_language(card: Card) -> None:
    assert card.text_language("en") == card.text_language("zh") == "zh"
    assert card.body("en") is card.body("zh")
    english = card._replace(sections={"en": {SectionId.FIX: "fix"}})
    assert english.text_language("zh") == "en"
    assert english.body("zh") == {SectionId.FIX: "fix"}


def test_a_card_without_any_body_has_an_empty_one(card: Card) -> None:
    assert card._replace(sections={}).body("zh") == {}


def test_a_version_is_written_with_its_product() -> None:
    assert str(Version("CANN", "8.3.RC2")) == "CANN 8.3.RC2"
