"""What of a card is searched: the texts of the index's columns, and their tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.pinyin import sound_tokens
from ascend_kb.core.text import searchable, tokenised
from ascend_kb.core.vocabulary import SectionId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.card import Card, Tag

_END = "\f"  # between the columns of a card's text


class Indexed(NamedTuple):
    """What the index holds of a card: the tokens of each column, and the text of all columns but the sound."""

    columns: tuple[str, ...]
    text: str


def indexed(card: Card, tags: Mapping[str, Tag]) -> Indexed:
    """Return what the index holds of a card."""
    fields = indexed_text(card, tags).values()
    text = searchable(_END.join(fields))  # all at once is faster, and the same, since nothing joins with the sign
    parts = text.split(_END)
    if len(parts) != len(fields):  # the sign stands in a text
        parts = [searchable(field) for field in fields]
        text = _END.join(parts)
    labels = [tags[tag].label.zh for tag in (*card.tags, *card.hardware)]
    return Indexed((*map(tokenised, parts), " ".join(sound_tokens([card.title.zh, *labels]))), text)


def indexed_text(card: Card, tags: Mapping[str, Tag]) -> dict[str, str]:
    """Return the text of each index column: what "the card contains this" means.

    That is title, summary, body, phrasings, tags, entities and changes, in both languages.
    """
    labels = [tags[tag] for tag in (*card.tags, *card.hardware)]
    bodies = list(card.sections.values())

    def sections(*wanted: SectionId) -> list[str]:
        return [body[section] for body in bodies for section in wanted if section in body]

    changes = [
        f"{c.repo}!{c.number} PR!{c.number} PR {c.number} {c.branch} {c.date} {c.title} {c.url}" for c in card.changes
    ]
    return {
        "title": f"{card.title.zh}\n{card.title.en}",
        "phrasings": "\n".join(text for texts in card.phrasings.values() for text in texts),
        "entities": "\n".join(
            [e.name for e in card.entities] + [x for t in labels for x in (t.id, t.label.zh, t.label.en)]
        ),
        "symptom": "\n".join([card.summary.zh, card.summary.en, *sections(SectionId.SYMPTOM)]),
        "recipe": "\n".join(sections(SectionId.RECIPE)),
        "rest": "\n".join([*sections(SectionId.CAUSE, SectionId.FIX, SectionId.EVIDENCE), *changes]),
    }
