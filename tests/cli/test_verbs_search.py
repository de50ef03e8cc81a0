"""``search``: text, filters, limit, refusal."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.query import Facet, Filter, SearchQuery
from ascend_kb.core.vocabulary import Evidence, label
from tests.cli.calling import call

if TYPE_CHECKING:
    from ascend_kb.app.library import Library

EVERY_CARD = ("--evidence", "explicit", "--evidence", "official", "--evidence", "inferred", "--evidence", "unverified")


def found(*arguments: str) -> list[str]:
    """Return the keys that a search finds."""
    result = call("search", "--format", "json", "--limit", "0", *arguments)
    assert result.err == "" or result.status == 1
    return result.keys


def filtered(library: Library, *filters: tuple[Facet, str]) -> list[str]:
    """Return the keys that the library selects for some filters."""
    query = SearchQuery("", tuple(Filter(facet, value) for facet, value in filters))
    return [str(row.key) for row in library.select(query).rows(0, 1000)]


NAMES = ("8.3.RC2", "torch.compile", "PR!22", "!5095", "910B图算子", "第63行", "超4G", "op-plugin#40")
PUZZLES = (
    "''", '"a', 'a"b', "((a", "NEAR(", "AND", "OR", "NOT", "a AND", "a*", "{a}", "-x", "--limit", "--limit=3", "a - b",
    "--", "park.", "a/b", "don't", "POL-358", "100%", "npu_moe_", "repo:x", "\u3000内存",
)  # fmt: skip


@pytest.mark.parametrize("text", [*string.punctuation, *PUZZLES, *NAMES])
def test_no_text_is_ever_an_error(text: str) -> None:
    result = call("search", "--", text)
    assert result.status == (1 if "no card answers this" in result.err else 0)
    assert "error" not in result.err


@pytest.mark.parametrize("text", NAMES)
def test_names_versions_and_chinese_next_to_digits_are_found(text: str) -> None:
    result = call("search", "--format", "json", "--", text)
    assert (result.status, bool(result.json)) == (0, True)


@pytest.mark.parametrize("key", ["op-plugin#40", "opl#40", "OPL#40", "msc#57", "Akd#4"])
def test_a_key_puts_its_card_first(key: str, library: Library) -> None:
    assert found(key)[0] == str(library.catalog.key(key))


def test_several_words_are_one_query_in_any_order() -> None:
    both = set(found("内存", "越界"))
    assert both
    assert both == set(found("越界 内存")) == set(found("越界", "--lang", "zh", "内存"))
    assert both < set(found("内存")) | set(found("越界"))


def test_rows_as_json_agree_with_the_library(library: Library) -> None:
    rows = library.select(SearchQuery("内存"), language="en").rows(0, 20)
    assert call("search", "内存", "--format", "json", "--lang", "en").json == [
        {"key": str(r.key), "title": r.title.en, "repo": r.key.repo, "outcome": r.outcome.value,
         "evidence": r.evidence.value, "score": r.score, "match": r.match.value}
        for r in rows
    ]  # fmt: skip
    assert all(row.score > 0 for row in rows)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_rows_as_table_show_key_outcome_evidence_date_and_title(library: Library, language: str) -> None:
    lines = call("search", "--repo", "opl", "--limit", "0", "--lang", language).lines
    rows = library.select(SearchQuery("", (Filter(Facet.REPO, "op-plugin"),))).rows(0, 1000)
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows, strict=True):
        cells = (str(row.key), getattr(label(row.outcome), language), getattr(label(row.evidence), language),
                 row.latest_change or "-", getattr(row.title, language))  # fmt: skip
        assert [part.strip() for part in line.split("  ") if part.strip()] == [
            part.strip() for cell in cells for part in cell.split("  ") if part.strip()
        ]


@pytest.mark.parametrize(
    ("arguments", "filters"),
    [
        (["--repo", "msc"], [(Facet.REPO, "msopcom")]),
        (["--repo", "MSOPCOM"], [(Facet.REPO, "msopcom")]),
        (["--repo", "msc", "--repo", "akd"], [(Facet.REPO, "msopcom"), (Facet.REPO, "ascendc-kernelgen-data")]),
        (["--tag", "误报"], [(Facet.TAG, "false-positive")]),
        (["--tag", "false positive"], [(Facet.TAG, "false-positive")]),
        (["--tag", "False-Positive"], [(Facet.TAG, "false-positive")]),
        (["--tag", "误报", "--tag", "hook"], [(Facet.TAG, "false-positive"), (Facet.TAG, "hook")]),
        (["--tag", "910b"], [(Facet.HARDWARE, "910B")]),
        (["--hardware", "A3"], [(Facet.HARDWARE, "A3")]),
        (["--outcome", "已修复"], [(Facet.OUTCOME, "fixed")]),
        (
            ["--outcome", "By design", "--outcome", "planned"],
            [(Facet.OUTCOME, "by-design"), (Facet.OUTCOME, "planned")],
        ),
        (["--evidence", "OFFICIAL"], [(Facet.EVIDENCE, "official")]),
        (["--evidence", "未核实"], [(Facet.EVIDENCE, "unverified")]),
        (["--repo", "mtt", "--outcome", "answered"], [(Facet.REPO, "mstt"), (Facet.OUTCOME, "answered")]),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_filters_need_no_text_and_take_names_of_both_languages(
    arguments: list[str], filters: list[tuple[Facet, str]], library: Library
) -> None:
    keys = found(*arguments)
    assert keys == filtered(library, *filters)
    assert 0 < len(keys) < library.card_count()


def test_values_of_repo_outcome_and_evidence_are_alternatives_and_tags_are_not() -> None:
    assert set(found("--repo", "msc", "--repo", "akd")) == {*found("--repo", "msc"), *found("--repo", "akd")}
    assert set(found("--outcome", "fixed", "--outcome", "planned")) == {
        *found("--outcome", "fixed"),
        *found("--outcome", "planned"),
    }
    assert set(found("--tag", "hook", "--tag", "误报")) == set(found("--tag", "hook")) & set(found("--tag", "误报"))


def test_text_and_different_filters_must_all_hold() -> None:
    assert set(found("内存", "--repo", "msc", "--evidence", "inferred")) == (
        set(found("内存")) & set(found("--repo", "msc")) & set(found("--evidence", "inferred"))
    )


def test_a_filter_given_twice_is_one_filter() -> None:
    assert found("--repo", "msc", "--repo", "msopcom") == found("--repo", "msc")


def test_filters_alone_list_by_key_without_a_score() -> None:
    rows = call("search", "--repo", "msc", "--format", "json").json
    assert {row["score"] for row in rows} == {0.0}
    numbers = [int(row["key"].partition("#")[2]) for row in rows]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("form", ["table", "json"])
def test_the_list_is_cut_after_20_rows_and_says_so(form: str, library: Library) -> None:
    total = library.card_count()
    assert total > 20
    result = call("search", *EVERY_CARD, "--format", form)
    assert (result.status, result.err) == (0, f"first 20 of {total}\n")
    assert len(result.json if form == "json" else result.lines) == 20


@pytest.mark.parametrize("limit", [0, 1, 49, 50, 51, 10**30])
@pytest.mark.parametrize("query", [EVERY_CARD, ("的",)], ids=["filter", "text"])
def test_a_limit_cuts_there_and_is_silent_where_nothing_was_cut(limit: int, query: tuple[str, ...]) -> None:
    everything = found(*query)
    wanted = min(limit, len(everything)) or len(everything)
    result = call("search", *query, "--format", "json", "--limit", str(limit))
    assert result.status == 0
    assert result.keys == everything[:wanted]
    assert result.err == ("" if wanted == len(everything) else f"first {wanted} of {len(everything)}\n")


def test_a_refused_query_is_1_and_its_rows_are_marked_as_related() -> None:
    result = call("search", "CeilByAlignSize zzqxj wwvkq", "--format", "json")
    assert result.status == 1
    assert result.err == "no card answers this; related reading above\n"
    assert "msopcom#57" in result.keys
    assert all(row["related"] is True and row["match"] != "full" for row in result.json)


def test_a_query_that_is_answered_has_no_row_marked_as_related() -> None:
    result = call("search", "CeilByAlignSize", "--format", "json")
    assert result.status == 0
    assert [row["match"] for row in result.json if "related" not in row] == ["full"] * len(result.json)


def test_a_refused_query_that_is_cut_says_both() -> None:
    everything = call("search", "误报 zzqxj", "--format", "json", "--limit", "0")
    total = len(everything.json)
    assert (everything.status, total > 1) == (1, True)
    result = call("search", "误报 zzqxj", "--limit", "1")
    assert result.status == 1
    assert result.err == f"first 1 of {total}\nno card answers this; related reading above\n"
    assert len(result.lines) == 1


def test_nothing_found_is_an_empty_list_as_json() -> None:
    result = call("search", "qzjxqzjxqzjx", "--format", "json")
    assert (result.status, result.json, result.err) == (1, [], "no card answers this\n")


def test_titles_follow_the_language() -> None:
    chinese, english = (call("search", "msc#57", "--lang", lang, "--format", "json").json[0] for lang in ("zh", "en"))
    assert chinese["key"] == english["key"]
    assert "截断" in chinese["title"]
    assert english["title"].isascii()


def test_numbers_have_a_dot_and_no_grouping() -> None:
    score = call("search", "内存", "--format", "json").out.split('"score": ')[1].split("\n")[0]
    whole, dot, fraction = score.rstrip(",").partition(".")
    assert (whole.isdigit(), dot, fraction.isdigit()) == (True, ".", True)


def test_every_evidence_is_a_filter() -> None:
    assert {evidence.value for evidence in Evidence} == set(EVERY_CARD[1::2])
