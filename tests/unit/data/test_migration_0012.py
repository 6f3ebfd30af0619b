"""A store of the form before pairs of steps comes into the new form whole, and its new tables are guarded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import step_pairs
from data.record.step_pairs import RatedStepPair
from data.schema.vocabulary import StepVerdict
from data.store.errors import StoreError
from data.store.store import open_store
from tests import small_study
from tests.unit.data import forms


def test_nothing_is_lost_and_the_new_tables_are_there_and_guarded(store_path: Path, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{store_path}")
    small = small_study.make(store, tmp_path)
    desk = small.desk()
    desk.rate(2)
    store.close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        forms.back_to_0011(raw)
        before = raw.execute("SELECT * FROM trail").fetchall()
    store = open_store(f"sqlite:///{store_path}")
    unit = desk.unit(2)
    with store.writing("Ann", "rate a pair of steps", small.study.id) as (connection, entry):
        assert [tuple(row) for row in connection.exec_driver_sql("SELECT * FROM trail")] == before
        pair = RatedStepPair("digest", 0, 0, 3, 10)
        step_pairs.rate(connection, entry, unit, desk.rater, "event-1", pair, StepVerdict.RIGHT)
        step_pairs.show_scores(connection, entry, unit, desk.rater, "event-2", "digest")
    with store.reading() as connection:
        assert verify(connection).problems == []
        assert len(step_pairs.of_study(connection, small.study.id)) == 1
    for table in ("step_pair_rating", "step_exposure"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    store.close()
