"""Sealed tables and the trail take no change, whatever the SQL."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Table

from data import schema
from data.store import content
from data.store.errors import StoreError
from data.store.store import Store
from tests.studies.small_study import Small

GUARDED = [*schema.SEALED, schema.trail]
NEVER = "never_changed"


def rows(store: Store, table: Table) -> list[Any]:
    with store.reading() as connection:
        return list(connection.execute(sa.select(table).order_by(sa.text("rowid"))))


def attempt(store: Store, statement: str) -> None:
    with store.writing("tests", "attack") as (connection, _):
        connection.exec_driver_sql(statement)


def every_table(argument: str = "table") -> pytest.MarkDecorator:
    return pytest.mark.parametrize(argument, GUARDED, ids=lambda table: table.name)


def test_the_tables_that_matter_are_sealed() -> None:
    assert {table.name for table in schema.SEALED} >= {
        "study",
        "rater",
        "conversation",
        "unit",
        "judge",
        "judgement",
        "draft",
        "unit_commit",
        "rating",
        "exposure",
        "response",
        "erasure",
    }


@every_table()
def test_an_update_is_refused(full: Small, table: Table) -> None:
    before = rows(full.store, table)
    assert before
    with pytest.raises(StoreError, match=NEVER):
        attempt(
            full.store, f"UPDATE {table.name} SET {table.columns.keys()[-1]} = {table.columns.keys()[-1]}"
        )
    assert rows(full.store, table) == before


@every_table()
def test_a_delete_is_refused(full: Small, table: Table) -> None:
    before = rows(full.store, table)
    assert before
    with pytest.raises(StoreError, match=NEVER):
        attempt(full.store, f"DELETE FROM {table.name}")
    assert rows(full.store, table) == before


@every_table()
@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE"])
def test_replacing_a_row_is_refused(full: Small, table: Table, verb: str) -> None:
    before = rows(full.store, table)
    assert before
    with pytest.raises(StoreError, match=NEVER):
        attempt(full.store, f"{verb} INTO {table.name} SELECT * FROM {table.name} LIMIT 1")
    assert rows(full.store, table) == before


@every_table()
def test_an_upsert_is_refused(full: Small, table: Table) -> None:
    last, key = table.columns.keys()[-1], next(iter(table.primary_key)).name
    with pytest.raises(StoreError, match=NEVER):
        attempt(
            full.store,
            f"INSERT INTO {table.name} SELECT * FROM {table.name} WHERE true LIMIT 1 ON CONFLICT ({key}) DO "
            f"UPDATE SET {last} = {last}",
        )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE content SET text = 'other words'",
        "UPDATE content SET salt = x'00'",
        "UPDATE content SET text = 'other words', salt = NULL",
        "UPDATE content SET text = NULL, salt = x'00'",
        "UPDATE content SET id = id + 1000",
        "UPDATE content SET text = NULL, salt = NULL, id = id + 1000",
        "DELETE FROM content",
        "UPDATE content SET conversation_id = NULL",
        "UPDATE content SET text = NULL, salt = NULL, conversation_id = conversation_id + 1",
        "INSERT OR REPLACE INTO content SELECT id, conversation_id, salt, 'other words' FROM content LIMIT 1",
    ],
)
def test_text_cannot_be_changed_or_deleted(full: Small, statement: str) -> None:
    before = rows(full.store, schema.content)
    with pytest.raises(StoreError, match=NEVER):
        attempt(full.store, statement)
    assert rows(full.store, schema.content) == before


def test_text_can_be_erased(small: Small) -> None:
    with small.store.writing("tests", "erase") as (connection, entry):
        content.erase(entry, connection, 1, "asked for")
    assert tuple(rows(small.store, schema.content)[0]) == (1, 1, None, None)


def test_a_failure_cannot_carry_a_label(full: Small) -> None:
    row = {**rows(full.store, schema.judgement)[0]._mapping, "replicate": 7, "status": "failed"}
    with (
        pytest.raises(StoreError, match="change_refused") as refused,
        full.store.writing("tests", "attack") as (_, entry),
    ):
        entry.write(schema.judgement, row)
    assert refused.value.facts["trouble"] == "check constraint failed"


def test_cannot_rate_cannot_stand_beside_a_label(full: Small) -> None:
    row = {**rows(full.store, schema.rating)[0]._mapping, "event": "other", "cannot_rate": "unreadable"}
    with (
        pytest.raises(StoreError, match="change_refused") as refused,
        full.store.writing("tests", "attack") as (_, entry),
    ):
        entry.write(schema.rating, row)
    assert refused.value.facts["trouble"] == "check constraint failed"
