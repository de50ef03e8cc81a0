"""What was probably meant is offered only where cards hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.suggestion import LONGEST, suggestions
from ascend_kb.core.query import SearchQuery

if TYPE_CHECKING:
    from ascend_kb.app.library import Library


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("mallochst", "mallochost"),
        ("aclrtMalocHost 误报", "aclrtmallochost 误报"),
        ("profilng", "profiling"),
        ("repo:mscom 误报", "repo:msopcom 误报"),
        ("tag:grph-mode", "tag:graph-mode"),
        ("误报 (mallochst OR profilng)", "误报 (mallochost OR profiling)"),
    ],
)
def test_a_misspelt_query_is_set_right(library: Library, typed: str, meant: str) -> None:
    found = suggestions(library, typed)
    assert found[0] == meant
    assert all(library.select(SearchQuery(query)).full for query in found)
    assert typed not in found


@pytest.mark.parametrize(
    "typed", ["", "误报", "xyzzyqqq", "profiling zqxjq", '"mallochst"x', "a" * (LONGEST + 1), "((", "\ud800"]
)
def test_nothing_is_offered_where_nothing_is_better(library: Library, typed: str) -> None:
    assert suggestions(library, typed) == ()
