"""Where options and words may stand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.cli.parser import parse
from ascend_kb.core.errors import KBError

quick = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
words = st.lists(st.text(st.characters(exclude_characters="\0"), max_size=8) | st.sampled_from(["--", "-x", "--kb"]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--kb", "own file", "repos"],
        ["repos", "--kb", "own file"],
        ["--kb=own file", "repos"],
        ["repos", "--kb=own file"],
        ["--kb", "other", "repos", "--kb", "own file"],
    ],
)
def test_the_knowledge_file_stands_before_or_after_the_command(arguments: list[str]) -> None:
    options = parse(arguments)
    assert (options.verb, options.kb) == ("repos", Path("own file"))


@pytest.mark.parametrize("arguments", [["repos"], [], ["--version"], ["search", "x"]])
def test_without_the_option_there_is_no_knowledge_file(arguments: list[str]) -> None:
    assert parse(arguments).kb is None


@quick
@given(words)
def test_all_behind_two_dashes_are_words(text: list[str]) -> None:
    options = parse(["search", "--limit", "7", "--", *text])
    assert (options.text, options.limit, options.kb) == (text, 7, None)


@quick
@given(
    st.permutations(
        ["one", "two", "-1", "- a", "-", "--repo=a", "--repo=b", "--limit=7", "--kb=own", "--format=json", "--tag=-t"]
    )
)
def test_options_stand_anywhere_among_words(arguments: list[str]) -> None:
    options = parse(["search", *arguments])
    assert options.text == [x for x in arguments if not x.startswith("--")]
    assert options.repo == [x.removeprefix("--repo=") for x in arguments if x.startswith("--repo=")]
    assert (options.limit, options.kb, options.format, options.tag) == (7, Path("own"), "json", ["-t"])


def test_words_of_other_commands_stand_among_options_and_behind_two_dashes_too() -> None:
    assert parse(["recipe", "a#1", "--form", "html", "b#2", "--", "c#3"]).keys == ["a#1", "b#2", "c#3"]
    assert parse(["show", "--", "a#1"]).key == "a#1"
    assert parse(["check", "--", "-file"]).file == Path("-file")
    build = parse(["build", "--", "-from", "-to"])
    assert (build.source, build.target) == (Path("-from"), Path("-to"))


def test_only_the_first_two_dashes_end_the_options() -> None:
    assert parse(["search", "--", "a", "--", "b"]).text == ["a", "--", "b"]


@pytest.mark.parametrize(
    ("option", "values"),
    [("repo", ["a", "b"]), ("tag", ["a"]), ("hardware", []), ("outcome", ["b", "a", "b"]), ("evidence", ["a", "b"])],
)
def test_filters_repeat_in_their_order(option: str, values: list[str]) -> None:
    given = [word for value in values for word in (f"--{option}", value)]
    assert getattr(parse(["search", *given]), option) == values


def test_filters_of_one_call_are_not_those_of_the_next() -> None:
    parse(["search", "--repo", "a"])
    assert parse(["search"]).repo == []


@pytest.mark.parametrize(
    ("text", "limit"),
    [("0", 0), ("1", 1), ("000", 0), ("0007", 7), ("9" * 30, 10**18 - 1), ("9" * 5000, 10**18 - 1)],
    ids=lambda value: str(value)[:20],
)
def test_a_limit_is_a_number_that_every_store_can_hold(text: str, limit: int) -> None:
    assert parse(["search", "x", "--limit", text]).limit == limit


@pytest.mark.parametrize("text", ["", " ", "-1", "+1", "1.0", "1e3", "٣", "0x10", "1_000", "twenty"])
def test_a_limit_that_is_no_number_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(KBError, match="0 \\(all\\), 1, 2") as caught:
        parse(["search", "x", f"--limit={text}"])
    assert caught.value.hint == "see ascend-kb search --help"


def test_options_are_never_guessed_from_their_beginning() -> None:
    for option in ("--form", "--vers", "--lim=3"):
        with pytest.raises(KBError, match=f"unknown arguments: {option}"):
            parse(["search", "x", option])


def test_messages_show_words_as_they_were_typed() -> None:
    with pytest.raises(KBError, match=r"^unknown arguments: -b c$"):
        parse(["show", "a#1", "--", "-b", "c"])


def test_defaults_are_those_of_the_contract() -> None:
    options = parse(["search", "x"])
    assert (options.limit, options.format, options.lang) == (20, "table", "zh")
    assert (parse(["show", "a#1"]).format, parse(["recipe", "a#1"]).form) == ("text", "plain")
    assert parse(["check"]).file is None
