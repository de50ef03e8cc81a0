"""Fenced code as people write it: found at any indent, its bytes kept."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.fences import Fence, find_fences, shell_commands, text_lines
from tests.pace import loops

SOME = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
CODE = "<b>x</b>\n# no heading\n\n\ta_b_c  \n    - no item\n"


def indented(text: str, columns: int) -> str:
    """Return a text with blanks before each line that is not empty."""
    return re.sub(r"(?m)^(?=.*\S)", " " * columns, text)


@pytest.mark.parametrize("columns", [0, 1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize("marks", ["```", "~~~", "`````"])
def test_a_fence_in_a_list_is_found_at_any_indent(columns: int, marks: str) -> None:
    text = f"- item\n{indented(f'{marks}bash{chr(10)}{CODE}{marks}{chr(10)}', columns)}after"
    assert find_fences(text) == [Fence(1, 8, columns, "bash", CODE)]


@pytest.mark.parametrize("lead", ["- ", "* ", "+ ", "1. ", "12) ", "  - ", "-   ", "- 1. "])
def test_a_list_item_may_begin_with_a_fence(lead: str) -> None:
    text = f"{lead}```sh\n{indented(CODE + '```', len(lead))}\n\nafter\n"
    assert find_fences(text) == [Fence(0, 7, len(lead), "sh", CODE, lead)]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("```\na\n```\nb\n```\nc\n```\n", ["a\n", "c\n"]),
        ("~~~\n```\n~~~\n", ["```\n"]),
        ("````\n```\n````\n", ["```\n"]),
        ("```\n````\n", [""]),
        ("```\n~~~\n```\n", ["~~~\n"]),
        ("```\n``` x\n```\n", ["``` x\n"]),
        ("``` a ``` b\ntext\n", []),
        ("``\na\n``\n", []),
        ("a ```\nb\n", []),
        ("```\n```", [""]),
        ("```\n\n```", ["\n"]),
        ("", []),
    ],
)
def test_which_lines_are_code(text: str, codes: list[str]) -> None:
    assert [fence.code for fence in find_fences(text)] == codes


@pytest.mark.parametrize("text", ["```bash\nls\n", "```bash\nls", "  ~~~ bash\n  ls"])
def test_a_fence_without_an_end_runs_to_the_end_of_the_text(text: str) -> None:
    [fence] = find_fences(text)
    assert fence.code.startswith("ls\n")
    assert fence.end == len(text.split("\n"))


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("bash", "bash"),
        (" Bash ", "bash"),
        ("\tsh title=x", "sh"),
        ("", ""),
        ("c++", "c++"),
        ("shell {.x}", "shell"),
        ("中文", "中文"),
    ],
)
def test_the_language_is_the_first_word_behind_the_marks(info: str, language: str) -> None:
    [fence] = find_fences(f"```{info}\nx\n```")
    assert fence.language == language


def test_line_ends_of_windows_are_those_of_the_code_no_more() -> None:
    [fence] = find_fences("- a\r\n\r\n  ```bash\r\n  ls \r\n\r\n  cd\r\n  ```\r\nb\r\n")
    assert fence == Fence(2, 7, 2, "bash", "ls \n\ncd\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a\r\nb\r\r\n", ["a", "b", ""]), ("a\rb\nc\r", ["a b", "c"]), ("\r", [""]), ("", [""])],
)
def test_a_line_holds_no_carriage_return(text: str, lines: list[str]) -> None:
    assert text_lines(text) == lines


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("   x", "x"),
        ("     x", "  x"),
        ("  x", "x"),
        ("x", "x"),
        ("   \tx", "\tx"),
        ("\tx", " x"),
        ("\t\tx", " \tx"),
        ("  ", ""),
        ("", ""),
    ],
)
def test_only_the_indent_of_the_fence_is_taken_off_its_lines(line: str, code: str) -> None:
    [fence] = find_fences(f"1. a\n   ```\n{line}\n   ```\n")
    assert fence.code == f"{code}\n"


@pytest.mark.parametrize(
    ("language", "code", "commands"),
    [
        ("bash", "ls -l\n# note\ncd /\n", "ls -l\n# note\ncd /\n"),
        ("bash", "  x\t\n\n\\\n", "  x\t\n\n\\\n"),
        ("bash", "> out\n", "> out\n"),
        ("bash", "$HOME/run\n", "$HOME/run\n"),
        ("sh", "$ ls\nfile\n$ cd /\n", "ls\ncd /\n"),
        ("sh", "\n  $ ls\n", "ls\n"),
        ("console", "$ ls\na  b\n$ cd a\n", "ls\ncd a\n"),
        ("console", "# whoami\nroot\n", "whoami\n"),
        ("console", "$ ls\n# this is a comment\n$ cd\n", "ls\ncd\n"),
        ("console", "$ cat <<X\n> line\n> X\nline\n", "cat <<X\nline\nX\n"),
        ("console", "$ make \\\n    all\ndone\n", "make \\\n    all\n"),
        ("console", "$ echo '$ x'\n$ x\n", "echo '$ x'\nx\n"),
        ("console", "ls\n", "ls\n"),
        ("zsh", "#!/bin/sh\nls\n", "#!/bin/sh\nls\n"),
    ],
)
def test_commands_are_exact_and_have_no_prompt(language: str, code: str, commands: str) -> None:
    assert shell_commands(f"```{language}\n{code}```\n") == commands


@pytest.mark.parametrize("language", ["python", "", "text", "cpp", "yaml", "powershell"])
def test_other_code_is_no_command(language: str) -> None:
    assert shell_commands(f"```{language}\nls\n```\n") == ""


def test_commands_of_all_blocks_follow_each_other() -> None:
    assert shell_commands("```bash\na\n```\nx\n\n1. y\n   ~~~SHELL\n   b\n   ~~~\n```\nc\n```\n") == "a\nb\n"


@given(st.text(st.characters(exclude_characters="`\r\n")), st.integers(0, 9))
@SOME
def test_every_line_of_code_comes_back_as_it_was(line: str, columns: int) -> None:
    text = indented(f"- a\n```bash\n|{line}\n```\n", columns)
    assert shell_commands(text) == f"|{line}\n"


@given(st.lists(st.sampled_from(["```", "~~~", "````", "- ", "  ", "\t", "a", "\n", "\r\n", "bash", "`"]), max_size=30))
@SOME
def test_fences_lie_apart_and_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    fences = find_fences(text)
    places = [place for fence in fences for place in (fence.start, fence.end)]
    assert places == sorted(places)
    assert all(fence.start < fence.end <= len(text.split("\n")) for fence in fences)


@pytest.mark.parametrize(
    "text",
    ["~~~a" + " " * 100_000 + "b", "- " * 50_000 + "```", "`" * 100_000, "```\n" * 25_000, "```a\n" * 25_000,
     "\n".join("~" * n for n in range(400, 3, -1)), " " * 100_000 + "x"],
    ids=["blanks", "items", "marks", "pairs", "unclosed", "lengths", "indent"],
)  # fmt: skip
def test_long_texts_are_read_in_time(text: str) -> None:
    assert loops(lambda: find_fences(text)) < 100
