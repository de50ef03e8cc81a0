"""Logs that broke other programs: whatever is pasted is read, and what stands in between hides no card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.app.building import compile_texts
from ascend_kb.app.diagnosing import diagnose
from ascend_kb.app.library import Library
from tests.conftest import ROOT
from tests.pace import loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.diagnosis import Diagnosis

SOME = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
SAMPLE = (ROOT / "tests" / "data" / "sample.log").read_text("utf-8")
CARD = "msopcom#54"


@pytest.fixture(scope="module")
def library(source_texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The knowledge of the sources as they are now."""
    path = tmp_path_factory.mktemp("hard") / "kb.sqlite"
    compile_texts(source_texts, path)
    opened = Library(path)
    yield opened
    opened.close()


def assert_sound(found: Diagnosis) -> None:
    """Fail unless everything that is said about a log stands in it where it says."""
    for fact in found.facts:
        assert found.text[fact.start : fact.end] == fact.text
    spans = [why.span for match in found.matches for why in match.why]
    for span in [*spans, *([found.telling] if found.telling else [])]:
        assert 0 <= span.start < span.end <= len(found.text)
        assert found.text.count("\n", 0, span.start) == span.line - 1
    if not found.band.answers:
        assert found.draft is not None


LINES = {
    "right to left": "خطأ: فشل التحميل",
    "marks": "e" + "\u0301" * 300,
    "surrogates": "\ud83d \ude00",
    "NUL": "a\0b",
    "emoji": "👩‍👩‍👧‍👦 ok",
    "controls": "\x01\x02\x7f\x9b31m",
    "half an escape": "\x1b[",
    "a title": "\x1b]0;" + "t" * 3_000 + "\x07",
    "a progress bar": "\r".join(f"{i}%|###|" for i in range(50)),
    "separators": "a\u2028b\x85c\x0bd\x0ce",
    "a long line": "x" * 30_000,
    "base64": "QUJD" * 5_000,
    "brackets": "[" * 5_000,
    "many codes": " ".join(str(507_000 + i) for i in range(500)),
    "json": '{"a": ' * 500,
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_strange_line_anywhere_hides_no_card(library: Library, line: str) -> None:
    rows = SAMPLE.splitlines()
    for i in (0, len(rows) // 2, len(rows)):
        found = diagnose(library, "\n".join([*rows[:i], line, *rows[i:]]))
        assert_sound(found)
        assert str(found.matches[0].key) == CARD


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_strange_line_alone_is_no_answer(library: Library, line: str) -> None:
    for text in (line, line.encode("utf-8", "surrogatepass"), f"{line}\n" * 50):
        found = diagnose(library, text)
        assert_sound(found)
        assert not found.band.answers


@SOME
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=60), max_size=4), st.integers(0, 20))
def test_any_text_in_between_hides_no_card(library: Library, lines: list[str], place: int) -> None:
    rows = SAMPLE.splitlines()
    i = place % (len(rows) + 1)
    found = diagnose(library, "\n".join([*rows[:i], *lines, *rows[i:]]))
    assert_sound(found)
    assert CARD in [str(match.key) for match in found.matches[:2]]


@SOME
@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text_is_read(library: Library, text: str) -> None:
    assert_sound(diagnose(library, text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\u2028"])
def test_line_ends_make_no_difference(library: Library, end: str) -> None:
    assert str(diagnose(library, SAMPLE.replace("\n", end)).matches[0].key) == CARD


@pytest.mark.parametrize("piece", ["x", "\0", "مرحبا ", "\u0301", "\ud83d", "error ", "误报", "\n", "\x1b[0m", "a_b "])
def test_100_000_characters_end_quickly(library: Library, piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    assert loops(lambda: assert_sound(diagnose(library, text))) < 300
