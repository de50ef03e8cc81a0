"""The model of the library tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from ascend_kb.core.query import Facet, Filter, SearchQuery
from ascend_kb.ui.models.library import FILTER_ROLE, LibraryModel
from ascend_kb.ui.session import shelf_of

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from tests.ui.models.conftest import Check

HOOK = Filter(Facet.TAG, "hook")


@pytest.fixture
def model(library: Library) -> LibraryModel:
    made = LibraryModel()
    made.fill(shelf_of(library))
    return made


def filters(model: LibraryModel) -> dict[Filter, tuple[str, str]]:
    """Return name and count of every filter."""
    groups = model.groups().values()
    return {
        group.child(row).data(FILTER_ROLE): (group.child(row).text(), group.child(row, 1).text())
        for group in groups
        for row in range(group.rowCount())
    }


def test_the_model_is_a_proper_one(check_model: Check, model: LibraryModel, library: Library) -> None:
    check_model(LibraryModel())
    model.show_counts(library.facets(SearchQuery("误报", (HOOK,))), (HOOK,))
    check_model(model)


def test_everything_that_can_be_filtered_by_stands_once(model: LibraryModel, library: Library) -> None:
    found = filters(model)
    wanted = {Filter(facet, value) for facet, values in library.facets(SearchQuery()).items() for value in values}
    assert wanted <= set(found)
    assert None not in found
    assert len(found) == sum(group.rowCount() for group in model.groups().values())
    for facet, number in (
        (Facet.REPO, 5),
        (Facet.GUIDE, 12),
        (Facet.THEME, 8),
        (Facet.EVIDENCE, 4),
        (Facet.OUTCOME, 10),
    ):
        assert sum(f.facet is facet for f in found) == number


def test_the_groups_come_in_the_order_of_the_design(model: LibraryModel) -> None:
    assert list(model.groups()) == [
        "all", "repos", "guide", "themes", "components", "failures", "hardware", "outcomes", "evidence", "versions",
    ]  # fmt: skip
    counts = {name: model.index(row, 1).data() for row, name in enumerate(model.groups())}
    assert (counts["all"], counts["repos"], counts["guide"], counts["themes"]) == ("50", "5", "12", "8")


def test_counts_and_marks_follow(model: LibraryModel, library: Library) -> None:
    query = SearchQuery("误报", (HOOK,))
    counts = library.facets(query)
    model.show_counts(counts, query.filters)
    for wanted, (_, shown) in filters(model).items():
        count = counts[wanted.facet].get(wanted.value, 0)
        assert shown == (f"✓ {count}" if wanted == HOOK else str(count))
        item = model._items[wanted][0]
        assert item.isEnabled() is (count > 0 or wanted == HOOK)
        assert item.font().bold() is (wanted == HOOK)
        described = item.data(Qt.ItemDataRole.AccessibleDescriptionRole)
        assert described == ("active filter" if wanted == HOOK else None)
    model.show_counts(library.facets(SearchQuery()), ())
    assert not any(shown.startswith("✓") for _, shown in filters(model).values())


def test_nothing_can_be_edited_and_everything_is_explained(model: LibraryModel) -> None:
    for name, group in model.groups().items():
        assert not group.isEditable(), name
        for row in range(group.rowCount()):
            assert not group.child(row).isEditable()
            assert not group.child(row, 1).isEditable()
            assert group.child(row).toolTip().startswith(group.child(row).text())


def test_a_filter_is_named_and_an_unknown_one_stands_for_itself(model: LibraryModel, library: Library) -> None:
    assert model.label(HOOK) == library.catalog.tag("hook", "en")
    assert model.label(Filter(Facet.TAG, "unheard-of")) == "unheard-of"


@pytest.mark.usefixtures("chinese")
def test_names_follow_the_language(library: Library) -> None:
    made = LibraryModel()
    made.fill(shelf_of(library))
    names = dict(filters(made).items())
    for tag in library.catalog.tags:
        facet = Facet.HARDWARE if tag.facet.value == "hardware" else Facet.TAG
        assert names[Filter(facet, tag.id)][0] == tag.label.zh
    for theme in library.themes():
        assert names[Filter(Facet.THEME, theme.id)][0] == theme.title.zh


def test_filling_again_replaces_everything(model: LibraryModel, library: Library) -> None:
    before = filters(model)
    model.fill(shelf_of(library))
    assert filters(model) == before
    assert len(model.groups()) == model.rowCount() == 10
