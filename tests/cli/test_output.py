"""Tables and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ascend_kb.cli.output import Progress, card_json, print_json, print_table
from ascend_kb.core.keys import CardKey
from ascend_kb.core.query import SearchQuery

if TYPE_CHECKING:
    from ascend_kb.app.library import Library


def test_columns_line_up_and_chinese_is_two_wide(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([["误报", "a", "last 列"], ["crash", "中文字", ""], ["", "", "x"]])
    assert capsys.readouterr().out == "误报   a       last 列\ncrash  中文字\n               x\n"


@pytest.mark.parametrize("rows", [[], [["alone"]]])
def test_small_tables_are_tables(rows: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    print_table(rows)
    assert capsys.readouterr().out == "".join(f"{row[0]}\n" for row in rows)


def test_json_is_readable_and_keeps_its_characters(capsys: pytest.CaptureFixture[str]) -> None:
    value = [{"key": "a#1", "score": 1234.5, "title": '误报 "x" \\ \n'}]
    print_json(value)
    out = capsys.readouterr().out
    assert json.loads(out) == value
    assert "误报" in out
    assert "1234.5" in out
    assert out.endswith("]\n")


def test_a_card_as_json_holds_what_the_card_holds(library: Library) -> None:
    card = library.card(CardKey("msopcom", 57))
    assert card is not None
    made = card_json(card, library.catalog, "en")
    assert made["title"] == {"zh": card.title.zh, "en": card.title.en}
    assert (made["key"], made["repo"], made["source_url"]) == ("msopcom#57", "msopcom", card.source_url)
    assert made["sections"] == {section.value: text for section, text in card.body("en").items()}
    assert [(c["repo"], c["number"], c["date"]) for c in made["changes"]] == [
        (c.repo, c.number, c.date or None) for c in card.changes
    ]
    assert made["versions"]["fixed"] == [str(version) for version in card.fixed]
    assert made["tags"] == list(card.tags)
    assert made["tag_labels"]["false-positive"] == {"zh": "误报", "en": "False positive"}
    assert made["related"][0]["key"] == str(card.related[0].key)


def test_what_a_card_does_not_know_is_null_in_json_and_never_an_empty_text(library: Library) -> None:
    changes, references = [], []
    for row in library.select(SearchQuery()).rows(0, 1000):
        card = library.card(row.key)
        assert card is not None
        made = card_json(card, library.catalog, "zh")
        changes += made["changes"]
        references += made["references"]
    assert all("" not in entry.values() and 0 not in entry.values() for entry in references)
    assert all("" not in change.values() for change in changes)
    assert None in [change["date"] for change in changes]
    assert None in [change["branch"] for change in changes]


def test_progress_is_one_line_that_is_gone_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Progress("cards") as progress:
        for done in (1, 2, 100, 200):
            progress.show(done, 200)
    shown = capsys.readouterr().err
    assert "\n" not in shown
    assert shown.split("\r")[1:] == [
        f"[{'.' * 30}] 1 / 200 cards\x1b[K", f"[{'#' * 30}] 200 / 200 cards\x1b[K", "\x1b[K",
    ]  # fmt: skip


def test_progress_is_silent_where_no_terminal_is(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("cards") as progress:
        progress.show(1, 1)
    assert capsys.readouterr() == ("", "")
