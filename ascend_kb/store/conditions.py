"""What a query asks, as conditions on cards: its filters and everything of its tree that is not plain text to find."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import SQL, NodeList, fn

from ascend_kb.core.catalog import DATE
from ascend_kb.core.query import ALL_OF, Facet, Filter, SearchQuery
from ascend_kb.core.syntax import AllOf, AnyOf, Node, Not, Restriction, Term, parse, terms_of
from ascend_kb.core.vocabulary import ChangeState, EntityKind
from ascend_kb.store import models as m

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ascend_kb.core.catalog import Catalog

    Holding = Callable[[str], Any]  # a term into the condition that a card holds it


LEAST_API = 2  # characters of an API's name


class Asked(NamedTuple):
    """A query taken apart: terms, exact texts and choices must all be found, the rest are conditions."""

    terms: tuple[str, ...]
    exact: tuple[str, ...]  # quoted, with their blanks
    choices: tuple[Node, ...]  # of text only
    filters: tuple[Filter, ...]
    others: tuple[Node, ...]  # exclusions, and choices among filters

    @property
    def text(self) -> str:
        """All text to find, for matches in part."""
        return " ".join(self.texts)

    @property
    def texts(self) -> tuple[str, ...]:
        """The pieces of text to find."""
        return (*self.terms, *self.exact, *(term.text for node in self.choices for term in terms_of(node)))


def take_apart(query: SearchQuery, catalog: Catalog, *, minus: bool = True) -> Asked:
    """Read the text of a query and sort what it asks by how it is answered; without ``minus``, ``-x`` is text."""
    terms: list[str] = []
    exact: list[str] = []
    choices: list[Node] = []
    filters: list[Filter] = list(query.filters)
    others: list[Node] = []
    waiting: list[Node] = list(reversed(parse(query.text, catalog.resolve, minus=minus).nodes))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Term):
            (exact if node.exact else terms).append(node.text)
        elif isinstance(node, Restriction):
            filters.append(node.filter)
        elif isinstance(node, AllOf):
            waiting += reversed(node.nodes)
        else:
            (choices if _is_text(node) else others).append(node)
    return Asked(tuple(terms), tuple(exact), tuple(choices), tuple(dict.fromkeys(filters)), tuple(others))


def _is_text(node: Node) -> bool:
    if isinstance(node, (AllOf, AnyOf)):
        return all(map(_is_text, node.nodes))
    return isinstance(node, Term)


def conditions(asked: Asked, holding: Holding, without: Facet | None = None) -> list[Any]:
    """Return the conditions of the filters and of the rest of the tree; ``without`` leaves one facet's filters out."""
    kept = [wanted for wanted in asked.filters if wanted.facet is not without]
    found = [*_grouped(kept), *(_condition(node, holding) for node in asked.others)]
    return [_joined(" AND ", found)] if found else []


def _joined(word: str, parts: Sequence[Any]) -> Any:
    """Return conditions joined without nesting: SQLite takes no more than about 30 of them inside each other."""
    return parts[0] if len(parts) == 1 else NodeList(parts, glue=word, parens=True)


def _grouped(filters: Iterable[Filter]) -> list[Any]:
    values: dict[Facet, list[str]] = {}
    for wanted in filters:
        values.setdefault(wanted.facet, []).append(wanted.value)
    found: list[Any] = []
    for facet, of_facet in values.items():
        if facet in ALL_OF:
            found += [_facet_condition(facet, (value,)) for value in of_facet]
        else:
            found.append(_facet_condition(facet, of_facet))
    return found


def _condition(node: Node, holding: Holding) -> Any:
    if isinstance(node, Not):
        return ~_condition(node.node, holding)
    if isinstance(node, AnyOf):
        return _joined(" OR ", [_condition(inner, holding) for inner in node.nodes])
    if isinstance(node, AllOf):
        filters = [inner.filter for inner in node.nodes if isinstance(inner, Restriction)]
        rest = [_condition(inner, holding) for inner in node.nodes if not isinstance(inner, Restriction)]
        return _joined(" AND ", [*_grouped(filters), *rest])
    if isinstance(node, Restriction):
        return _facet_condition(node.filter.facet, (node.filter.value,))
    return holding(node.text)


