"""The interface in Chinese and English, changed while it runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from ascend_kb.core.query import Facet, Filter
from tests.gui import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication

    from ascend_kb.app.library import Library
    from tests.gui import Desk


@pytest.fixture
def _own_colours(qapp: QApplication) -> Iterator[None]:
    before = qapp.palette()
    yield
    qapp.setPalette(before)


def texts(desk: Desk) -> dict[str, object]:
    """Everything that is written on the window outside the card's own text."""
    window = desk.window
    header = window.cards.cards
    return {
        "menus": [action.text() for action in window.menuBar().actions()],
        "commands": [action.text() for action in window.actions() if action.objectName()],
        "tips": [action.toolTip() for action in window.actions() if action.objectName()],
        "headings": [header.headerData(n, Qt.Orientation.Horizontal) for n in range(6)],
        "groups": [item.text() for item in window.library.library.groups().values()],
        "heading": window.cards.heading.text(),
        "counts": window.counts.text().partition(",")[0].partition("，")[0],
        "placeholder": window.search.box.placeholderText(),
        "names": [
            w.accessibleName() for w in (window.search.box, window.library, window.cards.table, window.detail.browser)
        ],
        "copy": window.detail.copy_button.text(),
        "find": window.detail.find_bar.box.placeholderText(),
        "title": desk.title,
        "facts": window.detail.facts.text(),
        "outcome": header.index(0, 2).data(),
        "evidence": header.index(0, 3).data(),
        "problem": header.index(0, 1).data(),
        "chips": [chip.text() for chip in desk.chips],
    }


def test_every_text_changes_and_comes_back(desk: Desk) -> None:
    desk.click_filter(Filter(Facet.TAG, "false-positive"))
    english = texts(desk)
    desk.run("view.language-zh")
    chinese = texts(desk)
    for name, value in english.items():
        if isinstance(value, list):
            same = [text for text, other in zip(value, chinese[name], strict=True) if text == other]  # type: ignore[call-overload]
            assert not same, name
        else:
            assert value != chinese[name], name
    desk.run("view.language-en")
    assert texts(desk) == english


@pytest.mark.parametrize(("lang", "placeholder"), [("zh_CN.UTF-8", "搜索"), ("en_GB.UTF-8", "Search"), ("C", "Search")])
def test_the_system_chooses_the_first_language(
    start: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, lang: str, placeholder: str
) -> None:
    monkeypatch.setenv("LANG", lang)
    desk = start()
    assert desk.window.search.box.placeholderText().startswith(placeholder)
    desk.run("view.language-zh")
    desk.run("view.language-system")
    assert desk.window.search.box.placeholderText().startswith(placeholder)


def test_the_choice_is_kept(start: Callable[..., Desk]) -> None:
    desk = start()
    desk.run("view.language-zh")
    desk.window.close()
    assert start().window.detail.copy_button.text() == "复制处理步骤"


def test_query_selection_and_open_groups_stay(desk: Desk) -> None:
    wanted = Filter(Facet.REPO, "msopcom")
    desk.click_filter(wanted)
    tree = desk.window.library
    tree.expand(tree.library.groups()["themes"].index())
    groups = tree.expanded_groups()
    assert "themes" in groups
    desk.search("误报")
    desk.press(KEY.Key_Down)
    before = (desk.listed(), desk.selected(), desk.shown, desk.window.session.query)
    desk.run("view.language-zh")
    assert (desk.listed(), desk.selected(), desk.shown, desk.window.session.query) == before
    assert desk.window.library.expanded_groups() == groups
    assert desk.count_in_tree(wanted).startswith("✓ ")


@pytest.mark.parametrize("command", ["help.manual", "help.knowledge"])
def test_a_page_that_is_read_stays(desk: Desk, command: str) -> None:
    desk.run(command)
    english = desk.text
    desk.run("view.language-zh")
    assert desk.shown == ""
    assert desk.text != english
    desk.run("view.language-en")
    assert desk.text == english


def test_a_theme_that_is_read_stays(desk: Desk, library: Library) -> None:
    theme = library.themes()[0]
    desk.click_filter(Filter(Facet.THEME, theme.id))
    desk.run("view.language-zh")
    assert theme.title.zh in desk.text
    assert (desk.title, desk.selected()) == ("主题", [])


def test_the_hint_of_an_empty_text_changes(desk: Desk) -> None:
    desk.search("zqxjq")
    desk.run("view.language-zh")
    assert desk.text == "选择一个条目，在这里阅读。"
    assert desk.ways_out[0].text().endswith("zqxjq")
    assert not desk.ways_out[0].text().startswith("search")


def looks(desk: Desk, colours: str) -> bool:
    base = desk.window.detail.browser.palette().base().color()
    return (base.lightness() < 128) is (colours == "dark")


@pytest.mark.usefixtures("_own_colours")
def test_colours_change_and_the_text_follows(start: Callable[..., Desk]) -> None:
    desk = start()
    seen = set()
    for colours in ("dark", "light", "dark"):
        text = desk.text
        desk.run(f"view.colours-{colours}")
        desk.qtbot.waitUntil(partial(looks, desk, colours))
        ink = desk.window.detail.browser.palette().text().color().name()
        seen.add((ink, ink in desk.window.detail.browser.document().defaultStyleSheet()))
        assert desk.text == text
    assert len(seen) == 2
    assert all(styled for _, styled in seen)
    desk.window.close()
    assert start().application.settings.colours == "dark"
