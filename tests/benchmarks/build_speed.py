"""Building a file beside bare inserts of the same rows into FTS5: ``python -m tests.benchmarks.build_speed [N]``.

Both get their input ready made: the cards as values here, the tokens as texts there. They run in turn.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.app.synthesis import synthetic
from ascend_kb.store.indexing import indexed
from ascend_kb.store.writer import write

if TYPE_CHECKING:
    from ascend_kb.core.card import Knowledge

CARDS, ROUNDS = 10_000, 3


class Speed(NamedTuple):
    """Seconds for the file and for the bare inserts (medians), and how many times the speed of these the file has."""

    cards: int
    written: float
    bare: float

    @property
    def ratio(self) -> float:
        """The speed of building, as a share of that of the bare inserts."""
        return self.bare / self.written


def measure(cards: int, rounds: int = ROUNDS) -> Speed:
    """Measure both, after one round that is not counted where there are more."""
    knowledge = synthetic(cards)
    knowledge = knowledge._replace(cards=tuple(knowledge.cards), sources=dict(knowledge.sources))
    rows = _rows(knowledge)
    times = []
    with tempfile.TemporaryDirectory(prefix="ascend-kb-bench-") as folder:
        for i in range(rounds):
            made, bare = Path(folder, f"{i}.sqlite"), Path(folder, f"{i}.bare.sqlite")
            started = time.perf_counter()
            write(knowledge, "digest", {}, made)
            between = time.perf_counter()
            statement = _table(made)
            begun = time.perf_counter()
            _insert(bare, statement, rows)
            times.append((between - started, time.perf_counter() - begun))
            made.unlink()
            bare.unlink()
    return Speed(cards, median(a for a, _ in times), median(b for _, b in times))


def _rows(knowledge: Knowledge) -> list[tuple[object, ...]]:
    """Return the rows of the index as the writer makes them."""
    tags = {tag.id: tag for tag in knowledge.tags}
    return [(i, *indexed(card, tags).columns) for i, card in enumerate(knowledge.cards, 1)]


def _table(made: Path) -> str:
    """Return the statement that made the index of a file."""
    connection = sqlite3.connect(made)
    try:
        row = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'cardindex'").fetchone()
        return str(row[0])
    finally:
        connection.close()


def _insert(place: Path, statement: str, rows: list[tuple[object, ...]]) -> None:
    connection = sqlite3.connect(place)
    try:
        connection.execute(statement)
        names = ", ".join(row[1] for row in connection.execute("PRAGMA table_info(cardindex)"))
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO cardindex(rowid, {names}) VALUES ({marks})", rows)  # noqa: S608
        connection.commit()
    finally:
        connection.close()


def main() -> None:
    """Print the figures as a table."""
    speed = measure(int(sys.argv[1]) if len(sys.argv) > 1 else CARDS)
    print("| cards | built in s | cards/s | bare inserts s | speed ratio |\n| --- | --- | --- | --- | --- |")
    rate = speed.cards / speed.written
    print(f"| {speed.cards} | {speed.written:.1f} | {rate:.0f} | {speed.bare:.1f} | {speed.ratio:.2f} |")


if __name__ == "__main__":
    main()
