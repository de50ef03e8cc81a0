"""Why a card may explain a log: what in the log speaks for it, with its place in the log and in the card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.core.diagnosis import Span, Why

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ascend_kb.core.loglines import Line
    from ascend_kb.core.matching import Piece, Support
    from ascend_kb.core.signatures import Place

MOST_WHY = 8


def reasons(support: Support, signature: Iterable[Place]) -> tuple[Why, ...]:
    """Return the reasons for a card: its signature, settings, then what weighs most."""
    given = [
        Why("signature", place.line.text[place.start : place.end], _span(place.line, place.start, place.end),
            place.line.text[place.start : place.end])
        for place in signature
    ]  # fmt: skip
    for setting, line in support.values.items():
        start = line.text.find(setting)
        given.append(Why("option", setting, _span(line, start, start + len(setting)), setting))
    best = support.best()
    least = best[0].value * 0.2 if best else 0.0
    for piece in best:
        reason = _reason(piece)
        if reason is not None and piece.value >= least and reason.text.lower() not in {r.text.lower() for r in given}:
            given.append(reason)
    return tuple(given[:MOST_WHY])


def _reason(piece: Piece) -> Why | None:
    """Return a term as a reason: the whole word around it in the log."""
    term, line = piece.term, piece.line
    start = line.text.lower().find(term.word)
    if start < 0:
        return None
    end = start + len(term.word)
    if term.prefix:
        while end < len(line.text) and (line.text[end].isalnum() or line.text[end] == "_") and line.text[end].isascii():
            end += 1
    return Why("name" if term.is_name else "word", line.text[start:end], _span(line, start, end), term.word)


def _span(line: Line, start: int, end: int) -> Span:
    return Span(line.number, line.start + start, line.start + end)
