"""The text: links, history, finding, size."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import Facet, Filter
from ascend_kb.core.vocabulary import SectionId
from tests.gui import ALT, CTRL, KEY, SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card
    from tests.gui import Desk, Opener

LINKS = {
    "http://x.test/a?b=1&c=%20": True,
    "https://x.test/#part": True,
    "HTTPS://X.TEST/": True,
    "mailto:a@x.test": True,
    "#anchor": False,
    "relative/page.html": False,
    "../up.html": False,
    "//x.test/a": False,
    "https://[broken": False,
    "ftp://x.test/a": False,
    "file:///etc/hostname": False,
    "javascript:alert(1)": False,
    "data:text/html,x": False,
    "qrc:/x": False,
    "ascend-kb://nonsense": False,
    "ascend-kb://card/msopcom/not-a-number": False,
    "ascend-kb://card/unheard-of/1": False,
    "ascend-kb://theme/unheard-of": False,
    "ascend-kb://filter/unheard-of/x": False,
    "ascend-kb://copy/999": False,
    "": False,
}
BAD_MARKDOWN = """
![a](http://127.0.0.1:{port}/x.png) <img src="http://127.0.0.1:{port}/y.png"> <img src=file:///etc/hostname>
<script>alert(1)</script> <link rel=stylesheet href="http://127.0.0.1:{port}/z.css">
[j](javascript:alert(1)) [f](file:///etc/hostname) [d](data:text/html,x)

[ref]: http://127.0.0.1:{port}/ref.png
![ref]
"""


def test_the_page_stays_whatever_is_clicked_and_only_web_links_leave(desk: Desk, opener: Opener) -> None:
    browser = desk.window.detail.browser
    desk.run("help.manual")
    desk.select("msopcom#20")
    for address, opens in LINKS.items():
        opener.opened.clear()
        if address:
            href = address.replace("&", "&amp;")
            browser.setHtml(f'<body><p>aa <a href="{href}">link</a> <a name="anchor">b</a></p></body>')
        before = (desk.text, desk.title, desk.listed(), browser.source())
        if address:
            desk.click_link(address)
        else:
            desk.window.workbench.follow(address)
            desk.settle()
        assert (desk.text, desk.title, desk.listed(), browser.source()) == before, address
        full = QUrl(address).toString(QUrl.ComponentFormattingOption.FullyEncoded)
        assert opener.opened == ([full] if opens else [])
        assert desk.said == (f"Opened in the system's browser: {full}" if opens else desk.said)
        desk.press(KEY.Key_Left, ALT)
        assert desk.title == "Manual"
        desk.press(KEY.Key_Right, ALT)
        assert desk.shown == "msopcom#20"
        assert len(desk.text) > 500


def test_a_web_link_of_a_card_is_opened_by_click_and_by_keyboard(desk: Desk, opener: Opener, library: Library) -> None:
    card = library.card(library.catalog.key("msopcom#57"))
    assert card is not None
    desk.select("msopcom#57")
    address = card.changes[0].url
    desk.click_link(address)
    assert opener.opened == [address]
    desk.window.detail.browser.setFocus()
    for _ in range(30):
        desk.press(KEY.Key_Tab)
        if desk.window.detail.browser.textCursor().charFormat().anchorHref() == address:
            break
    desk.press(KEY.Key_Return)
    assert opener.opened == [address, address]


def test_the_source_is_opened_by_its_command(desk: Desk, opener: Opener) -> None:
    desk.select("msopcom#57")
    desk.press(KEY.Key_O, CTRL | SHIFT)
    assert opener.opened == ["https://gitcode.com/Ascend/msopcom/issues/57"]


def test_nothing_is_loaded_and_nothing_is_opened_without_a_click(
    start: Callable[..., Desk], write_kb: Callable[..., Path], cards: dict[str, Card], opener: Opener, qtbot: QtBot
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        text = BAD_MARKDOWN.replace("{port}", str(listener.getsockname()[1]))
        card = cards["msopcom#4"]
        bad = {lang: {**parts, SectionId.SYMPTOM: text} for lang, parts in card.sections.items()}
        desk = start(write_kb(card._replace(sections=bad)))
        assert '<img src="http://127.0.0.1' in desk.text
        assert "<script>alert(1)</script>" in desk.text
        assert not any(
            part in desk.window.detail.browser.toHtml() for part in ('"javascript:', '"file:', '"data:', "<img")
        )
        browser = desk.window.detail.browser
        port = listener.getsockname()[1]
        browser.setHtml(
            f'<img src="http://127.0.0.1:{port}/a.png"><link rel="stylesheet" href="http://127.0.0.1:{port}/b">'
        )
        browser.grab()
        desk.settle()
        with pytest.raises(BlockingIOError):
            listener.accept()
        socket.create_connection(listener.getsockname()).close()
        listener.accept()[0].close()  # the listener would have seen it
    assert opener.opened == []


@pytest.mark.parametrize("written", ["msopcom#57", "msc#57", "Msc#57"])
def test_a_card_is_a_link_in_both_forms(
    start: Callable[..., Desk], write_kb: Callable[..., Path], cards: dict[str, Card], written: str
) -> None:
    card = cards["msopcom#4"]
    sections = {
        lang: {**parts, SectionId.SYMPTOM: f"See {written} and msc#999."} for lang, parts in card.sections.items()
    }
    desk = start(write_kb(card._replace(sections=sections), cards["msopcom#57"]))
    assert "card/msopcom/999" not in desk.window.detail.browser.toHtml()
    desk.click_link("ascend-kb://card/msopcom/57")
    assert (desk.shown, desk.selected()) == ("msopcom#57", ["msopcom#57"])


def test_links_of_a_theme_lead_to_its_cards_and_back(desk: Desk, library: Library) -> None:
    theme = library.themes()[0]
    desk.click_filter(Filter(Facet.THEME, theme.id))
    for key in theme.cards:
        desk.click_link(f"ascend-kb://card/{key.repo}/{key.number}")
        assert (desk.shown, desk.selected()) == (str(key), [str(key)])
        assert desk.is_selected_row_visible
        desk.press(KEY.Key_Left, ALT)
        assert desk.title == "Theme"


def test_a_card_outside_the_list_is_shown_without_a_selection(desk: Desk) -> None:
    desk.click_filter(Filter(Facet.REPO, "mstt"))
    desk.window.workbench.follow("ascend-kb://card/msopcom/57")
    desk.settle()
    assert (desk.shown, desk.selected(), len(desk.listed())) == ("msopcom#57", [], 12)


def test_hovering_a_link_says_where_it_leads(desk: Desk, library: Library) -> None:
    card = library.card(library.catalog.key("msopcom#57"))
    assert card is not None
    desk.select("msopcom#57")
    viewport = desk.window.detail.browser.viewport()
    for address, said in (("ascend-kb://card/msopcom/20", "msopcom#20"), (card.changes[0].url, card.changes[0].url)):
        desk.hover(viewport, desk.link_place(address))
        assert desk.said == said
        desk.hover(viewport, QPoint(1, 1))
        assert desk.said == ""


def test_back_and_forward_restore_place_and_scroll(desk: Desk) -> None:
    bar = desk.window.detail.browser.verticalScrollBar()
    first = desk.shown
    bar.setValue(60)
    desk.click_filter(Filter(Facet.THEME, "hook-surface"))
    bar.setValue(90)
    desk.run("help.manual")
    bar.setValue(120)
    assert bar.value() == 120
    desk.window.workbench.follow("ascend-kb://card/msopcom/57")
    desk.settle()
    bar.setValue(150)
    assert desk.action("go.back").isEnabled()
    assert not desk.action("go.forward").isEnabled()
    places = [(first, 60), ("Theme", 90), ("Manual", 120), ("msopcom#57", 150)]
    for title, scroll in places[-2::-1]:
        desk.press(KEY.Key_Left, ALT)
        assert (desk.shown or desk.title, bar.value()) == (title, scroll)
    assert not desk.action("go.back").isEnabled()
    for title, scroll in places[1:]:
        desk.press(KEY.Key_Right, ALT)
        assert (desk.shown or desk.title, bar.value()) == (title, scroll)


def test_going_back_twice_at_once_keeps_every_scroll(desk: Desk) -> None:
    bar = desk.window.detail.browser.verticalScrollBar()
    first = desk.shown
    desk.run("help.manual")
    bar.setValue(100)
    desk.run("help.knowledge")
    bar.setValue(33)
    desk.action("go.back").trigger()
    desk.action("go.back").trigger()
    desk.settle()
    assert desk.shown == first
    desk.run("go.forward")
    assert (desk.title, bar.value()) == ("Manual", 100)
    desk.run("go.forward")
    assert bar.value() == 33


def test_moving_through_the_list_leaves_one_place_in_the_history(desk: Desk) -> None:
    desk.run("help.manual")
    desk.window.search.box.setFocus()
    for _ in range(5):
        desk.press(KEY.Key_Down)
    assert desk.shown == desk.listed()[5]
    desk.press(KEY.Key_Left, ALT)
    assert desk.title == "Manual"
    desk.press(KEY.Key_Right, ALT)
    assert desk.shown == desk.listed()[5]
    assert desk.selected() == [desk.listed()[5]]


def test_down_and_up_at_once_ends_where_it_began(desk: Desk) -> None:
    first = desk.listed()[0]
    box = desk.window.search.box
    for _ in range(20):
        QTest.keyClick(box, KEY.Key_Down)
        QTest.keyClick(box, KEY.Key_Up)
    desk.settle()
    assert (desk.selected(), desk.shown) == ([first], first)
    QTest.keyClick(box, KEY.Key_Down)
    desk.settle()
    assert desk.shown == desk.listed()[1]


def test_a_click_on_the_selected_row_leaves_a_page_for_its_card(desk: Desk) -> None:
    desk.select("msopcom#20")
    desk.press(KEY.Key_F1)
    assert (desk.title, desk.selected()) == ("Manual", ["msopcom#20"])
    desk.select("msopcom#20")
    assert desk.shown == "msopcom#20"


def matches(desk: Desk) -> str:
    return next(label.text() for label in desk.window.detail.find_bar.findChildren(QLabel))


def test_find_counts_goes_on_and_wraps_around(desk: Desk) -> None:
    desk.select("msopcom#57")
    browser = desk.window.detail.browser
    word = "ceilbyalignsize"
    total = desk.text.lower().count(word)
    assert total >= 3
    desk.press(KEY.Key_F, CTRL)
    desk.type(word)
    assert matches(desk) == f"{total} matches"
    places = [browser.textCursor().selectionStart()]
    for key in (KEY.Key_F3, KEY.Key_Return):
        for _ in range(total):
            desk.press(key)
            places.append(browser.textCursor().selectionStart())
    assert all(browser.textCursor().selectedText().lower() == word for _ in places)
    assert places[0] == desk.text.lower().index(word)
    assert places[:total] == sorted(set(places))
    assert places[: total + 1] == [*places[:total], places[0]] == places[total:]
    desk.press(KEY.Key_F3, SHIFT)
    assert browser.textCursor().selectionStart() == places[total - 1]
    desk.press(KEY.Key_Return, SHIFT)
    assert browser.textCursor().selectionStart() == places[total - 2]


def test_find_without_a_match_says_so_and_moves_nothing(desk: Desk) -> None:
    desk.press(KEY.Key_F, CTRL)
    desk.type("a")
    at = desk.window.detail.browser.textCursor().selectionStart()
    desk.type("zqxj")
    assert matches(desk) == "0 matches"
    desk.press(KEY.Key_F3)
    assert desk.said == "No match in this text"
    assert desk.window.detail.browser.textCursor().position() == at
    desk.window.detail.find_bar.box.clear()
    assert matches(desk) == ""
    assert not desk.action("edit.find-next").isEnabled()


def test_find_takes_the_selected_text_and_counts_anew_in_another_card(desk: Desk) -> None:
    desk.select("msopcom#57")
    browser = desk.window.detail.browser
    cursor = browser.textCursor()
    start_at = desk.text.index("CeilByAlignSize")
    cursor.setPosition(start_at)
    cursor.setPosition(start_at + 15, cursor.MoveMode.KeepAnchor)
    browser.setTextCursor(cursor)
    browser.setFocus()
    desk.press(KEY.Key_F, CTRL)
    assert desk.window.detail.find_bar.box.text() == "CeilByAlignSize"
    desk.select("mstt#129")
    assert matches(desk) == "0 matches"


def test_letters_in_the_find_bar_stay_there(desk: Desk) -> None:
    desk.press(KEY.Key_F, CTRL)
    desk.type("size")
    assert desk.window.detail.find_bar.box.text() == "size"
    assert desk.window.search.box.text() == ""
    assert QApplication.focusWidget() is desk.window.detail.find_bar.box


def test_the_text_grows_and_shrinks_within_bounds(desk: Desk) -> None:
    browser = desk.window.detail.browser

    def points() -> float:
        return browser.font().pointSizeF()

    first, text = points(), desk.text
    desk.press(KEY.Key_Plus, CTRL)
    desk.press(KEY.Key_Equal, CTRL)
    assert points() == first + 2
    desk.press(KEY.Key_Minus, CTRL)
    assert points() == first + 1
    for command, most in (("view.zoom-in", first + 24), ("view.zoom-out", first - 6)):
        for _ in range(40):
            desk.run(command)
        assert points() == most
    assert desk.text == text
    desk.press(KEY.Key_0, CTRL)
    assert points() == first


def test_the_page_about_the_knowledge_and_the_manual_are_in_both_languages(desk: Desk, library: Library) -> None:
    desk.run("help.knowledge")
    english = desk.text
    desk.run("view.language-zh")
    assert desk.title == "关于知识库"
    assert desk.text != english
    first = library.about().zh.strip().split("\n")[0].lstrip("# ")
    assert desk.text.startswith(first)
    desk.press(KEY.Key_F1)
    assert desk.shown == ""
    assert "Ctrl+C" in desk.text


def test_every_card_opens_in_both_languages(desk: Desk, library: Library) -> None:
    desk.window.search.box.setFocus()
    for language in ("zh", "en"):
        desk.run(f"view.language-{language}")
        for key in desk.listed():
            desk.window.session.show_card(library.catalog.key(key), moving=False)
            desk.settle()
            assert desk.shown == key
            assert library.title(CardKey(*_parts(key)), "zh" if language == "zh" else "en") in desk.title


def _parts(key: str) -> tuple[str, int]:
    repo, _, number = key.partition("#")
    return repo, int(number)
