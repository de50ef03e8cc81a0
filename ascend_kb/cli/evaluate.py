"""``evaluate``: how well search or diagnosis answers an exam."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_kb.cli.output import Progress, print_json, print_table
from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from pathlib import Path

    from ascend_kb.app.library import Library

_COLUMNS = ("p1", "r3", "mrr", "refused")


def evaluate(library: Library, path: Path, mode: str, form: str) -> None:
    """Ask the questions of a file and print the measures; ``form`` is ``table`` or ``json``.

    Raises:
        KBError: the file cannot be read, or one of its lines is no question.
    """
    from ascend_kb.app.evaluation import answers, measures, read_questions

    try:
        data = path.read_bytes()
    except OSError as error:
        raise KBError(f"{path} cannot be read: {error.strerror}", "check its name and permissions") from error
    questions = read_questions(data, str(path))
    with Progress("questions") as progress:
        measured = measures(answers(library, questions, mode, progress.show))
    if form == "json":
        print_json(measured)
    else:
        _print(measured)


def _print(measured: dict[str, Any]) -> None:
    rows = [["kind", "n", *_COLUMNS], ["all", str(measured["total"]), *_cells(measured)]]
    rows += [[kind or "-", str(group["n"]), *_cells(group)] for kind, group in measured["kinds"].items()]
    print_table(rows)
    for miss in measured["misses"]:
        expected = ", ".join(miss["expected"]) or "nothing"
        print(f"miss {miss['id']}: expected {expected}, found {', '.join(miss['found']) or 'nothing'}")


def _cells(group: dict[str, Any]) -> list[str]:
    return ["-" if group[name] is None else f"{group[name]:.3f}" for name in _COLUMNS]
