"""The trail: one entry a transaction, chained, and nothing in the samples that it does not cover."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import StoreCheck, verify
from data.record import studies
from data.store.store import Store
from data.store.trail import START, entry_hash
from tests.studies.small_study import Small


def verdict(store: Store, heads: dict[int, str] | None = None) -> StoreCheck:
    with store.reading() as connection:
        return verify(connection, heads)


def test_an_empty_store_verifies(store: Store) -> None:
    found = verdict(store)
    assert (found.problems, found.entries, found.head) == ([], 0, START)


def test_all_sample_studies_verify(sample_store: Store) -> None:
    found = verdict(sample_store)
    assert found.problems == []
    assert found.entries == 6
    assert found.rows > 3000


def test_a_days_work_verifies(full: Small) -> None:
    found = verdict(full.store)
    assert (found.problems, found.erased) == ([], 0)  # the erased text of the day was never referred to


def test_every_sealed_row_is_counted(full: Small) -> None:
    with full.store.reading() as connection:
        rows = sum(
            connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in schema.SEALED
        )
        assert verify(connection).rows == rows > 0


def test_an_entry_says_who_did_what_where_and_when(small: Small) -> None:
    with small.store.writing("Ann", "rename nothing", small.study.id, why="a test") as (connection, entry):
        studies.add_rater(connection, entry, small.study.id, "Cid")
    with small.store.reading() as connection:
        row = connection.execute(sa.select(schema.trail).order_by(schema.trail.c.seq.desc()).limit(1)).one()
    assert (row.actor, row.action, row.study, json.loads(row.detail)) == (
        "Ann",
        "rename nothing",
        small.study.id,
        {"why": "a test"},
    )
    assert row.at.endswith("+00:00")


def test_a_transaction_that_seals_nothing_leaves_no_entry(small: Small) -> None:
    before = verdict(small.store).entries
    small.desk().skip(2)
    assert verdict(small.store).entries == before


def test_entries_are_numbered_without_a_gap_and_chained(full: Small) -> None:
    with full.store.reading() as connection:
        rows = connection.execute(sa.select(schema.trail).order_by(schema.trail.c.seq)).mappings().all()
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["previous"] for row in rows] == [START, *[row["hash"] for row in rows[:-1]]]


@pytest.mark.parametrize("name", ["seq", "at", "actor", "action", "study", "detail", "digest", "previous"])
def test_the_hash_of_an_entry_covers_each_of_its_parts(name: str) -> None:
    entry = {
        "seq": 1,
        "at": "t",
        "actor": "a",
        "action": "b",
        "study": 2,
        "detail": "{}",
        "digest": "{}",
        "previous": START,
    }
    assert entry_hash(entry) != entry_hash({**entry, name: "other"})


def test_a_failed_transaction_leaves_no_entry_and_no_number_unused(small: Small) -> None:
    desk, before = small.desk(), verdict(small.store).entries
    with pytest.raises(RuntimeError), small.store.writing("Ann", "fail") as (connection, entry):
        studies.add_rater(connection, entry, small.study.id, "Cid")
        raise RuntimeError
    desk.draft(2, "warm")
    found = verdict(small.store)
    assert (found.problems, found.entries) == ([], before + 1)


def test_the_head_changes_with_every_entry(small: Small) -> None:
    before = verdict(small.store).head
    small.desk().draft(2, "warm")
    assert verdict(small.store).head != before


def test_heads_exported_earlier_still_fit_after_more_work(small: Small) -> None:
    heads = {}
    for position in (2, 3, 4):
        small.desk().draft(position, "warm")
        found = verdict(small.store)
        heads[found.entries] = found.head
    assert verdict(small.store, heads).problems == []
