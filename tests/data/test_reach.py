"""How well the knowledge answers the project's own questions. Logs are measured in tests/app/test_diagnosing.py."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from ascend_kb.app.building import compile_texts
from ascend_kb.app.evaluation import Question, answers, measures, read_questions
from ascend_kb.app.library import Library
from ascend_kb.core.keys import CardKey
from ascend_kb.sources.load import load
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("queries.jsonl", "logs.jsonl")


def questions(name: str) -> list[Question]:
    return read_questions((ROOT / "tests" / "data" / name).read_bytes(), name)


@pytest.fixture(scope="module")
def measured(source_texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What searching for all questions gives, in the knowledge of the sources as they are now."""
    path: Path = tmp_path_factory.mktemp("reach") / "kb.sqlite"
    compile_texts(source_texts, path)
    library = Library(path)
    try:
        return measures(answers(library, questions("queries.jsonl"), "search"))
    finally:
        library.close()


def test_search_finds_the_card_first_or_among_the_first_three(measured: dict[str, Any]) -> None:
    assert measured["p1"] >= 0.96, measured["misses"]
    assert measured["r3"] >= 0.985, measured["misses"]


def test_no_kind_of_question_falls_behind(measured: dict[str, Any]) -> None:
    kinds = {kind: shares["p1"] for kind, shares in measured["kinds"].items() if shares["p1"] is not None}
    assert len(kinds) >= 6
    assert {kind: share for kind, share in kinds.items() if share < 0.9} == {}


def test_questions_that_nothing_answers_are_refused(measured: dict[str, Any]) -> None:
    assert measured["refused"] >= 0.9, measured["misses"]


# --- the questions themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_line_has_an_id_and_a_text_of_its_own(name: str) -> None:
    listed = questions(name)
    for values in ([q.id for q in listed], [q.text for q in listed]):
        assert [value for value, count in Counter(values).items() if count > 1] == []
    assert all(q.text.strip() and q.kind for q in listed)


@pytest.mark.parametrize("name", NAMES)
def test_expected_cards_exist(name: str, source_texts: dict[str, str]) -> None:
    keys = {str(card.key) for card in load(source_texts).cards}
    assert {key for q in questions(name) for key in q.expected} <= keys


def test_every_card_is_asked_for_in_several_ways(source_texts: dict[str, str]) -> None:
    asked = Counter(CardKey(*_parts(key)) for q in questions("queries.jsonl") for key in q.expected)
    assert {card.key for card in load(source_texts).cards if asked[card.key] < 3} == set()


@pytest.mark.parametrize(("name", "least"), [("queries.jsonl", 20), ("logs.jsonl", 25)])
def test_some_questions_have_no_answer(name: str, least: int) -> None:
    assert sum(not q.expected for q in questions(name)) >= least


def _parts(key: str) -> tuple[str, int]:
    repo, _, number = key.partition("#")
    return repo, int(number)
