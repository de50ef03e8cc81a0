"""What goes to the clipboard."""

from __future__ import annotations

import pytest

from ascend_kb.core.recipe import Copied
from ascend_kb.ui import clipboard
from tests.gui import clipboard as content

pytestmark = pytest.mark.usefixtures("_empty_clipboard")
TEXTS = ["x", "a\n\tb  \n\n", "a\r\nb", "误报", "a\u00a0b", "<b>&amp;</b>", "x" * 100_000, ""]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_plain_text_arrives_unchanged_and_alone(text: str) -> None:
    clipboard.put(Copied(text))
    assert content() == (text, "")


def test_rich_text_is_a_document_beside_the_plain_text() -> None:
    clipboard.put(Copied("误报", "<p>误报</p>"))
    assert content() == ("误报", '<html><head><meta charset="utf-8"></head><body><p>误报</p></body></html>')


def test_a_plain_copy_leaves_no_rich_text_of_the_one_before() -> None:
    clipboard.put(Copied("x", "<p>x</p>"))
    clipboard.put(Copied("y"))
    assert content() == ("y", "")
