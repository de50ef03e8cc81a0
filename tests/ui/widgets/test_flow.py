"""The layout that wraps like words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QWidget, QWidgetItem

from ascend_kb.ui.widgets.flow import FlowLayout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


class Box(QWidgetItem):
    """An item of a fixed size that keeps where it was put."""

    def __init__(self, width: int, height: int) -> None:
        self.widget_ = QWidget()
        super().__init__(self.widget_)
        self._size = QSize(width, height)
        self.place = QRect()

    def sizeHint(self) -> QSize:
        return self._size

    def minimumSize(self) -> QSize:
        return self._size

    def setGeometry(self, rect: QRect) -> None:
        self.place = rect


def flow(*sizes: tuple[int, int]) -> tuple[FlowLayout, list[Box]]:
    layout, boxes = FlowLayout(gap=6), [Box(*size) for size in sizes]
    for box in boxes:
        layout.addItem(box)
    return layout, boxes


@pytest.mark.parametrize(("width", "places", "height"), [
    (200, [(0, 0), (56, 0), (112, 0)], 30),
    (162, [(0, 0), (56, 0), (112, 0)], 30),
    (161, [(0, 0), (56, 0), (0, 36)], 56),
    (50, [(0, 0), (0, 26), (0, 62)], 82),
    (10, [(0, 0), (0, 26), (0, 62)], 82),
])  # fmt: skip
def test_items_stand_side_by_side_and_wrap(
    qapp: QApplication, width: int, places: list[tuple[int, int]], height: int
) -> None:
    layout, boxes = flow((50, 20), (50, 30), (50, 20))
    layout.setGeometry(QRect(0, 0, width, 500))
    assert [box.place.topLeft().toTuple() for box in boxes] == places
    assert layout.heightForWidth(width) == height
    assert layout.hasHeightForWidth()


def test_items_are_taken_by_number_and_nothing_lies_outside(qapp: QApplication) -> None:
    layout, boxes = flow((1, 1), (2, 2))
    assert layout.count() == 2
    assert layout.itemAt(1) is boxes[1]
    assert [layout.itemAt(n) for n in (-1, 2)] == [None, None]
    assert layout.takeAt(0) is boxes[0]
    assert [layout.takeAt(n) for n in (-1, 1)] == [None, None]
    assert layout.count() == 1
    assert layout.expandingDirections() == Qt.Orientation(0)


def test_the_least_size_is_that_of_the_largest_item(qapp: QApplication) -> None:
    layout, _ = flow((10, 40), (30, 5))
    assert layout.minimumSize() == layout.sizeHint() == QSize(30, 40)
    assert flow()[0].minimumSize().isEmpty()


@settings(
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.tuples(st.integers(1, 80), st.integers(1, 40)), max_size=12), st.integers(80, 300))
def test_items_never_overlap_nor_leave_the_width(qapp: QApplication, sizes: list[tuple[int, int]], width: int) -> None:
    layout, boxes = flow(*sizes)
    layout.setGeometry(QRect(5, 7, width, 1000))
    places = [box.place for box in boxes]
    for place in places:
        assert place.left() >= 5
        assert place.right() <= 5 + width
        assert place.bottom() < 7 + layout.heightForWidth(width)
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])
