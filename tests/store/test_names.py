"""Names for completion and spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.query import Facet
from ascend_kb.store import names
from ascend_kb.store.knowledge import KnowledgeFile
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def file() -> Iterator[KnowledgeFile]:
    opened = KnowledgeFile(BUNDLE)
    yield opened
    opened.close()


def test_versions_are_those_of_the_cards_in_order(file: KnowledgeFile) -> None:
    found = names.versions(file)
    assert set(found) == {v.number for card in file.cards() for v in (*card.affected, *card.fixed)}
    assert found.index("2.9.0.post1") < found.index("9.0") < found.index("9.2.0") < found.index("26.1.0")


def test_apis_hold_the_part_and_those_that_begin_with_it_come_first(file: KnowledgeFile) -> None:
    found = names.names(file, Facet.API, "MALLOC")
    assert "aclrtMallocHost" in found
    assert all("malloc" in name.lower() for name in found)
    begins = [name.lower().startswith("malloc") for name in found]
    assert begins == sorted(begins, reverse=True)
    assert names.names(file, Facet.API, "%") == ()


def test_changes_and_months_begin_with_the_part(file: KnowledgeFile) -> None:
    assert "5095" in names.names(file, Facet.PR, "!50")
    assert all(number.startswith("50") for number in names.names(file, Facet.PR, "50"))
    months = names.names(file, Facet.BEFORE, "2026")
    assert list(months) == sorted(months, reverse=True)
    assert all(len(month) == 7 for month in months)


def test_words_are_spelt_as_the_index_knows_them(file: KnowledgeFile) -> None:
    assert names.is_known(file, "profiling")
    assert names.is_known(file, "mallochost")
    assert not names.is_known(file, "mallochst")
    assert names.spellings(file, "profilng")[0] == "profiling"
    for word in ("", "ab", "123456", "误报", "zqxjqzqxjq"):
        assert names.spellings(file, word) == ()
