"""The rows of a diagnosis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt

from ascend_kb.core.diagnosis import Band, Diagnosis, Span
from ascend_kb.core.facts import Fact, FactKind
from ascend_kb.ui.models.results import LONGEST, MOST_FACTS, ROW_ROLE, ResultsModel, Row, RowKind, kind_names
from tests.logs import GUIDED, LIKELY, RELATED, SIGNED, UNKNOWN, answer, asking

if TYPE_CHECKING:
    from ascend_kb.app.library import Library
    from tests.ui.models.conftest import Check


def over(found: Diagnosis | None) -> ResultsModel:
    model = ResultsModel()
    model.show(found)
    return model


def rows(model: ResultsModel) -> list[Row]:
    return [model.index(i, 0).data(ROW_ROLE) for i in range(model.rowCount())]


def kinds(model: ResultsModel) -> list[RowKind]:
    return [row.kind for row in rows(model)]


def headings(model: ResultsModel) -> list[str]:
    return [row.lines[0][0].text for row in rows(model) if row.kind is RowKind.HEADING]


@pytest.mark.parametrize("text", [SIGNED, RELATED, UNKNOWN])
def test_the_model_is_a_proper_one(check_model: Check, library: Library, text: str) -> None:
    model = over(answer(library, text).diagnosis)
    check_model(model)
    model.show(None)
    assert model.rowCount() == 0
    check_model(model)


def test_a_card_stands_with_its_reasons_and_where_they_are(library: Library) -> None:
    first = rows(over(answer(library, SIGNED).diagnosis))[0]
    assert first.kind is RowKind.MATCH
    assert str(first.key) == "msopcom#54"
    texts = [part.text for part in first.lines[1]]
    assert texts[0] == "Why:"
    assert "RegisterAscendBinary" in " ".join(texts)
    assert "line 2" in texts
    assert [part.style for part in first.lines[1]][1:3] == ["marked", "place"]
    assert first.spans
    assert all(SIGNED.startswith(word, span.start) for word, span in [("RegisterAscendBinary", first.spans[0])])
    assert first.words


def test_no_row_shows_a_score_or_a_percentage(library: Library) -> None:
    for text in (SIGNED, LIKELY, RELATED, UNKNOWN):
        found = answer(library, text).diagnosis
        shown = "\n".join(row.text for row in rows(over(found)))
        assert "%" not in shown
        assert not any(str(match.score) in shown for match in found.matches)


def test_the_best_band_stands_in_the_verdict_and_the_others_have_headings(library: Library) -> None:
    found = answer(library, SIGNED).diagnosis
    other = found.matches[0]._replace(band=Band.RELATED)
    model = over(found._replace(matches=(found.matches[0], other)))
    assert headings(model)[0] == "○ Related reading"
    assert kinds(model)[:3] == [RowKind.MATCH, RowKind.HEADING, RowKind.MATCH]


def test_what_differs_is_said(library: Library) -> None:
    match = next(row for row in rows(over(answer(library, RELATED).diagnosis)) if row.kind is RowKind.MATCH)
    found = answer(library, RELATED).diagnosis.matches[0]
    said = [part.text for line in match.lines for part in line if part.style == "differs"]
    assert said == [difference.text.en for difference in found.differs]


def test_where_nothing_matches_facts_guide_and_draft_stand_in_this_order(library: Library) -> None:
    model = over(answer(library, GUIDED).diagnosis)
    order = list(dict.fromkeys(kind for kind in kinds(model) if kind is not RowKind.HEADING))
    assert order[-3:] == [RowKind.GUIDE, RowKind.FACT, RowKind.DRAFT]
    guide = next(row for row in rows(model) if row.kind is RowKind.GUIDE)
    assert guide.guide == "torch-check-blocks-feature"
    assert guide.lines[1][0].text == "First:"


def test_codes_are_decoded_and_come_first(library: Library) -> None:
    facts = [row for row in rows(over(answer(library, UNKNOWN).diagnosis)) if row.kind is RowKind.FACT]
    first = [part.text for part in facts[0].lines[0]]
    assert first[:2] == ["code", "507035"]
    assert len(first[2]) > 10  # what it means
    assert first[-1] == "line 1"
    assert UNKNOWN[facts[0].spans[0].start : facts[0].spans[0].end] == "507035"


def test_the_draft_masks_private_data(library: Library) -> None:
    draft = rows(over(answer(library, UNKNOWN).diagnosis))[-1]
    assert draft.kind is RowKind.DRAFT
    assert "507035" in draft.text
    assert "10.1.2.3" not in draft.text


def test_a_question_leads_to_the_cards_that_share_a_code(library: Library) -> None:
    model = over(asking(library).diagnosis)
    assert kinds(model)[:3] == [RowKind.HEADING, RowKind.CHOICE, RowKind.CHOICE]
    heading, first, second = rows(model)[:3]
    assert heading.lines[1][0].text == "Which of these do you see?"
    assert [str(first.key), str(second.key)] == ["msopcom#54", "msopcom#60"]
    assert first.words == ("507035",)


def test_many_facts_are_cut_and_long_ones_are_shortened(library: Library) -> None:
    found = answer(library, UNKNOWN).diagnosis
    many = tuple(Fact(FactKind.NAME, "n" * 400, i + 1, i, i + 1, 1.0) for i in range(MOST_FACTS + 5))
    model = over(found._replace(facts=many))
    facts = [row for row in rows(model) if row.kind is RowKind.FACT]
    assert len(facts) == MOST_FACTS
    assert len(facts[0].lines[0][1].text) == LONGEST
    heading = next(row for row in rows(model) if row.text.startswith("What the log says"))
    assert str(MOST_FACTS) in heading.text


def test_headings_cannot_be_chosen_and_other_rows_can(library: Library) -> None:
    model = over(answer(library, GUIDED).diagnosis)
    for i, row in enumerate(rows(model)):
        chosen = bool(model.flags(model.index(i, 0)) & Qt.ItemFlag.ItemIsSelectable)
        assert chosen is (row.kind is not RowKind.HEADING)
    assert model.flags(QModelIndex()) is Qt.ItemFlag.NoItemFlags


def test_a_row_is_read_out_as_plain_text(library: Library) -> None:
    model = over(answer(library, SIGNED).diagnosis)
    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
        assert model.index(0, 0).data(role).startswith("msopcom#54 ")
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(QModelIndex()) is None


def test_rows_outside_are_none(library: Library) -> None:
    model = over(answer(library, SIGNED).diagnosis)
    assert model.row(-1) is None
    assert model.row(model.rowCount()) is None
    assert model.first(RowKind.DRAFT) == -1


@pytest.mark.usefixtures("chinese")
def test_rows_speak_the_language_of_the_interface(library: Library) -> None:
    model = over(answer(library, UNKNOWN).diagnosis)
    assert "日志" in headings(model)[0]
    assert set(kind_names()) == set(FactKind)
    assert kind_names()[FactKind.OPERATOR] != "operator"


def test_reasons_within_an_earlier_one_are_not_said_twice(library: Library) -> None:
    found = answer(library, SIGNED).diagnosis
    match = found.matches[0]
    whole = match.why[0]._replace(text="ABC DEF", span=Span(1, 10, 17))
    part = match.why[0]._replace(text="DEF", span=Span(1, 14, 17))
    row = rows(over(found._replace(matches=(match._replace(why=(whole, part)),))))[0]
    assert [text.text for text in row.lines[1] if text.style == "marked"] == ["ABC DEF"]
    assert row.spans == (Span(1, 10, 17), Span(1, 14, 17))
