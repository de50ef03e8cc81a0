"""Where the reader was: places to go back and forward to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

MOST = 200


class PlaceKind(str, Enum):
    """What the detail pane can show."""

    CARD = "card"
    THEME = "theme"
    GUIDE = "guide"
    PAGE = "page"


class Place(NamedTuple):
    """Something that the detail pane showed: its kind and id, and how far it was scrolled."""

    kind: PlaceKind
    id: str
    scroll: int = 0


@dataclass(slots=True)
class History:
    """A line of places with the present one in it.

    A place reached by moving through the list replaces the one before if that was reached the same way, so that arrow
    keys do not fill the history.
    """

    _places: list[tuple[Place, bool]] = field(default_factory=list)
    _at: int = -1

    @property
    def current(self) -> Place | None:
        """The present place."""
        return self._places[self._at][0] if self._places else None

    def can_go(self, steps: int) -> bool:
        """Whether there is a place ``steps`` back (negative) or forward."""
        return 0 <= self._at + steps < len(self._places)

    def visit(self, place: Place, *, moving: bool) -> None:
        """Note a new place; ``moving`` says that it was reached by moving through the list."""
        now = self.current
        if now is not None and (now.kind, now.id) == (place.kind, place.id):
            return
        if moving and self._places and self._places[self._at][1]:
            del self._places[self._at :]
        else:
            del self._places[self._at + 1 :]
        self._places.append((place, moving))
        del self._places[:-MOST]
        self._at = len(self._places) - 1

    def note_scroll(self, scroll: int) -> None:
        """Keep how far the present place is scrolled."""
        if self._places:
            place, moving = self._places[self._at]
            self._places[self._at] = (place._replace(scroll=scroll), moving)

    def go(self, steps: int) -> Place | None:
        """Go back or forward and return the place, or None if there is none."""
        if not self.can_go(steps):
            return None
        self._at += steps
        return self.current
