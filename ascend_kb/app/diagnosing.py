"""From a pasted log to the cards that may explain it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.app.advice import draft, nearest_guide, question
from ascend_kb.app.differences import differences, names_another_interface
from ascend_kb.app.reasons import reasons
from ascend_kb.core.diagnosis import Band, Diagnosis, Match, Span
from ascend_kb.core.facts import Fact, FactKind, extract
from ascend_kb.core.linekinds import WEIGHTS, LineKind
from ascend_kb.core.loglines import Line, lines, settle
from ascend_kb.core.logterms import Term, terms
from ascend_kb.core.logtext import Decoded, read
from ascend_kb.core.matching import Support, Weighing
from ascend_kb.core.signatures import Haystack, Place
from ascend_kb.store.evidence import COMMON, EvidenceFile, Holders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ascend_kb.app.library import Library
    from ascend_kb.core.keys import CardKey

STEPS = 1000  # what progress counts to
INDEPENDENT = 2  # facts that make a card likely
CLOSE = 0.4  # share of the best card's weight below which a card is not worth showing
WORTH = 2.0  # weight below which a card is not even related
MOST_MATCHES = 8
CANDIDATES = 120  # cards that common terms are looked up for
COMBINED = 6  # telling lines whose common terms are looked up together
_CHOSEN = {  # lines of each kind that are weighed: so many from the beginning, so many from the end
    LineKind.TELLING: (160, 80),
    LineKind.REMARK: (80, 40),
    LineKind.COMMAND: (40, 20),
    LineKind.MESSAGE: (80, 60),
    LineKind.FRAME: (40, 60),
    LineKind.INFO: (60, 60),
    LineKind.BOILERPLATE: (20, 20),
}
_SETTING = re.compile(r"(?<![\w.])[A-Za-z_][\w-]{2,40}=[\w.]{1,40}")


class CancelledError(Exception):
    """The diagnosis was cancelled."""


class _Progress:
    """Reports progress and stops the work once it is cancelled."""

    def __init__(self, report: Callable[[int, int], None] | None, cancelled: Callable[[], bool] | None) -> None:
        self._report = report
        self._cancelled = cancelled
        self._done = 0

    def at(self, done: int) -> None:
        """Say how far the work is, and stop it if that is wanted."""
        if self._cancelled is not None and self._cancelled():
            raise CancelledError
        if self._report is not None and done > self._done:
            self._report(done, STEPS)
        self._done = max(done, self._done)

    def part(self, first: int, last: int) -> Callable[[int, int], None]:
        """Return a report for a part of the work that leads from one step to another."""
        return lambda done, total: self.at(first + (last - first) * done // max(total, 1))


class _Found(NamedTuple):
    """A card with what speaks for it, and where its signature stands."""

    card: int
    support: Support
    signature: tuple[Place, ...]
    is_named: bool

    @property
    def band(self) -> Band:
        """How sure the card is."""
        facts = self.support.independent() + bool(self.signature)
        if len(self.signature) > 1 or (self.signature and (facts >= INDEPENDENT or self._is_name())):
            return Band.SIGNATURE
        return Band.LIKELY if self.is_named or facts >= INDEPENDENT else Band.RELATED

    def _is_name(self) -> bool:
        """Whether the only literal of the signature holds a name: plain words alone may stand in any log."""
        place = self.signature[0]
        return any(term.is_name for term in terms(place.line.text[place.start : place.end]))


def diagnose(
    library: Library,
    data: bytes | str,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Diagnosis:
    """Return what a log says and which cards may explain it.

    ``progress`` is called with the steps done and their number; ``cancelled`` is asked often, at least every 50 ms of
    work, from the calling thread.

    Raises:
        CancelledError: ``cancelled`` said so.
        KBError: the knowledge file is damaged.
    """
    steps = _Progress(progress, cancelled)
    log = read(data, steps.part(0, 300))
    kept = settle(list(lines(log.text, steps.part(300, 700))))
    chosen = choose(kept)
    facts = extract(chosen)
    steps.at(720)
    evidence = library.evidence()
    support = _weighed(evidence, chosen, steps)
    found = _ranked(library, evidence, support, Haystack(kept), facts)
    steps.at(960)
    matches = _matches(library, evidence, facts, found)
    result = _answer(library, evidence, log, _Said(chosen, facts, _telling(chosen, found)), matches)
    steps.at(STEPS)
    return result


def choose(kept: Iterable[Line]) -> list[Line]:
    """Return the lines that are weighed, in order: of each kind the first and the last, for causes stand early."""
    by_kind: dict[LineKind, list[Line]] = {}
    for line in kept:
        by_kind.setdefault(line.kind, []).append(line)
    chosen: list[Line] = []
    for kind, (first, last) in _CHOSEN.items():
        listed = by_kind.get(kind, [])
        chosen += listed if len(listed) <= first + last else [*listed[:first], *listed[-last:]]
    return sorted(chosen, key=lambda line: line.start)


def _weighed(evidence: EvidenceFile, chosen: list[Line], steps: _Progress) -> dict[int, Support]:
    known: dict[str, Holders] = {}

    def holders(term: Term) -> Holders:
        if term.word not in known:
            known[term.word] = evidence.holders(term)
        return known[term.word]

    weighing = _weigh(evidence, chosen, holders, steps.part(720, 860))
    if any(found.number > COMMON for found in known.values()):
        # So many cards that those of common terms are not listed: weigh the likeliest again, against every term.
        candidates = sorted(weighing.support, key=lambda card: -weighing.support[card].score)[:CANDIDATES]
        candidates += _together(evidence, chosen, known) - set(candidates)
        among: dict[str, Holders] = {}

        def focused(term: Term) -> Holders:
            found = holders(term)
            if found.number <= COMMON:
                return found
            if term.word not in among:
                among[term.word] = evidence.holders_among(term, candidates)
            return among[term.word]

        weighing = _weigh(evidence, chosen, focused, steps.part(860, 930))
    settings = {setting: line for line in reversed(chosen) for setting in _SETTING.findall(line.text)[:8]}
    for setting, cards in evidence.named(settings).items():
        for card in cards:
            weighing.agree(card, setting, settings[setting])
    return weighing.support


def _weigh(
    evidence: EvidenceFile,
    chosen: list[Line],
    holders: Callable[[Term], Holders],
    report: Callable[[int, int], None],
) -> Weighing:
    weighing = Weighing(holders, evidence.total)
    for i, line in enumerate(chosen):
        report(i, len(chosen))
        weighing.add(line)
    return weighing


def _together(evidence: EvidenceFile, chosen: list[Line], known: dict[str, Holders]) -> set[int]:
    """Return cards that hold several of the terms of a telling line, be each of them common."""
    found: set[int] = set()
    for line in sorted(chosen, key=lambda line: (-WEIGHTS[line.kind], line.start))[:COMBINED]:
        held = [term for term in terms(line.message) if term.word in known and term.tells >= 0.5]
        held = [term for term in held if known[term.word].number]
        held = sorted(held, key=lambda term: (known[term.word].number, -term.tells))[:4]
        for some in (held, held[:3], held[:2]):
            if len(some) > 1:
                found |= evidence.together(some, CANDIDATES)
    return found


def _ranked(
    library: Library, evidence: EvidenceFile, support: dict[int, Support], log: Haystack, facts: list[Fact]
) -> list[_Found]:
    """Return the cards worth showing, best first."""
    order = sorted(support, key=lambda card: (-support[card].score, card))
    signed: dict[int, tuple[Place, ...]] = {}
    for card, signatures in evidence.signatures(order).items():
        places = max((log.find(literals) for literals in signatures), key=len)
        if places:
            signed[card] = tuple(places)
    named = set(evidence.ids(_named(library, facts)).values())
    best = support[order[0]].score if order else 0.0
    least = WORTH if log.is_long else WORTH / 2
    shown = [card for card in order if support[card].score >= max(least, best * CLOSE)]
    cards = dict.fromkeys([*signed, *named, *shown[:MOST_MATCHES]])
    found = [_Found(card, support.get(card, Support()), signed.get(card, ()), card in named) for card in cards]
    bands = list(Band)
    return sorted(found, key=lambda f: (bands.index(f.band), -f.support.score, f.card))[:MOST_MATCHES]


def _named(library: Library, facts: list[Fact]) -> list[CardKey]:
    """Return the cards whose issue the log itself names."""
    from ascend_kb.core.keys import REFERENCE, CardKey

    keys = []
    for fact in facts:
        if fact.kind is FactKind.ISSUE and (reference := REFERENCE.fullmatch(fact.text)) and reference["mark"] == "#":
            repo = library.catalog.repo_names.get(reference["repo"].lower())
            keys += [CardKey(repo, int(reference["number"]))] if repo else []
        elif fact.kind is FactKind.URL and (address := re.search(r"/([\w.-]+)/issues/([1-9]\d{0,9})\b", fact.text)):
            repo = library.catalog.repo_names.get(address[1].lower())
            keys += [CardKey(repo, int(address[2]))] if repo else []
    return keys


class _Said(NamedTuple):
    """What a log says: the lines that were weighed, their facts, and the line that tells most."""

    chosen: list[Line]
    facts: list[Fact]
    telling: Line | None


def _answer(library: Library, evidence: EvidenceFile, log: Decoded, said: _Said, matches: list[Match]) -> Diagnosis:
    band = matches[0].band if matches else Band.NONE
    line = said.telling
    span = Span(line.number, line.start, line.start + len(line.text)) if line else None
    result = Diagnosis(band, tuple(matches), tuple(said.facts), log.text, log.encoding, log.cut, span)
    if band.answers:
        return result
    return result._replace(
        question=question(library, evidence, said.facts),
        guide=nearest_guide(library, said.chosen, matches),
        draft=draft(said.facts, said.chosen, line),
    )


def _matches(library: Library, evidence: EvidenceFile, facts: list[Fact], found: list[_Found]) -> list[Match]:
    keys = evidence.keys(f.card for f in found)
    matches = []
    for f in found:
        card = library.card(keys[f.card]) if f.card in keys else None
        if card is None:
            continue
        other = f.band is Band.LIKELY and not f.is_named and names_another_interface(card, facts)
        band = Band.RELATED if other else f.band
        differs = differences(card, facts, f.support)
        matches.append(
            Match(card.key, band, card.title, round(f.support.score, 2), reasons(f.support, f.signature), differs)
        )
    bands = list(Band)
    return sorted(matches, key=lambda match: bands.index(match.band))


def _telling(chosen: list[Line], found: list[_Found]) -> Line | None:
    """Return the line that tells most: the one that speaks most for the best card, else the first error."""
    if found and found[0].support.pieces:
        weights: dict[int, float] = {}
        pieces = found[0].support.best()
        for piece in pieces:
            weights[piece.line.start] = weights.get(piece.line.start, 0.0) + piece.value
        return max((piece.line for piece in pieces), key=lambda line: weights[line.start])
    ordered = sorted(chosen, key=lambda line: (-WEIGHTS[line.kind], line.start))
    return ordered[0] if ordered else None
