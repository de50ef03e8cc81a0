"""The real window over files of several sizes: ``python -m tests.benchmarks.window_scale [N ...] [--write]``.

Measured for each: the time from a key press to painted rows, the longest time in which the GUI thread was blocked, the
bare SQL of the same query in the same process, and the peak memory. Each size has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any

from ascend_kb.app.synthesis import FEWEST, synthesize
from tests.benchmarks.compare import DOCS, write_into

SIZES = (FEWEST, 10_000)
START, END = "<!-- window -->", "<!-- /window -->"


def of_size(cards: int, folder: Path) -> Path:
    """Return a file of so many cards below ``folder``; made if it is not there."""
    file = folder / f"synth-{cards}.sqlite"
    if not file.exists():
        synthesize(cards, file)
    return file


def measured(file: Path, typed: tuple[str, ...] = ()) -> dict[str, Any]:
    """Measure the window over a file, in a process of its own; ``typed`` are other questions than the usual ones.

    Raises:
        RuntimeError: it failed.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "ASCEND_KB_HOME": home, "LANG": "zh_CN.UTF-8"}
        if not environment.get("DISPLAY"):
            environment["QT_QPA_PLATFORM"] = "offscreen"
        ended = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.typing_window", str(file), *typed],
            env=environment, cwd=DOCS.parent.parent, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if ended.returncode != 0:
        raise RuntimeError(f"the window over {file} failed:\n{ended.stderr}")
    figures: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return figures


def table(sizes: list[dict[str, Any]]) -> str:
    """Return the measures as Markdown."""
    screen = "X display" if os.environ.get("DISPLAY") else "offscreen"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    columns = (
        "cards", "opened ms", "key to rows p50", "p95 ms", "bare SQL p50", "p95 ms", "blocked p95", "longest ms",
        "over 16 ms", "peak MiB", "memory ratio",
    )  # fmt: skip
    rows = [
        f"{len(sizes[0]['painted'])} key presses, {screen}. {machine}, {time.strftime('%Y-%m-%d')}.",
        "",
        "| " + " | ".join(columns) + " |",
        "| --- " * len(columns) + "|",
    ]
    for size in sizes:
        times = [cell for name in ("painted", "bare") for cell in percentiles(size[name])]
        blocked = size["blocked"]
        cells = [size["cards"], f"{size['open']:.0f}", *(f"{x:.1f}" for x in times)]
        cells += [f"{percentiles(blocked)[1]:.1f}", f"{max(blocked):.1f}", sum(x > 16 for x in blocked)]
        cells += [f"{size['memory']:.0f}", f"{size['memory'] / sizes[0]['memory']:.2f}"]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(rows)


def percentiles(values: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile."""
    cuts = quantiles(values, n=20, method="inclusive")
    return cuts[9], cuts[18]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", nargs="*", type=int, default=SIZES, metavar="N")
    parser.add_argument("--folder", type=Path, help="where files are made and kept, else they are thrown away")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ascend-kb-bench-") as folder:
        place = options.folder or Path(folder)
        text = table([measured(of_size(cards, place)) for cards in options.cards])
    print(text)
    if options.write:
        write_into(DOCS, text, START, END)


if __name__ == "__main__":
    main()