def _facet_condition(facet: Facet, values: Sequence[str]) -> Any:
    if facet in LINKS:
        link, owner = LINKS[facet]
        return m.Card.id.in_(link.select(link.card).join(owner).where(owner.slug.in_(values)))
    return _CONDITIONS[facet](values)


LINKS: dict[Facet, tuple[type[Any], type[Any]]] = {
    Facet.TAG: (m.CardTag, m.Tag),
    Facet.HARDWARE: (m.CardTag, m.Tag),
    Facet.THEME: (m.ThemeCard, m.Theme),
    Facet.GUIDE: (m.GuideCard, m.GuideEntry),
}


def _of_version(sides: Sequence[str]) -> Callable[[Sequence[str]], Any]:
    """Return the condition for versions of these sides, by the beginning of their components: 26.1 finds 26.1.0."""

    def condition(values: Sequence[str]) -> Any:
        wanted = values[0].strip().lower()
        known = fn.LOWER(m.CardVersion.number)
        product, _, number = wanted.rpartition(" ")
        same = (known == number) | (fn.substr(known, 1, len(number) + 1).in_([number + ".", number + "-"]))
        if product:
            same &= fn.LOWER(m.CardVersion.product) == product
        return m.Card.id.in_(m.CardVersion.select(m.CardVersion.card).where(m.CardVersion.side.in_(sides), same))

    return condition


def _of_api(values: Sequence[str]) -> Any:
    if len(values[0]) < LEAST_API:
        return SQL("0")
    kinds = [EntityKind.API.value, EntityKind.OPERATOR.value]
    holds = fn.instr(fn.LOWER(m.Entity.name), values[0].lower()) > 0
    query = m.CardEntity.select(m.CardEntity.card).join(m.Entity).where(m.Entity.kind.in_(kinds), holds)
    return m.Card.id.in_(query)


def _of_change(values: Sequence[str]) -> Any:
    number = int(values[0]) if re.fullmatch("[0-9]{1,18}", values[0], re.ASCII) else -1
    return m.Card.id.in_(m.Change.select(m.Change.card).where(m.Change.number == number))


def _before(values: Sequence[str]) -> Any:
    if not re.fullmatch(DATE, values[0], re.ASCII):
        return SQL("0")
    return (m.Card.latest_change != "") & (m.Card.latest_change < values[0])


def _after(values: Sequence[str]) -> Any:
    if not re.fullmatch(DATE, values[0], re.ASCII):
        return SQL("0")
    # Dates of the named day, month or year itself begin with the value: they are not after it.
    return (m.Card.latest_change > values[0]) & (fn.substr(m.Card.latest_change, 1, len(values[0])) != values[0])


def _having(values: Sequence[str]) -> Any:
    wanted = values[0].lower()
    if wanted == "command":
        return m.Card.has_commands == True  # noqa: E712  (peewee builds SQL of it)
    if wanted == "change":
        states = [ChangeState.MERGED.value, ChangeState.CLOSED.value, ChangeState.OPEN.value, ChangeState.UNKNOWN.value]
        return m.Card.id.in_(m.Change.select(m.Change.card).where(m.Change.state.in_(states)))
    return SQL("0")  # notes are the user's own; no card of the knowledge has one


_CONDITIONS: dict[Facet, Callable[[Sequence[str]], Any]] = {
    Facet.REPO: lambda values: m.Card.repo.in_(m.Repo.select(m.Repo.id).where(m.Repo.name.in_(values))),
    Facet.OUTCOME: m.Card.outcome.in_,
    Facet.EVIDENCE: m.Card.evidence.in_,
    Facet.VERSION: _of_version(("affected", "fixed")),
    Facet.AFFECTED: _of_version(("affected",)),
    Facet.FIXED: _of_version(("fixed",)),
    Facet.API: _of_api,
    Facet.PR: _of_change,
    Facet.BEFORE: _before,
    Facet.AFTER: _after,
    Facet.HAS: _having,
}
