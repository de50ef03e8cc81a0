"""Saved web pages: tables with merged cells, layout tables, hidden parts; never anything loaded or run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.sources.articles.blocks import Row, Text
from ascend_kb.sources.articles.page import blocks, is_page
from tests.pace import loops

SOME = settings(max_examples=200, deadline=None, derandomize=True)


def texts(html: str) -> list[str]:
    return [block.text for block in blocks(f"<html><body>{html}</body></html>") if isinstance(block, Text)]


def rows(html: str) -> list[tuple[str, ...]]:
    return [block.cells for block in blocks(f"<html><body>{html}</body></html>") if isinstance(block, Row)]


def test_text_is_cut_at_blocks_and_blanks_are_joined() -> None:
    assert texts("<p>a\n  b<b>c</b></p><div>d<br>e</div>f") == ["a bc", "d\ne", "f"]


def test_headings_have_levels_and_lists_numbers() -> None:
    found = list(blocks("<html><body><h2>a</h2><ol><li>b</li><li>c</li></ol><ul><li>d</li></ul></body></html>"))
    assert [(b.text, b.level) for b in found if isinstance(b, Text)] == [("a", 2), ("1. b", 0), ("2. c", 0), ("d", 0)]


@pytest.mark.parametrize(
    ("html", "cells"),
    [
        ("<tr><td>a<td>b<tr><td>c<td>d", [("a", "b"), ("c", "d")]),
        ("<tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr>", [("a", "b"), ("a", "c")]),
        ("<tr><td>a</td><td rowspan=2>b</td></tr><tr><td>c</td></tr>", [("a", "b"), ("c", "b")]),
        ("<tr><td colspan=2>a</td><td>b</td></tr>", [("a", "a", "b")]),
        ("<tr><th>a</th><td></td></tr>", [("a", "")]),
        ("<tr><td><p>a</p><p>b</p></td><td><code>x|y</code></td></tr>", [("a\nb", "`x|y`")]),
        ("<tr><td rowspan=x colspan=-3>a</td><td>b</td></tr>", [("a", "b")]),
        ("<tr><td>&lt;b&gt;&nbsp;&#169;</td><td>\u200bb</td></tr>", [("<b> ©", "b")]),
    ],
)
def test_tables(html: str, cells: list[tuple[str, ...]]) -> None:
    assert rows(f"<table>{html}</table>") == cells


def test_a_table_for_layout_gives_its_texts_and_the_tables_in_it() -> None:
    html = "<table><tr><td>menu</td><td><p>intro</p><table><tr><td>a</td><td>b</td></tr></table>end</td></tr></table>"
    assert rows(html) == [("a", "b")]
    assert texts(html)[:2] == ["menu", "intro"]


def test_scripts_styles_comments_and_heads_are_no_text() -> None:
    html = "<script>a<td></script><style>b</style><!-- c --><noscript>d</noscript><template>e</template><p>f</p>"
    assert texts(html) == ["f"]
    assert list(blocks("<html><head><title>t</title></head><body>f</body></html>")) == [Text(1, "f")]


def test_rows_know_their_lines() -> None:
    found = list(blocks("<html><body>\n<table>\n<tr><td>a</td><td>b</td></tr>\n</table>\n<p>c</p></body></html>"))
    assert [block.line for block in found] == [3, 5]


def test_a_page_is_told_by_its_beginning() -> None:
    assert is_page("\n<!DOCTYPE html><html>")
    assert is_page("<!-- saved --><html lang=zh>")
    assert is_page("<table><tr>")
    assert not is_page("a <table>")
    assert not is_page("<b>x</b>")


@SOME
@given(
    st.lists(
        st.sampled_from(
            [
                "<table>",
                "<tr>",
                "<td>",
                "<td rowspan=3>",
                "</td>",
                "</tr>",
                "</table>",
                "a",
                "<p>",
                "</p>",
                "<ol>",
                "<li>",
                "</ol>",
                "<pre>",
                "</pre>",
                "<script>",
                "</script>",
                "<code>",
                "\n",
                "&",
                "<",
                "<!--",
                "<h1>",
                "</h1>",
                "<br>",
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_any_page_gives_blocks(html: str) -> None:
    for block in blocks(html):
        assert block.line >= 1


@pytest.mark.parametrize(
    "piece",
    [
        "<", "<!--", "<!--\n", "<a ", "<b>", "<table><tr><td>", "<p>x\n", "<script>\n", "&", '<a b="', "</",
        "<td rowspan=1000 colspan=200>", "<![CDATA[", "<i a=1>\n<p>", "<li>", "<pre>a\n",
    ],
)  # fmt: skip
def test_time_grows_with_the_length(piece: str) -> None:
    def read(count: int) -> float:
        return loops(lambda: list(blocks("<html>" + piece * count)))

    assert read(12_000) < 10 * read(3_000) + 3
