"""Very many matches: good ones stand there at once, the exact order follows; with low limits, the bundle has many."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from ascend_kb.core.query import SearchQuery
from ascend_kb.store import fulltext, listing, vocabulary
from ascend_kb.store.listing import Selection
from tests.gui import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from tests.gui import Desk

TEXT = "内存"


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch, start: Callable[..., Desk]) -> Desk:
    """A window that takes the bundle for a file of very many cards."""
    for module, name, value in (
        (listing, "MANY", 3), (listing, "COSTLY", 0), (listing, "FIRST", 8), (listing, "AMONG_FIRST", 6),
        (fulltext, "MOST_WORDS", 2), (vocabulary, "SMALL", 10),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    return start()


class Gate:
    """Holds the exact list back until a test lets it go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_open = threading.Event()
        self.was_reached = threading.Event()
        complete = Selection.complete

        def held(selection: Selection) -> Selection:
            self.was_reached.set()
            assert self.is_open.wait(10)
            return complete(selection)

        monkeypatch.setattr(Selection, "complete", held)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate(monkeypatch)
    yield made
    made.is_open.set()


def ask(desk: Desk, qtbot: QtBot, text: str) -> None:
    """Search, and wait for the first list only."""
    with qtbot.waitSignal(desk.window.session.listed):
        desk.window.search.box.setText(text)


def exact(desk: Desk, text: str) -> list[str]:
    library = desk.window.session.library
    return [str(row.key) for row in library.select(SearchQuery(text)).rows(0, 100)]


def test_good_rows_come_first_and_the_exact_order_follows(many: Desk, qtbot: QtBot, gate: Gate) -> None:
    ask(many, qtbot, TEXT)
    first = many.listed()
    heading = many.window.cards.heading.text()
    assert "+ of 50" in heading
    assert "the exact order follows" in heading
    assert "+" in many.window.counts.text()
    gate.is_open.set()
    many.settle()
    assert many.listed() == exact(many, TEXT)
    assert set(first) <= set(many.listed())
    assert "follows" not in many.window.cards.heading.text()
    assert "+" not in many.window.counts.text()


@pytest.mark.parametrize("steps", range(4))
def test_the_card_that_was_chosen_meanwhile_stays_selected_where_it_was(
    many: Desk, qtbot: QtBot, gate: Gate, steps: int
) -> None:
    with qtbot.waitSignal(many.window.session.shown):
        ask(many, qtbot, TEXT)
    table = many.window.cards.table
    table.setFocus()
    for _ in range(steps):
        with qtbot.waitSignal(many.window.session.shown):
            QTest.keyClick(table, KEY.Key_Down)
    chosen, offset = many.selected(), many.window.cards.offset()
    assert len(chosen) == 1
    texts: list[object] = []
    many.window.session.shown.connect(texts.append)
    gate.is_open.set()
    many.settle()
    assert many.selected() == chosen
    assert texts == []  # the text was not read again
    assert many.listed() == exact(many, TEXT)
    bar = table.verticalScrollBar()
    if bar.minimum() < bar.value() < bar.maximum():
        assert many.window.cards.offset() == offset
    assert many.window.cards.offset() is not None


def test_a_newer_search_drops_the_order_of_the_older_one(many: Desk, qtbot: QtBot, gate: Gate) -> None:
    ask(many, qtbot, TEXT)
    assert gate.was_reached.wait(10)
    ask(many, qtbot, "误报")
    gate.is_open.set()
    many.settle()
    assert many.listed() == exact(many, "误报")


def test_what_takes_long_is_shown_and_esc_stops_it(many: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    before = many.listed()
    heading = many.window.cards.heading.text()
    held, select = threading.Event(), type(many.window.session.library).select

    def slow(*values: object, **named: object) -> Selection:
        assert held.wait(10)
        return select(*values, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(type(many.window.session.library), "select", slow)
    many.window.search.box.setFocus()
    many.window.search.box.setText(TEXT)
    qtbot.waitUntil(lambda: many.window.cards.is_busy)
    assert "Searching" in many.window.cards.heading.text()
    QTest.keyClick(many.window.search.box, KEY.Key_Escape)
    assert many.window.cards.heading.text() == heading
    assert "Stopped" in many.window.statusBar().currentMessage()
    held.set()
    many.settle()
    assert many.listed() == before
