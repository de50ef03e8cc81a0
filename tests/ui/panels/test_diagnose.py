"""The diagnose pane by itself: what it shows in each state, and what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ascend_kb.core.diagnosis import Band
from ascend_kb.ui.models.results import RowKind
from ascend_kb.ui.panels import diagnose as module
from ascend_kb.ui.panels.diagnose import DiagnosePanel
from tests.gui import CTRL, KEY
from tests.logs import GUIDED, LIKELY, RELATED, SIGNED, UNKNOWN, answer, asking

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ascend_kb.app.diagnosis_process import Answer
    from ascend_kb.app.library import Library


@pytest.fixture
def panel(qtbot: QtBot) -> DiagnosePanel:
    give = [QAction("Open a log…"), QAction("Paste a log")]
    give[0].setShortcut("Ctrl+Shift+D")
    made = DiagnosePanel(give, QAction("Copy the draft"))
    qtbot.addWidget(made)
    made._actions = give  # type: ignore[attr-defined]  # kept alive
    made.resize(700, 700)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(qtbot: QtBot, panel: DiagnosePanel, found: Answer, name: str = "my.log") -> None:
    panel.begin(name)
    with qtbot.waitSignal(panel.log.filled):
        panel.show_answer(found)


def row_of(panel: DiagnosePanel, kind: RowKind) -> int:
    return panel.results.first(kind)


def choose(panel: DiagnosePanel, row: int) -> None:
    panel.list.setCurrentIndex(panel.results.index(row, 0))


# --- states ----------------------------------------------------------------------------------------------------------


def test_empty_it_says_what_to_do(panel: DiagnosePanel) -> None:
    hint = panel.log.hint
    for word in ("Ctrl+V", "drop", "Ctrl+Shift+D", "20 MB", "Nothing leaves this computer"):
        assert word in hint
    assert panel.heading.text() == "Diagnose a log"
    assert not panel.list.isVisible()
    assert not panel.progress.isVisible()


def test_work_that_takes_long_is_shown_with_a_way_to_stop_it(
    qtbot: QtBot, panel: DiagnosePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel._late.setInterval(1)
    panel.begin("big.log")
    assert panel.heading.text() == "big.log"
    assert not panel.progress.isVisible()
    qtbot.waitUntil(panel.progress.isVisible)
    assert panel.progress.maximum() == 0  # how long it takes is not known yet
    panel.show_progress(250, 1000)
    assert (panel.progress.value(), panel.progress.maximum()) == (250, 1000)
    with qtbot.waitSignal(panel.cancel_requested):
        panel.cancel_button.click()
    panel.show_nothing()
    assert not panel.progress.isVisible()
    assert "Ctrl+V" in panel.log.hint


def test_quick_work_shows_no_progress(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    panel._late.setInterval(20)
    show(qtbot, panel, answer(library, SIGNED))
    assert not panel._late.isActive()
    assert not panel.progress.isVisible()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (SIGNED, "● Same signature · 1 card"),
        (LIKELY, "◐ Likely · 1 card"),
        (RELATED, "◌ No confident match"),
        (UNKNOWN, "◌ No confident match"),
    ],
)
def test_the_verdict_is_a_band_in_words(
    qtbot: QtBot, library: Library, panel: DiagnosePanel, text: str, verdict: str
) -> None:
    found = answer(library, text)
    show(qtbot, panel, found)
    assert panel.verdict.text() == verdict
    assert panel.meaning.text()
    assert "%" not in panel.verdict.text() + panel.meaning.text()
    assert panel.copy_button.isVisible() is (not found.diagnosis.band.answers)
    assert panel.log.toPlainText() == text.rstrip("\n")


def test_several_cards_are_counted(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    found = answer(library, SIGNED)
    match = found.diagnosis.matches[0]
    others = (match, match, match._replace(band=Band.RELATED))
    show(qtbot, panel, found._replace(diagnosis=found.diagnosis._replace(matches=others)))
    assert panel.verdict.text() == "● Same signature · 2 cards"


def test_the_heading_says_what_was_read_and_how(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    found = answer(library, SIGNED)._replace(size=3_400_000)
    show(qtbot, panel, found._replace(diagnosis=found.diagnosis._replace(encoding="gb18030", cut=True)))
    heading = panel.heading.toolTip()
    for part in ("my.log", "3 lines", "3.4 MB", "GB18030", "larger than 20 MB"):
        assert part in heading
    show(qtbot, panel, found._replace(excerpt=found.excerpt._replace(is_whole=False, lines=12_345)))
    assert "12,345 lines" in panel.heading.toolTip()
    assert "parts are shown" in panel.heading.toolTip()


@pytest.mark.parametrize(("size", "said"), [(0, "0.1 kB"), (1, "0.1 kB"), (45_678, "45.7 kB"), (20_000_000, "20.0 MB")])
def test_sizes_are_said_in_plain_units(size: int, said: str) -> None:
    assert module._amount(size) == said


def test_a_hostile_name_is_text_everywhere(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    name = "<h1>x</h1>&lt;<img src='file:///etc/passwd'>.log"
    show(qtbot, panel, answer(library, SIGNED), name)
    assert panel.heading.textFormat() is Qt.TextFormat.PlainText
    document = QTextDocument()
    document.setHtml(panel.heading.toolTip())
    assert name == panel.heading.accessibleName().partition(" · ")[0]
    assert name in document.toPlainText()
    assert "<img" not in document.toHtml()


def test_a_new_log_takes_the_old_answer_away(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    panel.begin("other.log")
    assert panel.answer is None
    assert panel.results.rowCount() == 0
    assert not panel.list.isVisible()
    assert panel.log.toPlainText() == ""
    assert "is being read" in panel.log.hint


def test_the_border_stays_where_the_user_left_it(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    panel._split.setSizes([150, 500])
    moved = panel._split.sizes()
    show(qtbot, panel, answer(library, UNKNOWN))
    assert panel._split.sizes() == moved


@pytest.mark.parametrize("text", ["", SIGNED])
def test_it_changes_its_language_while_it_is_shown(
    qtbot: QtBot, library: Library, panel: DiagnosePanel, text: str, request: pytest.FixtureRequest
) -> None:
    if text:
        show(qtbot, panel, answer(library, text))
        choose(panel, 0)
    request.getfixturevalue("chinese")
    panel.retranslate()
    assert not panel.cancel_button.text().isascii()
    if text:
        assert panel.verdict.text().startswith("● 特征一致")
        assert panel.list.current() is not None
        assert panel.log.marked
    else:
        assert "日志" in panel.log.hint


# --- choosing --------------------------------------------------------------------------------------------------------


def test_the_first_card_is_marked_in_the_log(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    with qtbot.waitSignal(panel.picked) as picked:
        show(qtbot, panel, answer(library, SIGNED))
        panel.select_first()
    assert str(picked.args[0].key) == "msopcom#54"
    qtbot.waitUntil(lambda: "RegisterAscendBinary" in " ".join(panel.log.marked))
    assert panel.log.textCursor().block().blockNumber() == 1


def test_a_fact_is_shown_in_the_log(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, UNKNOWN))
    choose(panel, row_of(panel, RowKind.FACT))
    assert panel.log.marked == ["507035"]


def test_without_a_choice_the_telling_line_is_in_view(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    found = answer(library, "nothing here\n" * 500 + UNKNOWN)
    show(qtbot, panel, found)
    assert panel.log.textCursor().block().text() == UNKNOWN.rstrip("\n")
    assert len(panel.log.extraSelections()) == 1


def test_arrows_pass_over_headings(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, GUIDED))
    panel.list.setFocus()
    visited = []
    for _ in range(panel.results.rowCount()):
        QTest.keyClick(panel.list, KEY.Key_Down)
        row = panel.list.current()
        assert row is not None
        visited.append(row.kind)
    assert RowKind.HEADING not in visited
    assert {RowKind.FACT, RowKind.DRAFT, RowKind.GUIDE} <= set(visited)
    for _ in range(panel.results.rowCount()):
        panel.move_selection(-1)
        row = panel.list.current()
        assert row is not None
        assert row.kind is not RowKind.HEADING


def test_enter_and_double_click_choose(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, UNKNOWN))
    choose(panel, row_of(panel, RowKind.DRAFT))
    for key in (KEY.Key_Return, KEY.Key_Enter):
        with qtbot.waitSignal(panel.chosen) as chosen:
            QTest.keyClick(panel.list, key)
        assert chosen.args[0].kind is RowKind.DRAFT
    fact = panel.results.index(row_of(panel, RowKind.FACT), 0)
    panel.list.scrollTo(fact)
    place = panel.list.visualRect(fact).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(panel.chosen) as chosen:
        QTest.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args[0].kind is RowKind.FACT


def test_a_click_asks_again_for_the_card_that_is_chosen_already(
    qtbot: QtBot, library: Library, panel: DiagnosePanel
) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    panel.select_first()
    place = panel.list.visualRect(panel.results.index(0, 0)).center()
    with qtbot.waitSignal(panel.picked):
        QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_paste_is_asked_for_from_log_and_results(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    for widget in (panel.log, panel.list):
        with qtbot.waitSignal(panel.paste_requested):
            QTest.keyClick(widget, KEY.Key_V, CTRL)


def test_words_of_a_card_are_known_for_cards_of_the_answer_alone(
    qtbot: QtBot, library: Library, panel: DiagnosePanel
) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    assert "RegisterAscendBinary" in " ".join(panel.matched_words("msopcom#54"))
    assert panel.matched_words("msopcom#1") == ()
    show(qtbot, panel, asking(library))
    assert panel.matched_words("msopcom#60") == ("507035",)


def test_every_control_has_a_name_and_is_reached_by_tab(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    for widget in panel.order():
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    for widget in (panel.log, panel.list, panel.progress, panel.leave_button):
        assert widget.accessibleName()
    with qtbot.waitSignal(panel.leave_requested):
        panel.leave_button.click()


def test_marks_follow_the_colours_of_the_system(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    panel.select_first()

    def colour() -> str:
        marks = panel.log.extraSelections()
        return marks[-1].format.background().color().name()

    before = colour()
    palette = panel.palette()
    palette.setColor(palette.ColorRole.Base, Qt.GlobalColor.black)
    panel.setPalette(palette)
    QApplication.sendEvent(panel, QEvent(QEvent.Type.PaletteChange))
    assert colour() != before


def test_rows_take_new_heights_in_a_new_width(qtbot: QtBot, library: Library, panel: DiagnosePanel) -> None:
    show(qtbot, panel, answer(library, SIGNED))
    first = panel.results.index(0, 0)
    wide = panel.list.visualRect(first).height()
    panel.resize(300, 700)
    qtbot.waitUntil(lambda: panel.list.visualRect(first).height() > wide)
    assert panel.list.horizontalScrollBar().maximum() == 0
