"""All measurements, or some: ``python -m tests.benchmarks [full | start | build | window | compare] [arguments]``."""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

PARTS = {"start": "measure", "build": "build_speed", "window": "window_scale", "compare": "compare"}
SHORT = {"start": "", "build": "2000", "window": "50 5000", "compare": "5000"}
FULL = {"start": "21", "build": "10000", "window": "50 10000 100000 1000000 --write", "compare": "100000 --write"}


def run(part: str, arguments: list[str]) -> None:
    """Run one part as if it had been called alone."""
    sys.argv = [f"tests.benchmarks.{PARTS[part]}", *arguments]
    importlib.import_module(sys.argv[0]).main()


def main() -> None:
    """Run what is named; all parts in short where nothing is."""
    named = sys.argv[1:]
    if named and named[0] in PARTS:
        run(named[0], named[1:])
        return
    if named not in ([], ["full"]):
        sys.exit(
            f"error: {' '.join(named)}\nhint: allowed: nothing, full, or one of {', '.join(PARTS)} with its arguments"
        )
    with tempfile.TemporaryDirectory(prefix="ascend-kb-bench-") as folder:
        for part, arguments in (FULL if named else SHORT).items():
            print(f"\n{part}", flush=True)
            more = arguments.split()
            if part == "window":
                more += ["--folder", folder]
            elif part == "compare":
                more += ["--file", str(Path(folder) / f"synth-{more[0]}.sqlite")]
            run(part, more)


if __name__ == "__main__":
    main()
