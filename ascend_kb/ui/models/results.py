"""The rows of a diagnosis: what was found, why, what differs, and what to do where nothing was."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from ascend_kb.core.diagnosis import BAND_LABELS, Band, Span
from ascend_kb.core.facts import FactKind, meaning
from ascend_kb.core.i18n import current, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.diagnosis import Diagnosis, Match, Why
    from ascend_kb.core.keys import CardKey

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
MOST_FACTS = 16
LONGEST = 120  # characters of a reason
_ROOT = QModelIndex()
# Discs say how sure a band is, without colour; the same signs say in the card list how well a card is backed.
SHAPES = {Band.SIGNATURE: "●", Band.LIKELY: "◐", Band.RELATED: "○", Band.NONE: "◌"}


class RowKind(Enum):
    """What a row is."""

    HEADING = "heading"
    MATCH = "match"
    CHOICE = "choice"
    GUIDE = "guide"
    FACT = "fact"
    DRAFT = "draft"


class Part(NamedTuple):
    """A piece of a line; ``style`` is plain, strong, quiet, marked, differs, or place (of the part before)."""

    text: str
    style: str = "plain"


class Row(NamedTuple):
    """A row: lines of parts, and what it leads to: a card, a guide entry, a place of the log, words of the card."""

    kind: RowKind
    lines: tuple[tuple[Part, ...], ...]
    key: CardKey | None = None
    guide: str = ""
    spans: tuple[Span, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The row as plain text, for those who have it read out."""
        return "\n".join(" ".join(part.text for part in line) for line in self.lines)


class ResultsModel(QAbstractListModel):
    """Shows a Diagnosis."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[Row, ...] = ()

    def show(self, found: Diagnosis | None) -> None:
        """Take the rows of a diagnosis, in the language of the interface; None for no rows."""
        self.beginResetModel()
        self._rows = tuple(_rows(found)) if found is not None else ()
        self.endResetModel()

    def row(self, number: int) -> Row | None:
        """Return a row, or None."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def first(self, kind: RowKind) -> int:
        """Return the number of the first row of a kind, -1 for none."""
        return next((i for i, row in enumerate(self._rows) if row.kind is kind), -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row as plain text, or the Row."""
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text
        return row if role == ROW_ROLE else None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Return that headings cannot be selected."""
        row = self.row(index.row()) if index.isValid() else None
        if row is None or row.kind is RowKind.HEADING:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _heading(text: str, note: str = "") -> Row:
    return Row(RowKind.HEADING, ((Part(text, "strong"),), *([(Part(note, "quiet"),)] if note else [])))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def _plain(markdown: str) -> str:
    """Return a line of Markdown without the marks of code; the guide has no others."""
    return markdown.replace("`", "")


def notes() -> dict[Band, str]:
    """Return what each band means."""
    return {
        Band.SIGNATURE: tr("The pieces of text by which these cards are recognised stand in the log."),
        Band.LIKELY: tr("At least two independent facts of the log stand in these cards; a code alone does not count."),
        Band.RELATED: tr("These cards share something with the log. They are no answer."),
        Band.NONE: tr("No card explains this log. Do not follow a recipe on account of it."),
    }


def _rows(found: Diagnosis) -> Iterator[Row]:
    language, said = current(), notes()
    if found.question is not None:
        yield _heading(tr("The question that tells the cards apart"), found.question.text.get(language))
        for choice in found.question.choices:
            line = (Part(str(choice.key), "strong"), Part(choice.text.get(language)))
            yield Row(RowKind.CHOICE, (line,), choice.key, words=(found.question.code,))
    for band in (Band.SIGNATURE, Band.LIKELY, Band.RELATED):
        matches = [match for match in found.matches if match.band is band]
        if matches and (band is not found.band or not band.answers):
            yield _heading(f"{SHAPES[band]} {BAND_LABELS[band].get(language)}", said[band])
        for match in matches:
            yield _match(match)
    if found.guide is not None and not found.band.answers:
        yield _heading(tr("Nearest row of the guide"))
        lines = (
            (Part(_plain(found.guide.symptom.get(language)), "strong"),),
            (Part(tr("First:"), "quiet"), Part(_plain(found.guide.first_action.get(language)))),
        )
        yield Row(RowKind.GUIDE, lines, guide=found.guide.id)
    yield from _facts(found)
    if found.draft is not None:
        yield _heading(
            tr("Draft of an issue"),
            tr("Paths, hosts, addresses and user names are masked. Read it before you send it. Enter copies it."),
        )
        draft = found.draft.get(language).rstrip()
        yield Row(RowKind.DRAFT, tuple((Part(line, "plain"),) for line in draft.split("\n")))


def _match(match: Match) -> Row:
    lines: list[tuple[Part, ...]] = [(Part(str(match.key), "strong"), Part(match.title.get(current())))]
    if match.why:
        why: list[Part] = [Part(tr("Why:"), "quiet")]
        for reason in _apart(match):
            why += [Part(_short(reason.text), "marked"), Part(tr("line {number}", number=reason.span.line), "place")]
        lines.append(tuple(why))
    lines += [
        (Part(tr("Differs:"), "quiet"), Part(difference.text.get(current()), "differs")) for difference in match.differs
    ]
    spans = tuple(reason.span for reason in match.why)
    return Row(RowKind.MATCH, tuple(lines), match.key, spans=spans, words=tuple(why.card for why in match.why))


def _apart(match: Match) -> Iterator[Why]:
    """Yield the reasons whose place in the log is not a part of an earlier one's."""
    seen: list[Span] = []
    for reason in match.why:
        if not any(span.start <= reason.span.start and reason.span.end <= span.end for span in seen):
            seen.append(reason.span)
            yield reason


def _facts(found: Diagnosis) -> Iterator[Row]:
    facts = [fact for fact in found.facts if fact.kind is not FactKind.MESSAGE]
    chosen = sorted(facts, key=lambda fact: fact.kind is not FactKind.CODE)[:MOST_FACTS]
    if chosen:
        more = len(facts) - len(chosen)
        yield _heading(tr("What the log says"), tr("The first {count} facts.", count=len(chosen)) if more else "")
    kinds = kind_names()
    for fact in chosen:
        said = meaning(fact.text)[0 if current() == "zh" else 1] if fact.kind is FactKind.CODE else ""
        line = [Part(kinds[fact.kind], "quiet"), Part(_short(fact.text), "strong")]
        line += [Part(said)] if said else []
        line.append(Part(tr("line {number}", number=fact.line), "place"))
        yield Row(RowKind.FACT, (tuple(line),), spans=(Span(fact.line, fact.start, fact.end),))


def kind_names() -> dict[FactKind, str]:
    """Return what the kinds of facts are called."""
    return {
        FactKind.CODE: tr("code"),
        FactKind.API: tr("interface"),
        FactKind.OPERATOR: tr("operator"),
        FactKind.OPTION: tr("option"),
        FactKind.NAME: tr("name"),
        FactKind.FUNCTION: tr("function"),
        FactKind.FILE: tr("file"),
        FactKind.MESSAGE: tr("message"),
        FactKind.VERSION: tr("version"),
        FactKind.HARDWARE: tr("hardware"),
        FactKind.TOOL: tr("tool"),
        FactKind.ISSUE: tr("issue"),
        FactKind.URL: tr("address"),
    }
