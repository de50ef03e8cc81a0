"""Quality and latency of search beside other systems: ``python -m tests.benchmarks.compare [N] [--file F] [--write]``.

All systems get the same texts and the same questions in one run. Each question is put to one system after the other.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple

from ascend_kb.app.evaluation import Answer, Question, measures
from ascend_kb.app.library import Library
from ascend_kb.app.synthesis import synthesize
from ascend_kb.core.query import SearchQuery
from tests.benchmarks.corpus import QUESTIONS, Corpus, questions
from tests.benchmarks.rivals import RIVALS, SHOWN, Answered, System

CARDS = 100_000
FEW = 40  # questions that the latency of slow systems is measured with
DOCS = Path(__file__).resolve().parents[2] / "docs" / "performance.md"
START, END = "<!-- comparison -->", "<!-- /comparison -->"


class Ours(System):
    """The program's own search over its own file; it reads whole rows where the others give row numbers."""

    name = "**Ascend KB**"
    note = "the whole file counts as index"

    def __init__(self, file: Path) -> None:
        super().__init__(file.parent)
        self.library = Library(file)
        self.file = file
        self.numbers: dict[str, int] = {}

    def search(self, text: str) -> Answered:
        selection = self.library.select(SearchQuery(text))
        rows = selection.rows(0, SHOWN)
        return Answered([self.numbers[str(row.key)] for row in rows], is_refused=not rows or rows[0].related)

    def size(self) -> int | None:
        return self.file.stat().st_size

    def close(self) -> None:
        self.library.close()


class Line(NamedTuple):
    """What was measured of a system; seconds for building are None where the file was there before."""

    name: str
    note: str
    quality: dict[str, Any]
    p50: float
    p95: float
    asked: int
    size: int | None
    seconds: float | None


def compare(file: Path, asked: list[Question], folder: Path, build_seconds: float | None = None) -> list[Line]:
    """Measure all systems over the cards of ``file``; their indexes are written below ``folder``."""
    ours = Ours(file)
    systems: list[System] = [ours]
    for rival in RIVALS:
        place = folder / re.sub(r"\W+", "-", rival.name)
        place.mkdir()
        systems.append(rival(place))
    try:
        built, keys = _index(systems[1:], Corpus.of(file))
        ours.numbers = {key: i for i, key in enumerate(keys, 1)}
        found = {system: [_answer(system, question, keys) for question in asked] for system in systems}
        times = _latencies(systems, asked)
        return [
            Line(s.name, s.note, measures(found[s]), *_percentiles(times[s]), len(times[s]), s.size(),
                 build_seconds if s is ours else built[s])
            for s in systems
        ]  # fmt: skip
    finally:
        for system in systems:
            system.close()


def _index(systems: list[System], corpus: Corpus) -> tuple[dict[System, float], list[str]]:
    """Index all cards in all systems; returns the seconds each took, and the keys of the cards in order."""
    seconds = dict.fromkeys(systems, 0.0)
    keys: list[str] = []
    for part, batch in corpus.batches():
        keys += part
        for system in systems:
            cut_before = batch.seconds_to_cut
            started = time.perf_counter()
            system.add(batch)
            taken = time.perf_counter() - started
            # Words are cut once for all systems that want them; each would have to cut them.
            needs_words = system.name in ("jieba + BM25", "tantivy, jieba")
            seconds[system] += taken + (cut_before if needs_words else 0)
        _say(f"indexed {len(keys)} of {corpus.cards}")
    for system in systems:
        started = time.perf_counter()
        system.finish()
        seconds[system] += time.perf_counter() - started
        _say(f"{system.name} is ready")
    return seconds, keys


def _answer(system: System, question: Question, keys: list[str]) -> Answer:
    answered = system.search(question.text)
    return Answer(question, tuple(keys[row - 1] for row in answered.rows), answered.is_refused)


