"""The words that made-up cards consist of: Chinese words, English words and identifiers, skewed as in real texts."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ascend_kb.app import paths
from ascend_kb.core.card import Entity
from ascend_kb.core.vocabulary import EntityKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

T = TypeVar("T")
_POOL = 1 << 17  # values that are drawn at a time
_STRIDES = (1, 3, 7, 11, 17, 23, 31, 41, 53, 67, 83, 101, 127, 149, 173, 199)
COMPOUNDS = 20_000
IDENTIFIERS = 120_000


@cache
def material() -> dict[str, Any]:
    """Return the words and sentences that cards are made of: ``resources/synthesis.yaml``."""
    import yaml

    read: dict[str, Any] = yaml.safe_load((paths.resources() / "synthesis.yaml").read_text("utf-8"))
    return read


@cache
def listed(name: str) -> list[str]:
    """Return one of the lists of words, by rank."""
    return list(material()[name].split())


class Draw(Generic[T]):
    """Draws from ranked values by Zipf's law: many at a time, handed out in pieces that do not repeat an order."""

    def __init__(self, rng: Random, ranked: Sequence[T], exponent: float = 1.0, flat: float = 2.7) -> None:
        self._rng = rng
        self._ranked = ranked
        self._weights = list(accumulate(1 / (rank + flat) ** exponent for rank in range(1, len(ranked) + 1)))
        self.refill()

    def refill(self) -> None:
        """Draw anew; what is handed out between two calls comes from one drawing of some 100,000 values."""
        self._pool: list[T] = self._rng.choices(self._ranked, cum_weights=self._weights, k=_POOL)

    def take(self, count: int) -> list[T]:
        """Return so many values."""
        stride = _STRIDES[int(self._rng.random() * len(_STRIDES))]
        start = int(self._rng.random() * (_POOL - count * stride))
        return self._pool[start : start + count * stride : stride]


def chinese_words(rng: Random) -> list[str]:
    """Return Chinese words by rank: those of the field, then compounds of two characters."""
    field = listed("chinese")
    characters = list(dict.fromkeys("".join(field) + material()["characters"].replace(" ", "")))
    head = characters[:60]
    rng.shuffle(characters)
    characters = list(dict.fromkeys([*head, *characters]))
    weights = list(accumulate(1 / (rank + 8) for rank in range(1, len(characters) + 1)))
    drawn = iter(rng.choices(characters, cum_weights=weights, k=8 * COMPOUNDS))
    compounds = (a + b for a, b in zip(drawn, drawn, strict=False) if a != b)
    return [*field, *_first(compounds, COMPOUNDS, field)]


def identifiers(rng: Random) -> list[Entity]:
    """Return identifiers by rank, each with its kind."""
    parts = part_names(rng)
    draw = Draw(rng, parts, 0.8)
    shapes = rng.choices(range(len(_SHAPES)), weights=[weight for weight, _ in _SHAPES], k=2 * IDENTIFIERS)
    made: dict[str, Entity] = {}
    for shape in shapes:
        entity = _SHAPES[shape][1](rng, draw)
        made.setdefault(entity.name, entity)
        if len(made) == IDENTIFIERS:
            break
    return list(made.values())


def part_names(rng: Random) -> list[str]:
    """Return the parts of identifiers by rank: real ones, then made-up ones."""
    real, syllables = listed("parts"), listed("syllables")
    invented = ("".join(rng.choices(syllables, k=rng.choice((2, 2, 3)))).capitalize() for _ in range(12_000))
    return [*real, *_first(invented, 4_000, real)]


def fresh_identifier(rng: Random, draw: Draw[str]) -> Entity:
    """Return an identifier that mostly stands nowhere else: texts never stop to bring new names."""
    a, b, c = draw.take(3)
    return Entity(EntityKind.TERM, f"{a.lower()}_{b.lower()}_{c.lower()}{int(rng.random() * 100)}")


def _first(values: Iterable[str], count: int, known: Sequence[str]) -> list[str]:
    """Return the first different values that are not known."""
    found = dict.fromkeys(known)
    for value in values:
        found[value] = None
        if len(found) == len(set(known)) + count:
            break
    return list(found)[len(set(known)) :]


def _api(rng: Random, draw: Draw[str]) -> Entity:
    prefix = rng.choice(listed("prefixes"))
    parts = draw.take(rng.choice((1, 2, 2, 3)))
    name = "_".join(parts).lower() if prefix.endswith(("_", ".")) else "".join(parts)
    return Entity(EntityKind.API, prefix + name)


def _operator(rng: Random, draw: Draw[str]) -> Entity:
    return Entity(EntityKind.OPERATOR, "".join(draw.take(rng.choice((2, 2, 3, 4)))))


def _file(rng: Random, draw: Draw[str]) -> Entity:
    return Entity(EntityKind.FILE, "_".join(draw.take(rng.choice((2, 3)))).lower() + rng.choice(listed("endings")))


def _option(rng: Random, draw: Draw[str]) -> Entity:
    return Entity(EntityKind.OPTION, "--" + "-".join(draw.take(rng.choice((1, 2, 2)))).lower())


def _variable(rng: Random, draw: Draw[str]) -> Entity:
    return Entity(EntityKind.OPTION, "ASCEND_" + "_".join(draw.take(rng.choice((1, 2)))).upper())


def _term(rng: Random, draw: Draw[str]) -> Entity:
    return Entity(EntityKind.TERM, "_".join(draw.take(rng.choice((1, 2, 2, 3)))).lower())


def _code(rng: Random, _draw: Draw[str]) -> Entity:
    kind = rng.random()
    if kind < 0.4:
        return Entity(EntityKind.CODE, f"E{rng.choice('ZILHKX')}{rng.randrange(1000, 10_000)}")
    if kind < 0.8:
        return Entity(EntityKind.CODE, str(rng.choice((107, 161, 207, 507, 561)) * 1000 + rng.randrange(200)))
    return Entity(EntityKind.CODE, f"0x{rng.randrange(1 << 20):x}")


_SHAPES = ((24, _api), (20, _operator), (12, _file), (8, _option), (5, _variable), (24, _term), (7, _code))
