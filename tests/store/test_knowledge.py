"""Reading single facts of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.keys import CardKey

if TYPE_CHECKING:
    from ascend_kb.store.knowledge import KnowledgeFile

NO_CARDS = [
    CardKey("msopcom", 1), CardKey("nowhere", 57), CardKey("", 0), CardKey("msopcom", -57), CardKey("MSOPCOM", 57),
    CardKey("msopcom", 9_999_999_999), CardKey("%", 57), CardKey("' OR 1=1 --", 57),
]  # fmt: skip


@pytest.mark.parametrize("key", NO_CARDS, ids=str)
def test_a_card_that_does_not_exist_is_nothing(bundle: KnowledgeFile, key: CardKey) -> None:
    assert bundle.card(key) is None
    assert bundle.card_id(key) is None
    assert bundle.html(key, "zh") is None
    assert bundle.title(key, "zh") == ""
    assert bundle.has_commands(key) is False


def test_a_title_is_given_in_both_languages(bundle: KnowledgeFile) -> None:
    for card in bundle.cards():
        assert bundle.title(card.key, "zh") == card.title.zh
        assert bundle.title(card.key, "en") == card.title.en


def test_cards_come_in_the_order_of_repos_and_numbers(bundle: KnowledgeFile) -> None:
    repos = [repo.name for repo in bundle.catalog.repos]
    keys = [card.key for card in bundle.cards()]
    assert keys == sorted(keys, key=lambda key: (repos.index(key.repo), key.number))
    assert len(keys) == bundle.card_count() == 50


def test_every_reference_between_cards_themes_and_guide_resolves(bundle: KnowledgeFile) -> None:
    keys = {card.key for card in bundle.cards()}
    for card in bundle.cards():
        assert {related.key for related in card.related} <= keys - {card.key}
    groups = [theme.cards for theme in bundle.themes()] + [entry.cards for entry in bundle.guide()]
    for cards in groups:
        assert cards
        assert set(cards) <= keys
        assert len(set(cards)) == len(cards)
