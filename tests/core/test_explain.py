"""Queries in plain words; the table of the documentation is held to the parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.app import translation
from ascend_kb.core.explain import explain, facet_name, outline
from ascend_kb.core.query import Facet, Filter
from ascend_kb.core.syntax import parse
from tests.conftest import ROOT

if TYPE_CHECKING:
    from ascend_kb.app.library import Library

TABLE = re.findall(
    r"^\| `(.+)` \| `(.+)` \|$", (ROOT / "docs" / "query.md").read_text("utf-8").split("## Twenty")[1], re.MULTILINE
)


def value(wanted: Filter) -> str:
    return wanted.value


def test_the_documentation_shows_twenty_queries() -> None:
    assert len(TABLE) == len(dict(TABLE)) == 20


@pytest.mark.parametrize(("query", "tree"), TABLE)
def test_a_query_is_read_as_the_documentation_says(library: Library, query: str, tree: str) -> None:
    assert outline(parse(query, library.catalog.resolve)) == tree


def test_every_field_of_a_query_stands_in_the_documentation(library: Library) -> None:
    page = (ROOT / "docs" / "query.md").read_text("utf-8").partition("## Fields")[2].partition("\n## ")[0]
    for facet in Facet:
        assert f"`{facet.value}`" in page


SENTENCES = [
    ("", "All cards", "全部条目"),
    ("误报", 'Cards: holds "误报"', "条目：含有“误报”"),
    ("a OR b", 'Cards: holds "a" or "b"', "条目：含有“a” 或 “b”"),
    (
        "误报 (A OR B) -4G repo:msopcom before:2026-03",
        'Cards: holds "误报" and ("A" or "B"); without "4G"; repo msopcom; merged before 2026-03',
        "条目：含有“误报” 且（“A” 或 “B”）；不含“4G”；仓库 msopcom；合入早于 2026-03",
    ),
    (
        'repo:mstt repo:msc tag:hook tag:runtime "a b"',
        'Cards: holds exactly "a b"; repo mstt or msopcom; tag hook and runtime',
        "条目：含有完整的“a b”；仓库 mstt 或 msopcom；标签 hook 且 runtime",
    ),
    ("-a -repo:mstt x", 'Cards: holds "x"; without "a" or repo mstt', "条目：含有“x”；不含“a” 或 仓库 mstt"),
    ("-(a b) x", 'Cards: holds "x"; without "a" and "b"', "条目：含有“x”；不含“a” 且 “b”"),
    ("has:command pr:!7", "Cards: has a command; change !7", "条目：带有 命令；变更 !7"),
    ("repo:mstt OR (a -b)", 'Cards: (repo mstt or ("a" and not "b"))', "条目：（仓库 mstt 或（“a” 且 非“b”））"),
]


@pytest.mark.parametrize(("query", "english", "chinese"), SENTENCES)
def test_a_query_is_explained(library: Library, query: str, english: str, chinese: str) -> None:
    tree = parse(query, library.catalog.resolve)
    assert explain(tree, value) == english
    translation.use("zh")
    assert re.sub(r"\s", "", explain(tree, value)) == re.sub(r"\s", "", chinese)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_facet_has_a_name_of_its_own(language: str) -> None:
    translation.use(language)  # type: ignore[arg-type]
    assert len({facet_name(facet) for facet in Facet}) == len(Facet)


def test_long_terms_are_shortened(library: Library) -> None:
    assert len(explain(parse("x" * 5000, library.catalog.resolve), value)) < 100


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    text=st.lists(st.sampled_from(["a", "OR", "(", ")", "-b", '"', "repo:mstt", "has:note", "误"]), max_size=9).map(
        " ".join
    )
)
def test_everything_can_be_explained(text: str) -> None:
    tree = parse(text, lambda field, found: Filter(Facet.REPO, found) if field == "repo" else None)
    assert explain(tree, value)
    assert outline(tree) is not None
