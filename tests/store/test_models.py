"""The tables of a knowledge file."""

from __future__ import annotations

import inspect
import sqlite3
from typing import Any

import pytest
from peewee import ForeignKeyField, Model

from ascend_kb.store import models
from ascend_kb.store.models import APPLICATION_ID, CONTENT, FORMAT_VERSION, INDEX_WEIGHTS, TABLES, CardIndex
from tests.conftest import BUNDLE


def test_every_model_is_a_table_of_the_file() -> None:
    defined = {
        model
        for _, model in inspect.getmembers(models, inspect.isclass)
        if issubclass(model, Model) and model.__module__ == models.__name__
    }
    assert defined == set(TABLES)
    assert len(set(TABLES)) == len(TABLES)
    assert set(CONTENT) < set(TABLES)


def test_the_mark_of_the_file_spells_our_name() -> None:
    assert APPLICATION_ID.to_bytes(4, "big") == b"ASKB"
    connection = sqlite3.connect(f"file:{BUNDLE}?mode=ro", uri=True)
    try:
        marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    finally:
        connection.close()
    assert marks == [APPLICATION_ID, FORMAT_VERSION]


def test_every_column_of_the_index_has_a_weight() -> None:
    columns = [name for name in CardIndex._meta.fields if name != "rowid"]
    assert len(INDEX_WEIGHTS) == len(columns)
    assert columns[:2] == ["title", "phrasings"]
    assert max(INDEX_WEIGHTS) == INDEX_WEIGHTS[0]


@pytest.mark.parametrize("model", CONTENT, ids=lambda model: model.__name__)
def test_models_are_bound_to_no_database(model: Any) -> None:
    assert model._meta.database is None


@pytest.mark.parametrize("model", CONTENT, ids=lambda model: model.__name__)
def test_links_between_tables_can_be_looked_up(model: Any) -> None:
    keys = model._meta.primary_key
    first = keys.field_names[0] if hasattr(keys, "field_names") else keys.name
    for name, field in model._meta.fields.items():
        if isinstance(field, ForeignKeyField):
            assert field.index or name == first, name
