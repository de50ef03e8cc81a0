"""A card, a theme or a guide entry as one Markdown document: what the detail pane and ``show`` print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.core.fences import find_fences
from ascend_kb.core.links import card_link, theme_link
from ascend_kb.core.markdown import escape
from ascend_kb.core.vocabulary import SectionId, label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascend_kb.core.card import Card, GuideEntry, Theme
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.keys import CardKey
    from ascend_kb.core.language import Language

_HEADINGS: dict[str, dict[Language, str]] = {
    "outcome": {"zh": "结论", "en": "Outcome"},
    "evidence": {"zh": "依据程度", "en": "Evidence"},
    "repo": {"zh": "仓库", "en": "Repo"},
    "affected": {"zh": "受影响版本", "en": "Affected versions"},
    "fixed": {"zh": "已修复版本", "en": "Fixed in"},
    "hardware": {"zh": "硬件", "en": "Hardware"},
    "tags": {"zh": "标签", "en": "Tags"},
    "source": {"zh": "来源", "en": "Source"},
    "changes": {"zh": "变更", "en": "Changes"},
    "grounds": {"zh": "依据明细", "en": "Grounds"},
    "related": {"zh": "相关条目", "en": "Related cards"},
    "references": {"zh": "外部参考", "en": "References"},
    "entities": {"zh": "涉及的名称", "en": "Names"},
    "phrasings": {"zh": "也有人这样问", "en": "Also asked as"},
    "themes": {"zh": "所属主题", "en": "Themes"},
    "signatures": {"zh": "日志特征", "en": "Log signatures"},
    "cards": {"zh": "条目", "en": "Cards"},
    "symptom": {"zh": "症状", "en": "Symptom"},
    "first_action": {"zh": "先做什么", "en": "First action"},
    "change": {"zh": "变更", "en": "Change"},
    "branch": {"zh": "分支", "en": "Branch"},
    "date": {"zh": "合并日期", "en": "Merged"},
    "state": {"zh": "状态", "en": "State"},
    "relation": {"zh": "关联", "en": "Relation"},
    "role": {"zh": "作用", "en": "Role"},
    "derived": {"zh": "（年份由上下文推得）", "en": " (year derived)"},
    "colon": {"zh": "：", "en": ": "},
}


def term(name: str, language: Language) -> str:
    """Return one of the fixed words of a document."""
    return _HEADINGS[name][language]


def card_document(
    card: Card,
    catalog: Catalog,
    language: Language,
    title_of: Callable[[CardKey], str],
    *,
    themes: Iterable[Theme] = (),
    header: bool = True,
) -> str:
    """Return the whole card as Markdown, in ``language`` where the text exists in it.

    ``themes`` are those that the card belongs to. Without ``header`` the title, summary and facts at the top are left
    out, for views that show them themselves.
    """
    body = card.body(language)
    blocks = [_header(card, catalog, language)] if header else []
    blocks += [
        f"## {catalog.section(section, language)}\n\n{body[section]}" for section in SectionId if section in body
    ]
    blocks += [_changes(card, language), _grounds(card, language), _related(card, language, title_of)]
    blocks += [_themes(themes, language), _references(card, language)]
    if header:
        blocks += [_entities(card, language), _signatures(card, language), _phrasings(card, language)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _header(card: Card, catalog: Catalog, language: Language) -> str:
    facts = [
        ("outcome", label(card.outcome).get(language)),
        ("evidence", label(card.evidence).get(language)),
        ("repo", card.key.repo),
        ("affected", ", ".join(map(str, card.affected))),
        ("fixed", ", ".join(map(str, card.fixed))),
        ("hardware", ", ".join(catalog.tag(h, language) for h in card.hardware)),
        ("tags", ", ".join(catalog.tag(t, language) for t in card.tags)),
    ]
    lines = [f"- {term(name, language)}{term('colon', language)}{escape(value)}" for name, value in facts if value]
    lines.append(f"- {term('source', language)}{term('colon', language)}<{card.source_url}>")
    title = f"# {card.key} {escape(card.title.get(language))}"
    return "\n\n".join([title, escape(card.summary.get(language)), "\n".join(lines)])


def _changes(card: Card, language: Language) -> str:
    if not card.changes:
        return ""
    names = ("change", "branch", "date", "state", "relation", "role")
    rows = [" | ".join(term(name, language) for name in names), " | ".join("---" for _ in names)]
    for change in card.changes:
        title = f" {escape(change.title)}" if change.title else ""
        date = change.date + (term("derived", language) if change.date_derived else "")
        labels = [label(value).get(language) for value in (change.state, change.relation, change.role)]
        rows.append(" | ".join([f"[{change.repo}!{change.number}]({change.url}){title}", escape(change.branch) or "—",
                                date or "—", *labels]))  # fmt: skip
    return f"## {term('changes', language)}\n\n" + "\n".join(f"| {row} |" for row in rows)


def _grounds(card: Card, language: Language) -> str:
    lines = [
        f"- {label(g.evidence).get(language)} · {label(g.kind).get(language)}"
        f"{term('colon', language)}{escape(g.text.get(language))}"
        for g in card.grounds
    ]
    return f"## {term('grounds', language)}\n\n" + "\n".join(lines) if lines else ""


def _themes(themes: Iterable[Theme], language: Language) -> str:
    lines = [f"- [{escape(theme.title.get(language))}]({theme_link(theme.id)})" for theme in themes]
    return f"## {term('themes', language)}\n\n" + "\n".join(lines) if lines else ""


def _related(card: Card, language: Language, title_of: Callable[[CardKey], str]) -> str:
    lines = [
        f"- {_card_line(r.key, title_of)} — {label(r.reason).get(language)}{term('colon', language)}"
        f"{escape(r.text.get(language))}"
        for r in card.related
    ]
    return f"## {term('related', language)}\n\n" + "\n".join(lines) if lines else ""


def _card_line(key: CardKey, title_of: Callable[[CardKey], str]) -> str:
    return f"[{key}]({card_link(key)}) {escape(title_of(key))}"


def _references(card: Card, language: Language) -> str:
    lines = []
    for reference in card.references:
        mark = "!" if reference.kind.value == "change" else "#"
        name = f"[{reference.repo}{mark}{reference.number}]({reference.url}) " if reference.url else ""
        lines.append(f"- {name}{escape(reference.title.get(language))}")
    return f"## {term('references', language)}\n\n" + "\n".join(lines) if lines else ""


def _entities(card: Card, language: Language) -> str:
    names = " ".join(_code(entity.name) for entity in card.entities)
    return f"## {term('entities', language)}\n\n{names}" if names else ""


def _code(text: str) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    marks = "`" * (longest + 1)
    return f"{marks} {text} {marks}" if longest else f"`{text}`"


def _signatures(card: Card, language: Language) -> str:
    lines = ["- " + " … ".join(map(_code, literals)) for literals in card.signatures]
    return f"## {term('signatures', language)}\n\n" + "\n".join(lines) if lines else ""


def _phrasings(card: Card, language: Language) -> str:
    texts = card.phrasings.get(language) or next(filter(None, card.phrasings.values()), ())
    lines = [f"- {escape(text)}" for text in texts]
    return f"## {term('phrasings', language)}\n\n" + "\n".join(lines) if lines else ""


def theme_document(theme: Theme, language: Language, title_of: Callable[[CardKey], str]) -> str:
    """Return a theme as Markdown: title, lesson, and the cards it rests on."""
    parts = [
        f"# {escape(theme.title.get(language))}",
        escape(theme.summary.get(language)),
        _demoted(theme.body.get(language)),
        _card_list(theme.cards, language, title_of),
    ]
    return "\n\n".join(parts) + "\n"


def guide_document(entry: GuideEntry, language: Language, title_of: Callable[[CardKey], str]) -> str:
    """Return a guide entry as Markdown: symptom, first action, cards."""
    parts = [
        f"# {escape(entry.symptom.get(language))}",
        f"## {term('first_action', language)}",
        entry.first_action.get(language),
        _card_list(entry.cards, language, title_of),
    ]
    return "\n\n".join(parts) + "\n"


def _card_list(keys: Iterable[CardKey], language: Language, title_of: Callable[[CardKey], str]) -> str:
    lines = "\n".join(f"- {_card_line(key, title_of)}" for key in keys)
    return f"## {term('cards', language)}\n\n{lines}"


def _demoted(text: str) -> str:
    """Return a body whose headings start at level two."""
    lines = text.split("\n")
    hidden = {n for fence in find_fences(text) for n in range(fence.start, fence.end)}
    if not any(line.startswith("# ") for n, line in enumerate(lines) if n not in hidden):
        return text
    return "\n".join("#" + x if x.startswith("#") and n not in hidden else x for n, x in enumerate(lines))
