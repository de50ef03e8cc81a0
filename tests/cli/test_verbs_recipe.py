"""``recipe``: the bytes that the window copies."""

from __future__ import annotations

import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.library import Library
from ascend_kb.core.query import SearchQuery
from ascend_kb.core.recipe import Form
from tests.cli.calling import call, program
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.core.card import Card
    from ascend_kb.core.language import Language

FORMS = [form.value for form in Form]


@pytest.fixture(scope="module")
def cards() -> list[Card]:
    """All cards."""
    with closing(Library(BUNDLE)) as library:
        found = [library.card(row.key) for row in library.select(SearchQuery()).rows(0, 1000)]
    return [card for card in found if card is not None]


@pytest.fixture
def silent(build_kb: Callable[..., Path], source_texts: dict[str, str]) -> Path:
    """A knowledge file in which msopcom#57 has no commands."""
    name = "cards/msopcom/57.md"
    return build_kb({name: source_texts[name].replace("```bash", "```text")})


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("form", FORMS)
def test_cards_print_the_bytes_that_the_library_makes(
    form: str, language: Language, cards: list[Card], library: Library
) -> None:
    everything = call("recipe", *(str(card.key) for card in cards), "--form", form, "--lang", language)
    assert everything.raw == library.recipes(cards, Form(form), language).encode()
    for card in cards[::7]:
        expected = library.recipes([card], Form(form), language).encode()
        result = call("recipe", str(card.key), "--form", form, "--lang", language)
        assert result.raw == expected
        assert result.status == (0 if expected else 1)


@pytest.mark.parametrize("form", FORMS)
def test_several_cards_come_in_the_given_order(form: str, cards: list[Card], library: Library) -> None:
    chosen = [cards[i] for i in (2, 0, 1)]
    result = call("recipe", *(str(card.key) for card in chosen), "--form", form)
    assert (result.status, result.err) == (0, "")
    assert result.raw == library.recipes(chosen, Form(form), "zh").encode()
    assert result.raw != call("recipe", *(str(card.key) for card in cards[:3]), "--form", form).raw


@pytest.mark.parametrize("form", ["commands", "html"])
def test_the_program_writes_the_same_bytes_to_a_pipe(form: str, cards: list[Card], library: Library) -> None:
    keys = [str(card.key) for card in cards[:2]]
    result = program("recipe", *keys, "--form", form, env={"LC_ALL": "C"})
    assert result.raw == library.recipes(cards[:2], Form(form), "zh").encode()
    assert result.status == 0


@pytest.mark.parametrize("form", ["plain", "markdown", "html"])
def test_each_form_but_commands_ends_with_key_title_address_and_evidence(form: str, cards: list[Card]) -> None:
    from html import unescape

    from ascend_kb.core.vocabulary import label

    for card in cards[::3]:
        end = unescape(call("recipe", str(card.key), "--form", form).out)[-(len(card.title.zh) + 300) :]
        places = [end.find(part) for part in (f"{card.key} {card.title.zh}", card.source_url, label(card.evidence).zh)]
        assert -1 < places[0] < places[1] < places[2], card.key


def test_plain_is_the_default() -> None:
    assert call("recipe", "msc#57") == call("recipe", "msc#57", "--form", "plain", "--lang", "zh")
    assert len({call("recipe", "msc#57", "--form", form).raw for form in FORMS}) == 4


@pytest.mark.parametrize("key", ["msopcom#57", "MSC#57", "MsOpCom#57"])
def test_a_key_is_long_or_short_in_any_letter_case(key: str) -> None:
    assert call("recipe", key) == call("recipe", "msc#57")


def _syntax(script: bytes) -> int:
    return subprocess.run(["bash", "-n"], input=script, capture_output=True, check=False).returncode


def test_commands_are_accepted_by_a_shell_as_they_are(cards: list[Card]) -> None:
    checked = 0
    for card in cards:
        commands = call("recipe", str(card.key), "--form", "commands").raw
        if not commands:
            continue
        checked += 1
        assert commands.endswith(b"\n")
        assert not commands.endswith(b"\n\n")
        assert _syntax(commands) == 0, card.key
        assert not any(line.startswith((b"$ ", b"> ", b"```")) for line in commands.splitlines()), card.key
    assert _syntax(call("recipe", *(str(card.key) for card in cards), "--form", "commands").raw) == 0
    assert checked > 10
    assert _syntax(b"if true; then\n") != 0


def test_a_card_without_commands_says_so(silent: Path) -> None:
    result = call("recipe", "msc#57", "--form", "commands", "--kb", str(silent))
    assert (result.status, result.out) == (1, "")
    assert result.err == "error: the recipe holds no commands\nhint: leave --form out to print its steps\n"
    assert call("recipe", "msc#57", "--kb", str(silent)).status == 0


def test_among_others_a_card_without_commands_is_left_out(silent: Path) -> None:
    result = call("recipe", "msc#20", "msc#57", "msc#58", "--form", "commands", "--kb", str(silent))
    assert result == call("recipe", "msc#20", "msc#58", "--form", "commands", "--kb", str(silent))
    assert (result.status, bool(result.raw)) == (0, True)


@pytest.mark.parametrize("form", FORMS)
def test_a_key_without_a_card_is_1_and_the_others_are_printed(form: str, cards: list[Card]) -> None:
    first, second = (str(card.key) for card in cards[:2])
    result = call("recipe", first, "msc#9999", second, "xyz#1", "--form", form)
    assert result.status == 1
    assert result.raw == call("recipe", first, second, "--form", form).raw
    assert [line for line in result.err.splitlines() if line.startswith("error: ")] == [
        "error: there is no card msopcom#9999",
        "error: there is no card xyz#1",
    ]


def test_a_malformed_key_is_2_and_nothing_is_printed() -> None:
    result = call("recipe", "msc#57", "57")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("error: '57' is not a card key\nhint: ")


def test_no_form_holds_a_carriage_return_even_from_sources_with_windows_line_ends(
    tmp_path: Path, source_texts: dict[str, str], build_kb: Callable[..., Path], cards: list[Card]
) -> None:
    folder, file = tmp_path / "sources", tmp_path / "windows.sqlite"
    for name, text in source_texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("\n", "\r\n").encode())
    assert call("build", str(folder), str(file)).status == 0
    keys, other = [str(card.key) for card in cards], str(build_kb())
    for form in FORMS:
        result = call("recipe", *keys, "--form", form, "--kb", str(file))
        assert b"\r" not in result.raw
        assert result == call("recipe", *keys, "--form", form, "--kb", other)
