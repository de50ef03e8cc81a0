"""The library tree: all cards, repositories, guide, themes, tags and the other facets, with counts that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QStandardItem, QStandardItemModel

from ascend_kb.core.i18n import current, tr
from ascend_kb.core.query import Facet, Filter
from ascend_kb.core.vocabulary import Evidence, Outcome, TagFacet, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ascend_kb.core.card import GuideEntry, Theme
    from ascend_kb.core.catalog import Catalog

FILTER_ROLE = Qt.ItemDataRole.UserRole + 1
GROUP_ROLE = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the tree shows of a knowledge file: catalog, guide and themes, its number of cards, and its versions."""

    catalog: Catalog
    guide: tuple[GuideEntry, ...]
    themes: tuple[Theme, ...]
    cards: int
    versions: tuple[str, ...] = ()


class LibraryModel(QStandardItemModel):
    """Two columns: name and count. An item carries its filter; a group its name."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        self._items: dict[Filter, tuple[QStandardItem, QStandardItem]] = {}
        self.cards = 0  # in the whole knowledge file

    def fill(self, shelf: Shelf) -> None:
        """Show another knowledge file."""
        self.clear()
        self.setColumnCount(2)
        self._items.clear()
        self.cards = shelf.cards
        self._add(self.invisibleRootItem(), tr("All cards"), shelf.cards).setData("all", GROUP_ROLE)
        language = current()
        catalog = shelf.catalog
        repos = self._group("repos", tr("Repositories"), len(catalog.repos))
        for repo in catalog.repos:
            self._leaf(
                repos, Filter(Facet.REPO, repo.name), repo.name, f"{repo.abbreviation} · {repo.title.get(language)}"
            )
        guide = self._group("guide", tr("Guide"), len(shelf.guide))
        for entry in shelf.guide:
            name = entry.symptom.get(language)
            self._leaf(guide, Filter(Facet.GUIDE, entry.id), name, entry.first_action.get(language))
        themes = self._group("themes", tr("Themes"), len(shelf.themes))
        for theme in shelf.themes:
            self._leaf(themes, Filter(Facet.THEME, theme.id), theme.title.get(language), theme.summary.get(language))
        names = {
            TagFacet.COMPONENT: ("components", tr("Tags: component")),
            TagFacet.FAILURE: ("failures", tr("Tags: failure class")),
            TagFacet.HARDWARE: ("hardware", tr("Hardware")),
        }
        for tag_facet, (group_id, title) in names.items():
            tags = [tag for tag in catalog.tags if tag.facet is tag_facet]
            group = self._group(group_id, title, len(tags))
            for tag in tags:
                kind = Facet.HARDWARE if tag_facet is TagFacet.HARDWARE else Facet.TAG
                self._leaf(group, Filter(kind, tag.id), tag.label.get(language), tag.id)
        for facet, group_id, title, members in (
            (Facet.OUTCOME, "outcomes", tr("Outcome"), Outcome),
            (Facet.EVIDENCE, "evidence", tr("Evidence"), Evidence),
        ):
            group = self._group(group_id, title, None)
            for member in members:
                self._leaf(group, Filter(facet, str(member.value)), label(member).get(language), str(member.value))
        group = self._group("versions", tr("Versions"), len(shelf.versions))
        for version in shelf.versions:
            self._leaf(group, Filter(Facet.VERSION, version), version, tr("affected or fixed, later parts included"))

    def _add(self, parent: QStandardItem, name: str, count: int | None) -> QStandardItem:
        item, number = QStandardItem(name), QStandardItem("" if count is None else str(count))
        for part in (item, number):
            part.setEditable(False)
        number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        parent.appendRow([item, number])
        return item

    def _group(self, group_id: str, name: str, count: int | None) -> QStandardItem:
        item = self._add(self.invisibleRootItem(), name, count)
        item.setData(group_id, GROUP_ROLE)
        return item

    def _leaf(self, group: QStandardItem, wanted: Filter, name: str, tooltip: str) -> None:
        item = self._add(group, name, None)
        item.setData(wanted, FILTER_ROLE)
        item.setToolTip(f"{name}\n{tooltip}" if tooltip != name else name)
        number = group.child(group.rowCount() - 1, 1)
        self._items[wanted] = (item, number)

    def show_counts(self, counts: Mapping[Facet, Mapping[str, int]], active: Iterable[Filter]) -> None:
        """Show how many cards each filter would leave, and which filters are active (bold, with a mark)."""
        chosen = set(active)
        for wanted, (item, number) in self._items.items():
            count = counts.get(wanted.facet, {}).get(wanted.value, 0)
            is_active = wanted in chosen
            number.setText(("✓ " if is_active else "") + str(count))
            font = QFont(item.font())
            font.setBold(is_active)
            item.setFont(font)
            item.setEnabled(count > 0 or is_active)
            number.setEnabled(count > 0 or is_active)
            item.setData(tr("active filter") if is_active else None, Qt.ItemDataRole.AccessibleDescriptionRole)
        for group in self.groups().values():
            rows = (group.child(row).data(FILTER_ROLE) for row in range(group.rowCount()))
            font = QFont(group.font())
            font.setBold(any(wanted in chosen for wanted in rows))
            group.setFont(font)

    def label(self, wanted: Filter) -> str:
        """Return the name of a filter's value."""
        found = self._items.get(wanted)
        return found[0].text() if found else wanted.value

    def groups(self) -> dict[str, QStandardItem]:
        """Return the groups by name."""
        root = self.invisibleRootItem()
        return {str(root.child(i).data(GROUP_ROLE)): root.child(i) for i in range(root.rowCount())}
