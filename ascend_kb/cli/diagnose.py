"""``diagnose``: a log from a file or from standard input against the knowledge."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ascend_kb.cli.output import Progress, print_json
from ascend_kb.core.diagnosis import BAND_LABELS, Band, Diagnosis, Match, Span
from ascend_kb.core.errors import KBError
from ascend_kb.core.facts import Fact, FactKind, meaning
from ascend_kb.core.logtext import LIMIT, gather

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from ascend_kb.app.library import Library
    from ascend_kb.core.language import Language

_BLOCK = 1 << 20
_SHOWN_FACTS = 12
_TEXTS = {
    "why": ("依据", "why"),
    "differs": ("不同", "differs"),
    "facts": ("日志里的线索", "Facts of the log"),
    "guide": ("最接近的排错指引", "Nearest row of the guide"),
    "draft": ("issue 草稿（隐私已遮盖）", "Draft of an issue (private data masked)"),
    "line": ("第 {n} 行", "line {n}"),
}


def read_log(path: Path | None) -> tuple[bytes, bool]:
    """Return the bytes of a log file, or of standard input for None and ``-``, and whether its middle was left out.

    Raises:
        KBError: it cannot be read.
    """
    try:
        if path is not None and str(path) != "-":
            with path.open("rb") as file:
                return _gathered(file)
        if sys.stdin is None or (path is None and sys.stdin.isatty()):
            raise KBError("no log to diagnose", "name a file, or pipe into it: cmd 2>&1 | ascend-kb diagnose")
        return _gathered(sys.stdin.buffer)
    except OSError as error:
        raise KBError(
            f"{path or 'standard input'} cannot be read: {error.strerror or error}", "check its name and permissions"
        ) from error


def _gathered(stream: BinaryIO) -> tuple[bytes, bool]:
    return gather(iter(partial(stream.read, _BLOCK), b""))


def diagnose(library: Library, path: Path | None, form: str, language: Language) -> Diagnosis:
    """Diagnose a log and print what was found; ``form`` is ``table`` or ``json``."""
    from ascend_kb.app.diagnosing import diagnose as diagnose_log

    data, cut = read_log(path)
    if cut:
        print(
            f"notice: the log is larger than {LIMIT // 1_000_000} MB; its beginning, its end and the lines in between "
            "that report errors were read",
            file=sys.stderr,
        )
    with Progress("steps") as progress:
        found = diagnose_log(library, data, progress.show)
    found = found._replace(cut=cut)
    if form == "json":
        print_json(as_json(found, language))
    else:
        _print(found, language)
    return found


def as_json(found: Diagnosis, language: Language) -> dict[str, Any]:
    """Return a diagnosis as ``--format json`` prints it; docs/schema/diagnose.json describes it."""
    return {
        "band": found.band.value,
        "matches": [
            {
                "key": str(match.key), "band": match.band.value, "title": match.title.get(language),
                "why": [
                    {"kind": w.kind, "text": w.text, "card": w.card, **_place(w.span)}
                    for w in match.why
                ],
                "differs": [
                    {"kind": d.kind, "log": d.log, "card": d.card, "text": d.text.get(language)} for d in match.differs
                ],
            }
            for match in found.matches
        ],
        "facts": [_fact(fact, language) for fact in found.facts],
        "telling": _line(found) if found.telling else None,
        "question": {
            "code": found.question.code, "text": found.question.text.get(language),
            "choices": [{"key": str(c.key), "text": c.text.get(language)} for c in found.question.choices],
        } if found.question else None,
        "guide": {
            "symptom": found.guide.symptom.get(language), "first_action": found.guide.first_action.get(language),
            "cards": [str(key) for key in found.guide.cards],
        } if found.guide else None,
        "draft": found.draft.get(language) if found.draft else None,
        "encoding": found.encoding,
        "cut": found.cut,
    }  # fmt: skip


def _fact(fact: Fact, language: Language) -> dict[str, Any]:
    said = meaning(fact.text)[0 if language == "zh" else 1] if fact.kind is FactKind.CODE else ""
    place = _place(Span(fact.line, fact.start, fact.end))
    known = {"kind": fact.kind.value, "text": fact.text, **place}
    return {**known, **({"meaning": said} if said else {})}


def _place(span: Span) -> dict[str, int]:
    return {"line": span.line, "start": span.start, "end": span.end}


def _line(found: Diagnosis) -> dict[str, Any]:
    assert found.telling is not None  # noqa: S101  (the caller asked)
    span = found.telling
    return {**_place(span), "text": found.text[span.start : span.end]}


def _print(found: Diagnosis, language: Language) -> None:
    if not found.band.answers:
        print(BAND_LABELS[Band.NONE].get(language) + ("." if language == "en" else "。"))
    for match in found.matches:
        _print_match(match, language)
    if found.band.answers:
        return
    if found.question:
        print(f"\n{found.question.text.get(language)}")
        for choice in found.question.choices:
            print(f"  {choice.key}  {choice.text.get(language)}")
    _print_facts(found, language)
    if found.guide:
        print(f"\n{_text('guide', language)}: {found.guide.symptom.get(language)}")
        print(f"  -> {found.guide.first_action.get(language)}")
        print("     " + ", ".join(map(str, found.guide.cards)))
    if found.draft:
        print(f"\n{_text('draft', language)}:\n\n{found.draft.get(language).rstrip()}")


def _print_match(match: Match, language: Language) -> None:
    print(f"{BAND_LABELS[match.band].get(language)}: {match.key}  {match.title.get(language)}")
    reasons = [f"{w.text} ({_text('line', language).format(n=w.span.line)})" for w in match.why]
    if reasons:
        print(f"  {_text('why', language)}: {', '.join(reasons)}")
    for difference in match.differs:
        print(f"  {_text('differs', language)}: {difference.text.get(language)}")


def _print_facts(found: Diagnosis, language: Language) -> None:
    facts = [fact for fact in found.facts if fact.kind is not FactKind.MESSAGE]
    codes_first = sorted(facts, key=lambda fact: fact.kind is not FactKind.CODE)[:_SHOWN_FACTS]
    if codes_first:
        print(f"\n{_text('facts', language)}:")
    for fact in codes_first:
        said = meaning(fact.text)[0 if language == "zh" else 1]
        print(f"  {fact.kind.value} {fact.text}" + (f"  {said}" if said else ""))


def _text(name: str, language: Language) -> str:
    return _TEXTS[name][0 if language == "zh" else 1]
