"""A store of the form before anchors comes into the new form whole, and its new table is guarded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import anchors, studies
from data.store.errors import StoreError
from data.store.store import open_store
from data.store.trail import NEW_FORM
from tests import small_study
from tests.unit.data import forms


@pytest.fixture
def before(store_path: Path, tmp_path: Path) -> list[tuple[object, ...]]:
    """A small study as the program before this one kept it; its trail. Closed."""
    store = open_store(f"sqlite:///{store_path}")
    small_study.make(store, tmp_path).desk().rate(2)
    store.close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        for table in ("adoption", "anchor", "anchor_set"):
            raw.execute(f"DROP TABLE {table}")
        forms.back_to_0006(raw)
        raw.execute("UPDATE alembic_version SET version_num = '0005'")
        return raw.execute("SELECT * FROM trail").fetchall()


def test_nothing_is_lost_and_the_new_tables_are_there_and_guarded(
    before: list[tuple[object, ...]], store_path: Path
) -> None:
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("tests", "put") as (connection, entry):
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before, NEW_FORM)
        study = studies.find(connection, "small")
        assert study is not None
        anchors.freeze(connection, entry, study, {(1, "warm"): "YES"})
    with store.reading() as connection:
        assert verify(connection).problems == []
        anchor_set = anchors.newest(connection, study.id)
        assert anchor_set is not None and anchor_set.labels == {(1, "warm"): "YES"}
    for statement in ("UPDATE anchor SET label = 'NO'", "DELETE FROM anchor_set"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()
