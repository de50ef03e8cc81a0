"""HTML of a knowledge file is shown as it is only where it was made when our own bundle was built."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from ascend_kb.app import paths, trust
from ascend_kb.app.library import Library
from ascend_kb.core.keys import CardKey
from tests.conftest import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

KEY = CardKey("msopcom", 57)
EVIL = '<p>evil</p><img src="file:///etc/passwd"><a href="javascript:alert(1)">x</a>'


def set_html(path: Path, html: str) -> None:
    """Put other HTML in place of every document that a knowledge file holds."""
    connection = sqlite3.connect(path)
    connection.execute("UPDATE cardhtml SET html = ?", (html,))
    connection.commit()
    connection.close()


def shown(path: Path) -> str:
    """Return what the detail pane shows of one card."""
    library = Library(path)
    card = library.card(KEY)
    assert card is not None
    content = library.document(card, "zh").content
    library.close()
    return content


def test_tampered_html_is_not_shown(own_copy: Path, sample_kb: Path) -> None:
    for path in (own_copy, sample_kb):
        set_html(path, "")
        live = shown(path)
        assert "CeilByAlignSize" in live
        set_html(path, EVIL)
        assert shown(path) == live


def test_listed_html_is_shown_as_it_is(own_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marked = shown(own_copy) + "<p>made when the bundle was built</p>"
    set_html(own_copy, marked)
    assert shown(own_copy) != marked
    trust.write_list([marked], trust.list_file(own_copy))
    assert shown(own_copy) != marked  # a list beside another file counts for nothing
    monkeypatch.setattr(paths, "bundled_knowledge", lambda: own_copy)
    assert shown(own_copy) == marked


@pytest.mark.parametrize("data", [None, b"", b"\0\0", b"{}", b'"x"', b"3", b"[1, [2], null]", b"\xff"])
def test_a_missing_or_damaged_list_trusts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    bundle = tmp_path / "kb.sqlite"
    if data is not None:
        trust.list_file(bundle).write_bytes(data)
    monkeypatch.setattr(paths, "bundled_knowledge", lambda: bundle)
    assert trust.is_ours("<p>x</p>") is False


def test_every_document_of_the_bundle_is_listed_and_nothing_else() -> None:
    connection = sqlite3.connect(BUNDLE)
    documents = [row[0] for row in connection.execute("SELECT html FROM cardhtml")]
    connection.close()
    listed = json.loads(trust.list_file(BUNDLE).read_text("ascii"))
    assert len(documents) >= 50
    assert sorted(map(trust.fingerprint, documents)) == listed, "run `make kb`"
    assert all(trust.is_ours(html) for html in documents)
    assert not trust.is_ours(documents[0] + " ")
