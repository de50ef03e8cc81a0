"""What commands can do to a window; a type for checkers only, since protocols are slow to define at start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ascend_kb.core.recipe import Form


class Workbench(Protocol):
    """What commands can do to the window."""

    def open_file(self) -> None:
        """Ask for a knowledge file and open it."""

    def open_bundle(self) -> None:
        """Open the bundled knowledge."""

    def quit(self) -> None:
        """Close all windows."""

    def copy(self) -> None:
        """Copy the selected text, or else the recipe."""

    def copy_recipe(self, form: Form) -> None:
        """Copy the recipes of the selected cards."""

    def copy_reference(self) -> None:
        """Copy key, title and source address of the selected cards."""

    def find_in_text(self) -> None:
        """Open the find bar of the detail pane."""

    def find_next(self, *, backward: bool = False) -> None:
        """Go to the next match in the text."""

    def complete(self) -> None:
        """Offer what can stand at the cursor of the search box."""

    def explain(self) -> None:
        """Show the query in plain words."""

    def clear_recent(self) -> None:
        """Forget the recent searches."""

    def clear_filters(self) -> None:
        """Remove the search text and all filters."""

    def toggle_library(self) -> None:
        """Show or hide the library tree."""

    def zoom(self, step: int) -> None:
        """Make the text larger (1), smaller (-1) or as at first (0)."""

    def reset_layout(self) -> None:
        """Bring back the first sizes of window, panes and columns."""

    def use_language(self, language: str) -> None:
        """Choose the language of the interface: system, zh or en."""

    def use_colours(self, colours: str) -> None:
        """Choose the colours: system, light or dark."""

    def go(self, steps: int) -> None:
        """Go back (-1) or forward (1)."""

    def focus_search(self) -> None:
        """Put the cursor into the search box."""

    def focus_next_pane(self, *, backward: bool = False) -> None:
        """Put the focus into the next pane."""

    def move_selection(self, rows: int) -> None:
        """Select a card further down (1) or up (-1)."""

    def step_back(self) -> None:
        """Undo the last step of narrowing: find bar, text, search text, last filter."""

    def diagnose(self) -> None:
        """Show the pane where logs are diagnosed."""

    def open_log(self) -> None:
        """Ask for a log file and diagnose it."""

    def paste_log(self) -> None:
        """Diagnose the text on the clipboard."""

    def copy_draft(self) -> None:
        """Copy the draft of an issue about a log that no card explains."""

    def open_source(self) -> None:
        """Open the issue in the system's browser."""

    def show_page(self, name: str) -> None:
        """Show the manual or the page about the knowledge."""

    def show_shortcuts(self) -> None:
        """Show the sheet of all shortcuts."""

    def show_about(self) -> None:
        """Show the versions of program and knowledge."""
