"""Blocks into the parts of an article: overview, rows by repository, themes, guide, closing notes."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.imported import Complaint
from ascend_kb.core.keys import REPO_NAME
from ascend_kb.sources.articles.blocks import Row, Text
from ascend_kb.sources.articles.tables import Columns, TableKind, header, issue_number
from ascend_kb.sources.rules.dates import last_year

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_kb.core.imported import Watch
    from ascend_kb.sources.articles.blocks import Block
    from ascend_kb.sources.faults import Faults

MOST_CARDS = 300_000
MOST_TEXT = 1_000_000  # characters of one cell
MOST_NOTES = 2000
_LEAD = re.compile(r"(?:[一二三四五六七八九十]{1,3}|\d{1,2}(?:\.\d{1,2})?)[、.．)）]\s*")
_REPO_HEAD = re.compile(rf"(?:[A-Za-z][\w.-]*/)?({REPO_NAME})\s*(?:[（(](.*)[)）])?", re.ASCII)
_OVERVIEW = re.compile(r"(?:总览|概览|overview)\b.{0,20}", re.IGNORECASE)
_THEMES = re.compile(r"(?:组合解读|共性规律|共性|主题|themes?\b|common lessons).{0,50}", re.IGNORECASE)
_GUIDE = re.compile(r"(?:排错指引|排障指引|排查指引|症状速查|troubleshooting|symptom guide).{0,50}", re.IGNORECASE)
_THEME = re.compile(r"(\d{1,3})\s*[.．、)）]\s*(\S.*)")


class RawRepo(NamedTuple):
    """A repository as the article writes it; ``declared`` is 0 where no number of cards is given."""

    line: int
    name: str
    title: str = ""
    purpose: str = ""
    declared: int = 0


class RawCard(NamedTuple):
    """A row of a repository's table; ``year`` is that of the nearest full date before it, or 0."""

    line: int
    repo: str
    number: int
    title: str
    answer: str
    year: int


class RawTheme(NamedTuple):
    """A theme: its title and its body."""

    line: int
    title: str
    body: str


class RawGuide(NamedTuple):
    """A row of the guide."""

    line: int
    symptom: str
    action: str
    cards: str


