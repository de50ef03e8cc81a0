"""Runs commands in turn and compares medians of wall time and peak memory: ``python -m tests.benchmarks.measure``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ascend_kb.app import paths
from ascend_kb.app.library import Library
from ascend_kb.core.query import SearchQuery
from ascend_kb.core.vocabulary import label

HERE = Path(__file__).resolve().parent
ROUNDS = 11


@dataclass(frozen=True)
class Run:
    """One finished run: wall time in seconds and peak memory in MiB."""

    seconds: float
    mebibytes: float


def run(command: list[str], environment: dict[str, str]) -> Run:
    """Run a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    started = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return Run(seconds, usage.ru_maxrss / 1024)


def in_turn(
    first: list[str], second: list[str], rounds: int, environment: dict[str, str]
) -> tuple[list[Run], list[Run]]:
    """Run two commands in turn, after one round that is not counted."""
    pairs = [(run(first, environment), run(second, environment)) for _ in range(rounds + 1)][1:]
    return [a for a, _ in pairs], [b for _, b in pairs]


def window_content() -> dict[str, object]:
    """Return what the reference window shows: the rows of the bundle."""
    library = Library(paths.bundled_knowledge())
    rows = library.select(SearchQuery()).rows(0, 100)
    card = library.card(rows[0].key)
    assert card is not None
    return {
        "tree": [[repo.name, str(repo.cards)] for repo in library.catalog.repos],
        "rows": [
            [str(r.key), r.title.zh, label(r.outcome).zh, label(r.evidence).zh, r.latest_change, "、".join(r.tags)]
            for r in rows
        ],
        "html": library.document(card, "zh").content,
    }


def ratios(rounds: int) -> dict[str, dict[str, float]]:
    """Measure start-up of the window and a search on the command line against their references."""
    program = [sys.executable, "-m", "ascend_kb"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ASCEND_KB_HOME": str(Path(folder) / "home"), "LANG": "zh_CN.UTF-8"}
        if not environment.get("DISPLAY"):
            environment["QT_QPA_PLATFORM"] = "offscreen"
        content = Path(folder) / "content.json"
        content.write_text(json.dumps(window_content(), ensure_ascii=False), "utf-8")
        window = in_turn(
            [*program, "--exit-when-ready"],
            [sys.executable, str(HERE / "reference_window.py"), str(content)],
            rounds,
            environment,
        )
        search = in_turn(
            [*program, "search", "内存"],
            [sys.executable, str(HERE / "reference_query.py"), str(paths.bundled_knowledge())],
            rounds,
            environment,
        )
    return {"window": _compared(*window), "search": _compared(*search)}


def _compared(ours: list[Run], reference: list[Run]) -> dict[str, float]:
    own, other = median(r.seconds for r in ours), median(r.seconds for r in reference)
    own_memory, other_memory = median(r.mebibytes for r in ours), median(r.mebibytes for r in reference)
    return {
        "ms": own * 1000, "reference ms": other * 1000, "time ratio": own / other,
        "MiB": own_memory, "reference MiB": other_memory, "memory ratio": own_memory / other_memory,
    }  # fmt: skip


def main() -> None:
    """Print the ratios."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    screen = "X display" if os.environ.get("DISPLAY") else "offscreen"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, {screen}, medians of {rounds}")
    for name, figures in ratios(rounds).items():
        print(name + ": " + ", ".join(f"{k} {v:.2f}" if "ratio" in k else f"{k} {v:.0f}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
