"""Exit status, errors and streams: what every command shares."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.calling import READING, call, command, environment, program

COMMANDS = ("search", "show", "recipe", "repos", "guide", "themes", "build", "check")
OUTCOMES = (
    "fixed", "fixed-upstream", "docs-corrected", "by-design", "unsupported", "planned", "workaround", "known-defect",
    "out-of-scope", "answered",
)  # fmt: skip


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_a_reading_command_that_finds_something_is_0_and_says_nothing_else(arguments: list[str]) -> None:
    result = call(*arguments)
    assert (result.status, result.err) == (0, "")
    assert result.out.strip()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "qzjxqzjxqzjx"], "no card answers this\n"),
        (["search", "内存", "--repo", "akd", "--evidence", "explicit"], "no card answers this\n"),
        (["show", "msopcom#9999"], "error: there is no card msopcom#9999\n"),
        (["show", "unheard-of#1"], "error: there is no card unheard-of#1\n"),
        (["recipe", "msc#9999"], "error: there is no card msopcom#9999\n"),
    ],
)
def test_the_answer_no_is_1(arguments: list[str], message: str) -> None:
    result = call(*arguments)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(message)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["search"], ["nothing to search for", "--repo"]),
        (["search", " ", "\t\u3000"], ["nothing to search for"]),
        (["bogus"], COMMANDS),
        (["--bogus"], ["--bogus"]),
        (["search", "x", "--bogus"], ["--bogus", "ascend-kb search --help", "--"]),
        (["search", "-x"], ["-x", "words that begin with a dash stand behind --"]),
        (["search", "x", "--lim", "3"], ["--lim"]),
        (["search", "x", "--format", "xml"], ["xml", "table", "json"]),
        (["search", "x", "--lang", "fr"], ["fr", "zh", "en"]),
        (["search", "x", "--limit"], ["--limit"]),
        (["search", "x", "--limit", "many"], ["'many'", "0 (all), 1, 2"]),
        (["search", "x", "--limit", "-1"], ["'-1'", "0 (all), 1, 2"]),
        (["search", "x", "--limit", "1.5"], ["'1.5'", "0 (all), 1, 2"]),
        (["search", "x", "--limit", "٣"], ["'٣'", "0 (all), 1, 2"]),
        (["search", "--repo", "nope"], ["repo 'nope'", "msopcom (msc)", "op-plugin (opl)", "mstt (mtt)",
                                       "msopgen (msg)", "ascendc-kernelgen-data (akd)"]),
        (["search", "--repo", ""], ["repo ''", "msopcom (msc)"]),
        (["search", "--outcome", "nope"], ["outcome 'nope'", *OUTCOMES]),
        (["search", "--evidence", "nope"], ["evidence 'nope'", "explicit, official, inferred, unverified"]),
        (["search", "--tag", "nope"], ["tag 'nope'", "false-positive (误报)", "910B"]),
        (["search", "--hardware", "误报"], ["hardware '误报'", "910B (", "A2 (", "Ascend950 ("]),
        (["show"], ["KEY"]),
        (["show", "57"], ["'57' is not a card key", "msopcom#57", "msc#57"]),
        (["show", "msc#0"], ["'msc#0' is not a card key"]),
        (["show", "msc#57#1"], ["not a card key"]),
        (["show", "msc!183"], ["not a card key"]),
        (["show", "msc#５７"], ["not a card key"]),
        (["show", "msc#57", "opl#40"], ["opl#40", "ascend-kb show --help"]),
        (["show", "msc#57", "--format", "pdf"], ["pdf", "text", "markdown", "html", "json"]),
        (["recipe"], ["KEY"]),
        (["recipe", "msc#57", "nope"], ["'nope' is not a card key"]),
        (["recipe", "msc#57", "--form", "pdf"], ["pdf", "plain", "commands", "markdown", "html"]),
        (["repos", "extra"], ["extra"]),
        (["guide", "--limit", "1"], ["--limit"]),
        (["build"], ["FOLDER", "OUT"]),
        (["check", "a", "b"], ["b"]),
        (["--kb"], ["--kb"]),
        (["--", "search", "x"], ["search"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)  # fmt: skip
def test_wrong_usage_is_2_with_an_error_and_a_hint_that_name_what_is_allowed(
    arguments: list[str], parts: list[str]
) -> None:
    result = call(*arguments)
    assert (result.status, result.out) == (2, "")
    assert re.fullmatch(r"error: .+\nhint: .+\n", result.err)
    assert [part for part in parts if part not in result.err] == []


@pytest.mark.parametrize("unusable", ["missing", "folder", "empty", "text", "foreign", "newer"], indirect=True)
@pytest.mark.parametrize("arguments", [["search", "x"], ["show", "msc#57"], ["check"], ["--version"]], ids=" ".join)
def test_a_file_that_cannot_be_read_is_2_and_named_with_a_way_out(
    unusable: tuple[Path, str], arguments: list[str]
) -> None:
    path, message = unusable
    result = call(*arguments, "--kb", str(path))
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: ")
    assert f"{path} {message}" in result.err.replace("was written by a newer", "newer")
    assert "\nhint: " in result.err
    assert "--kb" in result.err.split("\nhint: ")[1]


@pytest.mark.parametrize(
    "arguments", [["search", "内存"], ["show", "msc#57"], ["recipe", "msc#57"], ["repos"]], ids=" ".join
)
def test_a_damaged_file_is_2_and_named_and_never_nothing_found(damaged: Path, arguments: list[str]) -> None:
    result = call(*arguments, "--kb", str(damaged))
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f"error: {damaged} is damaged (")
    assert "\nhint: open another file with --kb FILE" in result.err


def test_a_torn_page_gives_the_same_answer_or_a_named_file_and_never_another_answer(own_copy: Path) -> None:
    commands = [*READING[:5], ["guide"], ["themes"], ["search", "完全 没有 见过 的 报错 越界"]]
    expected = {" ".join(arguments): call(*arguments) for arguments in commands}
    whole = own_copy.read_bytes()
    refused = 0
    pages = len(whole) // 4096
    for page in (*range(1, 16), *range(16, pages, 61)):  # the first ones are the roots of the tables
        start = page * 4096
        own_copy.write_bytes(whole[:start] + bytes(4096) + whole[start + 4096 :])
        for arguments in commands:
            result = call(*arguments, "--kb", str(own_copy))
            if result.status == 2:
                refused += 1
                assert result.err.startswith(f"error: {own_copy} is damaged ("), (page, arguments)
            else:
                assert result == expected[" ".join(arguments)], (page, arguments)
    assert refused


def _raise(error: BaseException) -> int:
    raise error


def test_a_fault_of_the_program_is_an_error_with_a_hint_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_KB_TRACEBACK", raising=False)
    result = call(window=lambda *_: _raise(ZeroDivisionError("by zero")))
    assert (result.status, result.out) == (2, "")
    assert re.fullmatch(r"error: ZeroDivisionError: by zero\nhint: .*ASCEND_KB_TRACEBACK=1.*\n", result.err)


def test_a_fault_of_the_program_shows_its_traceback_when_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_KB_TRACEBACK", "1")
    result = call(window=lambda *_: _raise(ZeroDivisionError("by zero")))
    assert result.status == 2
    assert result.err.startswith("Traceback (most recent call last):\n")
    assert "in _raise" in result.err
    assert "\nerror: ZeroDivisionError: by zero\nhint: " in result.err


def test_a_wrong_argument_shows_no_traceback_even_when_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_KB_TRACEBACK", "1")
    assert "Traceback" not in call("show", "57").err


def test_an_error_of_the_system_names_the_file_and_the_reason() -> None:
    result = call(window=lambda *_: _raise(PermissionError(13, "Permission denied", "/some/file")))
    assert result.status == 2
    assert result.err.startswith("error: /some/file: Permission denied\nhint: ")


def test_a_break_by_the_user_is_2_and_quiet() -> None:
    result = call("--kb", "x", window=lambda *_: _raise(KeyboardInterrupt()))
    assert (result.status, result.out, result.err) == (2, "", "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (None, False)),
        (["--exit-when-ready"], (None, True)),
        (["--kb", "own.sqlite"], (Path("own.sqlite"), False)),
        (["--kb=own.sqlite", "--exit-when-ready"], (Path("own.sqlite"), True)),
        (["--exit-when-ready", "--kb", "own.sqlite"], (Path("own.sqlite"), True)),
    ],
)
@pytest.mark.parametrize("status", [0, 2])
def test_without_a_command_the_window_opens_and_its_status_is_ours(
    arguments: list[str], expected: tuple[Path | None, bool], status: int
) -> None:
    asked: list[tuple[Path | None, bool]] = []

    def window(path: Path | None, exit_when_ready: bool) -> int:
        asked.append((path, exit_when_ready))
        return status

    result = call(*arguments, window=window)
    assert asked == [expected]
    assert (result.status, result.out, result.err) == (status, "", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    result = call(name, "--help")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(f"usage: ascend-kb {name} ")
    assert "--kb FILE" in result.out


def test_help_of_the_program_lists_the_commands() -> None:
    result = call("--help")
    assert result.status == 0
    assert [name for name in COMMANDS if not re.search(rf"^    {name} ", result.out, re.MULTILINE)] == []


_TRICKY = ("--", "-x", "--limit", "NEAR(", "OR", '"', "'", "%", "_", "msc#57", "内存", "#", "a*", "repo:x")


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0"), max_size=12)
        | st.sampled_from(
            ["--", "-x", "--limit", "NEAR(", "OR", '"', "'", "%", "_", "msc#57", "内存", "#", "a*", "repo:x"]
        ),
        max_size=4,
    )
)
def test_any_text_behind_two_dashes_can_be_searched(words: list[str]) -> None:
    result = call("search", "--", *words)
    if " ".join(words).strip():
        assert result.status == (1 if "no card answers this" in result.err else 0)
        assert "error" not in result.err
        assert bool(result.out) or result.status == 1
    else:
        assert result.err.startswith("error: nothing to search for\nhint: ")


def test_bytes_that_are_no_text_can_be_searched_named_and_printed() -> None:
    assert program("search", "--", b"\xff\xfe").status == 1
    refused = program("show", b"\xff#1")
    assert (refused.status, refused.err.split("\n")[0]) == (2, "error: '?#1' is not a card key")


LOCALES: list[dict[str, str | None]] = [
    {"LC_ALL": "C"},
    {"LC_ALL": None, "LANG": "POSIX"},
    {"LC_ALL": None, "LANG": None, "PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


@pytest.mark.parametrize("env", LOCALES, ids=str)
def test_output_is_utf_8_whatever_the_locale(env: dict[str, str | None]) -> None:
    for arguments in (["show", "msc#57"], ["repos", "--format", "json"]):
        assert program(*arguments, env=env) == call(*arguments)


@pytest.mark.parametrize("env", LOCALES[:3], ids=str)
def test_chinese_can_be_searched_whatever_the_locale(env: dict[str, str | None]) -> None:
    found = program("search", "内存", "--format", "json", env=env)
    assert found == call("search", "内存", "--format", "json")
    assert "msopcom#57" in found.keys


def test_messages_are_utf_8_whatever_the_locale() -> None:
    assert "未知" in program("search", "--tag", "未知", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}).err


@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [
        *((arguments, None) for arguments in READING),
        (["recipe", "msc#9999", "msc#57"], None),
        (["search", "的", "--limit", "1"], None),
        (["search", "的", "--limit", "1"], "1"),
        (["show", "msc#57", "--format", "json"], "1"),
    ],
    ids=str,
)
def test_a_reader_that_has_gone_is_no_error(arguments: list[str], unbuffered: str | None) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        result = program(*arguments, stdout=writer, env={"PYTHONUNBUFFERED": unbuffered})
    finally:
        os.close(writer)
    assert (result.status, result.err) == (0, "")


def test_head_is_quiet() -> None:
    line = '"$@" | head -n 1; echo "${PIPESTATUS[0]}" >&2'
    ended = subprocess.run(
        ["bash", "-c", line, "bash", *command(), "show", "msc#57", "--format", "html"],
        env=environment(),
        capture_output=True,
        check=True,
    )
    assert ended.stderr == b"0\n"
    assert ended.stdout == call("show", "msc#57", "--format", "html").raw.split(b"\n")[0] + b"\n"


def test_a_reader_of_both_streams_that_has_gone_is_no_trouble() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run([*command(), "show", "57"], env=environment(), stdout=writer, stderr=writer, check=False)
    finally:
        os.close(writer)
    assert ended.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("unbuffered", ["1", None])
def test_a_full_disk_is_2_and_said_so(unbuffered: str | None) -> None:
    with Path("/dev/full").open("wb") as full:
        result = program("repos", stdout=full.fileno(), env={"PYTHONUNBUFFERED": unbuffered})
    assert result.status == 2
    assert re.fullmatch(r"error: standard output: .+\nhint: .+\n", result.err)


@pytest.mark.skipif(sys.platform == "win32", reason="the shell of other systems")
def test_a_closed_standard_output_swallows_all() -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command(), "repos"], env=environment(), capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
