"""Card keys (``msopcom#57``), their short forms (``msc#57``) and references to them in text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Mapping

REPO_NAME = r"[A-Za-z][A-Za-z0-9_.-]*"
_KEY = re.compile(rf"({REPO_NAME})#([1-9][0-9]{{0,9}})", re.ASCII)
# A reference in running text: optional owner, repo, `#` for an issue or `!` for a change, number.
REFERENCE = re.compile(
    rf"(?<![\w./#!-])(?:(?P<owner>{REPO_NAME})/)?(?P<repo>{REPO_NAME})(?P<mark>[#!])(?P<number>[1-9][0-9]{{0,9}})(?![\w#])",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, order=True)
class CardKey:
    """The identity of a card: repository name and issue number."""

    repo: str
    number: int

    def __str__(self) -> str:
        return f"{self.repo}#{self.number}"


def parse_key(text: str, abbreviations: Mapping[str, str]) -> CardKey:
    """Read ``repo#number`` or ``abbreviation#number``, in any letter case.

    ``abbreviations`` maps lower-case abbreviations and repository names to repository names; an unknown repository is
    kept as it is, since a well-formed key may name a card that does not exist.

    Raises:
        KBError: the text is not a key at all.
    """
    found = _KEY.fullmatch(text.strip())
    if found is None:
        raise KBError(f"'{text}' is not a card key", "a key is repo#number, for example msopcom#57 or msc#57")
    repo = found.group(1)
    return CardKey(abbreviations.get(repo.lower(), repo), int(found.group(2)))


class Named(NamedTuple):
    """What a text names by number: an issue or a change; ``repo`` is empty where the text does not say which."""

    repo: str
    number: int
    is_change: bool


_NUMBER = r"(?P<number>[1-9][0-9]{0,9})"
_NAMES = (  # tried in turn
    rf"https?://[^/\s]+/[^/\s]+/(?P<repo>{REPO_NAME})/(?P<kind>issues|pulls?|merge_requests)/{_NUMBER}\b.*",
    rf"(?:{REPO_NAME}/)?(?P<repo>{REPO_NAME}?)\s*(?P<kind>[#!-]?)\s*{_NUMBER}",
    rf"(?P<repo>)(?P<kind>#){_NUMBER}",
    rf"(?P<repo>)(?P<kind>(?:PR|MR)\s*[#!]?|!)\s*{_NUMBER}",
)


def named(text: str, abbreviations: Mapping[str, str]) -> Named | None:
    """Return what a whole text names: ``msc#57``, ``msopcom-57``, ``msc57``, ``#57``, ``!183``, ``PR 183``, an address.

    ``abbreviations`` is that of ``parse_key``; a text about any other repository names nothing.
    """
    for pattern in _NAMES:
        found = re.fullmatch(pattern, text.strip(), re.ASCII | re.IGNORECASE)
        if found is None or (found["repo"] and found["repo"].lower() not in abbreviations):
            continue
        is_change = found["kind"].lower().startswith(("!", "pr", "mr", "pull", "merge"))
        return Named(abbreviations.get(found["repo"].lower(), ""), int(found["number"]), is_change)
    return None
