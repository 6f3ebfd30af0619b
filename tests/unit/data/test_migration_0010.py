"""A store of the form before imported raters could be confirmed comes into the new form whole, and its new
table is guarded.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.keeping.verify import verify
from data.record import studies
from data.record.rater_identities import confirm_identity, rater_identities
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
        forms.back_to_0009(raw)
        before = raw.execute("SELECT * FROM trail").fetchall()
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("Dr Lee", "import ratings", small.study.id) as (connection, entry):
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before, NEW_FORM)
        assert rater_identities(connection, small.study.id) == {}
        imported = studies.add_rater(connection, entry, small.study.id, "Ann (imported)", "imported")
        confirm_identity(connection, entry, small.study, imported, small.raters[0], "Dr Lee", "she told me")
    with store.reading() as connection:
        assert verify(connection).problems == []
        assert rater_identities(connection, small.study.id) == {imported: small.raters[0]}
    for statement in ("UPDATE rater_identity SET person_id = 1", "DELETE FROM rater_identity"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()
