"""Measures of an exam, and what is said about its lines."""

from __future__ import annotations

import json

import pytest

from ascend_kb.app.evaluation import Answer, Question, measures, read_questions
from ascend_kb.core.errors import KBError


def answer(expected: list[str], *found: str, refused: bool = False, kind: str = "log") -> Answer:
    return Answer(Question("q", kind, "text", tuple(expected)), found, refused)


def test_measures() -> None:
    measured = measures(
        [
            answer(["a#1"], "a#1"),
            answer(["a#1", "a#2"], "x#1", "a#2"),
            answer(["a#1"], "x#1", "x#2", "x#3", "a#1", kind="prose"),
            answer(["a#1"], kind="prose"),
            answer([], "x#1"),
            answer([], refused=True),
        ]
    )
    assert {name: measured[name] for name in ("total", "p1", "r3", "mrr", "refused")} == {
        "total": 6, "p1": 0.25, "r3": 0.5, "mrr": 0.4375, "refused": 0.5,
    }  # fmt: skip
    assert measured["kinds"]["log"] == {"n": 4, "p1": 0.5, "r3": 1.0, "mrr": 0.75, "refused": 0.5}
    assert measured["kinds"]["prose"]["refused"] is None
    assert [miss["rank"] for miss in measured["misses"]] == [2, 4, None, None]


def test_measures_of_nothing() -> None:
    assert measures([]) == {"total": 0, "p1": None, "r3": None, "mrr": None, "refused": None, "kinds": {}, "misses": []}


def test_lines_are_read_whatever_their_ends_and_marks() -> None:
    line = json.dumps({"query": "内存", "expected": ["a#1"]}, ensure_ascii=False)
    found = read_questions(f"\ufeff{line}\r\n\n{line}".encode(), "x")
    assert [(q.id, q.kind, q.text, q.expected) for q in found] == [
        ("1", "", "内存", ("a#1",)),
        ("3", "", "内存", ("a#1",)),
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "not JSON"),
        ("[]", "not an object"),
        ('{"expected": []}', "'text' or 'query'"),
        ('{"text": 1, "expected": []}', "'text' or 'query'"),
        ('{"text": "a"}', "'expected'"),
        ('{"text": "a", "expected": [1]}', "'expected'"),
        ('{"text": "a", "expected": "a#1"}', "'expected'"),
        ("[" * 100_000, "not JSON"),
        (b"\xff", "not JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number(line: str | bytes, fault: str) -> None:
    raw = line if isinstance(line, bytes) else line.encode()
    with pytest.raises(KBError) as error:
        read_questions(b'{"text": "a", "expected": []}\n\n' + raw, "exam.jsonl")
    assert "exam.jsonl: line 3" in error.value.message
    assert fault in error.value.message
    assert error.value.hint
