"""The benchmark runs and compares like with like; how fast is for `make bench` to say."""

from __future__ import annotations

from tests.benchmarks.measure import ratios, window_content


def test_one_round_gives_every_figure() -> None:
    figures = ratios(1)
    assert set(figures) == {"window", "search"}
    for measured in figures.values():
        assert set(measured) == {
            "ms", "reference ms", "time ratio", "MiB", "reference MiB", "memory ratio",
        }  # fmt: skip
        assert all(value > 0 for value in measured.values())
        assert measured["time ratio"] == measured["ms"] / measured["reference ms"]


def test_the_reference_window_shows_the_rows_of_the_bundle() -> None:
    rows = window_content()["rows"]
    assert isinstance(rows, list)
    assert len(rows) == 50
    assert rows[0][0] == "msopcom#4"
