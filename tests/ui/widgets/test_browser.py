"""The text browser that shows only what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument

from ascend_kb.ui.widgets.browser import SafeBrowser

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def browser(qtbot: QtBot) -> SafeBrowser:
    made = SafeBrowser()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("kind", list(QTextDocument.ResourceType))
def test_no_resource_of_any_kind_is_loaded(
    browser: SafeBrowser, tmp_path: Path, kind: QTextDocument.ResourceType
) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret", "utf-8")
    for name in (QUrl.fromLocalFile(str(secret)), QUrl(str(secret)), QUrl("http://127.0.0.1:9/x")):
        assert browser.loadResource(kind.value, name) == ""
        assert not browser.document().resource(kind.value, name)


def test_a_page_is_never_opened_by_address(browser: SafeBrowser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>another page</p>", "utf-8")
    browser.setHtml(f'<p>this page</p><img src="{page}"><link rel="stylesheet" href="{page}">')
    assert browser.openLinks() is False
    assert browser.openExternalLinks() is False
    assert browser.isReadOnly()
    assert "this page" in browser.toPlainText()


def test_what_is_copied_has_plain_blanks_and_line_feeds(browser: SafeBrowser) -> None:
    browser.setHtml("<p>one&nbsp;two</p><pre>  a\n\tb</pre><p>three<br>four</p>")
    browser.selectAll()
    data = browser.createMimeDataFromSelection()
    assert data.text() == "one two\n  a\n\tb\nthree\nfour"
    assert data.hasHtml()


@pytest.mark.parametrize(
    ("words", "count"),
    [("", 0), ("size", 3), ("SIZE", 3), ("sizes", 1), ("误报", 2), ("误", 3), ("a.c", 1), (".", 3), ("zz", 0)],
)
def test_matches_are_counted_whatever_their_case(browser: SafeBrowser, words: str, count: int) -> None:
    browser.setPlainText("Size size sizes. 误报误报误 a.c abc.")
    assert browser.count(words) == count


@pytest.mark.parametrize("backward", [False, True])
def test_finding_goes_round(browser: SafeBrowser, backward: bool) -> None:
    browser.setPlainText("x ab AB y ab")
    places = []
    for _ in range(4):
        assert browser.find_from_here("ab", backward=backward)
        places.append(browser.textCursor().selectionStart())
    assert places == ([10, 5, 2, 10] if backward else [2, 5, 10, 2])


def test_the_cursor_stays_where_nothing_is_found(browser: SafeBrowser) -> None:
    browser.setPlainText("some words")
    cursor = browser.textCursor()
    cursor.setPosition(4)
    browser.setTextCursor(cursor)
    for backward in (False, True):
        assert not browser.find_from_here("zz", backward=backward)
        assert browser.textCursor().position() == 4
