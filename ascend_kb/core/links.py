"""What a reference in running text leads to."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.card import change_url, issue_url
from ascend_kb.core.keys import CardKey

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

SCHEME = "ascend-kb"


def card_link(key: CardKey) -> str:
    """Return the address of a card inside the program."""
    return f"{SCHEME}://card/{key.repo}/{key.number}"


def theme_link(theme_id: str) -> str:
    """Return the address of a theme inside the program."""
    return f"{SCHEME}://theme/{theme_id}"


def copy_link(number: int) -> str:
    """Return the address that copies the code block with this number, counted from 0."""
    return f"{SCHEME}://copy/{number}"


class LinkMap(NamedTuple):
    """Resolves references: cards to inner links, known repositories to web links, anything else to nothing.

    ``names`` maps lower-case repository names and abbreviations to names, ``owners`` known ``owner/name`` (lower case)
    and bare foreign names to ``owner/name``, ``changes`` the numbers of the card's own changes to web addresses.
    """

    names: Mapping[str, str]
    owners: Mapping[str, str]
    has_card: Callable[[CardKey], bool]
    title: Callable[[CardKey], str] = lambda _key: ""
    changes: Mapping[int, str] = MappingProxyType({})

    def resolve(self, found: re.Match[str]) -> tuple[str, str] | None:
        """Return (address, tooltip) for a match of ``keys.REFERENCE``, or None where it is only text."""
        owner, repo, number = found["owner"], found["repo"], int(found["number"])
        name = self.names.get(repo.lower())
        is_ours = name is not None and (owner is None or self.owners.get(f"{owner}/{name}".lower()) is not None)
        if is_ours and name is not None and found["mark"] == "#" and self.has_card(CardKey(name, number)):
            key = CardKey(name, number)
            return card_link(key), f"{key} {self.title(key)}".strip()
        full = self.owners.get((f"{owner}/{name or repo}" if owner else (name or repo)).lower())
        if full is None or (is_ours and found["mark"] == "#"):
            return None
        where, _, what = full.partition("/")
        url = change_url(where, what, number) if found["mark"] == "!" else issue_url(where, what, number)
        return url, url
