"""What the cards hold of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.keys import CardKey
from ascend_kb.core.logterms import Term, terms
from ascend_kb.store import evidence
from ascend_kb.store.evidence import NOBODY, EvidenceFile

if TYPE_CHECKING:
    from ascend_kb.store.knowledge import KnowledgeFile

KEY = CardKey("msopcom", 20)


@pytest.fixture(scope="module")
def held(bundle: KnowledgeFile) -> EvidenceFile:
    return EvidenceFile(bundle)


def test_holders_of_a_name(held: EvidenceFile) -> None:
    [term] = terms("aclrtMallocHost")
    found = held.holders(term)
    assert set(held.ids([KEY]).values()) <= found.telling <= found.anywhere
    assert found.number == len(found.anywhere)


def test_a_beginning_finds_the_words_that_go_on(held: EvidenceFile) -> None:
    whole, beginning = (held.holders(Term("aclrtmalloc", prefix=prefix)) for prefix in (False, True))
    assert whole.anywhere < beginning.anywhere


@pytest.mark.parametrize("word", ["zzqxj", '"', "AND", "a*", "(", "误"])
def test_any_word_can_be_asked_for(held: EvidenceFile, word: str) -> None:
    assert held.holders(Term(word)).anywhere >= frozenset()


def test_nobody_holds_an_unknown_word(held: EvidenceFile) -> None:
    assert held.holders(Term("zzqxj")) == NOBODY


def test_common_terms_are_looked_for_among_cards_only(held: EvidenceFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "COMMON", 1)
    term = Term("host")
    assert held.holders(term).anywhere == frozenset()
    assert held.holders(term).number > 1
    [card] = held.ids([KEY]).values()
    assert held.holders_among(term, [card, 10_000]).anywhere == {card}
    assert card in held.together([term, Term("aclrtmallochost")], 5)


def test_entities_are_found_by_their_exact_names(held: EvidenceFile) -> None:
    found = held.named(["swiglu_mode=3", "swiglu_mode=4", "'"])
    assert list(found) == ["swiglu_mode=3"]
    assert CardKey("op-plugin", 476) in held.keys(found["swiglu_mode=3"]).values()


def test_keys_and_ids_belong_together(held: EvidenceFile) -> None:
    ids = held.ids([KEY, CardKey("nosuch", 1)])
    assert held.keys(ids.values()) == {ids[KEY]: KEY}


def test_signatures_of_all_cards_or_of_some(held: EvidenceFile, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = held.signatures([])
    assert all(literals for signatures in everything.values() for literals in signatures)
    monkeypatch.setattr(evidence, "SCANNED", 1)
    some = list(everything)[:2]
    assert held.signatures(some) == {card: everything[card] for card in some}
    assert held.signatures([]) == {}
