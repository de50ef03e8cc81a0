"""Faults of sources, collected into one error."""

from __future__ import annotations

import pytest

from ascend_kb.core.errors import KBError
from ascend_kb.sources.problems import Mention, Problem, Problems, SourceError


def test_a_problem_is_written_as_compilers_do() -> None:
    assert str(Problem("cards/a/1.md", 7, "it is wrong")) == "cards/a/1.md:7: it is wrong"


def test_faults_are_listed_by_file_and_line() -> None:
    problems = Problems()
    for path, line in (("b.md", 2), ("a.md", 10), ("a.md", 9)):
        problems.add(path, line, "x")
    error = SourceError(problems.items)
    assert [(p.path, p.line) for p in error.problems] == [("a.md", 9), ("a.md", 10), ("b.md", 2)]
    assert error.message == "3 faults in the sources\na.md:9: x\na.md:10: x\nb.md:2: x"


@pytest.mark.parametrize(("count", "head"), [(1, "1 fault in the sources"), (2, "2 faults in the sources")])
def test_faults_are_counted(count: int, head: str) -> None:
    error = SourceError([Problem("a", i, "x") for i in range(count)])
    assert error.message.split("\n")[0] == head
    assert isinstance(error, KBError)
    assert error.hint


def test_mentions_are_kept_apart_from_faults() -> None:
    problems = Problems()
    problems.mentions.append(Mention("card", "mstt#5", "a.md", 3))
    assert problems.items == []
    assert Problems().mentions == []
