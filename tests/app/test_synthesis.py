"""Made-up knowledge: the same for the same seed, around the real cards, skewed as real texts are."""

from __future__ import annotations

import gc
import itertools
import re
import tracemalloc
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.checking import check
from ascend_kb.app.library import Library
from ascend_kb.app.synthesis import FEWEST, MOST, NONE, OWNER, Cards, synthesize, synthetic
from ascend_kb.core.errors import KBError
from ascend_kb.core.query import SearchQuery
from ascend_kb.core.vocabulary import Evidence, Outcome, SectionId
from ascend_kb.store.database import read_sources
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

    from ascend_kb.core.card import Card, Knowledge

COUNT = 3_000


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return synthetic(COUNT, 7)


@pytest.fixture(scope="module")
def cards(knowledge: Knowledge) -> list[Card]:
    return list(knowledge.cards)


@pytest.fixture(scope="module")
def real() -> list[Card]:
    from ascend_kb.sources.load import load

    return list(load(read_sources(BUNDLE)).cards)


@pytest.fixture(scope="module")
def made_up(cards: list[Card], real: list[Card]) -> list[Card]:
    keys = {card.key for card in real}
    return [card for card in cards if card.key not in keys]


def test_there_are_as_many_cards_as_asked_for_with_keys_of_their_own(cards: list[Card], knowledge: Knowledge) -> None:
    assert len(cards) == COUNT == len({card.key for card in cards})
    assert {repo.name: repo.cards for repo in knowledge.repos} == Counter(card.key.repo for card in cards)


def test_cards_come_in_the_order_of_their_keys(cards: list[Card], knowledge: Knowledge) -> None:
    position = {repo.name: i for i, repo in enumerate(knowledge.repos)}
    places = [(position[card.key.repo], card.key.number) for card in cards]
    assert places == sorted(places)


def test_the_real_cards_are_among_them_unchanged(cards: list[Card], real: list[Card]) -> None:
    listed = {card.key: card for card in cards}
    assert [listed[card.key] for card in real] == real


def test_the_same_seed_makes_the_same_cards_and_another_seed_others(cards: list[Card], knowledge: Knowledge) -> None:
    assert list(knowledge.cards) == cards
    assert list(synthetic(COUNT, 7).cards) == cards
    others = list(synthetic(COUNT, 8).cards)
    assert sum(a.title == b.title for a, b in zip(cards, others, strict=True)) < COUNT / 10


def test_cards_are_made_while_they_are_read() -> None:
    """What is held after thousands of cards were read is less than a hundred cards are."""
    knowledge = synthetic(MOST)
    cards = knowledge.cards
    tracemalloc.start()
    try:
        for _ in itertools.islice(cards, 500):  # what is made once stays
            pass
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        kept = list(itertools.islice(cards, 500))
        a_card = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
        del kept
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for _ in itertools.islice(cards, 2_000):
            pass
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 100 * a_card
    finally:
        tracemalloc.stop()


def test_words_and_identifiers_are_skewed_as_zipf_says(made_up: list[Card]) -> None:
    text = "\n".join(part for card in made_up for part in card.sections["zh"].values())
    pairs = Counter(a + b for run in re.findall("[一-鿿]+", text) for a, b in itertools.pairwise(run))
    names = Counter(e.name for card in made_up for e in card.entities)
    for counted, share in ((pairs, 0.25), (names, 0.1)):
        total = counted.total()
        hundred = sum(count for _, count in counted.most_common(100))
        once = sum(count == 1 for count in counted.values())
        assert share * total < hundred < 0.8 * total
        assert once > len(counted) / 4, "a long tail"
        assert counted.most_common(1)[0][1] > 10 * counted.most_common(100)[-1][1] / 4


def test_cards_are_like_the_real_ones(made_up: list[Card], knowledge: Knowledge) -> None:
    tags = {tag.id for tag in knowledge.tags}
    sizes = []
    for card in made_up:
        assert all((card.title.zh, card.title.en, card.summary.zh, card.summary.en))
        assert list(card.sections["zh"]) == list(SectionId)
        assert {*card.tags, *card.hardware} <= tags
        assert card.entities
        assert card.grounds
        assert all(card.phrasings.values())
        sizes.append(len("".join([*card.title, *card.summary, *card.sections["zh"].values()]).encode()))
    assert 1_200 < sum(sizes) / len(sizes) < 2_000
    assert 0.28 < sum("en" in card.sections for card in made_up) / len(made_up) < 0.39
    assert {card.outcome for card in made_up} == set(Outcome)
    assert {card.evidence for card in made_up} == set(Evidence)
    assert Counter(card.outcome for card in made_up).most_common(1)[0][0] is Outcome.FIXED
    assert sum("```" in card.sections["zh"][SectionId.RECIPE] for card in made_up) > len(made_up) / 4
    dates = {card.latest_change for card in made_up} - {""}
    assert len(dates) > 500
    assert max(dates) <= knowledge.as_of


def test_related_cards_exist(cards: list[Card]) -> None:
    keys = {card.key for card in cards}
    assert {related.key for card in cards for related in card.related} <= keys


def test_many_cards_have_repositories_that_are_marked_as_made_up() -> None:
    repos = synthetic(200_000).repos
    assert len(repos) > 40
    assert len({repo.name for repo in repos}) == len({repo.abbreviation for repo in repos}) == len(repos)
    assert {repo.owner for repo in repos[5:]} == {OWNER}


def test_a_file_is_whole_and_finds_its_cards(tmp_path: Path, real: list[Card]) -> None:
    told: list[tuple[int, int]] = []
    out = tmp_path / "out.sqlite"
    synthesize(200, out, report=lambda done, total: told.append((done, total)))
    assert told[-1] == (200, 200)
    assert check(out) == []
    assert [path.name for path in tmp_path.iterdir()] == ["out.sqlite"]
    library = Library(out)
    try:
        assert library.card_count() == 200
        assert "synthetic" in library.version
        assert library.card(real[0].key) == real[0]
        rows = library.select(SearchQuery("timeline pcsampling")).rows(0, 5)
        assert str(rows[0].key) == "msopcom#4"
    finally:
        library.close()


def test_made_up_cards_alone() -> None:
    knowledge = synthetic(60, around=NONE)
    assert len(list(knowledge.cards)) == 60
    assert (knowledge.themes, knowledge.guide) == ((), ())
    assert min(card.key.number for card in knowledge.cards) == 1


def test_cards_around_other_sources(tmp_path: Path) -> None:
    from tests.sources.sample import SAMPLE

    for name, text in SAMPLE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    knowledge = synthetic(60, around=tmp_path)
    keys = [str(card.key) for card in knowledge.cards]
    assert len(keys) == 60
    assert "msopcom#57" in keys


@pytest.mark.parametrize("count", [0, FEWEST - 1, MOST + 1])
def test_numbers_that_make_no_sense_are_refused(count: int, tmp_path: Path) -> None:
    with pytest.raises(KBError, match="cannot be made"):
        synthesize(count, tmp_path / "out.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_is_stopped_leaves_the_old_file(
    fault: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.sqlite"
    out.write_text("old")

    def stop(_self: Cards) -> None:
        raise fault

    monkeypatch.setattr(Cards, "__iter__", stop)
    with pytest.raises((KeyboardInterrupt, KBError)):
        synthesize(60, out)
    assert [path.name for path in tmp_path.iterdir()] == ["out.sqlite"]
    assert out.read_text() == "old"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(KBError, match="cannot be written"):
        synthesize(60, tmp_path / "missing" / "out.sqlite")
