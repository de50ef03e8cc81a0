"""What all systems of the comparison get: the same texts by field, and the questions."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.app.checking import SYNTHETIC
from ascend_kb.app.evaluation import Question, read_questions
from ascend_kb.app.synthesis import synthetic
from ascend_kb.core.vocabulary import SectionId
from ascend_kb.store.knowledge import KnowledgeFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.card import Card, Tag

QUESTIONS = Path(__file__).resolve().parent.parent / "data" / "queries.jsonl"
BATCH = 1_000


class Fields(NamedTuple):
    """The text of a card by field, in both languages."""

    title: str
    phrasings: str
    entities: str
    symptom: str  # with the summary
    recipe: str
    rest: str


WEIGHTS = Fields("10", "8", "8", "4", "2", "1")  # of every system that can weigh fields


class Batch:
    """Some cards: ``first`` is the row number of the first one. Chinese is cut by jieba when first asked for."""

    def __init__(self, first: int, fields: list[Fields]) -> None:
        self.first = first
        self.fields = fields
        self.seconds_to_cut = 0.0
        self._words: list[list[list[str]]] | None = None

    def words(self) -> list[list[list[str]]]:
        """Return the words of every field of every card."""
        if self._words is None:
            started = time.perf_counter()
            self._words = [[cut(text) for text in fields] for fields in self.fields]
            self.seconds_to_cut = time.perf_counter() - started
        return self._words


def cut(text: str) -> list[str]:
    """Return the words of a text, Chinese cut by jieba as it advises for search engines."""
    import jieba

    return [word for word in jieba.lcut_for_search(text.lower()) if any(map(str.isalnum, word))]


def fields_of(card: Card, tags: dict[str, Tag]) -> Fields:
    """Return the text of a card: title, summary, body, phrasings, tags, entities and changes."""
    labels = [tags[tag] for tag in (*card.tags, *card.hardware)]

    def parts(*wanted: SectionId) -> list[str]:
        return [body[section] for body in card.sections.values() for section in wanted if section in body]

    return Fields(
        title=f"{card.title.zh}\n{card.title.en}",
        phrasings="\n".join(text for texts in card.phrasings.values() for text in texts),
        entities="\n".join([e.name for e in card.entities] + [x for t in labels for x in (t.id, *t.label)]),
        symptom="\n".join([*card.summary, *parts(SectionId.SYMPTOM)]),
        recipe="\n".join(parts(SectionId.RECIPE)),
        rest="\n".join(
            [*parts(SectionId.CAUSE, SectionId.FIX, SectionId.EVIDENCE)]
            + [f"{c.repo}!{c.number} {c.branch} {c.date} {c.title}" for c in card.changes]
        ),
    )


class Corpus(NamedTuple):
    """The cards of a file made by ``ascend-kb synth``, made anew from its number of cards and its seed."""

    cards: int
    seed: int

    @classmethod
    def of(cls, file: Path) -> Corpus:
        """Return what a file holds.

        Raises:
            ValueError: it was not made by ``ascend-kb synth``.
        """
        opened = KnowledgeFile(file)
        try:
            made, *numbers = opened.meta["digest"].split()
        finally:
            opened.close()
        if made != SYNTHETIC:
            raise ValueError(f"{file} was not made by ascend-kb synth")
        count, seed = map(int, numbers)
        return cls(count, seed)

    def batches(self) -> Iterator[tuple[list[str], Batch]]:
        """Yield keys and texts of the cards."""
        knowledge = synthetic(self.cards, self.seed)
        tags = {tag.id: tag for tag in knowledge.tags}
        cards = iter(knowledge.cards)
        first = 1
        while part := list(itertools.islice(cards, BATCH)):
            yield [str(card.key) for card in part], Batch(first, [fields_of(card, tags) for card in part])
            first += len(part)


def questions(file: Path = QUESTIONS) -> list[Question]:
    """Return the questions of the comparison."""
    return read_questions(file.read_bytes(), str(file))
