"""Filters as pieces of the search text: read from it, written into it, taken out again.

The text of a query is the one value; chips and check marks are views of the filters that stand in it. Only filters that
restrict the whole query count: not those behind a ``-`` or beside an ``OR``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.syntax import AllOf, Restriction, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.core.query import Facet, Filter
    from ascend_kb.core.syntax import Node, Resolve


def filters_in(text: str, resolve: Resolve) -> tuple[Filter, ...]:
    """Return the distinct filters that restrict the whole query, in order."""
    return tuple(dict.fromkeys(found.filter for found in _restrictions(parse(text, resolve))))


def with_filter(text: str, wanted: Filter, resolve: Resolve) -> str:
    """Return the text with a filter written behind it, and a blank so that typing can go on."""
    if wanted in filters_in(text, resolve):
        return text
    before = text.rstrip()
    longer = f"{before} {wanted} " if before else f"{wanted} "
    if wanted in filters_in(longer, resolve):
        return longer
    # An `OR` that waits at the end would take the filter as its second choice.
    return f"{wanted} {text}" if wanted in filters_in(f"{wanted} {text}", resolve) else text


def without_filter(text: str, unwanted: Filter, resolve: Resolve) -> str:
    """Return the text without a filter, however often it stands in it."""
    return _without(text, resolve, lambda found: found == unwanted)


def without_facet(text: str, facet: Facet, resolve: Resolve) -> str:
    """Return the text without any filter of a facet."""
    return _without(text, resolve, lambda found: found.facet is facet)


def toggled(text: str, wanted: Filter, resolve: Resolve) -> str:
    """Return the text with the filter added, or taken out if it was there."""
    change = without_filter if wanted in filters_in(text, resolve) else with_filter
    return change(text, wanted, resolve)


def filters_alone(text: str, resolve: Resolve) -> str:
    """Return the text with nothing but its filters; empty where there are none."""
    filters = filters_in(text, resolve)
    return "".join(f"{found} " for found in filters)


def words_alone(text: str, resolve: Resolve) -> str:
    """Return the text without any filter."""
    return _without(text, resolve, lambda _found: True).strip()


def finished(text: str, cursor: int, is_begun: Callable[[str, str], bool]) -> str:
    """Return the text without the filter that is being written at the cursor, so that it is not looked for as text.

    ``is_begun(field, value)`` says whether a value of that field goes on like this.
    """
    start = max(text.rfind(blank, 0, cursor) for blank in " \t(\u3000") + 1
    end = next((i for i in range(cursor, len(text)) if text[i].isspace() or text[i] == ")"), len(text))
    field, colon, value = text[start:end].removeprefix("-").partition(":")
    if not colon or not is_begun(field, value.strip('"')):
        return text
    return _cut(text, start, end)


def words_span(text: str, resolve: Resolve) -> tuple[int, int]:
    """Return where the words stand that another search replaces: all of the text where filters stand among them."""
    rest: list[tuple[int, int]] = []
    at = 0
    for start, end in [*_spans(parse(text, resolve), lambda _found: True), (len(text), len(text))]:
        piece = text[at:start]
        if piece.strip():
            begin = at + len(piece) - len(piece.lstrip())
            rest.append((begin, begin + len(piece.strip())))
        at = end
    if not rest:
        return len(text), len(text)
    return rest[0] if len(rest) == 1 else (0, len(text))


def _restrictions(node: Node) -> Iterator[Restriction]:
    if isinstance(node, Restriction):
        yield node
    elif isinstance(node, AllOf):
        for inner in node.nodes:
            yield from _restrictions(inner)


def _without(text: str, resolve: Resolve, is_unwanted: Callable[[Filter], bool]) -> str:
    """Return the text without filters, until none is left: what surrounded one may have become one."""
    while spans := list(_spans(parse(text, resolve), is_unwanted)):
        for start, end in reversed(spans):
            text = _cut(text, start, end)
    return text


def _spans(node: Node, is_unwanted: Callable[[Filter], bool]) -> list[tuple[int, int]]:
    """Return where unwanted filters stand; parentheses that would be left empty go with them."""
    if isinstance(node, Restriction):
        return [(node.start, node.end)] if is_unwanted(node.filter) else []
    if not isinstance(node, AllOf):
        return []
    inside = [_spans(inner, is_unwanted) for inner in node.nodes]
    whole = [[(inner.start, inner.end)] for inner in node.nodes]
    if node.nodes and inside == whole and _has_parentheses(node):
        return [(node.start, node.end)]
    return [span for spans in inside for span in spans]


def _has_parentheses(node: AllOf) -> bool:
    """Whether a group has parentheses of its own, as all but the whole query have."""
    return node.start < node.nodes[0].start and node.end > node.nodes[-1].end


def _cut(text: str, start: int, end: int) -> str:
    """Return the text without a piece and without one of the blanks around it."""
    if text[end : end + 1].isspace():
        end += 1
    elif text[:start][-1:].isspace():
        start -= 1
    return text[:start] + text[end:]
