"""Reads the HTML that the package makes, without using the package: tags, attributes, links, code."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

VOID = {"br", "hr"}
TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
    "del", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip
ATTRIBUTES = {
    ("a", "href"), ("a", "title"), ("a", "class"), ("p", "class"), ("table", "class"), ("table", "width"),
    ("code", "class"), ("ol", "start"), ("th", "align"), ("td", "align"),
}  # fmt: skip
SCHEMES = {"http", "https", "mailto", "ascend-kb"}


class Reading(HTMLParser):
    """What an HTML text holds. ``text`` is what a reader sees, copy buttons left out."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.links: list[tuple[str, str]] = []  # text, address
        self.code: list[str] = []
        self.text = ""
        self.deepest = 0
        self._open: list[str] = []
        self._button = False
        self.feed(html)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "a" or "a" not in self._open, "a link inside a link"
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        values = dict(attrs)
        self._button = self._button or (tag == "p" and values.get("class") == "copy")
        if tag == "a":
            self.links.append(("", values.get("href") or ""))
        if tag == "pre":
            self.code.append("")
        if tag not in VOID:
            self._open.append(tag)
            self.deepest = max(self.deepest, len(self._open))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag
        if tag == "p":
            self._button = False

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")

    def handle_data(self, data: str) -> None:
        if "a" in self._open:
            text, address = self.links[-1]
            self.links[-1] = (text + data, address)
        if "pre" in self._open:
            self.code[-1] += data
        if not self._button:
            self.text += data

    @property
    def addresses(self) -> list[str]:
        """The addresses that the program follows when clicked, copy buttons left out."""
        return [address for _, address in self.links if address and not address.startswith("ascend-kb://copy/")]


def assert_safe(html: str) -> Reading:
    """Fail unless a text holds nothing but what the window may show; return what it holds."""
    seen = Reading(html)
    assert set(seen.tags) <= TAGS
    for tag, name, value in seen.attributes:
        assert (tag, name) in ATTRIBUTES
        if name == "href":
            assert urlsplit(value).scheme.lower() in SCHEMES, value
            assert not re.match(r"[\x00-\x20]", value), value
    return seen
