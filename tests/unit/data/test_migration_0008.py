"""A store of the form before comments on reasoning comes into the new form whole, and its new table is
guarded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.labels import reasoning_comments
from data.store.errors import StoreError
from data.store.store import open_store
from data.store.trail import NEW_FORM
from tests import small_study
from tests.unit.data import forms


def test_nothing_is_lost_and_the_new_table_is_there_and_guarded(store_path: Path, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{store_path}")
    small = small_study.make(store, tmp_path)
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    store.close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        forms.back_to_0007(raw)
        before = raw.execute("SELECT * FROM trail").fetchall()
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("Ann", "comment on reasoning", small.study.id) as (connection, entry):
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before, NEW_FORM)
        reasoning_comments.write(
            connection,
            entry,
            small.desk().unit(2),
            desk.rater,
            "event-1",
            small.judges[0],
            "warm",
            "it misses the tone",
        )
    with store.reading() as connection:
        assert verify(connection).problems == []
        assert [
            comment.text
            for comment in reasoning_comments.of_judge(connection, small.study.id, small.judges[0])
        ] == ["it misses the tone"]
    for statement in ("UPDATE reasoning_comment SET criterion = 'safe'", "DELETE FROM reasoning_comment"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()
