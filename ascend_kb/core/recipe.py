"""The product's output: a card's recipe in the forms that go to the clipboard and to standard output."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.vocabulary import SectionId, label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascend_kb.core.card import Card
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.language import Language
    from ascend_kb.core.links import LinkMap


class Form(str, Enum):
    """How a recipe is copied."""

    COMMANDS = "commands"
    PLAIN = "plain"
    MARKDOWN = "markdown"
    HTML = "html"


class Copied(NamedTuple):
    """What goes to the clipboard: plain text always, HTML where the form is rich."""

    text: str
    html: str = ""


def commands(card: Card, language: Language) -> str:
    """Return the commands of a card's recipe: exact bytes, no prompt, no fence; empty where there are none."""
    from ascend_kb.core.fences import shell_commands

    return shell_commands(card.body(language).get(SectionId.RECIPE, ""))


def _markdown(card: Card, catalog: Catalog, language: Language) -> str:
    from ascend_kb.core.markdown import escape

    heading = catalog.section(SectionId.RECIPE, language)
    recipe = card.body(language).get(SectionId.RECIPE, "").strip("\n")
    lines = "".join(f"- {escape(line)}\n" for line in _provenance(card, language))
    return f"## {heading}\n\n{recipe}\n\n{lines}"


def _provenance(card: Card, language: Language) -> tuple[str, str, str]:
    evidence = "依据：" if language == "zh" else "Evidence: "
    title = " ".join(card.title.get(language).split())
    return f"{card.key} {title}", card.source_url, evidence + label(card.evidence).get(language)


def _html(card: Card, catalog: Catalog, language: Language, links: LinkMap) -> str:
    import html

    from ascend_kb.core.markdown import render

    heading = html.escape(catalog.section(SectionId.RECIPE, language))
    recipe = card.body(language).get(SectionId.RECIPE, "")
    address = html.escape(card.source_url, quote=True)
    first, _, last = _provenance(card, language)
    return (
        f"<h2>{heading}</h2>\n{portable(render(recipe, links, language))}\n"
        f'<p>{html.escape(first)}<br><a href="{address}">{address}</a><br>{html.escape(last)}</p>\n'
    )


def portable(rendered: str) -> str:
    """Return rendered HTML for other programs: no copy links, and inner links as plain text."""
    import re

    without_buttons = re.sub(r'<p class="copy">.*?</p>', "", rendered)
    inner_link = r'<a href="ascend-kb:[^"]*"(?: [a-z]+="[^"]*")*>(.*?)</a>'
    return re.sub(inner_link, r"\1", without_buttons, flags=re.IGNORECASE | re.DOTALL)


def one(card: Card, form: Form, catalog: Catalog, language: Language, links: LinkMap) -> str:
    """Return one card's recipe in one form. Each form but COMMANDS ends with key, title, source address, evidence."""
    if form is Form.COMMANDS:
        return commands(card, language)
    if form is Form.MARKDOWN:
        return _markdown(card, catalog, language)
    if form is Form.HTML:
        return _html(card, catalog, language, links)
    from ascend_kb.core.markdown import render
    from ascend_kb.core.plaintext import plain_text

    recipe = plain_text(render(card.body(language).get(SectionId.RECIPE, ""), links, language))
    return f"{catalog.section(SectionId.RECIPE, language)}\n\n{recipe}\n" + "".join(
        f"{line}\n" for line in _provenance(card, language)
    )


_BETWEEN = {Form.COMMANDS: "", Form.PLAIN: "\n", Form.MARKDOWN: "\n---\n\n", Form.HTML: "<hr>\n"}


def join(parts: Sequence[str], form: Form) -> str:
    """Return the recipes of several cards as one text, in the given order; empty ones are left out."""
    return _BETWEEN[form].join(part for part in parts if part)
