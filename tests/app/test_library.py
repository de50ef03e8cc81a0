"""The library: which file is opened, what becomes of older formats, and how long cards are shown."""

from __future__ import annotations

import hashlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app import paths
from ascend_kb.app.building import compile_texts
from ascend_kb.app.library import HUGE_CARD, LONG_CARD, Library, default_knowledge, size
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import SearchQuery, Sort, SortColumn
from ascend_kb.core.recipe import Form
from ascend_kb.store.integrity import dump
from ascend_kb.store.models import FORMAT_VERSION
from tests.conftest import BUNDLE
from tests.sources.sample import CARD, SAMPLE
from tests.unprivileged import run_unprivileged

if TYPE_CHECKING:
    from pathlib import Path

KEY = CardKey("msopcom", 57)
WAY_OUT = "open another file with --kb FILE, or leave --kb out to use the bundled knowledge"


def set_version(path: Path, version: int) -> str:
    """Give a knowledge file another format version; returns the hash of the file."""
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_without_a_name_the_bundle_is_opened_until_there_is_a_working_copy(home: Path, sample_kb: Path) -> None:
    assert default_knowledge() == paths.bundled_knowledge() == BUNDLE
    home.mkdir()
    sample_kb.rename(home / "knowledge.sqlite")
    assert default_knowledge() == home / "knowledge.sqlite"
    library = Library()
    assert (library.path, library.card_count(), library.version, library.as_of) == (
        home / "knowledge.sqlite", 2, "1.0", "2026-09-08",
    )  # fmt: skip
    library.close()


def test_reading_makes_nothing_in_the_home(library: Library, home: Path) -> None:
    card = library.card(KEY)
    assert card is not None
    library.document(card, "zh")
    library.select(SearchQuery("误报")).rows(0, 10)
    library.facets(SearchQuery())
    assert not home.exists()


# --- formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, 999, 2**31 - 1])
def test_a_newer_format_is_refused_by_name_and_untouched(sample_kb: Path, home: Path, version: int) -> None:
    before = set_version(sample_kb, version)
    with pytest.raises(KBError) as caught:
        Library(sample_kb)
    assert caught.value.message == (
        f"{sample_kb} was written by a newer Ascend KB (format {version}; this program reads up to {FORMAT_VERSION})"
    )
    assert caught.value.hint == f"update the program; the file was left untouched. Or: {WAY_OUT}"
    assert hashlib.sha256(sample_kb.read_bytes()).hexdigest() == before
    assert not home.exists()


@pytest.mark.parametrize("version", [0, -1])
def test_an_older_format_is_rebuilt_into_the_users_folder(sample_kb: Path, home: Path, version: int) -> None:
    whole = dump(sample_kb)
    before = set_version(sample_kb, version)
    for _ in range(2):  # the second time finds what the first one made
        library = Library(sample_kb)
        assert library.path.parent == home / "rebuilt"
        assert dump(library.path) == whole
        assert library.title(KEY, "en") == "Allocations above 4 GB are reported"
        library.close()
        assert [path.name for path in (home / "rebuilt").glob("*.sqlite")] == [library.path.name]
    assert hashlib.sha256(sample_kb.read_bytes()).hexdigest() == before


def test_an_older_file_with_faulty_sources_says_so(sample_kb: Path) -> None:
    set_version(sample_kb, 0)
    connection = sqlite3.connect(sample_kb)
    connection.execute("UPDATE source SET text = replace(text, 'outcome: fixed', 'outcome: mended')")
    connection.commit()
    connection.close()
    with pytest.raises(KBError, match=r"cards/msopcom/57.md:9: outcome 'mended' is unknown"):
        Library(sample_kb)


def test_an_older_file_without_sources_is_named(sample_kb: Path) -> None:
    set_version(sample_kb, 0)
    connection = sqlite3.connect(sample_kb)
    connection.execute("DROP TABLE source")
    connection.close()
    with pytest.raises(KBError) as caught:
        Library(sample_kb)
    assert caught.value.message.startswith(f"{sample_kb} holds no sources to rebuild it from (")
    assert caught.value.hint == WAY_OUT


def test_an_older_file_and_a_home_that_cannot_be_written(public: Path) -> None:
    path = public / "old.sqlite"
    compile_texts(SAMPLE, path)
    set_version(path, 0)
    home = public / "locked" / "home"
    home.parent.mkdir()
    home.parent.chmod(0o555)
    code = """
from ascend_kb.app.library import Library
try:
    Library(Path(sys.argv[1]))
except KBError as error:
    print(error.message, error.hint, sep="|")
"""
    said = run_unprivileged(code, path, home=home)
    assert said == (
        f"{path} has an older format and cannot be rebuilt into {home / 'rebuilt'}: Permission denied|"
        "set ASCEND_KB_HOME to a folder that can be written\n"
    )


