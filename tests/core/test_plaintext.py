"""Safe HTML as plain text: code exact, lists and tables readable."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.links import LinkMap
from ascend_kb.core.markdown import render
from ascend_kb.core.plaintext import plain_text
from tests.pace import loops

SOME = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
NOTHING = LinkMap({}, {}, lambda _key: False)


def plain(markdown: str) -> str:
    """Return the plain text of a Markdown text."""
    return plain_text(render(markdown, NOTHING, "zh"))


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("a\nb\n\nc", "a b\n\nc\n"),
        ("# T\n\ntext", "T\n\ntext\n"),
        ("a  \nb", "a\nb\n"),
        ("**a** *b* `c`", "a b c\n"),
        ("[a](https://b.c) d", "a d\n"),
        ("- a\n- b", "- a\n- b\n"),
        ("3. a\n4. b", "3. a\n4. b\n"),
        ("a\n\n- b\n\nc", "a\n\n- b\n\nc\n"),
        ("1. a\n    - b\n    - c\n2. d", "1. a\n   - b\n   - c\n2. d\n"),
        ("- a\n\n    second\n\n- b", "- a\n  second\n- b\n"),
        ("|h|i|\n|-|-|\n|`a|b`|c|\n|d||", "h | i\na|b | c\nd |\n"),
        ("|h|i|\n|-|-|\n|`a` `b`|*c* d|", "h | i\na b | c d\n"),
        ("> a\n>\n> b", "a\n\nb\n"),
        ("&lt;b&gt; &amp; <i>", "<b> & <i>\n"),
        ("a\n\n---\n\nb", "a\n\nb\n"),
        ("", "\n"),
    ],
)
def test_blocks_are_readable(markdown: str, text: str) -> None:
    assert plain(markdown) == text


CODE = "if a <b> & 'c':\n\tx  =  1\n\n\n    y = \"&lt;\"\n  - no item"


@pytest.mark.parametrize(
    ("before", "columns", "after", "text"),
    [
        ("", 0, "", f"{CODE}\n"),
        ("a\n\n", 0, "\n\nb", f"a\n\n{CODE}\n\nb\n"),
        ("1. a\n\n", 3, "\n\n2. b", f"1. a\n\n{CODE}\n\n2. b\n"),
    ],
)
def test_code_is_exact_and_has_no_button(before: str, columns: int, after: str, text: str) -> None:
    block = "\n".join(" " * columns + line for line in ["```", *CODE.split("\n"), "```"])
    assert plain(before + block + after) == text


def test_a_list_item_of_code_alone_keeps_its_number() -> None:
    assert plain("1. ```\n   x\n   ```\n2. b") == "1.\n\nx\n\n2. b\n"


@pytest.mark.parametrize("markdown", ["- a\n- b\n", "```\nx\n```", "x", "|a|\n|-|\n|b|", "> a"])
def test_the_text_ends_in_one_line_end(markdown: str) -> None:
    text = plain(markdown)
    assert text.endswith("\n")
    assert not text.startswith("\n")
    assert text == text.rstrip("\n") + "\n"


PIECES = [
    "a",
    "中",
    " ",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "    ",
    "> ",
    "# ",
    "```\n",
    "`",
    "**",
    "|",
    "|-|-|\n",
    "<b>",
    "&amp;",
    "\t",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@SOME
def test_no_word_is_lost_and_no_block_stands_far_off(markdown: str) -> None:
    text = plain(markdown)
    assert text.count("中") == markdown.count("中")
    assert text.endswith("\n")
    assert "\n\n\n" not in text or "```" in markdown or "    " in markdown or "\t" in markdown


@pytest.mark.parametrize(
    "html", ["<em>a</em> " * 20_000, "<p>a</p>" * 20_000, "<ul><li>a</li></ul>" * 10_000, "&lt;" * 50_000]
)
def test_long_texts_are_read_in_time(html: str) -> None:
    assert loops(lambda: plain_text(html)) < 200
