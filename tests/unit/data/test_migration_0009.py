"""A store of the form before raters could be set aside comes into the new form whole, and its new table is
guarded.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record.set_aside import raters_set_aside, set_rater_aside
from data.store.errors import StoreError
from data.store.store import open_store
from data.store.trail import NEW_FORM
from tests import small_study
from tests.unit.data import forms


def test_nothing_is_lost_and_the_new_table_is_there_and_guarded(store_path: Path, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{store_path}")
    small = small_study.make(store, tmp_path)
    small.desk().rate(2)
    store.close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        forms.back_to_0008(raw)
        before = raw.execute("SELECT * FROM trail").fetchall()
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("Dr Lee", "set a rater aside", small.study.id) as (connection, entry):
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before, NEW_FORM)
        assert raters_set_aside(connection, small.study.id) == {}
        set_rater_aside(connection, entry, small.study, small.raters[0], "Dr Lee", "in training")
    with store.reading() as connection:
        assert verify(connection).problems == []
        assert raters_set_aside(connection, small.study.id) == {small.raters[0]: "in training"}
    for statement in ("UPDATE set_aside SET back = 1", "DELETE FROM set_aside"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()
