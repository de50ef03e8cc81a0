"""Safe HTML (core.markdown) into plain text that keeps code, lists and tables readable."""

from __future__ import annotations

from html.parser import HTMLParser

_BLOCKS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "tr", "pre", "hr"])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.line = ""
        self.lists: list[int | None] = []  # the next number of each open list; None for bullets
        self.marker = ""
        self.pre = False
        self.skip = False
        self.cells = 0
        self.in_cell = False
        self.code: set[int] = set()  # which of the lines are code

    @property
    def margin(self) -> str:
        return "".join("  " if number is None else "   " for number in self.lists)

    def end_line(self, *, marked: bool = False) -> None:
        if self.line.strip() or (marked and self.marker and self.lists):
            lead = self.margin
            if self.marker and lead:
                lead, self.marker = lead[: -2 if self.lists[-1] is None else -3] + self.marker, ""
            self.lines.append((lead + self.line.strip()).rstrip())
        self.line = ""

    def blank(self) -> None:
        self.end_line()
        if self.lines and self.lines[-1] and not (self.lists and self.marker):
            self.lines.append("")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "p" and values.get("class") == "copy":
            self.skip = True
        elif tag in ("ul", "ol"):
            if not self.lists:
                self.blank()
            self.end_line()
            self.lists.append(int(values.get("start") or 1) if tag == "ol" else None)
        elif tag == "li":
            self.end_line()
            number = self.lists[-1] if self.lists else None
            self.marker = "- " if number is None else f"{number}. "
            if self.lists and number is not None:
                self.lists[-1] = number + 1
        elif tag in ("td", "th"):
            self.line += " | " if self.cells else ""
            self.cells += 1
            self.in_cell = True
        elif tag == "tr":
            self.end_line()
            self.cells = 0
        elif tag == "br":
            self.end_line()
        elif tag == "pre":
            self.end_line(marked=True)
            self.blank()
            self.pre = True
        elif tag == "p" and self.lists:
            self.end_line()
        elif tag in _BLOCKS:
            self.blank()

    def handle_endtag(self, tag: str) -> None:
        if tag == "p" and self.skip:
            self.skip = False
        elif tag == "pre":
            self.pre = False
            self.lines.append("")
        elif tag in ("td", "th"):
            self.in_cell = False
        elif tag in ("ul", "ol"):
            self.end_line()
            if self.lists:
                self.lists.pop()
            if not self.lists:
                self.blank()
        elif tag == "tr":
            self.end_line()
            self.cells = 0
        elif tag == "li" or (tag == "p" and self.lists):
            self.end_line()
        elif tag in _BLOCKS:
            self.blank()

    def handle_data(self, data: str) -> None:
        if self.skip:
            return
        if self.pre:
            start = len(self.lines)
            self.lines += data.removesuffix("\n").split("\n")  # exact: code is pasted into terminals and editors
            self.code.update(range(start, len(self.lines)))
        elif data.strip() or (self.line and (self.in_cell or not self.cells)):
            self.line += data.replace("\n", " ")


def plain_text(html: str) -> str:
    """Return the text of safe HTML, one blank line between blocks, ending in one line end."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_line()
    out: list[str] = []
    for number, line in enumerate(reader.lines):
        if line or number in reader.code or (out and out[-1]):
            out.append(line)
    return "\n".join(out).strip("\n") + "\n"
