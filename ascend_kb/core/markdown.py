"""Markdown into the safe HTML subset that QTextBrowser shows.

Raw HTML is shown as text, images as their description, links are limited to http, https, mailto and the program's
own addresses. What Python-Markdown makes of the text is sanitised once more before it leaves this module.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import nh3
from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.tables import TableExtension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from ascend_kb.core.fences import find_fences, text_lines
from ascend_kb.core.keys import REFERENCE
from ascend_kb.core.limits import Budget, limit
from ascend_kb.core.links import SCHEME, copy_link

if TYPE_CHECKING:
    from ascend_kb.core.language import Language
    from ascend_kb.core.links import LinkMap

_ILLEGAL = re.compile("[\x00\x02\x03\ud800-\udfff]")  # STX and ETX enclose Python-Markdown's own marks
_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em",
    "del", "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip

_ATTRIBUTES = {"a": {"href", "title", "class"}, "p": {"class"}, "table": {"class", "width"}, "code": {"class"},
               "ol": {"start"}, "th": {"align"}, "td": {"align"}}  # fmt: skip
_SCHEMES = {"http", "https", "mailto", SCHEME}
_LOOK_BACK = 200  # lines above a fence in which its list item is looked for
_COPY_LABEL: dict[Language, str] = {"zh": "复制", "en": "Copy"}


class _Fences(Preprocessor):
    """Takes fenced code out of the text before anything else reads it."""

    def __init__(self, md: Markdown, language: Language) -> None:
        super().__init__(md)
        self._label = _COPY_LABEL[language]

    def run(self, lines: list[str]) -> list[str]:
        out: list[str] = []
        at = 0
        for number, fence in enumerate(find_fences("\n".join(lines))):
            out += map(_tidy, lines[at : fence.start])
            code = html.escape(fence.code.rstrip("\n"))
            block = (
                f'<p class="copy"><a class="copy" href="{copy_link(number)}">{self._label}</a></p>'
                f'<table class="code" width="100%"><tr><td><pre>{code}</pre></td></tr></table>'
            )
            placed = self.md.htmlStash.store(block)
            out += [fence.lead + placed, ""] if fence.lead else ["", _list_indent(out, fence.indent) + placed, ""]
            at = fence.end
        return [*out, *map(_tidy, lines[at:]), "", ""]


def _tidy(line: str) -> str:
    """Return a line outside of code without tabs, and an empty one where it is blank, as Python-Markdown needs it."""
    return line.expandtabs(4) if line.strip() else ""


def _list_indent(before: list[str], indent: int) -> str:
    """Return the indent that keeps an indented fence inside the list item above it, if there is one."""
    for line in reversed(before[-_LOOK_BACK:]):
        if not line.strip():
            continue
        item = re.match(r"( *)([-*+]|\d+\.) +", line)
        if item and indent > len(item[1]):
            return " " * (4 * (-(-len(item[1]) // 4) + 1))
        if len(line) - len(line.lstrip()) == 0:
            return ""
    return ""


class _References(InlineProcessor):
    """``msopcom#57``, ``msc#57``, ``cann/sip#31``: links where the reference is known."""

    ANCESTOR_EXCLUDES = ("a",)

    def __init__(self, pattern: str, md: Markdown, links: LinkMap) -> None:
        super().__init__(pattern, md)
        self.compiled_re = REFERENCE
        self._links = links

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[ET.Element | None, int | None, int | None]:  # type: ignore[override]  # noqa: N802, ARG002
        target = self._links.resolve(m)
        if target is None:
            return None, None, None
        return _anchor(m.group(), *target), m.start(), m.end()


class _OwnChanges(InlineProcessor):
    """``!183``: a change of the card's own repository."""

    ANCESTOR_EXCLUDES = ("a",)

    def __init__(self, pattern: str, md: Markdown, links: LinkMap) -> None:
        super().__init__(pattern, md)
        self._links = links

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[ET.Element | None, int | None, int | None]:  # type: ignore[override]  # noqa: N802, ARG002
        url = self._links.changes.get(int(m.group(1)))
        if url is None:
            return None, None, None
        return _anchor(m.group(), url, url), m.start(), m.end()


def _anchor(text: str, href: str, title: str) -> ET.Element:
    from markdown.util import AtomicString

    element = ET.Element("a", href=href, title=title)
    element.text = AtomicString(text)
    return element


class _Images(InlineProcessor):
    """Images are never loaded: their description stands instead."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str | None, int | None, int | None]:  # type: ignore[override]  # noqa: N802, ARG002
        return m.group(1), m.start(), m.end()


class _SafeSubset(Extension):
    def __init__(self, links: LinkMap, language: Language) -> None:
        super().__init__()
        self._links = links
        self._language = language

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.preprocessors.deregister("normalize_whitespace")  # it would expand the tabs in code
        md.preprocessors.deregister("html_block")
        md.preprocessors.register(_Fences(md, self._language), "fences", 27)
        md.inlinePatterns.deregister("html")
        md.inlinePatterns.deregister("image_reference")
        md.inlinePatterns.deregister("short_image_ref")
        md.inlinePatterns.register(_Images(r"!\[([^\]\n]*)\]\([^)\n]*\)", md), "image_link", 150)
        md.inlinePatterns.register(_References("", md, self._links), "references", 125)
        md.inlinePatterns.register(
            _OwnChanges(r"(?<![A-Za-z0-9_/.-])!([1-9][0-9]{0,9})(?![A-Za-z0-9_])", md, self._links), "own_changes", 124
        )


def render(text: str, links: LinkMap, language: Language) -> str:
    """Return Markdown ``text`` as safe HTML without html, head or body elements.

    Code blocks are tables of class ``code`` below a paragraph of class ``copy`` that holds a copy link. Characters that
    cannot be shown become U+FFFD, and what is too deep or too tangled to be read in time (core.limits) is shown as it
    stands.
    """
    text = _ILLEGAL.sub("\ufffd", "\n".join(text_lines(text)))
    tables = TableExtension(use_align_attribute=True)
    md = Markdown(extensions=[tables, "sane_lists", _SafeSubset(links, language)], output_format="html")
    limit(md, Budget(len(text)))
    try:
        made = md.convert(text)
    except RecursionError:
        made = f"<pre>{html.escape(text)}</pre>"
    return nh3.clean(
        made,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel=None,
        attribute_filter=_safe_attribute,
    )


def _safe_attribute(_element: str, attribute: str, value: str) -> str | None:
    if attribute == "href" and value.partition(":")[0].lower() not in _SCHEMES:
        return None
    return value


def escape(text: str) -> str:
    """Return plain text as Markdown that shows it unchanged on one line, table cells included."""
    text = " ".join(text.split())
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    if "@" in text or "://" in text:  # `<` could begin a link
        text = text.replace("<", "&lt;")
    text = re.sub(r"([\\`*\[\]|])", r"\\\1", text)
    text = re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", text)
    text = re.sub(r"^(?=~~~)~", "&#126;", re.sub(r"(?<=.)#$", r"\\#", text))
    text = re.sub(r"^([#>]|[-+](?= )|-(?=[- ]*$))", r"\\\1", text)
    return re.sub(r"^(\d+)\.(?= )", r"\1\\.", text)
