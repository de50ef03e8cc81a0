"""Tab rows and pipe tables become rows, whatever their cells hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.sources.articles.blocks import Row, Text
from ascend_kb.sources.articles.plain import blocks, has_pipe_table, pipe_cells
from tests.pace import loops

SOME = settings(max_examples=300, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("| a | b", ["a", "b"]),
        (r"| a\|b | c |", ["a|b", "c"]),
        ("| `grep -E 'a|b'` | c |", ["`grep -E 'a|b'`", "c"]),
        ("| ``a ` | b`` | c |", ["``a ` | b``", "c"]),
        ("| a ` b | c |", ["a ` b", "c"]),
        ("| a |  | c |", ["a", "", "c"]),
        ("|| c |", ["", "c"]),
        ("| a<br>b<BR /> | c |", ["a\nb\n", "c"]),
        ("| a &lt;b&gt; &#124; &amp;amp; | &nope; &copy |", ["a <b> | &amp;", "&nope; &copy"]),
        (r"| a\\ | b |", [r"a\\", "b"]),
    ],
)
def test_pipe_rows_are_cut_at_bare_pipes_only(line: str, cells: list[str]) -> None:
    assert pipe_cells(line) == cells


CELL = st.text(alphabet="ab|`\\* 中", max_size=8).map(str.strip)


@SOME
@given(st.lists(CELL, min_size=2, max_size=5))
def test_escaped_cells_come_back(cells: list[str]) -> None:
    cells = [cell.replace("\\", "").replace("`", "").strip() or "x" for cell in cells]
    line = "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    assert pipe_cells(line) == cells


def test_a_table_of_markdown_ends_at_a_line_without_pipes() -> None:
    text = "# Head #\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n| 3 | 4\nafter | not\n\nx | y\n"
    assert list(blocks(text)) == [
        Text(1, "Head", 1),
        Row(3, ("a", "b"), "|"),
        Row(5, ("1", "2"), "|"),
        Row(6, ("3", "4"), "|"),
        Row(7, ("after", "not"), "|"),
        Text(9, "x | y", 0, True),
    ]


def test_pipes_without_a_separator_are_text() -> None:
    assert [type(block) for block in blocks("a | b\nc | d\n")] == [Text, Text]


def test_fenced_code_is_one_text_and_holds_no_table() -> None:
    code = "```\n| a | b |\n|---|---|\nx\ty\n```"
    assert list(blocks(f"{code}\n\nx\ty")) == [Text(1, code), Row(7, ("x", "y"))]


def test_a_fence_without_an_end_hides_nothing() -> None:
    assert Row(2, ("x", "y")) in list(blocks("```\nx\ty\n"))


def test_tab_rows_know_their_line_and_what_follows_them() -> None:
    assert list(blocks("a\tb\nc\n\nd\n")) == [
        Row(1, ("a", "b")),
        Text(2, "c", 0, False, True),
        Text(4, "d", 0, True),
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('"a\tb"\tc', [("a\tb", "c")]),
        ('"a ""b"""\tc', [('a "b"', "c")]),
        ('x\t"a\nb"\tc\nd\te', [("x", "a\nb", "c"), ("d", "e")]),
        ('"a" b\tc', [('"a" b', "c")]),
        ('"a\tb\n\nc\td', [('"a', "b"), ("c", "d")]),
        ('"a\tb\nc\td', [('"a', "b"), ("c", "d")]),
    ],
)
def test_quoted_cells(text: str, rows: list[tuple[str, ...]]) -> None:
    assert [block.cells for block in blocks(text) if isinstance(block, Row)] == rows


def test_invisible_blanks_are_left_out() -> None:
    assert list(blocks("\u200ba\u00a0b\u2060\tc")) == [Row(1, ("a b", "c"))]


def test_markdown_is_told_by_headings_and_tables() -> None:
    assert has_pipe_table("# a")
    assert has_pipe_table("a | b\n--|--")
    assert not has_pipe_table("a | b\nc\td")


@SOME
@given(st.text(alphabet='a\t|-:`~"#\\ \n中&<br>', max_size=80))
def test_any_text_gives_blocks_in_the_order_of_lines(text: str) -> None:
    lines = [block.line for block in blocks(text)]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)


@pytest.mark.parametrize(
    "piece",
    [
        "`", "a`", "|", "|-", "|-|\n", '"', '"\n', '\t"', '"\t', "```\n", "~~~\n", "a\tb\n", "&", "&a", " ", "-", ":-",
        "\\", "# ",
    ],
)  # fmt: skip
def test_time_grows_with_the_length(piece: str) -> None:
    def read(count: int) -> float:
        text = f"a | b\n{piece * count}"
        return loops(lambda: list(blocks(text)))

    assert read(16_000) < 10 * read(4_000) + 2
