"""Tables and JSON on standard output."""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ascend_kb.core.card import Card
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.language import Language


def print_json(value: object) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def print_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns that line up, Chinese characters being two columns wide; the last column runs free."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row[:-1], widths, strict=False)]
        print("  ".join([*cells, row[-1]]).rstrip())


class Progress:
    """How far work is, on one line of standard error that is gone at the end; nothing where that is no terminal."""

    _BAR, _PAUSE = 30, 0.1

    def __init__(self, what: str) -> None:
        self._what = what
        self._is_shown = sys.stderr.isatty()
        self._next = 0.0

    def __enter__(self) -> Progress:  # noqa: PYI034  (Self is newer than Python 3.10)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, done: int, total: int) -> None:
        """Say that so much of so much is done."""
        if not self._is_shown or (time.monotonic() < self._next and done < total):
            return
        self._next = time.monotonic() + self._PAUSE
        full = self._BAR * done // max(total, 1)
        sys.stderr.write(f"\r[{'#' * full}{'.' * (self._BAR - full)}] {done} / {total} {self._what}\x1b[K")
        sys.stderr.flush()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def card_json(card: Card, catalog: Catalog, language: Language) -> dict[str, Any]:
    """Return a card as ``show --format json`` prints it; docs/schema/show.json describes it."""
    return {
        "key": str(card.key),
        "title": card.title.as_json(),
        "summary": card.summary.as_json(),
        "repo": card.key.repo,
        "outcome": card.outcome.value,
        "evidence": card.evidence.value,
        "grounds": [{"kind": g.kind.value, "evidence": g.evidence.value, **g.text.as_json()} for g in card.grounds],
        "changes": [
            {
                "repo": c.repo, "number": c.number, "branch": c.branch or None, "date": c.date or None,
                "date_derived": c.date_derived, "state": c.state.value, "relation": c.relation.value,
                "role": c.role.value, "title": c.title or None, "url": c.url,
            }
            for c in card.changes
        ],
        "versions": {"affected": [str(x) for x in card.affected], "fixed": [str(x) for x in card.fixed]},
        "hardware": list(card.hardware),
        "tags": list(card.tags),
        "tag_labels": {tag: {"zh": catalog.tag(tag, "zh"), "en": catalog.tag(tag, "en")} for tag in card.tags},
        "entities": [{"kind": e.kind.value, "name": e.name} for e in card.entities],
        "related": [{"key": str(r.key), "reason": r.reason.value, **r.text.as_json()} for r in card.related],
        "references": [
            {
                "kind": r.kind.value, "repo": r.repo or None, "number": r.number or None, "title": r.title.as_json(),
                "url": r.url or None,
            }
            for r in card.references
        ],
        "phrasings": {lang: list(texts) for lang, texts in card.phrasings.items()},
        "signatures": [list(literals) for literals in card.signatures],
        "sections": {section.value: text for section, text in card.body(language).items()},
        "language": card.text_language(language),
        "source_url": card.source_url,
    }  # fmt: skip
