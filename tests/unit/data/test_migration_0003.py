"""A store of the form before judge calls comes into the new form whole: every row under its id, and a trail
that verifies.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy import event

from data import schema
from data.keeping.verify import verify
from data.record.quotation_counts import count_quotations
from data.store import migrate, triggers
from data.store.errors import StoreError
from data.store.store import Store, _prepare_connection, open_store
from tests import small_study
from tests.unit.data import forms

BEFORE = "0002"


@pytest.fixture
def old(store_path: Path, tmp_path: Path) -> dict[str, list[Any]]:
    """The tables of a small study, with judgements and a rater's answers, as the program before this one kept
    them. Closed.
    """
    engine = sa.create_engine(f"sqlite:///{store_path}")
    event.listen(engine, "connect", partial(_prepare_connection, busy_seconds=1))
    with engine.connect() as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        command.upgrade(config, BEFORE)
        tables = set(sa.inspect(connection).get_table_names())
        for statement in triggers._statements().values():
            if statement.split(" ON ")[1].split()[0] in tables:
                connection.exec_driver_sql(statement)
        connection.commit()
    store = Store(engine, store_path)
    new_store = open_store(f"sqlite:///{tmp_path / 'made.sqlite'}")
    small = small_study.make(new_store, tmp_path)
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    new_store.close()
    with closing(sqlite3.connect(new_store.path, isolation_level=None)) as raw:
        forms.back_to_0010(raw)
    with engine.connect() as connection:
        connection.exec_driver_sql("ATTACH ? AS made", (str(new_store.path),))
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        for name in sorted(tables - {"alembic_version"}):
            connection.exec_driver_sql(f"INSERT INTO {name} SELECT * FROM made.{name}")
        connection.commit()
    rows_before = rows(store, tables - {"alembic_version"})
    store.close()
    assert len(rows_before["judgement"]) == 24
    return rows_before


def rows(store: Store, tables: set[str]) -> dict[str, list[Any]]:
    with store.reading() as connection:
        return {
            name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {name}")]
            for name in sorted(tables)
        }


def test_no_row_is_lost_or_changed_and_the_trail_verifies(
    old: dict[str, list[Any]], store_path: Path
) -> None:
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        entries = old.pop("trail")
        assert {name: forms.rows_as_in_0010(connection, name) for name in old} == old
        assert forms.rows_as_in_0010(connection, "trail")[:-1] == entries
        verification = verify(connection)
        assert (verification.problems, verification.entries) == ([], len(entries) + 1)
        assert (
            connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == migrate.head()
        )
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    store.close()


def test_ids_go_on_where_they_were(
    old: dict[str, list[Any]], store_path: Path, raw: sqlite3.Connection
) -> None:
    open_store(f"sqlite:///{store_path}").close()
    assert raw.execute("SELECT seq FROM sqlite_sequence WHERE name = 'judgement'").fetchall() == [(24,)]


def test_the_new_table_is_guarded_like_the_old(old: dict[str, list[Any]], store_path: Path) -> None:
    store = open_store(f"sqlite:///{store_path}")
    for statement in ("UPDATE judgement SET label = 'NO'", "DELETE FROM judgement"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()


def test_a_failure_from_before_can_be_answered_now_and_a_label_cannot(
    old: dict[str, list[Any]], store_path: Path
) -> None:
    store = open_store(f"sqlite:///{store_path}")
    table = schema.judgement
    with store.reading() as connection:
        failed = connection.execute(sa.select(table).where(table.c.status == "truncated")).one()._mapping
        label = connection.execute(sa.select(table).where(table.c.status == "ok").limit(1)).one()._mapping
    with store.writing("tests", "answer") as (connection, entry):
        entry.write(table, {**failed, "status": "ok", "label": "NO"})
        count_quotations(connection)
    for again in ({**failed, "status": "ok", "label": "NO"}, {**label, "label": "NO"}):
        with (
            pytest.raises(StoreError, match="refused the change"),
            store.writing("tests", "attack") as (_, entry),
        ):
            entry.write(table, again)
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()
