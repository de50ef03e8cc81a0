"""The closed sets: each member has its own label, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import (
    ChangeState,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    Relation,
    Role,
    SectionId,
    allowed,
    label,
)

if TYPE_CHECKING:
    from enum import Enum

LABELLED: list[type[Enum]] = [Outcome, Evidence, GroundKind, ChangeState, Relation, Role, Reason]
MEMBERS = [member for values in LABELLED for member in values]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: f"{type(m).__name__}.{m.name}")
def test_every_member_has_a_label_in_both_languages(member: Enum) -> None:
    named = label(member)
    assert named.en
    assert any("\u4e00" <= character <= "\u9fff" for character in named.zh)


@pytest.mark.parametrize("values", LABELLED)
def test_no_two_members_of_a_set_share_a_label(values: type[Enum]) -> None:
    for texts in ([label(m).zh for m in values], [label(m).en.lower() for m in values]):
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        (Evidence.EXPLICIT, Bilingual("显式关联", "Explicit")),
        (Relation.EXPLICIT, Bilingual("显式关联", "explicit")),
        (Evidence.OFFICIAL, Bilingual("官方答复", "Official")),
        (Relation.OFFICIAL, Bilingual("官方指明", "official")),
        (Evidence.INFERRED, Bilingual("推断", "Inferred")),
        (Relation.INFERRED, Bilingual("推断关联", "inferred")),
    ],
)
def test_members_of_two_sets_with_equal_values_keep_their_own_labels(member: Enum, expected: Bilingual) -> None:
    assert label(member) == expected


def test_equal_values_of_two_sets_are_really_equal() -> None:
    shared = {str(m.value) for m in Evidence} & {str(m.value) for m in Relation}
    assert shared == {"explicit", "official", "inferred"}
    assert Role.FOLLOW_UP.value == Reason.FOLLOW_UP.value == "follow-up"


def test_a_set_without_labels_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        label(SectionId.FIX)


def test_evidence_is_listed_best_first() -> None:
    assert allowed(Evidence) == "explicit, official, inferred, unverified"


def test_sections_are_listed_in_the_order_of_a_card() -> None:
    assert [section.value for section in SectionId] == ["symptom", "cause", "fix", "recipe", "evidence"]
