"""A store of the form before runs in numbers comes into the new form whole, and its new table is guarded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import run_summaries, studies
from data.record.run_summaries import RunSummary, RunSummaryTable
from data.store.errors import StoreError
from data.store.store import open_store
from data.store.trail import NEW_FORM
from tests import small_study
from tests.unit.data import forms


@pytest.fixture
def before(store_path: Path, tmp_path: Path) -> list[tuple[object, ...]]:
    """A small study as the program before this one kept it; its trail. Closed."""
    store = open_store(f"sqlite:///{store_path}")
    desk = small_study.make(store, tmp_path).desk()
    desk.rate(2)
    store.close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        for table in ("adoption", "anchor", "anchor_set", "run_summary"):
            raw.execute(f"DROP TABLE {table}")
        forms.back_to_0006(raw)
        raw.execute("UPDATE alembic_version SET version_num = '0004'")
        return raw.execute("SELECT * FROM trail").fetchall()


def test_nothing_is_lost_and_the_new_table_is_there_and_guarded(
    before: list[tuple[object, ...]], store_path: Path
) -> None:
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("tests", "put") as (connection, entry):
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before, NEW_FORM)
        study = studies.find(connection, "small")
        assert study is not None
        summaries = RunSummaryTable(connection, study)
        summaries.put(RunSummary("r", "table", "m", numbers={"jaccard_all": 1.0}))
        summaries.write(entry, "runs.csv")
    with store.reading() as connection:
        assert verify(connection).problems == []
        assert [run.run for run in run_summaries.listing(connection, study.id)] == ["r"]
    for statement in ("UPDATE run_summary SET numbers = '{}'", "DELETE FROM run_summary"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()
