"""The tables of a knowledge file.

Models are not bound to a database: every query names the one it runs on, so that several files can be open.
"""

from __future__ import annotations

from typing import Any

from peewee import (
    AutoField,
    BooleanField,
    CharField,
    CompositeKey,
    ForeignKeyField,
    IntegerField,
    Model,
    TextField,
)
from playhouse.sqlite_ext import FTS5Model, SearchField

APPLICATION_ID = 0x41534B42  # "ASKB"
FORMAT_VERSION = 2  # also PRAGMA user_version; raise it whenever a reader of the old format would misread the file

INDEX_WEIGHTS = (10.0, 8.0, 8.0, 4.0, 2.0, 1.0, 0.0)


class Meta(Model):
    """Facts about the file: knowledge version, as-of date, source digest ..."""

    name = CharField(primary_key=True)
    value = TextField()


class Source(Model):
    """The full text of every source file, so that a knowledge file can be rebuilt from itself."""

    path = CharField(primary_key=True)
    text = TextField()


class Repo(Model):
    """A repository with cards; ``id`` is its position."""

    id = AutoField()
    name = CharField(unique=True)
    owner = CharField()
    abbreviation = CharField(unique=True)
    title_zh = TextField()
    title_en = TextField()
    purpose_zh = TextField()
    purpose_en = TextField()
    declared = IntegerField()


class ForeignRepo(Model):
    """A repository that cards refer to."""

    id = AutoField()
    owner = CharField()
    name = CharField()


class Section(Model):
    """The name of a body section."""

    id = AutoField()
    slug = CharField(unique=True)
    zh = CharField()
    en = CharField()


class Tag(Model):
    """A component, failure class or hardware; ``id`` is its position."""

    id = AutoField()
    slug = CharField(unique=True)
    facet = CharField(index=True)
    zh = CharField()
    en = CharField()


class Card(Model):
    """A card. ``tag_line_*`` and ``latest_change`` are kept so that lists can be ordered by an index."""

    id = AutoField()
    repo = ForeignKeyField(Repo, backref="cards")
    number = IntegerField()
    title_zh = TextField(index=True)
    title_en = TextField(index=True)
    summary_zh = TextField()
    summary_en = TextField()
    outcome = CharField(index=True)
    evidence = CharField(index=True)
    outcome_rank = IntegerField(index=True)  # place in the vocabulary, for ordering
    evidence_rank = IntegerField(index=True)
    latest_change = CharField(index=True)
    tag_line_zh = TextField(index=True)
    tag_line_en = TextField(index=True)
    has_commands = BooleanField()
    signatures = TextField()  # JSON: list of lists of literals
    source = ForeignKeyField(Source, backref="cards", null=True)  # none for a card that was not written by hand

    class Meta:
        """One number stands once in a repository."""

        indexes = ((("repo", "number"), True),)


class CardSection(Model):
    """A body section in one language, as Markdown."""

    card = ForeignKeyField(Card, backref="sections")
    section = ForeignKeyField(Section)
    language = CharField()
    markdown = TextField()

    class Meta:
        """A section stands once in a language."""

        primary_key = CompositeKey("card", "section", "language")


class CardHtml(Model):
    """The document of a card, rendered when the file was built; trusted only in the program's own bundle."""

    card = ForeignKeyField(Card, backref="html")
    language = CharField()
    html = TextField()

    class Meta:
        """One document for a language."""

        primary_key = CompositeKey("card", "language")


class Ground(Model):
    """A claim and why it is believed."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="grounds")
    kind = CharField()
    evidence = CharField()
    zh = TextField()
    en = TextField()


class Change(Model):
    """A change (pull request) that concerns a card."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="changes")
    repo = CharField()
    number = IntegerField(index=True)
    branch = CharField()
    date = CharField()
    date_derived = BooleanField()
    state = CharField()
    relation = CharField()
    role = CharField()
    title = TextField()


