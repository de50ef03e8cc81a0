"""Short names are worked out from letters and numbers, and left alone where that is not safe."""

from __future__ import annotations

import pytest

from ascend_kb.core.card import ForeignRepo, Repo
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import Evidence
from ascend_kb.sources.articles.closing import read_notes
from ascend_kb.sources.articles.names import Mention, Names, mentions
from tests.pace import loops

NONE = Bilingual()
CATALOG = Catalog((Repo("msopcom", "Ascend", "msc", NONE, NONE, 1),), (ForeignRepo("Ascend", "pytorch"),), (), ())
REPOS = ("op-plugin", "mstt", "kernel-gen-data")
KEYS = [("op-plugin", 1), ("op-plugin", 2), ("mstt", 1), ("mstt", 7), ("kernel-gen-data", 4)]


def names(*texts: str) -> Names:
    made = Names(REPOS, KEYS, CATALOG)
    made.learn(texts)
    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("msc#20、#63", [("", "msc", 20), ("", "msc", 63)]),
        ("opl#476、#143，mtt#2", [("", "opl", 476), ("", "opl", 143), ("", "mtt", 2)]),
        ("op-plugin #143/#482", [("", "op-plugin", 143), ("", "op-plugin", 482)]),
        ("（cann/sip#31）", [("cann", "sip", 31)]),
        ("同#132根因", []),
        ("a#0 #1 x##2", []),
    ],
)
def test_mentions(text: str, found: list[tuple[str, str, int]]) -> None:
    assert list(mentions(text)) == [Mention(*each) for each in found]


def test_short_names_are_letters_of_the_name_in_order() -> None:
    made = names("opl#1、#2", "mtt#7", "kgd#4", "gen-data#4")
    assert made.abbreviations == {"op-plugin": "opl", "mstt": "mtt", "kernel-gen-data": "kgd"}
    assert made.repo("GEN-DATA") == "kernel-gen-data"


def test_a_short_name_whose_numbers_the_repository_lacks_means_nothing() -> None:
    assert names("opl#99").repo("opl") == ""


def test_names_of_the_catalog_and_foreign_ones_stay_what_they_are() -> None:
    made = names("msc#5", "pytorch#1482")
    assert made.key(Mention("", "msc", 5)) == CardKey("msopcom", 5)
    assert made.key(Mention("", "pytorch", 1482)) is None
    assert made.is_missing(CardKey("mstt", 2))
    assert not made.is_missing(CardKey("msopcom", 5))


def test_the_notes_list_by_repository_by_number_and_by_exception() -> None:
    closing = read_notes(
        ["推断型关联：mstt 1 条（仅 #7 显式）、op-plugin #1/#2；[未核实]：kernel-gen-data#4 提交。"], names()
    )
    assert {str(key): basis.evidence for key, basis in closing.cards.items()} == {
        "mstt#1": Evidence.INFERRED, "mstt#7": Evidence.EXPLICIT, "op-plugin#1": Evidence.INFERRED,
        "op-plugin#2": Evidence.INFERRED, "kernel-gen-data#4": Evidence.UNVERIFIED,
    }  # fmt: skip
    assert closing.lists_inferred


@pytest.mark.parametrize("text", ["推断：mstt 5 条（仅 #7 显式）", "推断：zzz 2 条", "共 mstt#1 一条", ""])
def test_a_count_that_does_not_agree_names_no_card(text: str) -> None:
    closing = read_notes([text], names())
    assert (closing.cards, closing.lists_inferred) == ({}, False)


@pytest.mark.parametrize("piece", ["a#1", "a 1 条（", "#1、", "a", "mstt 1 条（仅 #7 显式）", "推断"])
def test_time_grows_with_the_length(piece: str) -> None:
    def read(count: int) -> float:
        text = "推断" + piece * count
        return loops(lambda: read_notes([text], names(text)))

    assert read(8000) < 10 * read(2000) + 2
