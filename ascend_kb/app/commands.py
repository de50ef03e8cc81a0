"""Every command of the window, declared once: menus, buttons and the shortcut sheet are views of this list."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.recipe import Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.app.workbench import Workbench


class State(NamedTuple):
    """What the window shows, as far as commands depend on it."""

    selected: int = 0  # cards that a copy command would copy
    has_commands: bool = False  # whether one of them has commands
    shows_card: bool = False
    has_text: bool = False  # whether the detail pane shows anything
    has_query: bool = False
    can_go_back: bool = False
    can_go_forward: bool = False
    has_search_in_text: bool = False  # whether there is something to go to in the text
    has_recent: bool = False  # whether searches are kept
    has_draft: bool = False  # whether a diagnosis has made a draft of an issue
    is_bundle: bool = True


def _always(_state: State) -> bool:
    return True


def _has_selection(state: State) -> bool:
    return state.selected > 0


class Command(NamedTuple):
    """A command: ``title`` and ``help`` are English source texts; ``menu`` is where it stands, empty for none.

    ``help`` may be empty. A command with ``starts_group`` has a separator above it in its menu.
    """

    id: str
    title: str
    menu: str
    run: Callable[[Workbench], None]
    shortcuts: tuple[str, ...] = ()
    help: str = ""
    enabled: Callable[[State], bool] = _always
    starts_group: bool = False


# The marks around source texts let the translation tools find them; they are translated where they are shown.
def _(text: str) -> str:
    return text


MENUS = (_("&File"), _("&Edit"), _("&View"), _("&Go"), _("&Card"), _("&Diagnose"), _("&Help"))
_FILE, _EDIT, _VIEW, _GO, _CARD, _DIAGNOSE, _HELP = MENUS

COMMANDS: tuple[Command, ...] = (
    Command("file.open", _("&Open knowledge file…"), _FILE, lambda w: w.open_file(), ("Ctrl+O",),
            _("Open another knowledge file in this window")),
    Command("file.bundle", _("Use the &bundled knowledge"), _FILE, lambda w: w.open_bundle(), (),
            _("Go back to the knowledge that ships with the program"), lambda s: not s.is_bundle),
    Command("file.quit", _("&Quit"), _FILE, lambda w: w.quit(), ("Ctrl+Q",), _("Close the program"), starts_group=True),
    Command("edit.copy", _("&Copy"), _EDIT, lambda w: w.copy(), ("Ctrl+C",),
            _("Copy the selected text, or else the recipe of the selected cards")),
    Command("edit.copy-reference", _("Copy &reference"), _EDIT, lambda w: w.copy_reference(), ("Ctrl+Shift+C",),
            _("Copy key, title and source address of the selected cards"), _has_selection),
    Command("edit.find", _("&Find in text…"), _EDIT, lambda w: w.find_in_text(), ("Ctrl+F",),
            _("Find words in the text of the detail pane"), lambda s: s.has_text, starts_group=True),
    Command("edit.find-next", _("Find &next"), _EDIT, lambda w: w.find_next(), ("F3", "Ctrl+G"),
            _("Go to the next match of the find bar or of the search"), lambda s: s.has_search_in_text),
    Command("edit.find-previous", _("Find &previous"), _EDIT, lambda w: w.find_next(backward=True),
            ("Shift+F3", "Ctrl+Shift+G"), _("Go to the match before in the text"), lambda s: s.has_search_in_text),
    Command("edit.complete", _("Co&mplete the word"), _EDIT, lambda w: w.complete(), ("Ctrl+Space", "Ctrl+I"),
            _("Offer fields, values, names and recent searches at the cursor of the search box"), starts_group=True),
    Command("view.explain", _("E&xplain this query"), _VIEW, lambda w: w.explain(), ("Ctrl+Shift+E",),
            _("Say in plain words what the search text asks for"), lambda s: s.has_query),
    Command("view.clear", _("Clear &all filters"), _VIEW, lambda w: w.clear_filters(), ("Ctrl+Shift+Backspace",),
            _("Remove the search text and all filters"), lambda s: s.has_query),
    Command("view.library", _("Show or hide the &library"), _VIEW, lambda w: w.toggle_library(), ("F9",),
            _("Show or hide the tree of repositories, guide, themes and tags"), starts_group=True),
    Command("view.zoom-in", _("Zoom &in"), _VIEW, lambda w: w.zoom(1), ("Ctrl++", "Ctrl+="), _("Make the text larger"),
            starts_group=True),
    Command("view.zoom-out", _("Zoom &out"), _VIEW, lambda w: w.zoom(-1), ("Ctrl+-",), _("Make the text smaller")),
    Command("view.zoom-reset", _("&Normal size"), _VIEW, lambda w: w.zoom(0), ("Ctrl+0",),
            _("Show the text in its first size")),
    Command("view.reset", _("&Reset window layout"), _VIEW, lambda w: w.reset_layout(), (),
            _("Bring back the first sizes of window, panes and columns")),
    Command("view.colours-system", _("Colours: s&ystem"), _VIEW, lambda w: w.use_colours("system"), (),
            _("Show light or dark colours as the system does"), starts_group=True),
    Command("view.colours-light", _("Colours: lig&ht"), _VIEW, lambda w: w.use_colours("light"), (),
            _("Show light colours")),
    Command("view.colours-dark", _("Colours: &dark"), _VIEW, lambda w: w.use_colours("dark"), (),
            _("Show dark colours")),
    Command("view.language-system", _("Language: &system"), _VIEW, lambda w: w.use_language("system"), (),
            _("Show the interface in the language of the system"), starts_group=True),
    Command("view.language-zh", _("Language: &Chinese"), _VIEW, lambda w: w.use_language("zh"), (),
            _("Show the interface in Chinese")),
    Command("view.language-en", _("Language: &English"), _VIEW, lambda w: w.use_language("en"), (),
            _("Show the interface in English")),
    Command("go.back", _("&Back"), _GO, lambda w: w.go(-1), ("Alt+Left",), _("Go to what was shown before"),
            lambda s: s.can_go_back),
    Command("go.forward", _("&Forward"), _GO, lambda w: w.go(1), ("Alt+Right",), _("Go to what was shown after"),
            lambda s: s.can_go_forward),
    Command("go.search", _("&Search"), _GO, lambda w: w.focus_search(), ("Ctrl+L", "Ctrl+K"),
            _("Put the cursor into the search box"), starts_group=True),
    Command("go.clear-recent", _("Clear recent searc&hes"), _GO, lambda w: w.clear_recent(), (),
            _("Forget the searches that were made before"), lambda s: s.has_recent),
    Command("go.diagnose", _("&Diagnose a log"), _GO, lambda w: w.diagnose(), ("Ctrl+D",),
            _("Paste, drop or open a log and see which cards explain it")),
    Command("go.next-pane", _("&Next pane"), _GO, lambda w: w.focus_next_pane(), ("F6",),
            _("Go to the next pane: search, library, cards, text")),
    Command("go.previous-pane", _("&Previous pane"), _GO, lambda w: w.focus_next_pane(backward=True), ("Shift+F6",),
            _("Go to the pane before")),
    Command("go.next-card", _("Next &card"), _GO, lambda w: w.move_selection(1), ("Alt+Down",),
            _("Select the next card of the list"), starts_group=True),
    Command("go.previous-card", _("P&revious card"), _GO, lambda w: w.move_selection(-1), ("Alt+Up",),
            _("Select the card before in the list")),
    Command("go.step-back", _("Step &out"), _GO, lambda w: w.step_back(), ("Esc",),
            _("Close the find bar, go from the text to the list, clear the search text, drop the last filter"),
            starts_group=True),
    Command("card.copy-rich", _("Copy recipe: &rich text"), _CARD, lambda w: w.copy_recipe(Form.HTML), (),
            _("Copy the recipe as rich text and plain text together"), _has_selection),
    Command("card.copy-commands", _("Copy recipe: &commands only"), _CARD, lambda w: w.copy_recipe(Form.COMMANDS),
            ("Ctrl+Alt+C",), _("Copy the commands of the recipe, ready to paste into a terminal"),
            lambda s: s.selected > 0 and s.has_commands),
    Command("card.copy-plain", _("Copy recipe: &plain text"), _CARD, lambda w: w.copy_recipe(Form.PLAIN), (),
            _("Copy the recipe as plain text"), _has_selection),
    Command("card.copy-markdown", _("Copy recipe: &Markdown"), _CARD, lambda w: w.copy_recipe(Form.MARKDOWN),
            ("Ctrl+Alt+M",), _("Copy the recipe as Markdown"), _has_selection),
    Command("card.open-source", _("&Open the issue in the browser"), _CARD, lambda w: w.open_source(),
            ("Ctrl+Shift+O",), _("Open the source address in the system's browser"), lambda s: s.shows_card,
            starts_group=True),
    Command("diagnose.open", _("&Open a log…"), _DIAGNOSE, lambda w: w.open_log(), ("Ctrl+Shift+D",),
            _("Choose a log file and see which cards explain it")),
    Command("diagnose.paste", _("&Paste a log"), _DIAGNOSE, lambda w: w.paste_log(), ("Ctrl+Shift+V",),
            _("See which cards explain the log on the clipboard")),
    Command("diagnose.copy-draft", _("&Copy the issue draft"), _DIAGNOSE, lambda w: w.copy_draft(), ("Ctrl+Shift+I",),
            _("Copy the draft of an issue about a log that no card explains, with private data masked"),
            lambda s: s.has_draft, starts_group=True),
    Command("help.manual", _("&Manual"), _HELP, lambda w: w.show_page("manual"), ("F1",),
            _("Show how to use the program")),
    Command("help.shortcuts", _("&Shortcuts"), _HELP, lambda w: w.show_shortcuts(), ("Ctrl+/",),
            _("Show all commands with their keys")),
    Command("help.knowledge", _("About the &knowledge"), _HELP, lambda w: w.show_page("knowledge"), (),
            _("Show how the knowledge was made and what its evidence means"), starts_group=True),
    Command("help.about", _("&About Ascend KB"), _HELP, lambda w: w.show_about(), (), _("Show the versions")),
)  # fmt: skip

COPY_MENU = ("card.copy-rich", "card.copy-commands", "card.copy-plain", "card.copy-markdown", "edit.copy-reference")