class Parts:
    """The parts of an article, as far as its blocks have been taken."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.title = ""
        self.repos: dict[str, RawRepo] = {}  # by lower-case name
        self.cards: list[RawCard] = []
        self.themes: list[RawTheme] = []
        self.guide: list[RawGuide] = []
        self.notes: list[Text] = []
        self._part = ""
        self._columns: Columns | None = None
        self._repo = ""
        self._recent: list[Text] = []  # texts since the last row: a heading may be among them
        self._row: list[str] = []
        self._row_line = 0
        self._more: list[str] = []  # further lines of the row's last cell
        self._theme: list[Text] = []
        self._theme_level = 0
        self._seen: dict[tuple[str, int], tuple[int, bytes]] = {}
        self._year = 0

    def take_all(self, blocks: Iterable[Block], watch: Watch, lines: int) -> None:
        """Take every block; ``lines`` is about how many lines there will be.

        Raises:
            CancelledError: ``watch`` says so.
        """
        for count, block in enumerate(blocks):
            if count % 500 == 0:
                watch.step(block.line / max(lines, 1))
            if isinstance(block, Row):
                self._take_row(block)
            else:
                self._take_text(block)
        self._end_row()
        self._end_theme()

    def _take_row(self, row: Row) -> None:
        self._end_row()
        if len(set(row.cells)) == 1:  # one cell over all columns: a heading inside the table
            self._take_text(Text(row.line, row.cells[0]))
            return
        found = header(row.cells)
        if found is not None:
            self._begin_table(found, row.line)
            return
        if self._columns is None and (self._recent or not self._part) and issue_number(row.cells[0]):
            self._begin_table(Columns(TableKind.CARDS, TableKind.CARDS.value), row.line)
        elif self._columns is None and self._part == "guide":
            self._columns = Columns(TableKind.GUIDE, TableKind.GUIDE.value)
        if self._columns is None:
            self.faults.add(Complaint.TABLE_UNKNOWN, row.line, columns=" / ".join(row.cells)[:100])
            self._columns = Columns(TableKind.OVERVIEW, ("",) * len(row.cells))  # one complaint a table
            return
        self._row, self._row_line = self._fitted(row), row.line

    def _fitted(self, row: Row) -> list[str]:
        cells, needed = list(row.cells), len(self._columns.names) if self._columns else 0
        while len(cells) > needed and not cells[-1]:
            cells.pop()
        if len(cells) > needed > 0:
            self.faults.add(Complaint.CELLS_EXTRA, row.line, found=len(cells), needed=needed)
            cells[needed - 1 :] = [row.glue.join(cells[needed - 1 :])]
        return cells

    def _begin_table(self, columns: Columns, line: int) -> None:
        self._end_theme()
        self._columns = columns
        if columns.kind is TableKind.CARDS:
            self._find_repo(line)
        self._part = columns.kind.name.lower()
        self._recent.clear()

    def _find_repo(self, line: int) -> None:
        """Find the repository of a table of cards: the last heading above it that names one."""
        for index in range(len(self._recent) - 1, -1, -1):
            found = _REPO_HEAD.fullmatch(_bare(self._recent[index].text))
            if found is None:
                continue
            name, purpose = found[1], " ".join(text.text for text in self._recent[index + 1 :])
            known = self.repos.get(name.lower())
            if known is None and not found[2] and not self._recent[index].level and len(self._recent) > index + 1:
                continue  # a single word between texts; no heading
            if known is None:
                if self.repos:
                    self.faults.add(Complaint.REPO_UNDECLARED, self._recent[index].line, repo=name)
                known = RawRepo(line, name)
            self._repo = known.name
            self.repos[name.lower()] = known._replace(
                title=(found[2] or known.title).strip(), purpose=known.purpose or purpose[:2000]
            )
            return
        if any(text.level for text in self._recent):
            self._repo = ""

    def _take_text(self, text: Text) -> None:
        bare = _bare(text.text)
        in_cards = self._columns is not None and self._columns.kind is TableKind.CARDS
        if text.joined and self._row and in_cards and not self._begins_part(bare):
            self._more.append(text.text)
            return
        self._end_row()
        self._columns = None
        if not self.title and bare:
            self.title = bare[:300]
        if self._begins_part(bare) and len(bare) <= 70:
            self._begin_part(bare, text)
            return
        self._recent.append(text)
        if len(self._recent) > 20:
            del self._recent[0]
        if self._part == "themes":
            self._take_theme(text)
        elif self._part in ("guide", "notes"):
            self._part = "notes"
            if len(self.notes) < MOST_NOTES:
                self.notes.append(text)

    def _begins_part(self, bare: str) -> bool:
        found = _REPO_HEAD.fullmatch(bare) if len(bare) <= 200 else None
        if found is not None and found[1].lower() in self.repos:
            return True
        return any(p.fullmatch(bare) for p in (_OVERVIEW, _THEMES, _GUIDE)) if len(bare) <= 70 else False

    def _begin_part(self, bare: str, text: Text) -> None:
        self._end_theme()
        if _THEMES.fullmatch(bare):
            self._part, self._theme_level = "themes", text.level
        elif _GUIDE.fullmatch(bare):
            self._part = "guide"
        elif _OVERVIEW.fullmatch(bare):
            self._part = "overview"
        else:
            self._part = "cards"
        self._recent = [text]

    def _take_theme(self, text: Text) -> None:
        bare = text.text.replace("**", "").strip()
        found = _THEME.fullmatch(bare)
        first = not self._theme and not self.themes
        heads = text.level > self._theme_level if text.level else False
        expected = len(self.themes) + bool(self._theme) + 1
        by_level = bool(self._theme) and self._theme[0].level > 0
        is_next = not by_level and found is not None and int(found[1]) == expected and len(bare) <= 200
        if (heads or is_next) and (first or not by_level or text.level <= self._theme[0].level):
            self._end_theme()
            self._theme = [text._replace(text=found[2] if found else bare)]
        elif self._theme:
            self._theme.append(text)

    def _end_theme(self) -> None:
        if not self._theme:
            return
        head, body = self._theme[0], ""
        for text in self._theme[1:]:
            mark = "#" * min(text.level + 1, 6) + " " if text.level else ""
            body += ("\n\n" if text.gap else "\n") + mark + text.text
        self.themes.append(RawTheme(head.line, head.text.rstrip("。.： "), body.strip()))
        self._theme = []

    def _end_row(self) -> None:
        if not self._row or self._columns is None:
            return
        names = self._columns.names
        self._row[-1] = "\n".join([self._row[-1], *self._more])
        fields = {name: cell for name, cell in zip(names, self._row, strict=False) if name}
        cells, line, kind = len(self._row), self._row_line, self._columns.kind
        self._row, self._more = [], []
        if kind is TableKind.CARDS:
            self._end_card(fields, line, cells, len(names))
        elif any(fields.values()) and kind is TableKind.OVERVIEW:
            self._end_repo(fields, line)
        elif any(fields.values()):
            if not all(fields.get(name) for name in ("symptom", "action")):
                self.faults.add(Complaint.CELLS_MISSING, line, found=cells, needed=len(names))
                return
            self.guide.append(RawGuide(line, fields["symptom"], fields["action"], fields.get("cards", "")))

    def _end_repo(self, fields: dict[str, str], line: int) -> None:
        found = _REPO_HEAD.fullmatch(_bare(fields.get("repo", "")))
        if found is None:
            return
        count = re.search(r"[0-9]{1,6}", fields.get("count", ""))
        repo = RawRepo(
            line, found[1], (found[2] or "").strip(), fields.get("purpose", ""), int(count[0]) if count else 0
        )
        self.repos.setdefault(found[1].lower(), repo)

    def _end_card(self, fields: dict[str, str], line: int, cells: int, needed: int) -> None:
        number = issue_number(fields.get("number", ""))
        missing = next((name for name in ("title", "answer") if not fields.get(name)), "")
        if not number:
            self.faults.add(Complaint.NO_NUMBER, line, text=fields.get("number", "")[:40])
        elif missing and cells < needed:
            self.faults.add(Complaint.CELLS_MISSING, line, found=cells, needed=needed)
        elif missing:
            self.faults.add(Complaint.CELL_EMPTY, line, missing)
        elif not self._repo:
            self.faults.add(Complaint.NO_REPO, line, hint="put a heading 'name（title）' above the table")
        elif len(self.cards) >= MOST_CARDS:
            self.faults.add(Complaint.TOO_MANY, line, limit=MOST_CARDS)
        else:
            self._add_card(number, fields["title"], fields["answer"], line)

    def _add_card(self, number: int, title: str, answer: str, line: int) -> None:
        if len(answer) > MOST_TEXT or len(title) > MOST_TEXT:
            self.faults.add(Complaint.TOO_LONG, line, limit=MOST_TEXT)
            title, answer = title[:MOST_TEXT], answer[:MOST_TEXT]
        key = (self._repo, number)
        text = hashlib.sha256(f"{title}\0{answer}".encode("utf-8", "replace")).digest()
        if key in self._seen:
            first, known = self._seen[key]
            complaint = Complaint.SAME_TWICE if known == text else Complaint.OTHER_TEXT
            self.faults.add(complaint, line, key=f"{self._repo}#{number}", first=first)
            return
        self._seen[key] = (line, text)
        self.cards.append(RawCard(line, self._repo, number, title, answer, self._year))
        self._year = last_year(answer) or self._year


def _bare(text: str) -> str:
    """Return a heading without its number and its marks."""
    text = text.replace("**", "").strip().strip("#").strip()
    return text[found.end() :] if len(text) <= 200 and (found := _LEAD.match(text)) else text
