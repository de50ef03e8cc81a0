"""The chips of the active filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from ascend_kb.core.explain import facet_name
from ascend_kb.core.query import Facet, Filter
from ascend_kb.ui.widgets.chips import ChipBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

FILTERS = [Filter(facet, f"{facet.value}-value") for facet in Facet]


@pytest.fixture
def bar(qtbot: QtBot) -> ChipBar:
    made = ChipBar()
    qtbot.addWidget(made)
    return made


def chips(bar: ChipBar) -> list[QToolButton]:
    return [chip for chip in bar.chips() if isinstance(chip, QToolButton)]


def test_every_facet_has_a_name_of_its_own() -> None:
    assert len({facet_name(facet) for facet in Facet}) == len(Facet)


def test_it_takes_no_room_without_filters(bar: ChipBar) -> None:
    bar.show_filters(FILTERS, lambda f: f.value)
    assert bar.isVisible()
    bar.show_filters([], lambda f: f.value)
    assert bar.isHidden()
    assert chips(bar) == []


@pytest.mark.parametrize("wanted", FILTERS, ids=lambda wanted: wanted.facet.value)
def test_a_chip_asks_for_its_own_filter_to_be_removed(bar: ChipBar, wanted: Filter) -> None:
    removed: list[Filter] = []
    bar.removed.connect(removed.append)
    bar.show_filters(FILTERS, lambda f: f.value.upper())
    (chip,) = [chip for chip in chips(bar) if wanted.value.upper() in chip.text()]
    assert chip.text() == f"{facet_name(wanted.facet)}: {wanted.value.upper()}  ✕"
    assert chip.accessibleName() == f"Remove the filter {wanted.value.upper()}"
    assert chip.focusPolicy() == Qt.FocusPolicy.StrongFocus
    chip.click()
    assert removed == [wanted]


@pytest.mark.parametrize(("length", "shown"), [(30, "x" * 30), (31, "x" * 29 + "…")])
def test_a_long_name_is_cut(bar: ChipBar, length: int, shown: str) -> None:
    bar.show_filters(FILTERS[:1], lambda _: "x" * length)
    assert chips(bar)[0].text() == f"repo: {shown}  ✕"
