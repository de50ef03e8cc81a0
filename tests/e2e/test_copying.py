"""What lands on the clipboard, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.fences import find_fences
from ascend_kb.core.keys import CardKey
from ascend_kb.core.links import copy_link
from ascend_kb.core.query import Facet, Filter, SortColumn
from ascend_kb.core.recipe import Form
from ascend_kb.core.vocabulary import SectionId
from tests.gui import ALT, CTRL, KEY, SHIFT, clear_clipboard, clipboard

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from ascend_kb.app.library import Library
    from ascend_kb.core.card import Card
    from tests.gui import Desk

CODE = "def f(x):\n    if x:\n\t\treturn 'a  b'   \n\n    return None"
TABLE = "| a | b |\n| --- | --- |\n| 1 | `x` |"
RECIPE = f"1. Look:\n\n```python\n{CODE}\n```\n\n{TABLE}\n\n```bash\nls  -l | cat\n  cd /\n```\n"


@pytest.fixture(autouse=True)
def _empty_clipboard(qapp: QApplication) -> None:
    clear_clipboard()


@pytest.fixture(scope="module")
def special_kb(write_kb: Callable[..., Path], cards: dict[str, Card]) -> Path:
    """Two cards: msopcom#4 whose recipe has code of both kinds and a table, msopcom#20 without any command."""

    def with_recipe(key: str, recipe: str) -> Card:
        card = cards[key]
        return card._replace(
            sections={lang: {**parts, SectionId.RECIPE: recipe} for lang, parts in card.sections.items()}
        )

    return write_kb(with_recipe("msopcom#4", RECIPE), with_recipe("msopcom#20", "1. Wait for the next version.\n"))


def both_forms(library: Library, *keys: str) -> tuple[str, str]:
    found = [library.card(library.catalog.key(key)) for key in keys]
    known = [card for card in found if card is not None]
    html = library.recipes(known, Form.HTML, "en")
    return (
        library.recipes(known, Form.PLAIN, "en"),
        f'<html><head><meta charset="utf-8"></head><body>{html}</body></html>',
    )


@pytest.mark.parametrize("place", ["table", "tree", "text", "search box", "find bar"])
def test_control_c_copies_the_recipe_as_rich_and_plain_text_together(desk: Desk, library: Library, place: str) -> None:
    window = desk.window
    desk.select("msopcom#57")
    desk.press(KEY.Key_F, CTRL)
    {
        "table": window.cards.table,
        "tree": window.library,
        "text": window.detail.browser,
        "search box": window.search.box,
        "find bar": window.detail.find_bar.box,
    }[place].setFocus()
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == both_forms(library, "msopcom#57")
    assert desk.said == "Copied the recipe of msopcom#57 as rich and plain text"


def test_the_button_copies_as_control_c_does(desk: Desk, library: Library) -> None:
    desk.select("msopcom#57")
    desk.window.detail.copy_button.click()
    desk.settle()
    assert clipboard() == both_forms(library, "msopcom#57")


@pytest.mark.parametrize(
    ("command", "form", "said"),
    [
        ("card.copy-rich", Form.PLAIN, "Copied the recipe of msopcom#57 as rich and plain text"),
        ("card.copy-plain", Form.PLAIN, "Copied the recipe of msopcom#57 as plain text"),
        ("card.copy-markdown", Form.MARKDOWN, "Copied the recipe of msopcom#57 as Markdown"),
        ("card.copy-commands", Form.COMMANDS, "Copied 1 lines of commands from msopcom#57"),
    ],
)
def test_each_form_copies_the_bytes_of_the_library(
    desk: Desk, library: Library, command: str, form: Form, said: str
) -> None:
    card = library.card(library.catalog.key("msopcom#57"))
    assert card is not None
    desk.select("msopcom#57")
    desk.run(command)
    text, html = clipboard()
    assert text == library.recipes([card], form, "en")
    assert bool(html) is (command == "card.copy-rich")
    assert desk.said == said


@pytest.mark.parametrize(("key", "form"), [(KEY.Key_C, Form.COMMANDS), (KEY.Key_M, Form.MARKDOWN)])
def test_the_keys_of_the_forms_work(desk: Desk, library: Library, key: KEY, form: Form) -> None:
    card = library.card(library.catalog.key(desk.shown))
    assert card is not None
    desk.press(key, CTRL | ALT)
    assert clipboard() == (library.recipes([card], form, "en"), "")


def test_the_menu_of_the_button_offers_the_four_forms_and_the_reference(desk: Desk) -> None:
    names = [action.text().replace("&", "") for action in desk.window.detail.copy_button.menu().actions()]
    assert names == [
        "Copy recipe: rich text",
        "Copy recipe: commands only",
        "Copy recipe: plain text",
        "Copy recipe: Markdown",
        "Copy reference",
    ]


def test_plain_text_keeps_indents_and_line_ends_of_code(start: Callable[..., Desk], special_kb: Path) -> None:
    desk = start(special_kb)
    desk.press(KEY.Key_C, CTRL)
    text, html = clipboard()
    assert CODE in text
    assert "\r" not in text
    assert "\u2029" not in text
    assert "<table" in html
    assert "<pre>" in html


@pytest.mark.parametrize("columns", [(SortColumn.KEY,), (SortColumn.DATE, SortColumn.DATE), (SortColumn.TITLE,)])
def test_several_cards_are_copied_in_table_order(desk: Desk, library: Library, columns: tuple[SortColumn, ...]) -> None:
    wanted = {"msopcom#57", "op-plugin#27", "mstt#129"}
    for column in columns:
        desk.click_header(column)
    order = [key for key in desk.listed() if key in wanted]
    desk.select(order[2])
    desk.select(order[0], CTRL)
    desk.select(order[1], CTRL)
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == both_forms(library, *order)
    assert desk.said == f"Copied the recipe of {', '.join(order)} as rich and plain text"


