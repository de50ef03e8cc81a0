"""The maker of made-up cards. What cards of a whole file are like is tested in test_synthesis."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ascend_kb.app.synthesis_cards import CardMaker
from ascend_kb.core.card import Card, Repo, Tag
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import ChangeState, TagFacet

REPO = Repo("made", "synthetic", "zaa", Bilingual("题", "title"), Bilingual("用", "use"), 0)
TAGS = tuple(
    Tag(f"{facet.value}-{i}", facet, Bilingual(f"{facet.value}{i}", f"{facet.value} {i}"))
    for facet in TagFacet
    for i in range(4)
)


@pytest.fixture(scope="module")
def cards() -> list[Card]:
    return list(CardMaker(5, TAGS, "2026-09-08").cards(REPO, 101, 400))


def test_two_makers_of_one_seed_make_the_same_cards(cards: list[Card]) -> None:
    assert list(CardMaker(5, TAGS, "2026-09-08").cards(REPO, 101, 400)) == cards
    assert list(CardMaker(6, TAGS, "2026-09-08").cards(REPO, 101, 5)) != cards[:5]


def test_numbers_rise_from_the_first_one_on(cards: list[Card]) -> None:
    numbers = [card.key.number for card in cards]
    assert numbers[0] == 101
    assert numbers == sorted(set(numbers))
    assert {card.key.repo for card in cards} == {"made"}


def test_no_cards_are_no_cards() -> None:
    assert list(CardMaker(5, TAGS, "2026-09-08").cards(REPO, 1, 0)) == []


def test_a_card_relates_to_the_one_before_it(cards: list[Card]) -> None:
    related = [(card.related[0].key, before.key) for before, card in pairwise(cards) if card.related]
    assert len(related) > 50
    assert all(key == before for key, before in related)
    assert cards[0].related == ()


def test_changes_have_a_date_where_they_are_merged_and_no_later_than_the_knowledge(cards: list[Card]) -> None:
    changes = [change for card in cards for change in card.changes]
    assert len(changes) > 200
    for change in changes:
        assert bool(change.date) is (change.state is ChangeState.MERGED)
        assert change.date <= "2026-09-08"
        assert change.repo == "synthetic/made"


def test_tags_are_of_the_knowledge_and_of_both_facets(cards: list[Card]) -> None:
    facets = {tag.id: tag.facet for tag in TAGS}
    for card in cards:
        assert {facets[tag] for tag in card.tags} == {TagFacet.COMPONENT, TagFacet.FAILURE}
        assert all(facets[name] is TagFacet.HARDWARE for name in card.hardware)
        assert len(set(card.tags)) == len(card.tags)


def test_the_texts_name_the_entities_of_their_card(cards: list[Card]) -> None:
    for card in cards[:50]:
        whole = "\n".join([*card.title, *card.summary, *card.sections["zh"].values()])
        assert sum(entity.name in whole for entity in card.entities) >= 3, card.key


def test_signatures_name_an_entity(cards: list[Card]) -> None:
    signed = [card for card in cards if card.signatures]
    assert 10 < len(signed) < 100
    for card in signed:
        assert card.signatures[0][0].startswith(card.entities[0].name)


def test_keys_are_card_keys(cards: list[Card]) -> None:
    assert cards[0].key == CardKey("made", 101)
