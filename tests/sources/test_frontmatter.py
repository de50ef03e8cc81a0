"""Markdown is cut at its headings, but not at what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.sources.frontmatter import Part, languages, parts, split
from ascend_kb.sources.problems import Problems


def test_parts_know_their_line_heading_and_text() -> None:
    above, found = parts("above\n\n## A\n\none\n\n## B ##\ntwo\n", 10, 2)
    assert above == "above"
    assert found == [Part(12, "A", "one"), Part(16, "B", "two")]


@pytest.mark.parametrize(
    "text",
    [
        "```\n## no\n```",
        "- item\n\n  ```bash\n## no\n  ```",
        "~~~text\n```\n## no\n~~~",
        "   ## no",
        "##no",
        "### no",
        "```\n## no, the fence has no end",
        "",
    ],
)
def test_what_is_no_heading_does_not_cut(text: str) -> None:
    assert parts("## A\n" + text, 1, 2)[1] == [Part(1, "A", text.strip("\n"))]
    assert parts(text, 1, 2) == (text.strip("\n"), [])


def test_a_heading_after_a_closed_fence_cuts() -> None:
    found = parts("## A\n```\n## no\n```\n## B\n", 1, 2)[1]
    assert [part.heading for part in found] == ["A", "B"]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(["## A", "## B", "text", "", "```", "    ## C"]), max_size=12))
def test_no_line_is_lost_or_doubled(lines: list[str]) -> None:
    above, found = parts("\n".join(lines), 1, 2)
    kept = above.split("\n") + [line for part in found for line in (f"## {part.heading}", *part.text.split("\n"))]
    assert [line for line in kept if line] == [line for line in lines if line]
    assert all(lines[part.line - 1] == f"## {part.heading}" for part in found)


def test_the_front_matter_is_cut_off_and_the_line_of_the_body_known() -> None:
    problems = Problems()
    front, body, line = split("---\na: 1\n---\nbody\n---\n", "x.md", problems, "the front matter")
    assert front is not None
    assert list(front.mapping(("a",))) == ["a"]
    assert (body, line) == ("body\n---\n", 4)
    assert problems.items == []


@pytest.mark.parametrize("text", ["", "body", "---\na: 1\n", "\n---\na: 1\n---\n", "----\na: 1\n----\n"])
def test_a_text_without_front_matter_is_a_fault_of_line_one(text: str) -> None:
    problems = Problems()
    assert split(text, "x.md", problems, "the front matter")[0] is None
    assert [(problem.path, problem.line) for problem in problems.items] == [("x.md", 1)]


def test_both_languages_are_found_in_any_order() -> None:
    problems = Problems()
    found = languages("# English\n\ntext\n\n# 中文\n\n正文\n", 7, "x.md", problems)
    assert found == {"en": Part(7, "English", "text"), "zh": Part(11, "中文", "正文")}
    assert problems.items == []
