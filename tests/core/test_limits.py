"""What reading a Markdown text may cost. That hostile texts stay whole and quick is tested in test_markdown."""

from __future__ import annotations

import pytest
from markdown import Markdown

from ascend_kb.core.limits import MAX_DEPTH, MAX_MARKS, Budget, limit
from tests.pace import loops


def convert(text: str, budget: Budget | None = None) -> str:
    """Render a text within a budget."""
    md = Markdown(extensions=["tables"])
    limit(md, budget or Budget(len(text)))
    return str(md.convert(text))


def test_a_budget_is_spent_once() -> None:
    budget = Budget(0)
    assert budget.affords(12_000_000)
    assert budget.affords(0)
    assert not budget.affords(1)


def test_what_cannot_be_afforded_spends_nothing() -> None:
    budget = Budget(0)
    assert not budget.affords(12_000_001)
    assert budget.affords(12_000_000)


def test_a_larger_text_may_cost_more() -> None:
    assert Budget(1_000).affords(12_040_000)
    assert not Budget(1_000).affords(12_040_001)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* `c`", "<p>a <em>b</em> <code>c</code></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("a | b\n--|--\nc | d", "<td>c</td>"),
        ("[a](https://x.y)", '<a href="https://x.y">a</a>'),
    ],
)
def test_usual_texts_are_not_limited(text: str, html: str) -> None:
    assert html in convert(text)


def test_with_nothing_left_a_text_is_shown_as_it_stands() -> None:
    budget = Budget(0)
    budget.affords(12_000_000)
    assert convert("# a\n\n*b* & <c>", budget) == "<pre># a</pre>\n<pre>*b* &amp; &lt;c&gt;</pre>"


@pytest.mark.parametrize(("depth", "is_read"), [(MAX_DEPTH // 4, True), (MAX_DEPTH * 4, False)])
def test_blocks_that_lie_too_deep_are_shown_as_they_stand(depth: int, is_read: bool) -> None:
    html = convert("> " * depth + "*end*")
    assert ("<em>end</em>" in html) is is_read
    assert "end" in html


@pytest.mark.parametrize(("marks", "is_read"), [(MAX_MARKS - 2, True), (MAX_MARKS + 2, False)])
def test_a_paragraph_of_too_many_marks_is_shown_as_it_stands(marks: int, is_read: bool) -> None:
    html = convert("*a* " * (marks // 2))
    assert ("<em>" in html) is is_read


def test_signs_inside_words_are_no_marks() -> None:
    assert "<code>c</code>" in convert("snake_case_name " * MAX_MARKS + "`c`")


def test_the_same_text_gives_the_same_html() -> None:
    text = "[" * 3_000 + "a|" * 500 + "`" * 99 + "*b " * 400
    assert convert(text) == convert(text)


@pytest.mark.parametrize("piece", ["[", "[a](", "*a ", "`", "|", "> ", "- ", "#" * 30 + "\n", "a|b\n-|-\n", "_a_ "])
def test_cost_is_bounded(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    assert loops(lambda: convert(text)) < 300
