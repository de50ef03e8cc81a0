"""The closing notes of an article: which cards rest on inference, which are unverified. They override the rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.keys import CardKey
from ascend_kb.core.vocabulary import Evidence
from ascend_kb.sources.articles.names import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_kb.sources.articles.names import Names

_SENTENCE = re.compile(r"[^。；;\n]+")
_INFERRED = re.compile(r"推断|inferred", re.IGNORECASE)
_UNVERIFIED = re.compile(r"未核实|unverified", re.IGNORECASE)
_WHOLE = re.compile(
    r"(?<![\w./#-])(?P<repo>[A-Za-z][\w.-]{0,99})\s?(?P<count>[0-9]{1,5})\s?(?:条|cards?\b)"
    r"(?:\s?[（(](?P<except>[^（）()]{0,400})[)）])?",
    re.ASCII,
)
_ONLY = re.compile(r"(?:仅|只有|only|except)\s?(?P<numbers>#[0-9][^（）()]{0,300}?)\s?(?:显式|为显式|explicit)")


class Basis(NamedTuple):
    """What the notes say of a card, and the sentence that says it."""

    evidence: Evidence
    sentence: str


class Closing(NamedTuple):
    """What the notes say of cards; with ``lists_inferred`` they list the inferred ones, so that others are not."""

    cards: dict[CardKey, Basis]
    lists_inferred: bool


def read_notes(texts: Iterable[str], names: Names) -> Closing:
    """Read the closing notes."""
    found: dict[CardKey, Basis] = {}
    lists = False
    for text in texts:
        for sentence in _SENTENCE.findall(text[:100_000]):
            if _UNVERIFIED.search(sentence):
                for mention in mentions(sentence):
                    if (key := names.key(mention)) is not None:
                        found[key] = Basis(Evidence.UNVERIFIED, sentence.strip())
            elif _INFERRED.search(sentence):
                lists = _inferred(sentence, names, found) or lists
    return Closing(found, lists)


def _inferred(sentence: str, names: Names, found: dict[CardKey, Basis]) -> bool:
    """Take the lists of a sentence about inference; returns whether it has any."""
    basis, before = Basis(Evidence.INFERRED, sentence.strip()), len(found)
    rest = _WHOLE.sub("、", sentence)
    for whole in _WHOLE.finditer(sentence):
        repo = names.repo(whole["repo"])
        only = _ONLY.search(whole["except"] or "")
        explicit = {int(number) for number in re.findall(r"#([0-9]{1,10})", only["numbers"])} if only else set()
        numbers = names.numbers(repo)
        # Without the numbers themselves the count must agree, or nobody knows which cards are meant.
        if len(numbers - explicit) == int(whole["count"]):
            found.update({CardKey(repo, n): basis for n in numbers - explicit})
            explicit_basis = basis._replace(evidence=Evidence.EXPLICIT)
            found.update({CardKey(repo, n): explicit_basis for n in explicit & numbers})
    for mention in mentions(rest):
        key = names.key(mention)
        if key is not None and key not in found:
            found[key] = basis
    return len(found) > before
