"""What is written is what is read: every card comes back as it was."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.keys import CardKey
from ascend_kb.core.text import searchable
from ascend_kb.core.vocabulary import SectionId
from ascend_kb.sources.load import digest, load
from ascend_kb.store.database import read_sources
from ascend_kb.store.indexing import indexed_text
from ascend_kb.store.knowledge import KnowledgeFile
from ascend_kb.store.models import APPLICATION_ID, FORMAT_VERSION
from ascend_kb.store.writer import write
from tests.sources.sample import SAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ascend_kb.core.card import Card, Knowledge


@pytest.fixture(scope="module")
def knowledge(source_texts: dict[str, str]) -> Knowledge:
    """The real knowledge."""
    return load(source_texts)


@pytest.fixture(scope="module")
def written(knowledge: Knowledge, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that it was written to."""
    path: Path = tmp_path_factory.mktemp("written") / "kb.sqlite"
    html = {(card.key, "zh"): f"<p>{card.key}</p>" for card in knowledge.cards[:3]}
    write(knowledge, "the digest", html, path)  # type: ignore[arg-type]
    return path


@pytest.fixture(scope="module")
def file(written: Path) -> Iterator[KnowledgeFile]:
    opened = KnowledgeFile(written)
    yield opened
    opened.close()


def as_read(card: Card) -> Card:
    """Return a card as the store gives it back: repeated values once, empty languages left out."""
    return card._replace(
        tags=tuple(dict.fromkeys(card.tags)),
        hardware=tuple(dict.fromkeys(card.hardware)),
        entities=tuple(dict.fromkeys(card.entities)),
    )


def test_every_card_comes_back_as_it_was(knowledge: Knowledge, file: KnowledgeFile) -> None:
    assert list(file.cards()) == [as_read(card) for card in knowledge.cards]
    for card in knowledge.cards:
        assert file.card(card.key) == as_read(card)


def test_everything_beside_the_cards_comes_back(knowledge: Knowledge, file: KnowledgeFile) -> None:
    catalog = file.catalog
    assert catalog.repos == knowledge.repos
    assert catalog.foreign == knowledge.foreign
    assert catalog.section_names == knowledge.section_names
    assert catalog.tags == knowledge.tags
    assert file.themes() == knowledge.themes
    assert file.guide() == knowledge.guide
    assert file.meta["digest"] == "the digest"
    assert (file.meta["version"], file.meta["as_of"]) == (knowledge.version, knowledge.as_of)
    assert (file.meta["about_zh"], file.meta["about_en"]) == knowledge.about


def test_rendered_documents_are_kept_by_card_and_language(knowledge: Knowledge, file: KnowledgeFile) -> None:
    first, fourth = knowledge.cards[0].key, knowledge.cards[3].key
    assert file.html(first, "zh") == f"<p>{first}</p>"
    assert file.html(first, "en") is None
    assert file.html(fourth, "zh") is None


def test_the_file_is_marked_as_ours_and_needs_no_log(written: Path) -> None:
    connection = sqlite3.connect(written)
    marks = [
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version", "journal_mode")
    ]
    assert marks == [APPLICATION_ID, FORMAT_VERSION, "delete"]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_the_sources_inside_give_the_same_knowledge(knowledge: Knowledge, written: Path) -> None:
    texts = read_sources(written)
    assert load(texts) == knowledge
    assert digest(texts) == digest(knowledge.sources)


def test_all_that_belongs_to_a_card_is_searchable() -> None:
    knowledge = load(SAMPLE)
    card = knowledge.cards[0]
    tags = {tag.id: tag for tag in knowledge.tags}
    text = searchable("\n".join(indexed_text(card, tags).values()))
    parts = [
        *card.title, *card.summary, *card.phrasings["zh"], *card.phrasings["en"], "hook", "接口劫持", "API hooking",
        "a3", "Atlas A3", "malloc", "Ascend/msopcom!183", "PR!183", "PR 183", "2026-07-09",
        "https://gitcode.com/Ascend/msopcom/pull/183", *(card.sections["zh"][section] for section in SectionId),
    ]  # fmt: skip
    assert [part for part in parts if searchable(part) not in text] == []
    assert searchable("比对失败") not in text


def test_commands_are_noted(file: KnowledgeFile, knowledge: Knowledge) -> None:
    assert file.has_commands(CardKey("msopcom", 57))
    for card in knowledge.cards:
        fenced = "```bash" in card.sections["zh"][SectionId.RECIPE] or "```sh" in card.sections["zh"][SectionId.RECIPE]
        assert file.has_commands(card.key) is fenced, card.key
