"""The short names of repositories in an article: nothing declares them, so they are worked out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.keys import REPO_NAME, CardKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ascend_kb.core.catalog import Catalog

_NUMBER = r"[1-9][0-9]{0,9}"
_ALSO = rf"(?:\s?[/、,，和与]\s?#{_NUMBER})"
MENTION = re.compile(
    rf"(?<![\w./#!-])(?P<owner>[A-Za-z][\w.-]{{0,60}}/)?(?P<repo>[A-Za-z][\w.-]{{0,99}}?)[ ]?"
    rf"#(?P<numbers>{_NUMBER}{_ALSO}{{0,200}})(?![\w#])",
    re.ASCII,
)
_EACH = re.compile(_NUMBER)
_MOST = 300  # repositories and short names that are compared


class Mention(NamedTuple):
    """A reference by repository name or short name; ``owner`` only where the text gives one."""

    owner: str
    repo: str
    number: int


def mentions(text: str) -> Iterator[Mention]:
    """Yield the references of a text, ``msc#20、#63`` as two."""
    for found in MENTION.finditer(text):
        for number in _EACH.findall(found["numbers"]):
            yield Mention((found["owner"] or "").rstrip("/"), found["repo"], int(number))


class Names:
    """Names and short names of repositories, and the cards that the article has."""

    def __init__(self, repos: Iterable[str], keys: Iterable[tuple[str, int]], catalog: Catalog) -> None:
        self.repos = tuple(repos)
        self.keys = frozenset(keys)
        self._catalog = catalog
        self._names = {name.lower(): name for name in self.repos}
        self._foreign = {repo.name.lower() for repo in catalog.foreign}
        self._short: dict[str, str] = {}
        self._numbers: dict[str, set[int]] = {}
        for repo, number in self.keys:
            self._numbers.setdefault(repo, set()).add(number)

    def learn(self, texts: Iterable[str]) -> None:
        """Work out the short names that stand in ``texts``."""
        used: dict[str, set[int]] = {}
        for text in texts:
            for mention in mentions(text):
                name = mention.repo.lower()
                if not mention.owner and name not in self._names and (name in used or len(used) < _MOST):
                    used.setdefault(name, set()).add(mention.number)
        taken: set[str] = set()
        for short, numbers in sorted(used.items(), key=lambda item: -len(item[1])):
            repo = self._best(short, numbers, taken)
            if repo:
                self._short[short] = repo
                taken.add(repo)

    def _best(self, short: str, numbers: set[int], taken: set[str]) -> str:
        """Return the one repository whose name holds the letters of ``short`` and that has most of the numbers."""
        scores = []
        for repo in self.repos[:_MOST]:
            likeness = _likeness(short, repo.lower())
            if likeness:
                share = len(self.numbers(repo) & numbers) / len(numbers)
                declared = self._catalog.repo_names.get(short) == repo
                scores.append((share + declared, likeness, repo not in taken, repo))
        scores.sort(reverse=True)
        if not scores or (len(scores) > 1 and scores[0][:3] == scores[1][:3]) or not scores[0][0]:
            return ""
        return scores[0][3]

    @property
    def abbreviations(self) -> Mapping[str, str]:
        """Short names by repository, as far as they are letters only."""
        letters = sorted((short for short in self._short if short.isalnum()), key=len, reverse=True)
        return {self._short[short]: short for short in letters}

    def numbers(self, repo: str) -> set[int]:
        """Return the numbers of the cards that the article has of a repository."""
        return self._numbers.get(repo, set())

    def repo(self, name: str) -> str:
        """Return the repository that a name or short name means, in this article or the catalog; "" for others."""
        name = name.lower()
        return self._names.get(name) or self._short.get(name) or self._catalog.repo_names.get(name, "")

    def has(self, name: str) -> bool:
        """Whether the article has cards of a repository."""
        return name.lower() in self._names

    def is_foreign(self, name: str) -> bool:
        """Whether a name is that of a known repository without cards."""
        return name.lower() in self._foreign

    def key(self, mention: Mention) -> CardKey | None:
        """Return the card that a reference means; None where it means no repository with cards."""
        repo = "" if self.is_foreign(mention.repo) else self.repo(mention.repo)
        return CardKey(repo, mention.number) if repo else None

    def is_missing(self, key: CardKey) -> bool:
        """Whether a card belongs to a repository of this article and is not in it."""
        return key.repo in self.repos and (key.repo, key.number) not in self.keys


def _likeness(short: str, name: str) -> int:
    """Return 2 where ``short`` is a part of ``name`` between hyphens, 1 where it holds its letters in order, else 0."""
    if f"-{short}-" in f"-{name}-":
        return 2
    if not short or short[0] != name[0]:
        return 0
    rest = iter(name)
    return int(all(letter in rest for letter in short))


def is_name(text: str) -> bool:
    """Whether a text could be the name of a repository."""
    return re.fullmatch(REPO_NAME, text, re.ASCII) is not None