def _latencies(systems: list[System], asked: list[Question]) -> dict[System, list[float]]:
    times: dict[System, list[float]] = {system: [] for system in systems}
    few = set(asked[:: max(1, len(asked) // FEW)])
    for i, question in enumerate(asked):
        for system in systems:
            if system.is_slow and question not in few:
                continue
            started = time.perf_counter()
            system.search(question.text)
            times[system].append((time.perf_counter() - started) * 1000)
        _say(f"asked {i + 1} of {len(asked)}")
    return times


def _percentiles(times: list[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=20, method="inclusive")
    return cuts[9], cuts[18]


def table(lines: list[Line], corpus: Corpus, asked: list[Question]) -> str:
    """Return the measures as Markdown."""
    negative = sum(not question.expected for question in asked)
    rows = [
        "| system | P@1 | R@3 | MRR | refused | p50 ms | p95 ms | index MiB | built in s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for line in lines:
        quality = " | ".join(_share(line.quality[name]) for name in ("p1", "r3", "mrr", "refused"))
        size = "in memory" if line.size is None else f"{line.size / 2**20:.0f}"
        built = "-" if line.seconds is None else f"{line.seconds:.0f}"
        few = "" if line.asked == len(asked) else f" ({line.asked} questions)"
        rows.append(f"| {line.name} | {quality} | {line.p50:.1f} | {line.p95:.1f}{few} | {size} | {built} |")
    notes = "; ".join(f"{line.name}: {line.note}" for line in lines)
    machine = f"{platform.machine()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}"
    head = (
        f"{corpus.cards} cards (seed {corpus.seed}), {len(asked)} questions of `tests/data/{QUESTIONS.name}`, "
        f"{negative} of them without an answer; the first {SHOWN} rows. {machine}."
    )
    return "\n".join([head, "", *rows, "", notes + ".", "", verdict(lines)])


def verdict(lines: list[Line]) -> str:
    """Say whether the program leads in quality, and how its latency compares with the fastest good one."""
    ours, *others = lines
    leads = all(
        (ours.quality[name] or 0) >= (other.quality[name] or 0) for other in others for name in ("p1", "r3", "mrr")
    )
    good = [line for line in others if (line.quality["r3"] or 0) >= 0.8]
    if good:
        fastest = min(good, key=lambda line: line.p50)
        ratio = (
            f"{ours.p50 / fastest.p50:.2f} times the median of {fastest.name}, the fastest with an R@3 of 0.8 or more"
        )
    else:
        ratio = "no other system reaches an R@3 of 0.8"
    return f"Leads in P@1, R@3 and MRR: {'yes' if leads else 'no'}. Latency: {ratio}."


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def write_into(docs: Path, text: str, start_mark: str = START, end_mark: str = END) -> None:
    """Put a text between two marks of a page.

    Raises:
        ValueError: the page has no such marks.
    """
    page = docs.read_text("utf-8")
    before, start, rest = page.partition(start_mark)
    _, end, after = rest.partition(end_mark)
    if not start or not end:
        raise ValueError(f"{docs} has no place for this: {start_mark} ... {end_mark}")
    docs.write_text(f"{before}{start}\n{text}\n{end}{after}", "utf-8")


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", nargs="?", type=int, default=CARDS, metavar="N")
    parser.add_argument("--file", type=Path, help="a file made by ascend-kb synth, else one is made")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="lines of JSON")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    options = parser.parse_args()
    asked = questions(options.questions)
    with tempfile.TemporaryDirectory(prefix="ascend-kb-bench-") as name:
        folder = Path(name)
        file, seconds = options.file, None
        if file is None:
            file = folder / "kb.sqlite"
            started = time.perf_counter()
            synthesize(options.cards, file)
            seconds = time.perf_counter() - started
        text = table(compare(file, asked, folder, seconds), Corpus.of(file), asked)
    _say("")
    print(text)
    if options.write:
        write_into(DOCS, text)


if __name__ == "__main__":
    main()
