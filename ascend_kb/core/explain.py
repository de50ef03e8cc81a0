"""A query in plain words, and its tree as one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.i18n import tr
from ascend_kb.core.query import ALL_OF, Facet, Filter
from ascend_kb.core.syntax import AllOf, AnyOf, Not, Restriction, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascend_kb.core.syntax import Node

    Label = Callable[[Filter], str]

LONGEST = 60  # characters of a term that are repeated


def facet_name(facet: Facet) -> str:
    """Return what a facet is called."""
    return {
        Facet.REPO: tr("repo"),
        Facet.TAG: tr("tag"),
        Facet.HARDWARE: tr("hardware"),
        Facet.OUTCOME: tr("outcome"),
        Facet.EVIDENCE: tr("evidence"),
        Facet.THEME: tr("theme"),
        Facet.GUIDE: tr("guide"),
        Facet.VERSION: tr("version"),
        Facet.AFFECTED: tr("affected version"),
        Facet.FIXED: tr("fixed in"),
        Facet.API: tr("API"),
        Facet.PR: tr("change"),
        Facet.BEFORE: tr("merged before"),
        Facet.AFTER: tr("merged after"),
        Facet.HAS: tr("has"),
    }[facet]


def explain(tree: AllOf, label: Label) -> str:
    """Return the query as one sentence; ``label`` names the values of filters."""
    nodes = list(_flat(tree))
    texts = [node for node in nodes if _is_text(node)]
    filters = [node.filter for node in nodes if isinstance(node, Restriction)]
    excluded = [node.node for node in nodes if isinstance(node, Not)]
    others = [node for node in nodes if not _is_text(node) and not isinstance(node, (Restriction, Not))]
    parts = []
    if texts:
        parts.append(tr("holds {what}", what=_alternatives(tr("and"), texts, label)))
    if excluded:
        parts.append(tr("without {what}", what=_alternatives(tr("or"), excluded, label)))
    parts += [_words(node, label) for node in others]
    parts += [_values(facet, [f.value for f in filters if f.facet is facet], label) for facet in _facets(filters)]
    return tr("Cards: {conditions}", conditions=tr("; ").join(parts)) if parts else tr("All cards")


def outline(node: Node) -> str:
    """Return a tree as one line: ``AND("a", OR("b", "c"), NOT("d"), repo:msopcom)``; exact text is marked ``=``."""
    if isinstance(node, Term):
        return f'="{node.text}"' if node.exact else f'"{node.text}"'
    if isinstance(node, Restriction):
        return str(node.filter)
    if isinstance(node, Not):
        return f"NOT({outline(node.node)})"
    if len(node.nodes) == 1:
        return outline(node.nodes[0])
    name = "AND" if isinstance(node, AllOf) else "OR"
    return f"{name}({', '.join(map(outline, node.nodes))})"


def _flat(node: AllOf) -> Iterable[Node]:
    for inner in node.nodes:
        if isinstance(inner, AllOf):
            yield from _flat(inner)
        else:
            yield inner


def _is_text(node: Node) -> bool:
    if isinstance(node, (AllOf, AnyOf)):
        return all(map(_is_text, node.nodes))
    return isinstance(node, Term)


def _facets(filters: Iterable[Filter]) -> list[Facet]:
    return list(dict.fromkeys(found.facet for found in filters))


def _joined(word: str, parts: Iterable[str]) -> str:
    return f" {word} ".join(parts)


def _alternatives(word: str, nodes: list[Node], label: Label) -> str:
    """Return nodes joined by a word; one alone needs no parentheses."""
    if len(nodes) == 1 and isinstance(nodes[0], (AllOf, AnyOf)):
        inner = tr("and") if isinstance(nodes[0], AllOf) else tr("or")
        return _alternatives(inner, list(nodes[0].nodes), label)
    return _joined(word, (_words(node, label) for node in nodes))


def _values(facet: Facet, values: list[str], label: Label) -> str:
    names = list(dict.fromkeys(label(Filter(facet, value)) for value in values))
    if facet is Facet.HAS:
        known = {"command": tr("a command"), "change": tr("a change"), "note": tr("a note")}
        names = [known.get(name, name) for name in names]
    if facet is Facet.PR:
        names = [f"!{name}" for name in names]
    return f"{facet_name(facet)} {_joined(tr('and') if facet in ALL_OF else tr('or'), names)}"


def _words(node: Node, label: Label) -> str:
    if isinstance(node, Term):
        text = node.text if len(node.text) <= LONGEST else node.text[: LONGEST - 1] + "…"
        return tr('exactly "{text}"', text=text) if node.exact else tr('"{text}"', text=text)
    if isinstance(node, Restriction):
        return _values(node.filter.facet, [node.filter.value], label)
    if isinstance(node, Not):
        return tr("not {what}", what=_words(node.node, label))
    if len(node.nodes) == 1:
        return _words(node.nodes[0], label)
    word = tr("and") if isinstance(node, AllOf) else tr("or")
    return tr("({inside})", inside=_joined(word, (_words(inner, label) for inner in node.nodes)))
