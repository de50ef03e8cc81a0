"""What is remembered from one start to the next."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt

from ascend_kb.app import paths, settings
from ascend_kb.core.query import Facet, Filter, SearchQuery, Sort, SortColumn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ascend_kb.core.card import Card
    from tests.gui import Desk

REPO = Filter(Facet.REPO, "msopcom")
EACH_FACET = (
    REPO,
    Filter(Facet.TAG, "hook"),
    Filter(Facet.HARDWARE, "Ascend950"),
    Filter(Facet.OUTCOME, "fixed"),
    Filter(Facet.EVIDENCE, "explicit"),
    Filter(Facet.THEME, "hook-surface"),
    Filter(Facet.GUIDE, "memory-false-report"),
)


def kept() -> settings.Settings:
    found, notice = settings.load(paths.settings_file())
    assert notice == ""
    return found


def test_query_order_and_selected_card_are_restored(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.click_filter(REPO)
    desk.click_filter(Filter(Facet.OUTCOME, "fixed"))
    desk.search("工具")
    desk.click_header(SortColumn.DATE)
    desk.click_header(SortColumn.DATE)
    key = desk.listed()[3]
    desk.select(key)
    before = (
        desk.listed(),
        desk.selected(),
        desk.shown,
        [chip.text() for chip in desk.chips],
        desk.window.search.box.text(),
    )
    desk.window.close()
    desk = start()
    after = (
        desk.listed(),
        desk.selected(),
        desk.shown,
        [chip.text() for chip in desk.chips],
        desk.window.search.box.text(),
    )
    assert after == before
    assert desk.shown == key
    assert desk.window.session.sort == Sort(SortColumn.DATE, descending=True)
    assert desk.window.cards.table.horizontalHeader().sortIndicatorOrder() is Qt.SortOrder.DescendingOrder


def test_a_filter_of_every_kind_is_restored(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.window.session.set_query(SearchQuery("", EACH_FACET), keep=None)
    desk.settle()
    names = [chip.text() for chip in desk.chips]
    desk.window.close()
    desk = start()
    assert desk.window.session.filters == EACH_FACET
    assert [chip.text() for chip in desk.chips] == names


def test_layout_zoom_and_open_groups_are_restored(start: Callable[..., Desk]) -> None:
    desk = start()
    header = desk.window.cards.table.horizontalHeader()
    header.resizeSection(1, 333)
    header.moveSection(0, 3)
    desk.window.splitter.setSizes([200, 300, 252])
    tree = desk.window.library
    tree.expand(tree.library.groups()["themes"].index())
    tree.collapse(tree.library.groups()["repos"].index())
    desk.run("view.zoom-in")
    desk.run("view.zoom-in")
    sizes = desk.window.splitter.sizes()
    desk.window.close()
    desk = start()
    header = desk.window.cards.table.horizontalHeader()
    assert (header.sectionSize(1), header.visualIndex(0)) == (333, 3)
    assert desk.window.splitter.sizes() == sizes
    assert desk.window.library.expanded_groups() == ["themes"]
    assert desk.window.detail.zoom_level == 2


def test_the_library_stays_hidden_and_a_reset_brings_everything_back(start: Callable[..., Desk]) -> None:
    first = start()
    sizes, columns = first.window.splitter.sizes(), first.window.cards.columns_state()
    first.run("view.library")
    first.window.cards.table.horizontalHeader().resizeSection(1, 333)
    first.run("view.zoom-in")
    first.window.close()
    desk = start()
    assert desk.window.library.isHidden()
    desk.run("view.reset")
    assert desk.window.library.isVisible()
    assert desk.window.splitter.sizes() == pytest.approx(sizes, abs=4)
    assert desk.window.cards.columns_state() == columns
    assert desk.window.detail.zoom_level == 0


def test_all_groups_closed_is_a_state_too(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.window.library.collapseAll()
    desk.window.close()
    assert start().window.library.expanded_groups() == []


@pytest.mark.parametrize("maximised", [False, True])
def test_ten_starts_leave_the_geometry_as_it_was(start: Callable[..., Desk], maximised: bool) -> None:
    desk = start()
    desk.window.setGeometry(QRect(60, 50, 640, 480))
    if maximised:
        desk.window.showMaximized()
        desk.qtbot.waitUntil(desk.window.isMaximized)
    seen = set()
    for _ in range(10):
        desk.window.close()
        desk = start()
        assert desk.window.isMaximized() is maximised
        normal, now = desk.window.normalGeometry(), desk.window.geometry()
        seen.add((normal.getRect(), now.getRect()))
    assert len(seen) == 1
    assert normal == QRect(60, 50, 640, 480)
    assert (now == normal) is not maximised


def test_a_window_that_would_lie_outside_every_screen_is_brought_back(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.window.move(QPoint(5000, 4000))
    assert not desk.window.screen().availableGeometry().intersects(desk.window.geometry())
    desk.window.close()
    desk = start()
    assert desk.window.screen().availableGeometry().contains(desk.window.geometry())


def test_the_state_is_written_soon_after_a_change_and_not_only_at_the_end(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.click_filter(REPO)
    desk.qtbot.waitUntil(lambda: paths.settings_file().exists() and kept().text == "repo:msopcom ")
    assert kept().filters == []
    desk.select("msopcom#57")
    desk.qtbot.waitUntil(lambda: kept().card == "msopcom#57")


@pytest.mark.parametrize(
    "changes",
    [
        {"filters": [["repo", "gone"], ["theme", "gone"], ["guide", "gone"], ["tag", "gone"], ["nonsense", "x"]]},
        {"card": "gone#1"},
        {"card": "no key"},
        {"card": "msopcom#9999"},
        {"sort_column": "gone"},
        {"geometry": "nonsense", "splitter": "%%%", "columns": "AAAA"},
        {"geometry": "误", "splitter": "误", "columns": "误"},
        {"expanded": ["gone"]},
        {"zoom": 9999},
        {"text": 7, "filters": {}, "card": None, "zoom": "x", "language": "fr", "colours": "pink"},
    ],
    ids="-".join,
)
def test_a_state_that_makes_no_sense_now_does_no_harm(
    start: Callable[..., Desk], home: Path, changes: dict[str, object]
) -> None:
    home.mkdir()
    (home / "settings.json").write_text(json.dumps(changes), "utf-8")
    desk = start()
    assert len(desk.listed()) == 50
    assert desk.chips == []
    assert desk.shown == desk.listed()[0]
    assert desk.window.width() > 400
    assert desk.window.message_bar.isHidden()


@pytest.mark.parametrize("content", [b"", b"\0" * 300, b'{"text": "x', b"[]", b"7", b"\xff\xfe"])
def test_damaged_settings_are_said_and_set_aside(start: Callable[..., Desk], home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "settings.json").write_bytes(content)
    desk = start()
    assert len(desk.listed()) == 50
    assert desk.window.message_bar.isVisible()
    assert "settings.json is damaged; defaults are used" in desk.window.message_bar.text
    desk.window.close()
    assert (home / "settings.json.damaged").read_bytes() == content
    assert kept().card == "msopcom#4"
    assert start().window.message_bar.isHidden()


def test_another_file_starts_afresh_and_leaves_what_is_known_about_the_usual_one(
    start: Callable[..., Desk], write_kb: Callable[..., Path], cards: dict[str, Card]
) -> None:
    desk = start()
    desk.search("内存")
    desk.click_filter(REPO)
    desk.select("msopcom#58")
    desk.window.close()
    other = start(write_kb(cards["mstt#128"], cards["mstt#129"]))
    assert (other.listed(), other.window.search.box.text()) == (["mstt#128", "mstt#129"], "")
    other.search("profiling")
    other.run("view.zoom-in")
    other.window.close()
    again = start()
    assert again.words == "内存"
    assert again.window.session.filters == (REPO,)
    assert again.shown == "msopcom#58"
    assert again.window.detail.zoom_level == 1
