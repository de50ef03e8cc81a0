"""Measuring search and diagnosis by lines of questions whose answers are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_kb.core.errors import KBError
from ascend_kb.core.query import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascend_kb.app.library import Library

DEPTH = 100  # rows of a search in which the expected card is looked for


class Question(NamedTuple):
    """One line of an exam: ``expected`` card keys, any of which counts; none where nothing answers it."""

    id: str
    kind: str
    text: str
    expected: tuple[str, ...]


class Answer(NamedTuple):
    """What was found for a question, best first, and whether it was claimed to be an answer."""

    question: Question
    keys: tuple[str, ...]
    is_refused: bool

    @property
    def rank(self) -> int:
        """The place of the first expected card, from 1; 0 where it was not found."""
        return next((i for i, key in enumerate(self.keys, 1) if key in self.question.expected), 0)

    @property
    def is_miss(self) -> bool:
        """Whether the first card is not the expected one, or a question without an answer got one."""
        return self.rank != 1 if self.question.expected else not self.is_refused


def read_questions(data: bytes, name: str) -> list[Question]:
    """Read the lines of an exam: JSON objects with ``text`` or ``query``, ``expected``, ``kind`` and ``id``.

    Raises:
        KBError: a line is not such an object; it is named by its number.
    """
    questions = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            questions.append(_question(line, number, name))
    return questions


def _question(line: bytes, number: int, name: str) -> Question:
    hint = 'each line is a JSON object such as {"id": "a1", "kind": "log", "text": "...", "expected": ["msopcom#57"]}'
    try:
        value = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        raise KBError(f"{name}: line {number} is not JSON: {error}", hint) from error
    fault = _fault(value)
    if fault:
        raise KBError(f"{name}: line {number}: {fault}", hint)
    text = value["text"] if "text" in value else value["query"]
    return Question(str(value.get("id", number)), str(value.get("kind", "")), text, tuple(value["expected"]))


def _fault(value: Any) -> str:
    """Return what is wrong with the object of a line, or an empty string."""
    if not isinstance(value, dict):
        return "not an object"
    if not isinstance(value.get("text", value.get("query")), str):
        return "'text' or 'query' must be a text"
    expected = value.get("expected")
    if not isinstance(expected, list) or not all(isinstance(key, str) for key in expected):
        return "'expected' must be a list of card keys"
    return ""


def answers(
    library: Library, questions: list[Question], mode: str, progress: Callable[[int, int], None] | None = None
) -> list[Answer]:
    """Ask every question; ``mode`` is ``search`` or ``diagnose``."""
    ask = _diagnosed if mode == "diagnose" else _searched
    found = []
    for i, question in enumerate(questions, 1):
        found.append(ask(library, question))
        if progress is not None:
            progress(i, len(questions))
    return found


def _searched(library: Library, question: Question) -> Answer:
    selection = library.select(SearchQuery(question.text))
    keys = tuple(str(row.key) for row in selection.rows(0, DEPTH))
    return Answer(question, keys, selection.refused or not keys)


def _diagnosed(library: Library, question: Question) -> Answer:
    from ascend_kb.app.diagnosing import diagnose

    found = diagnose(library, question.text)
    return Answer(question, tuple(str(match.key) for match in found.matches), not found.band.answers)


def measures(found: Iterable[Answer]) -> dict[str, Any]:
    """Return precision at 1, recall at 3, mean reciprocal rank and the share of refused questions without an answer.

    Shares of nothing are None.
    """
    listed = list(found)
    kinds: dict[str, list[Answer]] = {}
    for answer in listed:
        kinds.setdefault(answer.question.kind, []).append(answer)
    return {
        "total": len(listed),
        **_ranks(listed),
        "refused": _refused(listed),
        "kinds": {
            kind: {"n": len(group), **_ranks(group), "refused": _refused(group)} for kind, group in kinds.items()
        },
        "misses": [
            {
                "id": answer.question.id, "kind": answer.question.kind, "text": answer.question.text[:200],
                "expected": list(answer.question.expected), "found": list(answer.keys[:3]), "rank": answer.rank or None,
            }
            for answer in listed
            if answer.is_miss
        ],
    }  # fmt: skip


def _ranks(group: list[Answer]) -> dict[str, float | None]:
    ranks = [answer.rank for answer in group if answer.question.expected]
    return {
        "p1": _share(sum(rank == 1 for rank in ranks), len(ranks)),
        "r3": _share(sum(1 <= rank <= 3 for rank in ranks), len(ranks)),
        "mrr": _share(sum(1 / rank for rank in ranks if rank), len(ranks)),
    }


def _refused(group: list[Answer]) -> float | None:
    negatives = [answer for answer in group if not answer.question.expected]
    return _share(sum(answer.is_refused for answer in negatives), len(negatives))


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
