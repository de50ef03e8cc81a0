"""A line that is cut where there is no room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ascend_kb.ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_long_text_is_cut_and_whole_in_tooltip_and_name(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    text = "a very long name of a log " * 10 + "<b>.log"
    label.resize(200, 20)
    label.say(text)
    label.show()
    assert "…" in label.text()
    assert label.fontMetrics().horizontalAdvance(label.text()) <= 200
    assert label.accessibleName() == text
    assert "&lt;b&gt;.log" in label.toolTip()
    assert label.textFormat() is Qt.TextFormat.PlainText
    label.resize(5000, 20)
    assert label.text() == text


def test_it_never_asks_for_the_width_of_its_text(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.say("x" * 5000)
    assert label.minimumSizeHint().width() < 5000
