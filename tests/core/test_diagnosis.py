"""The bands of a diagnosis."""

from __future__ import annotations

import pickle

from ascend_kb.core.diagnosis import BAND_LABELS, Band, Diagnosis, Match, Span, Why
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual


def test_bands_stand_from_sure_to_none_and_two_of_them_answer() -> None:
    assert [band.value for band in Band] == ["signature", "likely", "related", "none"]
    assert [band for band in Band if band.answers] == [Band.SIGNATURE, Band.LIKELY]


def test_every_band_has_a_label_of_its_own_in_both_languages() -> None:
    assert set(BAND_LABELS) == set(Band)
    for i in (0, 1):
        labels = [label[i] for label in BAND_LABELS.values()]
        assert len(set(labels)) == len(labels)
        assert all(labels)


def test_a_diagnosis_can_be_sent_to_another_process() -> None:
    why = Why("signature", "out of bounds", Span(3, 20, 33), "out of bounds")
    match = Match(CardKey("msopcom", 57), Band.SIGNATURE, Bilingual("标题", "Title"), 1.5, (why,))
    found = Diagnosis(Band.SIGNATURE, (match,), (), "a log \ud800", "utf-8", cut=True)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301  (made above)
