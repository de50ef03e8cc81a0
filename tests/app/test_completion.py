"""What is offered while a query is typed, and what the numbers beside it mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.completion import LONGEST, MOST, Completions, complete
from ascend_kb.core.query import Facet, Filter, SearchQuery

if TYPE_CHECKING:
    from ascend_kb.app.library import Library


def offered(library: Library, text: str, *, asked: bool = False, language: str = "zh") -> Completions:
    """Complete at the ``|`` of a text, or at its end."""
    cursor = text.find("|") if "|" in text else len(text)
    return complete(library, text.replace("|", ""), cursor, language, asked=asked)  # type: ignore[arg-type]


def texts(found: Completions) -> list[str]:
    return [item.text for item in found.items]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("re", ["repo:"]),
        ("误报 ha", ["hardware:", "has:"]),
        ("(af", ["affected:", "after:"]),
        ("-re", ["repo:"]),
        ("re| 误报", ["repo:"]),
        ("r", []),
        ("", []),
        ("误", []),
        ("xre", []),
        ('"re', []),
        ("http:re", []),
    ],
)
def test_fields_are_offered_from_two_letters_on(library: Library, text: str, fields: list[str]) -> None:
    assert texts(offered(library, text)) == fields


def test_every_field_is_offered_where_the_user_asks(library: Library) -> None:
    assert texts(offered(library, "", asked=True)) == [f"{facet.value}:" for facet in Facet]
    assert texts(offered(library, "误报 |", asked=True)) == [f"{facet.value}:" for facet in Facet]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("repo:msc", "repo:msopcom"),
        ("repo:MSOPC", "repo:msopcom"),
        ("tag:graph", "tag:graph-mode"),
        ("tag:图", "tag:graph-mode"),
        ('tag:"图', "tag:graph-mode"),
        ("tag:Graph m", ""),
        ("hardware:910", "hardware:910B"),
        ("outcome:已修", "outcome:fixed"),
        ("evidence:expl", "evidence:explicit"),
        ("theme:hook", "theme:hook-surface"),
        ("guide:memory", "guide:memory-false-report"),
        ("version:26.1", "version:26.1.0"),
        ("affected:26", "affected:26.1.0"),
        ("fixed:2.9", "fixed:2.9.0.post1"),
        ("api:mallochost", "api:aclrtMallocHost"),
        ("pr:509", "pr:5095"),
        ("pr:!509", "pr:5095"),
        ("before:2026-0", "before:2026-09"),
        ("has:c", "has:command"),
    ],
)
def test_values_are_found_by_id_and_by_both_labels(library: Library, text: str, value: str) -> None:
    found = texts(offered(library, text))
    assert (value in found) is bool(value)
    assert found[:1] == [value] or not value or text.startswith(("affected", "outcome"))


def test_every_value_that_is_offered_is_one(library: Library) -> None:
    for facet in Facet:
        part = "mal" if facet is Facet.API else ""
        for item in offered(library, f"{facet.value}:{part}").items:
            field, _, value = item.text.partition(":")
            assert library.catalog.resolve(field, value.strip('"')) is not None, item


@pytest.mark.parametrize("rest", ["", "误报 ", "repo:msopcom ", "工具 -内存 "])
@pytest.mark.parametrize("field", ["repo", "outcome", "evidence", "hardware", "version", "has", "before", "fixed"])
def test_the_number_is_that_of_the_cards_under_the_rest_of_the_query(library: Library, rest: str, field: str) -> None:
    found = offered(library, f"{rest}{field}:")
    assert found.is_value
    for item in found.items:
        # The values of one such facet are choices: its own filters do not count.
        query = item.text if rest == "repo:msopcom " and field == "repo" else f"{rest}{item.text}"
        assert item.cards == library.select(SearchQuery(query)).total, item


def test_the_whole_word_at_the_cursor_is_replaced(library: Library) -> None:
    text = '误报 tag:"fal|se pos" hook'
    found = offered(library, text)
    plain = text.replace("|", "")
    assert plain[found.start : found.end] == 'tag:"false pos"'
    found = offered(library, "(repo:m|sop) x")
    assert "(repo:msop) x"[found.start : found.end] == "repo:msop"


def test_words_are_completed_to_tags_and_names_where_the_user_asks(library: Library) -> None:
    assert "tag:false-positive" in texts(offered(library, "误报", asked=True))
    names = offered(library, "mallochos", asked=True)
    assert texts(names) == ["aclrtMallocHost"]
    assert names.items[0].cards == library.select(SearchQuery("aclrtMallocHost")).full
    assert texts(offered(library, "误报", asked=False)) == []


def test_labels_follow_the_language(library: Library) -> None:
    for language in ("zh", "en"):
        labels = {item.text: item.label for item in offered(library, "tag:", language=language).items}
        for tag in library.catalog.tags:
            wanted = str(Filter(Facet.TAG, tag.id))
            if wanted in labels:
                assert labels[wanted] == ("" if tag.label.get(language) == tag.id else tag.label.get(language))


def test_a_long_list_is_cut_and_says_so(library: Library) -> None:
    found = offered(library, "pr:")
    assert len(found.items) == min(MOST, found.total)
    assert found.total == len(library.names(Facet.PR, ""))


def test_a_pasted_log_is_not_completed(library: Library) -> None:
    assert offered(library, "x " * LONGEST + "re").items == ()
