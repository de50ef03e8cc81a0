"""Faults that are not ours say what is wrong and what to do."""

from __future__ import annotations

from ascend_kb.core.errors import KBError


def test_an_error_shows_its_message_and_keeps_the_hint_apart() -> None:
    error = KBError("kb.sqlite is empty", "open another file")
    assert (str(error), error.message, error.hint) == ("kb.sqlite is empty", "kb.sqlite is empty", "open another file")


def test_a_hint_may_be_missing() -> None:
    assert KBError("gone").hint == ""
