"""The model of the card table, over the bundle and over many rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QModelIndex, Qt

from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.query import CardRow, Match, SearchQuery, SortColumn
from ascend_kb.core.vocabulary import Evidence, Outcome
from ascend_kb.ui.models.cards import COLUMNS, KEPT, PAGE, CardTableModel, evidence_text

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from ascend_kb.store.listing import Selection
    from tests.ui.models.conftest import Check


class ManyRows:
    """Stands for a selection of any length; row number n is the card many#n+1."""

    def __init__(self, total: int) -> None:
        self.total = total

    def rows(self, offset: int, limit: int) -> tuple[CardRow, ...]:
        return tuple(row(number) for number in range(offset, min(offset + limit, self.total)))


def row(number: int, match: Match = Match.FULL) -> CardRow:
    title = Bilingual(f"题 {number}", f"title {number}")
    return CardRow(
        CardKey("many", number + 1), title, Outcome.FIXED, Evidence.EXPLICIT, "2026-01-02", ("a", "b"), True, match
    )


def model_over(total: int, *, fetches: bool = True) -> tuple[CardTableModel, list[int]]:
    """Return a model over many rows and the pages that it asked for."""
    model, asked = CardTableModel(str.upper), list[int]()
    selection = ManyRows(total)
    model.page_missing.connect(asked.append)
    if fetches:
        model.page_missing.connect(lambda page: model.set_page(page, selection.rows(page * PAGE, PAGE)))
    model.show(cast("Selection", selection), selection.rows(0, PAGE))
    return model, asked


@pytest.mark.parametrize("total", [0, 1, PAGE, 3 * PAGE + 7])
def test_the_model_is_a_proper_one(check_model: Check, total: int) -> None:
    model, _ = model_over(total)
    check_model(model)
    model.show(cast("Selection", ManyRows(5)), ManyRows(5).rows(0, PAGE))
    assert model.rowCount() == 5


@pytest.mark.parametrize("text", ["", "误报", "zqxjq"])
def test_the_model_is_a_proper_one_over_the_bundle(check_model: Check, library: Library, text: str) -> None:
    model, selection = CardTableModel(str), library.select(SearchQuery(text))
    model.show(selection, selection.rows(0, PAGE))
    check_model(model)
    assert model.rowCount() == selection.total


def test_it_is_a_table_without_children() -> None:
    model, _ = model_over(3)
    assert (model.rowCount(), model.columnCount()) == (3, len(COLUMNS))
    inside = model.index(0, 0)
    assert (model.rowCount(inside), model.columnCount(inside)) == (0, 0)


def test_pages_are_asked_for_by_row_number_and_once() -> None:
    model, asked = model_over(1000, fetches=False)
    for number in (0, PAGE - 1):
        assert model.row(number) == row(number)
    assert asked == []
    for number in (PAGE, PAGE, PAGE + 1, 950, 999):
        assert model.row(number) is None
    assert asked == [1, 9]
    model.set_page(9, ManyRows(1000).rows(900, PAGE))
    assert model.row(950) == row(950)
    assert asked == [1, 9]


@pytest.mark.parametrize("number", [-1, 1000, 10**9])
def test_a_row_that_does_not_exist_is_none_and_asked_for_by_nobody(number: int) -> None:
    model, asked = model_over(1000)
    assert model.row(number) is None
    assert asked == []


def test_a_page_that_arrives_is_announced_for_its_rows_only() -> None:
    model, _ = model_over(250, fetches=False)
    changed: list[tuple[int, int, int, int]] = []
    model.dataChanged.connect(lambda a, b: changed.append((a.row(), a.column(), b.row(), b.column())))
    model.set_page(2, ManyRows(250).rows(200, PAGE))
    assert changed == [(200, 0, 249, len(COLUMNS) - 1)]
    model.set_page(1, ())
    assert len(changed) == 1


def test_no_more_pages_are_kept_than_the_most_and_the_farthest_goes_first() -> None:
    total = PAGE * (KEPT + 10)
    model, asked = model_over(total)
    for page in range(KEPT + 10):
        assert model.row(page * PAGE) is None or page == 0
        assert model.row(page * PAGE) == row(page * PAGE)
    assert len(model._pages) == KEPT
    before = list(asked)
    assert model.row(total - 1) == row(total - 1)
    assert asked == before
    assert model.row(0) is None
    assert asked == [*before, 0]


def test_a_page_in_the_middle_can_be_the_first() -> None:
    model, asked = CardTableModel(str), list[int]()
    model.page_missing.connect(asked.append)
    model.show(cast("Selection", ManyRows(500)), ManyRows(500).rows(300, PAGE), 3)
    assert model.row(345) == row(345)
    assert asked == []


def test_cells_show_what_the_row_says() -> None:
    model, _ = model_over(2)
    shown = [model.index(1, column).data() for column in range(len(COLUMNS))]
    assert shown == ["many#2", "title 1", "Fixed", "● Explicit", "2026-01-02", "A, B"]
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        assert [model.index(1, column).data(role) for column in range(len(COLUMNS))] == shown
    assert model.data(QModelIndex()) is None
    assert model.index(1, 1).data(Qt.ItemDataRole.DecorationRole) is None


@pytest.mark.usefixtures("chinese")
def test_cells_follow_the_language() -> None:
    model, _ = model_over(2)
    assert [model.index(1, column).data() for column in (1, 2, 5)] == ["题 1", "已修复", "A、B"]


def test_a_row_that_matches_in_part_says_so_without_colour() -> None:
    model, _ = model_over(1)
    rows = (row(0, Match.PARTIAL), row(1, Match.FULL))
    model.show(cast("Selection", ManyRows(2)), rows)
    assert [model.index(n, 1).data() for n in (0, 1)] == ["≈ title 0", "title 1"]
    assert "covers a part of the search text" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(0, 0).data() == "many#1"


def test_evidence_differs_in_shape_and_not_in_its_name_alone() -> None:
    assert len({evidence_text(evidence)[0] for evidence in Evidence}) == len(Evidence)


def test_headings_name_the_columns() -> None:
    model, _ = model_over(1)
    titles = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(len(COLUMNS))]
    assert titles == ["Key", "Problem", "Outcome", "Evidence", "Changed", "Tags"]
    assert model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert model.headerData(0, Qt.Orientation.Vertical) is None
    assert model.headerData(len(COLUMNS), Qt.Orientation.Horizontal) is None


@pytest.mark.parametrize(
    ("section", "column"), [*enumerate(COLUMNS), (-1, SortColumn.RANK), (len(COLUMNS), SortColumn.RANK)]
)
def test_sorting_is_asked_for_and_not_done(section: int, column: SortColumn) -> None:
    model, _ = model_over(3)
    asked: list[tuple[SortColumn, bool]] = []
    model.sort_requested.connect(lambda wanted, descending: asked.append((wanted, descending)))
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        model.sort(section, order)
    assert asked == [(column, False), (column, True)]
    assert model.index(0, 0).data() == "many#1"