class CardVersion(Model):
    """A version that a card affects (``side`` affected) or that has the fix (``side`` fixed)."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="versions")
    side = CharField()
    product = CharField()
    number = CharField(index=True)


class CardTag(Model):
    """A tag of a card; ``position`` keeps the order of the source."""

    card = ForeignKeyField(Card, backref="card_tags")
    tag = ForeignKeyField(Tag, backref="card_tags")
    position = IntegerField()

    class Meta:
        """A card has a tag once."""

        primary_key = CompositeKey("card", "tag")


class Entity(Model):
    """A name that cards mention."""

    id = AutoField()
    kind = CharField()
    name = CharField(index=True)

    class Meta:
        """A name stands once in a kind."""

        indexes = ((("kind", "name"), True),)


class CardEntity(Model):
    """An entity of a card; ``position`` keeps the order of the source."""

    card = ForeignKeyField(Card, backref="card_entities")
    entity = ForeignKeyField(Entity, backref="card_entities")
    position = IntegerField()

    class Meta:
        """A card names an entity once."""

        primary_key = CompositeKey("card", "entity")


class Related(Model):
    """Another card and why it is worth a look."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="related")
    target = ForeignKeyField(Card, backref="related_from")
    reason = CharField()
    zh = TextField()
    en = TextField()


class Reference(Model):
    """A source outside the knowledge."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="references")
    kind = CharField()
    repo = CharField()
    number = IntegerField()
    title_zh = TextField()
    title_en = TextField()


class Phrasing(Model):
    """The question as people ask it."""

    id = AutoField()
    card = ForeignKeyField(Card, backref="phrasings")
    language = CharField()
    text = TextField()


class Theme(Model):
    """A lesson that several cards share; ``id`` is its position."""

    id = AutoField()
    slug = CharField(unique=True)
    title_zh = TextField()
    title_en = TextField()
    summary_zh = TextField()
    summary_en = TextField()
    body_zh = TextField()
    body_en = TextField()


class ThemeCard(Model):
    """A card that a theme rests on; ``position`` keeps the order of the source."""

    theme = ForeignKeyField(Theme, backref="theme_cards")
    card = ForeignKeyField(Card, backref="theme_cards")
    position = IntegerField()

    class Meta:
        """A theme names a card once."""

        primary_key = CompositeKey("theme", "card")


class GuideEntry(Model):
    """A row of the troubleshooting guide; ``id`` is its position."""

    id = AutoField()
    slug = CharField(unique=True)
    symptom_zh = TextField()
    symptom_en = TextField()
    first_action_zh = TextField()
    first_action_en = TextField()


class GuideCard(Model):
    """A card that a guide entry leads to."""

    entry = ForeignKeyField(GuideEntry, backref="guide_cards")
    card = ForeignKeyField(Card, backref="guide_cards")
    position = IntegerField()

    class Meta:
        """An entry names a card once."""

        primary_key = CompositeKey("entry", "card")


class Word(Model):
    """The vocabulary: every word and every pair of CJK characters of the index, with the number of cards that hold it.

    Parts of identifiers and misspelt words are looked up here; ``sound`` is the pinyin of a pair, for homophones.
    """

    text = CharField(primary_key=True)
    cards = IntegerField()
    sound = CharField(index=True)

    class Meta:
        """Words are their own key."""

        without_rowid = True


class WordIndex(FTS5Model):
    """The trigrams of every word that is not CJK, without its underscores, so that parts of words are found."""

    text = SearchField(unindexed=True)
    bare = SearchField()

    class Meta:
        """Which word holds a trigram is all that is asked."""

        options = {"tokenize": "trigram", "detail": "none"}  # noqa: RUF012  (read by peewee)


class GlossaryTerm(Model):
    """A normalised term of the field; terms of the same concept are used for each other."""

    term = CharField(primary_key=True)
    concept = IntegerField(index=True)


class CardText(Model):
    """The normalised text of a card, for measuring how much of a long question it covers; columns end with ``\\f``."""

    card = ForeignKeyField(Card, primary_key=True)
    text = TextField()


class CardIndex(FTS5Model):
    """The full-text index: tokens of core.text; ``rowid`` is the card's id."""

    title = SearchField()
    phrasings = SearchField()
    entities = SearchField()
    symptom = SearchField()
    recipe = SearchField()
    rest = SearchField()
    sound = SearchField()

    class Meta:
        """Tokens are made by core.text; the text itself is not stored again."""

        options = {"tokenize": "ascii", "content": ""}  # noqa: RUF012  (read by peewee)


# What the same sources always give; rendered HTML and the inner tables of the index depend on library versions.
CONTENT: tuple[type[Any], ...] = (
    Meta, Source, Repo, ForeignRepo, Section, Tag, Card, CardSection, Ground, Change, CardVersion, CardTag,
    Entity, CardEntity, Related, Reference, Phrasing, Theme, ThemeCard, GuideEntry, GuideCard, Word, GlossaryTerm,
    CardText,
)  # fmt: skip
TABLES: tuple[type[Any], ...] = (*CONTENT, CardHtml, CardIndex, WordIndex)
