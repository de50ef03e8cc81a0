"""``show``: a card in every form."""

from __future__ import annotations

import functools
import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import SearchQuery
from ascend_kb.core.vocabulary import ChangeState, EntityKind, Evidence, Outcome, Reason, Relation, Role, label
from tests.cli.calling import call

if TYPE_CHECKING:
    from enum import Enum

    from ascend_kb.app.library import Library

LANGUAGES = ("zh", "en")
shown = functools.cache(call)  # the bundle does not change while tests run


@pytest.fixture
def keys(library: Library) -> list[str]:
    """The keys of all cards."""
    return [str(row.key) for row in library.select(SearchQuery()).rows(0, 1000)]


def facts(card: dict[str, Any], language: str) -> list[str]:
    """Return what a reader must be told about a card, from its JSON."""

    def named(kind: type[Enum], value: str) -> str:
        return str(getattr(label(kind(value)), language))

    told = [card["key"], card["title"][language], card["summary"][language], card["source_url"],
            named(Outcome, card["outcome"]), named(Evidence, card["evidence"])]  # fmt: skip
    told += card["versions"]["affected"] + card["versions"]["fixed"]
    told += [card["tag_labels"][tag][language] for tag in card["tags"]]
    told += [entity["name"] for entity in card["entities"]]
    for change in card["changes"]:
        told += [f"{change['repo']}!{change['number']}", change["branch"] or "", change["date"] or "",
                 change["title"] or "", named(ChangeState, change["state"]), named(Relation, change["relation"]),
                 named(Role, change["role"])]  # fmt: skip
    told += [ground[language] for ground in card["grounds"]]
    for related in card["related"]:
        told += [related["key"], related[language], named(Reason, related["reason"])]
    for reference in card["references"]:
        told += [reference["title"][language], f"{reference['repo'] or ''}"]
    told += [literal for literals in card["signatures"] for literal in literals]
    told += card["phrasings"][language]
    return told


def plain(text: str) -> str:
    """Return a text without what Markdown adds to it."""
    return re.sub(r"\s+", "", html.unescape(text)).replace("\\", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_readable_forms_print_all_that_is_known(form: str, language: str, keys: list[str]) -> None:
    assert len(keys) == 50
    missing = []
    for key in keys:
        result = shown("show", key, "--format", form, "--lang", language)
        assert (result.status, result.err) == (0, "")
        card = shown("show", key, "--format", "json", "--lang", language).json
        text = plain(result.out)
        missing += [(key, fact) for fact in facts(card, language) if plain(fact) not in text]
    assert missing == []


def test_markdown_holds_the_sections_byte_for_byte(keys: list[str]) -> None:
    for key in keys:
        markdown = shown("show", key, "--format", "markdown").out
        sections = shown("show", key, "--format", "json").json["sections"]
        assert [name for name, text in sections.items() if text not in markdown] == []


def test_text_loses_no_word_of_the_sections(keys: list[str]) -> None:
    for key in keys:
        words = set(re.findall(r"\w+", shown("show", key).out))
        for section in shown("show", key, "--format", "json").json["sections"].values():
            prose = re.sub(r"(?m)^\s*`{3,}\w*$|\]\([^)]*\)", " ", section)
            assert set(re.findall(r"\w+", prose)) - words == set(), key


def test_text_is_free_of_markup(keys: list[str]) -> None:
    for key in keys:
        text = shown("show", key).out
        assert not re.search(r"(?m)^(#+ |```)|\]\(|</?(p|li|pre|code|h\d)\b|ascend-kb:", text), key


def test_html_is_for_other_programs(keys: list[str]) -> None:
    for key in keys:
        page = shown("show", key, "--format", "html").out
        assert re.match(r"<h1\b[^>]*>", page)
        assert "ascend-kb:" not in page
        assert f'href="{shown("show", key, "--format", "json").json["source_url"]}"' in page


def test_text_is_the_default() -> None:
    assert call("show", "msc#57") == call("show", "msc#57", "--format", "text", "--lang", "zh")
    assert len({call("show", "msc#57", "--format", form).raw for form in ("text", "markdown", "html", "json")}) == 4


@pytest.mark.parametrize("key", ["msopcom#57", "msc#57", "MSC#57", "MsOpCom#57", " msc#57 "])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_key_is_long_or_short_in_any_letter_case(key: str, form: str) -> None:
    result = call("show", key, "--format", form)
    assert result.status == 0
    assert result == call("show", "msopcom#57", "--format", form)


@pytest.mark.parametrize("key", ["57", "#57", "msc#", "msc57", "msc#057", "msc#-1", "msc#5.7", "", "msc #57", "中文#1"])
def test_a_malformed_key_is_2(key: str) -> None:
    result = call("show", "--", key)
    assert (result.status, result.out) == (2, "")
    assert (
        result.err
        == f"error: '{key}' is not a card key\nhint: a key is repo#number, for example msopcom#57 or msc#57\n"
    )


@pytest.mark.parametrize(
    ("key", "named"), [("msc#9999", "msopcom#9999"), ("xyz#57", "xyz#57"), ("opl#9999999999", "op-plugin#9999999999")]
)
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_key_without_a_card_is_1(key: str, named: str, form: str) -> None:
    result = call("show", key, "--format", form)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(f"error: there is no card {named}\nhint: ")


def test_the_language_changes_headings_and_titles(library: Library) -> None:
    card = library.card(CardKey("msopcom", 57))
    assert card is not None
    for form in ("text", "markdown", "html"):
        chinese, english = (html.unescape(call("show", "msc#57", "--format", form, "--lang", x).out) for x in LANGUAGES)
        assert "处理步骤" in chinese
        assert "处理步骤" not in english.split("\n\n")[0]
        assert "Recipe" in english
        assert plain(card.title.en) in plain(english)
        assert plain(card.title.en) not in plain(chinese)


def test_json_names_the_language_of_its_text(library: Library) -> None:
    card = library.card(CardKey("msopcom", 57))
    assert card is not None
    for language in LANGUAGES:
        made = call("show", "msc#57", "--format", "json", "--lang", language).json
        assert made["language"] == card.text_language(language)  # type: ignore[arg-type]
        assert list(made["sections"]) == ["symptom", "cause", "fix", "recipe", "evidence"]


def test_every_kind_of_entity_has_a_name() -> None:
    assert {kind.value for kind in EntityKind} >= {"api", "operator", "file", "option", "code"}
