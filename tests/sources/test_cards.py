"""A card file becomes exactly the values that stand in it."""

from __future__ import annotations

from ascend_kb.core.card import Card, Change, Entity, Ground, Reference, Related, Version
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import (
    ChangeState,
    EntityKind,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    ReferenceKind,
    Relation,
    Role,
    SectionId,
)
from ascend_kb.sources.load import load
from tests.sources.sample import CARD, SAMPLE, changed

EXPECTED = Card(
    key=CardKey("msopcom", 57),
    owner="Ascend",
    title=Bilingual("单次申请超过 4G 误报越界", "Allocations above 4 GB are reported"),
    summary=Bilingual("返回值只有 32 位。", "The result has 32 bits only."),
    outcome=Outcome.FIXED,
    evidence=Evidence.INFERRED,
    grounds=(Ground(GroundKind.SAME_AUTHOR, Evidence.INFERRED, Bilingual("作者对应", "The authors correspond")),),
    changes=(Change("Ascend/msopcom", 183, ChangeState.MERGED, Relation.INFERRED, Role.FIX, date="2026-07-09"),),
    fixed=(Version("msopcom", "26.1.0"),),
    hardware=("a3",),
    tags=("hook", "crash"),
    entities=(Entity(EntityKind.API, "malloc"),),
    related=(Related(CardKey("mstt", 5), Reason.CONTRAST, Bilingual("对照", "for contrast")),),
    references=(Reference(ReferenceKind.CHANGE, Bilingual("上游变更", "Upstream change"), "cann/ops-nn", 7),),
    phrasings={
        "zh": ("申请大块内存后误报", "大内存误报"),
        "en": ("false report above 4 GB", "large block reported"),
    },
    signatures=(("out of bounds",),),
    sections={
        "zh": {
            SectionId.SYMPTOM: "一次分配超过 4G 后报越界。",
            SectionId.CAUSE: "`CeilByAlignSize` 返回 `uint32_t`。",
            SectionId.FIX: "!183 改成模板。",
            SectionId.RECIPE: '1. 查看返回类型：\n\n   ```bash\n   grep -rn "CeilByAlignSize" .\n   ```',
            SectionId.EVIDENCE: "- 由作者对应推断。",
        }
    },
)
ENGLISH = """
# English

## Symptom

Reported above 4 GB.

## Root cause

32 bits.

## Fix

!183.

## Recipe

1. Take !183.

## Evidence

- Authors.
"""


def test_every_field_is_read() -> None:
    assert load(SAMPLE).cards[0] == EXPECTED


def test_the_english_text_has_its_place() -> None:
    card = load(SAMPLE | {"cards/msopcom/57.md": CARD + ENGLISH}).cards[0]
    assert card.sections["en"] == {
        SectionId.SYMPTOM: "Reported above 4 GB.",
        SectionId.CAUSE: "32 bits.",
        SectionId.FIX: "!183.",
        SectionId.RECIPE: "1. Take !183.",
        SectionId.EVIDENCE: "- Authors.",
    }
    assert card.sections["zh"] == EXPECTED.sections["zh"]


def test_a_derived_date_is_marked() -> None:
    texts = changed("cards/msopcom/57.md", "date: 2026-07-09", "date: 2026-07-09\n    date_derived: true")
    change = load(texts).cards[0].changes[0]
    assert (change.date, change.date_derived) == ("2026-07-09", True)


def test_an_empty_list_is_no_fault() -> None:
    texts = changed("cards/msopcom/57.md", 'fixed: ["msopcom 26.1.0"]', "fixed: []\n  affected: []")
    card = load(texts).cards[0]
    assert (card.fixed, card.affected) == ((), ())


def test_cards_stand_in_the_order_of_repos_and_numbers() -> None:
    texts = dict(SAMPLE)
    texts["cards/mstt/100.md"] = SAMPLE["cards/mstt/5.md"].replace("mstt#5", "mstt#100")
    texts["repos.yaml"] = texts["repos.yaml"].replace('"Entry"}\n  cards: 1', '"Entry"}\n  cards: 2')
    for order in (texts, dict(reversed(texts.items()))):
        assert [str(card.key) for card in load(order).cards] == ["msopcom#57", "mstt#5", "mstt#100"]