def test_a_range_of_cards_is_copied_whole_and_named_in_short(desk: Desk, library: Library) -> None:
    keys = desk.listed()
    desk.select(keys[4])
    desk.select(keys[8], SHIFT)
    assert desk.selected() == keys[4:9]
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == both_forms(library, *keys[4:9])
    assert desk.said == f"Copied the recipe of {', '.join(keys[4:7])} and 2 more as rich and plain text"


def test_select_all_then_copy_takes_every_card_of_the_list(desk: Desk, library: Library) -> None:
    desk.click_filter(Filter(Facet.REPO, "msopgen"))
    desk.window.cards.table.setFocus()
    desk.press(KEY.Key_A, CTRL)
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == both_forms(library, *desk.listed())


def test_selected_text_wins_over_the_recipe(desk: Desk) -> None:
    browser = desk.window.detail.browser
    browser.setFocus()
    cursor = browser.textCursor()
    cursor.setPosition(10)
    cursor.setPosition(90, cursor.MoveMode.KeepAnchor)
    browser.setTextCursor(cursor)
    desk.press(KEY.Key_C, CTRL)
    text, html = clipboard()
    assert text == desk.text[10:90]
    assert "<html>" in html
    assert desk.said == "Copied the selected text"


def test_the_copy_command_copies_selected_text_of_the_widget_with_the_focus(desk: Desk) -> None:
    desk.search("some words")
    desk.window.search.box.setSelection(0, 4)
    desk.run("edit.copy")
    assert clipboard()[0] == "some"
    assert desk.said == "Copied the selected text"
    desk.window.detail.title.setFocus()
    desk.window.detail.title.setSelection(0, 5)
    desk.press(KEY.Key_C, CTRL)
    assert clipboard()[0] == desk.title[:5]
    desk.window.cards.table.setFocus()
    desk.press(KEY.Key_C, CTRL)
    assert clipboard()[0].startswith("Recipe\n")


def test_commands_are_greyed_with_a_title_of_its_own_where_there_are_none(
    start: Callable[..., Desk], special_kb: Path
) -> None:
    desk = start(special_kb)
    action = desk.action("card.copy-commands")
    assert (action.isEnabled(), action.text()) == (True, "Copy recipe: &commands only")
    desk.select("msopcom#20")
    assert (action.isEnabled(), action.text()) == (False, "Copy recipe: commands only (this card has none)")
    desk.press(KEY.Key_C, CTRL | ALT)
    assert clipboard() == ("", "")
    desk.select("msopcom#4", CTRL)
    assert action.isEnabled()
    desk.press(KEY.Key_C, CTRL | ALT)
    assert clipboard() == ("ls  -l | cat\n  cd /\n", "")


def test_the_reference_is_key_title_and_address(desk: Desk, library: Library) -> None:
    desk.select("msopcom#57")
    desk.select("msopcom#20", CTRL)
    desk.press(KEY.Key_C, CTRL | SHIFT)
    expected = ""
    for number in (20, 57):
        title = library.title(CardKey("msopcom", number), "en")
        expected += f"msopcom#{number} {title}\nhttps://gitcode.com/Ascend/msopcom/issues/{number}\n"
    assert clipboard() == (expected, "")
    assert desk.said == "Copied the reference of msopcom#20, msopcom#57"


def test_the_link_above_a_code_block_copies_its_exact_bytes(start: Callable[..., Desk], special_kb: Path) -> None:
    desk = start(special_kb)
    desk.click_link(copy_link(0))
    assert clipboard() == (CODE + "\n", "")
    assert desk.said == "Copied 5 lines of code"
    desk.click_link(copy_link(1))
    assert clipboard() == ("ls  -l | cat\n  cd /\n", "")
    assert desk.said == "Copied 2 lines of code"


def test_every_code_block_of_the_bundle_has_a_link_that_copies_it(desk: Desk, library: Library) -> None:
    seen = 0
    for key in desk.listed()[:12]:
        desk.select(key)
        card = library.card(library.catalog.key(key))
        assert card is not None
        for number, fence in enumerate(find_fences(library.markdown(card, "zh", header=False))):
            assert f'href="{copy_link(number)}"' in desk.window.detail.browser.toHtml()
            desk.window.workbench.follow(copy_link(number))
            desk.settle()
            assert clipboard()[0] == (fence.commands if fence.is_shell else fence.code), key
            seen += 1
    assert seen >= 12


def test_the_shown_card_is_copied_where_none_is_selected(desk: Desk, library: Library) -> None:
    desk.click_filter(Filter(Facet.REPO, "mstt"))
    desk.window.workbench.follow("ascend-kb://card/msopcom/57")
    desk.settle()
    assert (desk.selected(), desk.shown) == ([], "msopcom#57")
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == both_forms(library, "msopcom#57")


def test_without_a_card_nothing_is_copied_and_it_is_said(desk: Desk) -> None:
    desk.click_filter(Filter(Facet.THEME, "hook-surface"))
    assert desk.selected() == []
    desk.press(KEY.Key_C, CTRL)
    assert clipboard() == ("", "")
    assert desk.said == "Select a card to copy its recipe"
    assert not desk.action("edit.copy-reference").isEnabled()


def test_what_is_copied_follows_the_language(desk: Desk, library: Library) -> None:
    card = library.card(library.catalog.key(desk.shown))
    assert card is not None
    desk.run("view.language-zh")
    desk.press(KEY.Key_C, CTRL)
    assert clipboard()[0] == library.recipes([card], Form.PLAIN, "zh")
