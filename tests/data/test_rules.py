"""What holds for the knowledge itself: its extent, its evidence, its recipes, and that nobody is named in it."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
import subprocess
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.fences import find_fences
from ascend_kb.core.recipe import commands
from ascend_kb.core.vocabulary import ChangeState, Evidence, SectionId
from ascend_kb.sources.load import load
from tests.conftest import BUNDLE, DATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.card import Knowledge
    from ascend_kb.core.fences import Fence

# SHA-256 of the lower-case account names that the source mentions.
ACCOUNTS = frozenset(
    {
        "8d35a7138a4bae86e6fdc25d81ece0497fa744d768c174b57d87aa9b16df71e2",
        "84481bc4fa9b4e38b44ad22fc8c9b51162fe19e3723a63317fe02401b1d16125",
        "c786f5d9d5e60c02b20caa995e226312410dfd0f2ec163e7f3a78c1b373cdf3c",
        "0e724ab8a9dd3c333bc56e30887ebd578c644ec1ac273d440ac2d3a0c8119ea3",
        "3796f154d6de737e8ef0721f8a95149cbdf9cf3256b505f2c710de49465184df",
        "5200e845016ac75e44c1fc04b31909bee8ea22860732e5c9d8f8966c0eee5f51",
        "94ee3353d763f25d58f916662ad7660a04df7523dc38afe52e70bdd24b0b5241",
        "15204767f906b0e3f1ab91bb4bdb6163e83ccb85eaa02495e9647a44e352221e",
        "66714e770716843c054de4162bc6018b98d6482da0afcd386c44852f4e122c8f",
        "9d8fd6ee9216c87e38efd50c22ce8a458c3f90c55f49c5c15004bd17cf935da5",
    }
)
INFERRED = {
    "msopcom#4", "msopcom#20", "msopcom#25", "msopcom#54", "msopcom#55", "msopcom#56", "msopcom#57", "msopcom#58",
    "msopcom#61", "msopcom#62", "msopcom#66", "msopcom#69", "op-plugin#143", "op-plugin#482", "mstt#187", "mstt#217",
    "msopgen#4", "msopgen#12", "msopgen#18", "ascendc-kernelgen-data#5", "ascendc-kernelgen-data#9",
}  # fmt: skip
UNVERIFIED = {"mstt#129", "mstt#136", "ascendc-kernelgen-data#4"}
COUNTS = {"msopcom": 15, "op-plugin": 13, "mstt": 12, "msopgen": 5, "ascendc-kernelgen-data": 5}
ABBREVIATIONS = {
    "msopcom": "msc", "op-plugin": "opl", "mstt": "mtt", "msopgen": "msg", "ascendc-kernelgen-data": "akd",
}  # fmt: skip


@pytest.fixture(scope="module")
def knowledge(source_texts: dict[str, str]) -> Knowledge:
    """The real knowledge."""
    return load(source_texts)


# --- nobody is named -------------------------------------------------------------------------------------------------


def candidates(text: str) -> set[str]:
    """Return every name that a text can hold: words of letters and digits, alone and joined by - and _."""
    found = set()
    for run in set(re.findall(r"[a-z0-9]+(?:[-_]+[a-z0-9]+)*", unicodedata.normalize("NFKC", text).lower())):
        pieces = re.split(r"([-_]+)", run)
        for start in range(0, len(pieces), 2):
            for end in range(start + 1, min(start + 12, len(pieces)) + 1, 2):
                found.add("".join(pieces[start:end]))
    return found


def named(text: str, accounts: frozenset[str] = ACCOUNTS) -> set[str]:
    """Return the account names that stand in a text."""
    return {name for name in candidates(text) if hashlib.sha256(name.encode()).hexdigest() in accounts}


@pytest.mark.parametrize(
    "text",
    ["Jane-Doe_7", "作者jane-doe_7即维护者", "x=(@JANE-DOE_7)", "u_jane-doe_7-fix", "ｊａｎｅ－ｄｏｅ＿７",
     "a/jane-doe_7.md"],
)  # fmt: skip
def test_a_name_is_seen_wherever_it_stands(text: str) -> None:
    account = frozenset({hashlib.sha256(b"jane-doe_7").hexdigest()})
    assert named(text, account) == {"jane-doe_7"}
    assert named("jane-doe and doe_7, jane-doe_77", account) == set()


def test_no_account_name_stands_in_the_sources() -> None:
    files = [path for path in DATA.rglob("*") if path.is_file() and path.suffix != ".sqlite"]
    assert len(files) > 60
    found = {
        str(path.relative_to(DATA)): named(f"{path.relative_to(DATA)}\n{path.read_text('utf-8')}") for path in files
    }
    assert {path: names for path, names in found.items() if names} == {}


def values_of(path: str) -> Iterator[tuple[str, str]]:
    """Yield every text of every table of a database."""
    connection = sqlite3.connect(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608  (names of the file itself)
            for value in row:
                if isinstance(value, (str, bytes)):
                    yield table, value if isinstance(value, str) else value.decode("utf-8", "replace")
    connection.close()


def test_no_account_name_stands_in_the_knowledge_file() -> None:
    texts: dict[str, list[str]] = {}
    for table, text in values_of(str(BUNDLE)):
        texts.setdefault(table, []).append(text)
    assert {"source", "cardtext", "cardhtml", "word", "meta"} <= set(texts)
    found = {table: named("\n".join(parts)) for table, parts in texts.items()}
    assert {table: names for table, names in found.items() if names} == {}


def test_no_account_name_is_left_in_the_bytes_of_the_knowledge_file() -> None:
    assert named(BUNDLE.read_bytes().decode("latin-1")) == set()


# --- extent and evidence ---------------------------------------------------------------------------------------------


def test_there_are_fifty_cards_of_five_repos(knowledge: Knowledge) -> None:
    assert Counter(card.key.repo for card in knowledge.cards) == COUNTS
    assert {repo.name: repo.cards for repo in knowledge.repos} == COUNTS
    assert {repo.name: repo.abbreviation for repo in knowledge.repos} == ABBREVIATIONS
    assert len(knowledge.cards) == 50
    assert (len(knowledge.themes), len(knowledge.guide)) == (8, 12)


def test_evidence_is_what_the_source_says(knowledge: Knowledge) -> None:
    by_evidence = {
        evidence: {str(card.key) for card in knowledge.cards if card.evidence is evidence} for evidence in Evidence
    }
    assert len(INFERRED) == 21
    assert by_evidence[Evidence.INFERRED] == INFERRED
    assert by_evidence[Evidence.UNVERIFIED] == UNVERIFIED
    assert {"msopcom#60", "msopcom#63", "msopcom#68"} <= by_evidence[Evidence.EXPLICIT]


def test_every_inferred_and_unverified_card_says_on_what_ground(knowledge: Knowledge) -> None:
    for card in knowledge.cards:
        grounds = {ground.evidence for ground in card.grounds}
        if str(card.key) in INFERRED | UNVERIFIED:
            assert card.evidence in grounds, card.key
        for ground in card.grounds:
            assert ground.text.zh, card.key
            assert ground.text.en, card.key


def test_changes_are_dated_where_they_were_merged_only(knowledge: Knowledge) -> None:
    dates = [change.date for card in knowledge.cards for change in card.changes if change.date]
    assert len(dates) > 40
    for card in knowledge.cards:
        for change in card.changes:
            assert not change.date or change.state is ChangeState.MERGED, f"{card.key} !{change.number}"
            assert change.date <= knowledge.as_of, f"{card.key} !{change.number}"


def test_the_page_about_the_knowledge_states_the_counts(knowledge: Knowledge) -> None:
    for text in knowledge.about:
        for number in ("50", "21", "12", "8"):
            assert re.search(rf"\b{number}\b", text), number
        for key in INFERRED | UNVERIFIED:
            repo, _, issue = key.partition("#")
            assert f"{ABBREVIATIONS[repo]}#{issue}" in text, key


# --- texts -----------------------------------------------------------------------------------------------------------


def test_every_card_has_its_texts_in_both_languages(knowledge: Knowledge) -> None:
    for card in knowledge.cards:
        for text in (card.title, card.summary):
            assert re.search("[一-鿿]", text.zh), card.key
            assert re.search("[A-Za-z]{2}", text.en), card.key
            assert not re.search("[一-鿿]", text.en), card.key
        for language in ("zh", "en"):
            assert len(card.phrasings[language]) >= 8, card.key
            assert len(set(card.phrasings[language])) == len(card.phrasings[language]), card.key
        assert list(card.sections["zh"]) == list(SectionId), card.key


def test_titles_are_unique(knowledge: Knowledge) -> None:
    for language in (0, 1):
        titles = Counter(card.title[language] for card in knowledge.cards)
        assert [title for title, count in titles.items() if count > 1] == []


def test_every_recipe_is_a_numbered_list(knowledge: Knowledge) -> None:
    for card in knowledge.cards:
        for language, body in card.sections.items():
            assert re.match(r"1\. \S", body[SectionId.RECIPE]), f"{card.key} {language}"


def test_every_card_is_in_a_theme(knowledge: Knowledge) -> None:
    covered = {key for theme in knowledge.themes for key in theme.cards}
    assert sorted(str(card.key) for card in knowledge.cards if card.key not in covered) == []


# --- commands --------------------------------------------------------------------------------------------------------


def fences(knowledge: Knowledge) -> Iterator[tuple[str, Fence]]:
    """Yield every fence of every text, with its place."""
    for card in knowledge.cards:
        for body in card.sections.values():
            for section, text in body.items():
                yield from ((f"{card.key} {section.value}", fence) for fence in find_fences(text))
    for entry in knowledge.guide:
        yield from ((entry.id, fence) for text in entry.first_action for fence in find_fences(text))
    for theme in knowledge.themes:
        yield from ((theme.id, fence) for text in theme.body for fence in find_fences(text))


def is_shell(text: str) -> bool:
    """Whether bash can parse a text."""
    done = subprocess.run(["bash", "-n"], input=text, capture_output=True, check=False, encoding="utf-8")
    return done.returncode == 0 and not done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_all_commands_can_be_parsed_by_bash(knowledge: Knowledge) -> None:
    assert is_shell("echo ok\n")
    assert not is_shell("if true; then\n")
    found = [(place, fence) for place, fence in fences(knowledge) if fence.is_shell]
    assert len(found) > 40
    assert [place for place, fence in found if not is_shell(fence.commands)] == []
    assert [str(card.key) for card in knowledge.cards if not is_shell(commands(card, "zh"))] == []


PLACEHOLDER = re.compile(r"(?<!<)<[^<>\n=]+>|\bYOUR_|\byour[-_]|/path/to|\bxxx+\b|\.\.\.|…|[（【]", re.IGNORECASE)


@pytest.mark.parametrize(
    "text", ["cd <dir>", "pip install <包名>", "export X=YOUR_KEY", "cat /path/to/log", "make xxx"]
)
def test_a_placeholder_is_seen(text: str) -> None:
    assert PLACEHOLDER.search(text)
    assert not PLACEHOLDER.search('grep -rn "a" . > out.txt && cat <<EOF >> x\n2>&1 <in')


def test_commands_can_be_pasted_unchanged(knowledge: Knowledge) -> None:
    for place, fence in fences(knowledge):
        if fence.is_shell:
            assert not PLACEHOLDER.search(fence.code), f"{place}: {fence.code}"
            assert not re.search(r"^\s*[$>] ", fence.code, re.MULTILINE), f"{place} has a prompt"
            assert fence.commands == fence.code, place
            assert fence.code.strip(), place
            assert "\t" not in fence.code, place
            assert "\u3000" not in fence.code, place


def test_every_fence_names_its_language_and_is_closed(knowledge: Knowledge, source_texts: dict[str, str]) -> None:
    assert [place for place, fence in fences(knowledge) if not fence.language] == []
    for path, text in source_texts.items():
        assert len(re.findall(r"^\s*(?:```|~~~)", text, re.MULTILINE)) % 2 == 0, path
