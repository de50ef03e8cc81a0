"""What counts as a log when something is dropped or pasted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl

from ascend_kb.app.diagnosis_process import Log
from ascend_kb.ui.diagnosing import can_take, log_of


def data(text: str | None = None, *addresses: str, formats: dict[str, bytes] | None = None) -> QMimeData:
    made = QMimeData()
    if text is not None:
        made.setText(text)
    if addresses:
        made.setUrls([QUrl(address) for address in addresses])
    for name, content in (formats or {}).items():
        made.setData(name, content)
    return made


def test_a_file_is_read_from_its_place_and_the_first_of_several_is_taken() -> None:
    given = data(None, "file:///logs/a%20b%23c.log", "file:///logs/other.log")
    assert log_of(given) == (Log(path=Path("/logs/a b#c.log")), "a b#c.log")


def test_text_is_taken_as_bytes() -> None:
    assert log_of(data("错误\n")) == (Log(data="错误\n".encode()), "Pasted text")


def test_text_in_a_known_encoding_is_preferred() -> None:
    given = data(formats={"text/plain;charset=utf-8": "错".encode(), "text/plain": b"?"})
    assert log_of(given) == (Log(data="错".encode()), "Pasted text")


@pytest.mark.parametrize("given", [data(), data(""), data(" \n\t"), data(None, "https://example.com/a.log")])
def test_what_holds_neither_text_nor_file_is_no_log(given: QMimeData) -> None:
    assert log_of(given) is None


def test_what_is_dragged_is_told_before_it_is_dropped() -> None:
    assert can_take(data("x"))
    assert can_take(data(None, "file:///logs/a.log"))
    assert not can_take(data())
    assert not can_take(data(formats={"image/png": b"x"}))
    assert not can_take(data(None, "https://example.com/a.log"))