# --- documents -------------------------------------------------------------------------------------------------------


def with_recipe(path: Path, recipe: str) -> Library:
    """Build and open a knowledge file whose first card has a recipe of our own."""
    compile_texts(
        SAMPLE | {"cards/msopcom/57.md": CARD.replace("1. 查看返回类型", f"{recipe}\n\n1. 查看返回类型")}, path
    )
    return Library(path)


@pytest.mark.parametrize("word", ["start-{} ", "开头{}，"], ids=["ASCII", "Chinese"])
def test_a_long_card_shows_its_beginning_and_all_on_demand(tmp_path: Path, word: str) -> None:
    lines = "\n\n".join(word.format(i) * 3 for i in range(1500))
    library = with_recipe(tmp_path / "long.sqlite", lines)
    card = library.card(KEY)
    assert card is not None
    first, whole = library.document(card, "zh"), library.document(card, "zh", whole=True)
    assert size(library.markdown(card, "zh", header=False)) > LONG_CARD
    assert (first.cut, whole.cut, first.is_plain, whole.is_plain) == (True, False, False, False)
    assert "现象" in first.content
    assert word.format(0).strip() in first.content
    assert word.format(1499).strip() not in first.content
    assert word.format(1499).strip() in whole.content
    assert "由作者对应推断" in whole.content
    assert whole.content.startswith(first.content[: len(first.content) // 2])
    assert size(first.content) < 3 * LONG_CARD
    library.close()


@pytest.mark.parametrize("spare", [0, 1])
def test_the_bound_of_a_long_card_is_exact(tmp_path: Path, spare: int) -> None:
    library = with_recipe(tmp_path / "probe.sqlite", "x")
    card = library.card(KEY)
    assert card is not None
    missing = LONG_CARD - size(library.markdown(card, "zh", header=False))
    library.close()
    library = with_recipe(tmp_path / "exact.sqlite", "x" * (1 + missing + spare))
    card = library.card(KEY)
    assert card is not None
    assert size(library.markdown(card, "zh", header=False)) == LONG_CARD + spare
    assert library.document(card, "zh").cut is bool(spare)
    library.close()


def test_a_long_line_is_cut_inside(tmp_path: Path) -> None:
    library = with_recipe(tmp_path / "line.sqlite", "误" * 30_000)
    card = library.card(KEY)
    assert card is not None
    first = library.document(card, "zh")
    assert first.cut
    assert "�" not in first.content
    library.close()


@pytest.mark.parametrize("letter", ["x", "误"])
def test_a_huge_card_is_plain_text(tmp_path: Path, letter: str) -> None:
    recipe = "<b>&amp;</b> " + (letter * 99 + "\n") * (HUGE_CARD // (99 * size(letter)) + 10)
    library = with_recipe(tmp_path / "huge.sqlite", recipe)
    card = library.card(KEY)
    assert card is not None
    for whole in (False, True):
        document = library.document(card, "zh", whole=whole)
        assert (document.is_plain, document.cut) == (True, False)
        assert document.content == library.markdown(card, "zh", header=False)
        assert "<b>&amp;</b>" in document.content
    library.close()


def test_a_card_and_its_parts_are_given_or_nothing(library: Library) -> None:
    assert library.card(CardKey("msopcom", 1)) is None
    assert library.title(CardKey("msopcom", 1), "zh") == ""
    assert library.has_commands(CardKey("msopcom", 1)) is False
    assert library.has_commands(KEY) is True
    card = library.card(KEY)
    assert card is not None
    assert library.title(KEY, "en") == card.title.en
    assert library.recipes([card], Form.COMMANDS, "zh").rstrip("\n") == 'grep -rn "CeilByAlignSize" .'
    assert len(library.themes()) == 8
    assert len(library.guide()) == 12
    assert library.about().zh.strip()
    assert library.about().en.strip()


def test_what_is_asked_for_reaches_the_selection(library: Library) -> None:
    by_date = library.select(SearchQuery(), Sort(SortColumn.DATE, descending=True))
    assert by_date.total == library.card_count() == 50
    dates = [row.latest_change for row in by_date.rows(0, 50)]
    assert dates == sorted(dates, reverse=True)
    assert dates[0] > dates[-1]


def test_a_file_that_vanishes_is_named_by_a_later_thread(sample_kb: Path) -> None:
    library = Library(sample_kb)
    sample_kb.unlink()
    with ThreadPoolExecutor(1) as pool:
        for ask in (library.interrupter, library.card_count, library.themes):
            with pytest.raises(KBError, match=str(sample_kb)):
                pool.submit(ask).result()
    library.close()
