"""Why a card may explain a log: reasons stand in the log where they say, the most telling first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.app.reasons import MOST_WHY, reasons
from ascend_kb.core.linekinds import LineKind
from ascend_kb.core.loglines import Line
from ascend_kb.core.logterms import Term, terms
from ascend_kb.core.matching import Piece, Support
from ascend_kb.core.signatures import Haystack

if TYPE_CHECKING:
    from ascend_kb.core.diagnosis import Why

LINE = Line(3, 100, "[ERROR] aclrtMallocHost returned unused_memory, swiglu_mode=3", LineKind.TELLING, 8)


def support(values: dict[str, float], line: Line = LINE) -> Support:
    """Return what speaks for a card: terms of a line by what they count."""
    found = Support()
    known = {term.word: term for term in terms(line.message)}
    for word, value in values.items():
        found.pieces[word] = Piece(known.get(word, Term(word)), line, value)
    return found


def assert_stands(why: Why, line: Line = LINE) -> None:
    assert why.span.line == line.number
    assert line.text[why.span.start - line.start : why.span.end - line.start] == why.text
    assert why.card


def test_names_and_words_come_by_weight_and_stand_where_they_say() -> None:
    found = reasons(support({"aclrtmallochost": 3.0, "unused_memory": 2.0, "return": 1.0}), [])
    assert [(why.kind, why.text, why.card) for why in found] == [
        ("name", "aclrtMallocHost", "aclrtmallochost"),
        ("name", "unused_memory", "unused_memory"),
        ("word", "returned", "return"),
    ]
    for why in found:
        assert_stands(why)


def test_signature_and_settings_stand_before_all_others() -> None:
    supported = support({"aclrtmallochost": 9.0})
    supported.values["swiglu_mode=3"] = LINE
    places = Haystack([LINE]).find(["MALLOCHOST", "unused"])
    found = reasons(supported, places)
    assert [why.kind for why in found] == ["signature", "signature", "option", "name"]
    assert [why.text for why in found] == ["MallocHost", "unused", "swiglu_mode=3", "aclrtMallocHost"]
    for why in found:
        assert_stands(why)


def test_nothing_is_said_twice() -> None:
    places = Haystack([LINE]).find(["aclrtMallocHost"])
    found = reasons(support({"aclrtmallochost": 3.0}), places)
    assert [why.text for why in found] == ["aclrtMallocHost"]


def test_what_weighs_little_beside_the_best_is_left_out() -> None:
    found = reasons(support({"aclrtmallochost": 3.0, "unused_memory": 0.61, "return": 0.59}), [])
    assert [why.card for why in found] == ["aclrtmallochost", "unused_memory"]


def test_a_term_that_does_not_stand_in_its_line_is_no_reason() -> None:
    assert reasons(support({"nowhere": 3.0}), []) == ()


def test_only_so_many_are_given() -> None:
    line = Line(1, 0, " ".join(f"name_{c}{c}x" for c in "abcdefghijklmn"), LineKind.TELLING)
    assert len(reasons(support({f"name_{c}{c}x": 1.0 for c in "abcdefghijklmn"}, line), [])) == MOST_WHY


def test_nothing_speaks_for_a_card_without_support() -> None:
    assert reasons(Support(), []) == ()
