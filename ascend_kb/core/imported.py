"""What reading a file from outside gives: draft cards with their origin, and what was wrong with the file."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ascend_kb.core.card import Card, GuideEntry, Repo, Theme


class FileKind(str, Enum):
    """What a file is read as."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    DOCX = "docx"
    JSON = "json"
    CSV = "csv"
    XLSX = "xlsx"


class Severity(str, Enum):
    """What became of the place that a problem names."""

    REFUSED = "refused"  # not taken
    DOUBTFUL = "doubtful"  # taken, and to be looked at
    NOTED = "noted"  # taken as it is meant


class Complaint(Enum):
    """The kinds of problems: severity, what is wrong, what to do. ``{names}`` stand for a problem's values."""

    NUL = Severity.NOTED, "{count} NUL characters were left out", "check that the file is whole"
    CONTROL = Severity.NOTED, "{count} control characters were left out", "check that the file is whole"
    CELLS_MISSING = (
        Severity.REFUSED,
        "the row has {found} cells and needs {needed}",
        "separate number, problem and answer by a tab (in Markdown by '|')",
    )
    CELL_EMPTY = Severity.REFUSED, "the cell is empty", "fill it in"
    CELLS_EXTRA = (
        Severity.DOUBTFUL,
        "the row has {found} cells, the table {needed}; the last ones were joined",
        "write a tab in a cell as a blank, and '|' as '\\|'",
    )
    NO_NUMBER = Severity.REFUSED, "'{text}' is not an issue number", "write #1 to #9999999999"
    NO_REPO = Severity.REFUSED, "nothing says which repository this belongs to", "{hint}"
    REPO_UNDECLARED = (
        Severity.DOUBTFUL,
        "repository '{repo}' is missing in the overview",
        "add it to the overview, or correct the heading",
    )
    COUNT_DIFFERS = (
        Severity.DOUBTFUL,
        "the overview declares {declared} cards of {repo}, the file has {found}",
        "see whether rows are missing or were refused",
    )
    SAME_TWICE = Severity.NOTED, "{key} stands twice with the same text, first in line {first}", "nothing to do"
    OTHER_TEXT = (
        Severity.REFUSED,
        "{key} stands twice with different texts; the one in line {first} was taken",
        "keep one of the two",
    )
    CARD_UNKNOWN = Severity.DOUBTFUL, "'{text}' names no card of this file", "correct the number or the repository"
    REPO_UNKNOWN = (
        Severity.DOUBTFUL,
        "'{text}' is the short name of no repository, or of several",
        "write the repository's full name",
    )
    BASIS_DIFFERS = (
        Severity.NOTED,
        "{key}: the row says '{row}', the closing notes say '{notes}'; the notes hold",
        "correct the row or the notes",
    )
    TOO_LONG = Severity.DOUBTFUL, "the text was cut after {limit} characters", "shorten it"
    TOO_MANY = Severity.REFUSED, "only the first {limit} were read", "split the file"
    MORE = Severity.DOUBTFUL, "{count} further problems are not listed", "mend those above first"
    TABLE_UNKNOWN = (
        Severity.REFUSED,
        "a table with the columns '{columns}' is not known",
        "the tables are: overview, cards, guide",
    )
    NOT_AN_ISSUE = Severity.REFUSED, "the entry is no issue: {why}", "export issues"
    PULL_REQUESTS = Severity.NOTED, "{count} pull requests were left out", "nothing to do"
    FIELD_WRONG = Severity.DOUBTFUL, "{name} is {found}, not {needed}; it was left out", "export the issues anew"
    NUMBER_REPLACED = (
        Severity.DOUBTFUL,
        "'{text}' is no number; the issue's id {number} was taken",
        "give the number in a table if it is known",
    )
    BROKEN_ENTRY = Severity.REFUSED, "the rest cannot be read: {why}", "export the issues anew"
    QUOTE_OPEN = Severity.REFUSED, "a quoted cell that begins here has no end", 'close it, or write " as ""'
    REPO_FILLED = Severity.NOTED, "{count} empty cells took the repository from above", "nothing to do"
    NOTHING = (
        Severity.REFUSED,
        "no card was found",
        "an article has tables with the columns 编号, Issue 问题内容, 解答总结 below the name of a repository",
    )

    @property
    def severity(self) -> Severity:
        """What became of the place."""
        severity: Severity = self.value[0]
        return severity


class ImportProblem(NamedTuple):
    """A problem at ``line`` (from 1; the row or block where a file has no lines), in ``field`` where it is known."""

    complaint: Complaint
    line: int
    field: str = ""
    values: Mapping[str, object] = {}

    @property
    def severity(self) -> Severity:
        """What became of the place."""
        return self.complaint.severity

    @property
    def message(self) -> str:
        """What is wrong."""
        text: str = self.complaint.value[1].format(**self.values)
        return f"{self.field}: {text}" if self.field else text

    @property
    def hint(self) -> str:
        """What to do."""
        hint: str = self.complaint.value[2]
        return hint.format(**self.values) if "{hint}" in hint else hint


class Provenance(NamedTuple):
    """Where a card comes from: file name, line (see ``ImportProblem``), day of import, SHA-256 of the file's bytes."""

    file: str
    line: int
    date: str
    sha256: str


class DraftCard(NamedTuple):
    """A card as rules made it, to be corrected. ``text`` is the place in the file, ``guessed`` what the rules chose.

    ``url`` is the issue's web address where the file gives one; ``Card.source_url`` knows one host only.
    """

    card: Card
    provenance: Provenance
    text: str
    guessed: tuple[str, ...] = ()
    url: str = ""


class Imported(NamedTuple):
    """What one file holds. ``cards`` makes each draft when it is asked for, so that a long file costs little memory.

    ``notes`` are the closing notes of an article, ``problems`` are in order of their lines.
    """

    file: str
    kind: FileKind
    encoding: str
    sha256: str
    title: str
    repos: tuple[Repo, ...]
    cards: Sequence[DraftCard]
    themes: tuple[Theme, ...] = ()
    guide: tuple[GuideEntry, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[ImportProblem, ...] = ()


class CancelledError(KBError):
    """The user stopped the reading."""

    def __init__(self) -> None:
        super().__init__("the import was cancelled", "nothing was changed")


def _ignore(_done: float) -> None:
    return


def _never() -> bool:
    return False


class Watch(NamedTuple):
    """How reading is watched: ``progress`` gets the share that is done, from 0 to 1; ``cancelled`` is asked often."""

    progress: Callable[[float], None] = _ignore
    cancelled: Callable[[], bool] = _never

    def step(self, done: float) -> None:
        """Tell how far the work is.

        Raises:
            CancelledError: the user wants it to stop.
        """
        if self.cancelled():
            raise CancelledError
        self.progress(min(done, 1.0))
