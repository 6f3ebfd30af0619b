"""Rows laid aside: seen over their own connection alone, and inserted with the ids that are free by then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from data import schema
from data.importers import conversations
from data.importers.report import ImportReport
from data.keeping.verify import verify
from data.record import studies
from data.record.studies import Study
from data.store import content
from data.store.errors import StoreError
from data.store.staging import StagedRows, first_id, holds_any, insert_staged
from data.store.store import Store
from data.store.trail import TrailEntry
from tests.studies.small_study import Small


def stage_talks(small: Small, file: Path, *keys: str, into: Study | None = None) -> tuple[StagedRows, str]:
    study = into or small.study
    report = ImportReport("talks")
    rows = (
        (n, {"id": key, "turns": [{"user": key, "assistant": "I see."}]}) for n, key in enumerate(keys, 1)
    )
    with small.store.staging(file) as (connection, staged):
        entry = TrailEntry(connection, "tests", "stage", study.id)
        usable = conversations.usable_rows(rows, report)
        conversations.add_all(connection, entry, study, usable, report, "none")
        assert report.errors == 0
        seen = connection.execute(select(func.count()).select_from(schema.conversation)).scalar_one()
        with small.store.reading() as other:
            assert other.execute(
                select(func.count()).select_from(schema.conversation)
            ).scalar() == seen - len(keys)
    return staged, entry.at


def insert(store: Store, staged: StagedRows, at: str) -> dict[str, int]:
    with store.writing("tests", "insert") as (connection, entry):
        return insert_staged(connection, entry, staged, at)


def read_talks(store: Store) -> dict[str, tuple[str | None, str | None]]:
    """Key -> (words, facts)."""
    table = schema.conversation
    with store.reading() as connection:
        return {
            row.key: (
                content.get(connection, row.transcript_content),
                content.get(connection, row.facts_content),
            )
            for row in connection.execute(select(table))
        }


def test_nothing_is_in_the_store_before_it_is_inserted(small: Small, tmp_path: Path) -> None:
    before = read_talks(small.store)
    staged, at = stage_talks(small, tmp_path / "rows.sqlite", "n1", "n2")
    assert read_talks(small.store) == before
    assert insert(small.store, staged, at)["conversation"] == 0
    after = read_talks(small.store)
    assert after.keys() - before.keys() == {"n1", "n2"}
    assert "n2" in str(after["n2"][0]) and "n1" not in str(after["n2"][0])


def test_rows_move_behind_what_was_written_meanwhile(small: Small, tmp_path: Path) -> None:
    """Both files were staged from the same moment; every reference of the second moves along."""
    with small.store.writing("tests", "make") as (connection, entry):
        other = studies.get(connection, studies.create(connection, entry, studies.StudySpec("o", "O", 1)))
    first, at = stage_talks(small, tmp_path / "first.sqlite", "a1", "a2", "a3")
    second, later = stage_talks(small, tmp_path / "second.sqlite", "b1", "b2", into=other)
    insert(small.store, first, at)
    moved = insert(small.store, second, later)
    assert (moved["conversation"], moved["unit"], moved["content"]) == (3, 3, 6)
    talks = read_talks(small.store)
    for key in ("a1", "a3", "b1", "b2"):
        assert f'"{key}"' in str(talks[key][0])
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        table = schema.unit.join(
            schema.conversation, schema.unit.c.conversation_id == schema.conversation.c.id
        )
        placed = connection.execute(
            select(schema.conversation.c.key, schema.unit.c.position)
            .select_from(table)
            .order_by(schema.unit.c.id)
        ).all()
    assert [key for key, _ in placed][-5:] == ["a1", "a2", "a3", "b1", "b2"]


def test_two_that_were_staged_with_one_place_in_the_list_do_not_share_it(
    small: Small, tmp_path: Path
) -> None:
    """The rules of the tables hold for what is inserted: the second would take the places of the first."""
    first, at = stage_talks(small, tmp_path / "first.sqlite", "a1")
    second, later = stage_talks(small, tmp_path / "second.sqlite", "a1")
    insert(small.store, first, at)
    before = read_talks(small.store)
    with pytest.raises(StoreError):
        insert(small.store, second, later)
    assert read_talks(small.store) == before


def test_a_study_and_its_raters_move_together(small: Small, tmp_path: Path) -> None:
    """A chain of references over tables: study, rater."""
    spec = studies.StudySpec("other", "Other", 1)
    with small.store.staging(tmp_path / "rows.sqlite") as (connection, staged):
        entry = TrailEntry(connection, "tests", "stage")
        staged_id = studies.create(connection, entry, spec)
        studies.add_rater(connection, entry, staged_id, "Zoe")
        assert studies.get(connection, staged_id).key == "other"
    with small.store.writing("tests", "another") as (connection, other):
        studies.create(connection, other, studies.StudySpec("before", "Before", 1))
    moved = insert(small.store, staged, entry.at)
    assert moved["study"] == 1
    with small.store.reading() as connection:
        study = studies.get_by_key(connection, "other")
        assert study.id == staged_id + 1
        assert [rater.name for rater in studies.raters(connection, study.id)] == ["Zoe"]


def test_rows_of_the_moment_of_the_import_get_that_of_their_entry(small: Small, tmp_path: Path) -> None:
    with small.store.staging(tmp_path / "rows.sqlite") as (connection, staged):
        entry = TrailEntry(connection, "tests", "stage")
        entry.at = "2020-01-01T00:00:00.000+00:00"
        studies.add_rater(connection, entry, small.study.id, "Zoe")
        given = {
            "study_id": small.study.id,
            "name": "Yan",
            "kind": "person",
            "at": "2019-05-05T00:00:00.000+00:00",
        }
        entry.write(schema.rater, given)
    insert(small.store, staged, entry.at)
    with small.store.reading() as connection:
        at: dict[str, Any] = dict(connection.execute(select(schema.rater.c.name, schema.rater.c.at)).all())
    assert at["Yan"].startswith("2019-05-05") and not at["Zoe"].startswith("2020")


def test_what_was_laid_aside_can_be_asked_for(small: Small, tmp_path: Path) -> None:
    staged, _ = stage_talks(small, tmp_path / "rows.sqlite", "n1")
    names = ("study_id", "key")
    assert holds_any(staged, schema.conversation, names, [(small.study.id, "c1"), (small.study.id, "n1")])
    assert not holds_any(staged, schema.conversation, names, [(small.study.id, "c1"), (0, "n1")])
    assert not holds_any(staged, schema.conversation, names, [])
    assert first_id(staged, schema.rating) is None
    assert first_id(staged, schema.conversation) == len(read_talks(small.store)) + 1


def test_a_staging_connection_meets_nobody_else(small: Small, tmp_path: Path) -> None:
    stage_talks(small, tmp_path / "rows.sqlite", "n1")
    with small.store.reading() as connection:
        kinds = connection.exec_driver_sql("SELECT count(*) FROM sqlite_temp_master").scalar()
    assert kinds == 0
