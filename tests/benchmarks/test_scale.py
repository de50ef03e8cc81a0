"""The measurements over made-up cards run and compare like with like; what they find is for `make bench` to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.app.evaluation import Question
from ascend_kb.app.synthesis import synthesize
from tests.benchmarks import build_speed, compare, corpus, rivals, typing_window, window_scale
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CARDS = 120
ASKED = [
    Question("1", "keyword", "timeline pcsampling", ("msopcom#4",)),
    Question("2", "keyword", "MemoryManage 共享内存", ("msopcom#58",)),
    Question("3", "none", "zzzqqq 100% _x^", ()),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("synth") / f"synth-{CARDS}.sqlite"
    synthesize(CARDS, place)
    return place


def test_all_systems_get_all_cards(file: Path) -> None:
    made = corpus.Corpus.of(file)
    assert made == (CARDS, 0)
    keys = [key for part, batch in made.batches() for key, _ in zip(part, batch.fields, strict=True)]
    assert len(set(keys)) == CARDS


@pytest.mark.parametrize("kind", [rivals.Like, rivals.Unicode61, rivals.Trigram])
def test_a_system_of_sqlite_finds_what_it_can(kind: type[rivals.System], file: Path, tmp_path: Path) -> None:
    system = kind(tmp_path)
    keys = []
    for part, batch in corpus.Corpus.of(file).batches():
        keys += part
        system.add(batch)
    system.finish()
    assert keys[system.search("timeline pcsampling").rows[0] - 1] == "msopcom#4"
    assert system.search("zzzqqq").rows == system.search(" ").rows == []
    assert isinstance(system.search("\"' % _ ^ AND (").rows, list)
    assert (system.size() or 0) > 10_000
    system.close()


@pytest.mark.filterwarnings("ignore")
def test_the_comparison_gives_every_figure_of_every_system(file: Path, tmp_path: Path) -> None:
    for name in ("jieba", "rank_bm25", "tantivy"):
        pytest.importorskip(name)
    lines = compare.compare(file, ASKED, tmp_path)
    assert [line.name for line in lines] == ["**Ascend KB**", *(rival.name for rival in rivals.RIVALS)]
    assert all(line.p95 >= line.p50 > 0 for line in lines)
    assert lines[0].quality["p1"] == 1
    text = compare.table(lines, corpus.Corpus.of(file), ASKED)
    assert text.count("\n| ") == len(lines) + 2
    assert "1 of them without an answer" in text
    assert "Leads in P@1, R@3 and MRR: yes" in text


def test_a_table_takes_its_place_in_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{compare.START}\nold\n{compare.END}\nafter\n", "utf-8")
    compare.write_into(page, "new")
    assert page.read_text("utf-8") == f"before\n{compare.START}\nnew\n{compare.END}\nafter\n"
    with pytest.raises(ValueError, match="no place"):
        compare.write_into(page, "new", window_scale.START, window_scale.END)


def test_the_page_has_a_place_for_every_table() -> None:
    page = (ROOT / "docs" / "performance.md").read_text("utf-8")
    for mark in (compare.START, compare.END, window_scale.START, window_scale.END):
        assert page.count(mark) == 1


def test_building_is_measured_beside_bare_inserts_of_the_same_rows() -> None:
    speed = build_speed.measure(CARDS, 1)
    assert speed.written > 0
    assert speed.bare > 0
    assert speed.ratio == speed.bare / speed.written


def test_keys_are_pressed_one_by_one_and_blanks_with_the_next() -> None:
    assert typing_window._strokes("ab c") == [(1, "a"), (2, "b"), (4, " c")]


def test_the_window_is_measured_key_by_key(file: Path) -> None:
    figures = window_scale.measured(file, ("内存 ab", "zzzqqq"))
    assert figures["cards"] == CARDS
    assert len(figures["painted"]) == len(figures["bare"]) == len(figures["blocked"]) == 10
    assert min(figures["painted"]) > 0
    text = window_scale.table([figures, figures])
    assert text.count(f"\n| {CARDS} | ") == 2
    assert "| 1.00 |" in text
