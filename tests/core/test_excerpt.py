"""What is shown of a log: every place that matters, at its true line, in rows that a widget can take."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core import excerpt as module
from ascend_kb.core.excerpt import HEAD, TAIL, WHOLE, WHOLE_LINES, WIDTH, Excerpt, excerpt


def rebuilt(shown: Excerpt) -> str:
    """The text of an excerpt that is whole."""
    first, *rest = shown.pieces
    return first.text + "".join(piece.text for piece in rest)


def assert_true(shown: Excerpt, text: str) -> None:
    for piece in shown.pieces:
        assert text[piece.start : piece.start + len(piece.text)] == piece.text
        assert piece.line == text.count("\n", 0, piece.start) + 1
        assert max(map(len, piece.text.split("\n"))) <= WIDTH


def test_a_short_log_is_one_piece() -> None:
    shown = excerpt("one\ntwo\n", [])
    assert [piece.text for piece in shown.pieces] == ["one\ntwo"]
    assert (shown.lines, shown.is_whole) == (2, True)


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("\n", 1), ("a", 1), ("a\nb", 2), ("a\n\n", 2)])
def test_lines_are_counted_as_editors_count_them(text: str, lines: int) -> None:
    assert excerpt(text, []).lines == lines


def test_a_long_line_goes_on_in_rows_of_the_same_number() -> None:
    text = "first\n" + "x" * (2 * WIDTH + 5) + "\nlast"
    shown = excerpt(text, [])
    assert [(piece.line, piece.follows) for piece in shown.pieces] == [(1, False), (2, True), (2, True)]
    assert rebuilt(shown) == text
    assert_true(shown, text)


def test_a_large_log_shows_its_beginning_its_end_and_what_tells() -> None:
    text = "".join(f"line {n} {'.' * 60}\n" for n in range(100_000))
    place = text.index("line 50000 ")
    shown = excerpt(text, [place])
    assert not shown.is_whole
    assert shown.lines == 100_000
    assert shown.pieces[0].text.startswith("line 0 ")
    assert "line 50000 " in shown.pieces[1].text
    assert shown.pieces[-1].text.endswith("line 99999 " + "." * 60)
    assert_true(shown, text)


def test_of_one_endless_line_parts_are_shown() -> None:
    text = "x" * (WHOLE + 1)
    shown = excerpt(text, [1_000_000])
    assert not shown.is_whole
    assert {piece.line for piece in shown.pieces} == {1}
    assert sum(len(piece.text) for piece in shown.pieces) < HEAD + TAIL + 3 * module.REACH
    assert any(piece.start <= 1_000_000 < piece.start + len(piece.text) for piece in shown.pieces)


def test_too_many_lines_are_left_out_however_short() -> None:
    text = "\n" * (WHOLE_LINES + 1) + "end"
    shown = excerpt(text, [])
    rows = sum(piece.text.count("\n") + 1 for piece in shown.pieces)
    assert not shown.is_whole
    assert rows <= module.HEAD_LINES + module.TAIL_LINES + 2
    assert shown.pieces[-1].text.endswith("\nend")
    assert_true(shown, text)


def test_what_a_widget_takes_for_marks_of_its_own_is_replaced() -> None:
    assert excerpt("a\ufdd0b\ufdd1c\ufffcd", []).pieces[0].text == "a\ufffdb\ufffdc\ufffdd"


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.data())
def test_pieces_are_true_whatever_the_log(data: st.DataObject) -> None:
    """With small bounds, so that small texts are cut."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "WHOLE": 60, "WHOLE_LINES": 8, "HEAD": 20, "TAIL": 10, "HEAD_LINES": 3, "TAIL_LINES": 2, "AROUND": 1,
            "REACH": 12, "WIDTH": 7,
        }.items():  # fmt: skip
            patch.setattr(module, name, value)
        text = data.draw(st.text("ab\n", max_size=150))
        places = data.draw(st.lists(st.integers(0, max(0, len(text) - 1)), max_size=3))
        shown = excerpt(text, places)
        end = 0
        for piece in shown.pieces:
            assert text[piece.start : piece.start + len(piece.text)] == piece.text
            assert piece.line == text.count("\n", 0, piece.start) + 1
            assert piece.start >= end
            assert not piece.follows or piece.start == end
            assert all(len(row) <= 7 for row in piece.text.split("\n"))
            end = piece.start + len(piece.text)
        assert len(text.rstrip("\n")) - end <= 0 or not shown.pieces
