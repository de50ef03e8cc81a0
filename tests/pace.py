"""How long work takes, measured against a plain loop of the same run, so that no test depends on the machine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOOP = 1_000_000  # steps of the reference


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that ``work`` takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def _reference() -> None:
    for _ in range(LOOP):
        pass


def loops(work: Callable[[], object]) -> float:
    """Return the time of ``work`` in units of the reference, the quickest of three."""
    taken = seconds(work)
    return taken / min(seconds(_reference) for _ in range(3))
