"""Knowledge files of any size for measuring: made-up cards around the real ones, the same for the same seed.

The real cards keep their keys and texts, so that questions about them have their answers among many others. A made-up
card has no source text, and the file says so of itself: its digest begins with ``SYNTHETIC``.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ascend_kb.app import paths
from ascend_kb.app.checking import SYNTHETIC
from ascend_kb.app.synthesis_cards import CardMaker
from ascend_kb.core.card import Repo
from ascend_kb.core.errors import KBError
from ascend_kb.core.language import Bilingual
from ascend_kb.sources.load import load, read_texts
from ascend_kb.store.database import read_sources
from ascend_kb.store.writer import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.core.card import Card, Knowledge, Tag

FEWEST, MOST = 50, 10_000_000
NONE = "none"
OWNER = "synthetic"  # of the repositories that do not exist
_CARDS_A_REPO = 2_500
_MOST_REPOS = 60
_EVERY = 500  # cards between two reports of progress
_FAMILIES = {"ops": "算子库", "torch": "框架适配", "tools": "工具", "samples": "样例"}
_TOPICS = [
    "nn",
    "cv",
    "math",
    "fft",
    "sparse",
    "quant",
    "moe",
    "attention",
    "comm",
    "dump",
    "trace",
    "graph",
    "runtime",
    "driver",
]


class Plan(NamedTuple):
    """A repository, its real cards and how many made-up ones follow them."""

    repo: Repo
    real: tuple[Card, ...]
    made: int


class Cards(Iterable["Card"]):
    """The cards of some plans in the order of their keys, made while they are read; the same at each reading."""

    def __init__(
        self, plans: list[Plan], seed: int, tags: tuple[Tag, ...], as_of: str, report: Callable[[int, int], None]
    ) -> None:
        self.plans = plans
        self._seed, self._tags, self._as_of = seed, tags, as_of
        self._report = report

    def __len__(self) -> int:
        return sum(len(plan.real) + plan.made for plan in self.plans)

    def __iter__(self) -> Iterator[Card]:
        total = len(self)
        for done, card in enumerate(self._cards(), 1):
            yield card
            if done % _EVERY == 0 or done == total:
                self._report(done, total)

    def _cards(self) -> Iterator[Card]:
        maker = CardMaker(self._seed, self._tags, self._as_of)
        for plan in self.plans:
            yield from plan.real
            first = max((card.key.number for card in plan.real), default=0) + 1
            yield from maker.cards(plan.repo, first, plan.made)


def _silent(_done: int, _total: int) -> None:
    pass


def synthesize(
    count: int,
    target: Path,
    seed: int = 0,
    around: Path | str | None = None,
    report: Callable[[int, int], None] = _silent,
) -> None:
    """Write a knowledge file of ``count`` cards to ``target``, in one step or not at all.

    ``around`` is the folder of sources whose cards are among them, ``NONE`` for made-up cards only, and None for the
    cards of the bundle. ``report`` is told how many cards of how many are done.

    Raises:
        KBError: the number makes no sense, the real cards cannot be read, or the file cannot be written.
    """
    knowledge = synthetic(count, seed, around, report)
    try:
        with tempfile.TemporaryDirectory(prefix=".ascend-kb-", dir=target.parent) as folder:
            made = Path(folder) / "kb.sqlite"
            write(knowledge, f"{SYNTHETIC} {count} {seed}", {}, made)
            made.replace(target)
    except OSError as error:
        raise KBError(
            f"{target} cannot be written: {error.strerror}", "name a file in a folder that can be written"
        ) from error


def synthetic(
    count: int, seed: int = 0, around: Path | str | None = None, report: Callable[[int, int], None] = _silent
) -> Knowledge:
    """Return the knowledge that ``synthesize`` writes; its cards are made while they are read.

    Raises:
        KBError: the number makes no sense, or the real cards cannot be read.
    """
    real = _real(around)
    fewest = max(FEWEST, len(real.cards))
    if not fewest <= count <= MOST:
        raise KBError(f"a file of {count} cards cannot be made", f"allowed: {fewest} to {MOST}")
    plans = _plans(real, count)
    cards = Cards(plans, seed, real.tags, real.as_of, report)
    return real._replace(
        version=f"{real.version}+{SYNTHETIC}.{count}",
        repos=tuple(plan.repo for plan in plans),
        cards=cast("Any", cards),
    )


def _real(around: Path | str | None) -> Knowledge:
    if around is None or around == NONE:
        real = load(read_sources(paths.bundled_knowledge()))
    else:
        real = load(read_texts(Path(around)))
    return real if around != NONE else real._replace(cards=(), themes=(), guide=(), sources={})


def _plans(real: Knowledge, count: int) -> list[Plan]:
    """Share the cards out among repositories by Zipf's law, the real repositories first."""
    left = count - len(real.cards)
    repos = [*real.repos, *_made_up_repos(min(_MOST_REPOS, left // _CARDS_A_REPO), real)]
    shares = [1 / (place + 3) for place in range(len(repos))]
    made = [int(left * share / sum(shares)) for share in shares]
    made[0] += left - sum(made)
    plans = []
    for repo, number in zip(repos, made, strict=True):
        own = tuple(card for card in real.cards if card.key.repo == repo.name)
        plans.append(Plan(repo._replace(cards=len(own) + number), own, number))
    return plans


def _made_up_repos(count: int, real: Knowledge) -> list[Repo]:
    known = {repo.name for repo in real.repos} | {repo.name for repo in real.foreign}
    found: list[Repo] = []
    for topic, (family, title) in itertools.product(_TOPICS, _FAMILIES.items()):
        name, place = f"{family}-{topic}", len(found)
        if name not in known and place < count:
            abbreviation = f"z{chr(97 + place // 26)}{chr(97 + place % 26)}"
            titles = Bilingual(f"{topic} {title}", f"{topic} {family}")
            found.append(Repo(name, OWNER, abbreviation, titles, Bilingual("合成数据", "Made-up data"), 0))
    return found
