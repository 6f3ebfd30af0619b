"""Every change behind the program's back is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.record import studies
from data.work import certification, setup
from data.work.plan import WorkPlan
from tests.studies.planned import draw_all, workers
from tests.studies.small_study import Small
from tests.unit.data.tampering import after, attacker, rewrite_history, unguarded

COLUMNS = [(table.name, column.name) for table in schema.SEALED for column in table.columns]
TRAIL_COLUMNS = [column.name for column in schema.trail.columns]


def changed(table: str, column: str) -> str:
    """A statement that gives one row another value in one column."""
    found = schema.metadata.tables[table].columns[column]
    value = (
        f"coalesce({column}, 0) + 1000000"
        if isinstance(found.type, sa.Integer)
        else f"coalesce({column}, '') || 'x'"
    )
    return f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})"


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_changed_value_is_found_in_every_column_of_every_sealed_table(
    full: Small, store_path: Path, table: str, column: str
) -> None:
    assert any(
        problem.startswith(f"{table}: ") for problem in after(store_path, changed(table, column)).problems
    )


@pytest.mark.parametrize("table", [table.name for table in schema.SEALED])
def test_a_deleted_row_is_found(full: Small, store_path: Path, table: str) -> None:
    found = after(store_path, f"DELETE FROM {table} WHERE id = (SELECT max(id) FROM {table})")
    assert any(problem.startswith(f"{table}: the rows of entry") for problem in found.problems)


@pytest.mark.parametrize("table", [table.name for table in schema.SEALED])
def test_an_inserted_row_is_found(full: Small, store_path: Path, table: str) -> None:
    columns = [column.name for column in schema.metadata.tables[table].columns if column.name != "id"]
    unique = {"key", "event", "name", "sha256", "scope", "case_key", "inputs"}
    moved = {"position", "replicate", "unit_id", "of_unit_id", "number", "place", "version"} | {
        "successor": {"study_id"},
        "rater_identity": {"rater_id"},
        "plan_decision": {"proposal_id"},
        "trial": {"conversation_id"},
        "known_words": {"conversation_id"},
        "seen_elsewhere": {"rating_id"},
    }.get(table, set())
    copied = ", ".join(f"{c} || 'x'" if c in unique else f"{c} + 1000" if c in moved else c for c in columns)
    verification = after(
        store_path,
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {copied} FROM {table} WHERE id = (SELECT "
        f"max(id) FROM {table})",
    )
    assert any(problem.startswith(f"{table}: the rows of entry") for problem in verification.problems)


def test_rows_under_an_entry_that_never_was_are_found(full: Small, store_path: Path) -> None:
    found = after(store_path, "UPDATE rating SET trail = 999 WHERE id = 1")
    assert "rating: 1 rows under entry 999 that the trail does not know" in found.problems


def test_two_labels_swapped_are_found(full: Small, store_path: Path) -> None:
    found = after(
        store_path,
        "UPDATE rating SET label = CASE label WHEN 'YES' THEN 'NO' ELSE 'YES' END WHERE label IN ('YES', "
        "'NO')",
    )
    assert found.problems


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE content SET text = 'other words' WHERE id = 1",
        "UPDATE content SET salt = x'00' WHERE id = 1",
        "UPDATE content SET text = (SELECT text FROM content WHERE id = 2) WHERE id = 1",
    ],
)
def test_altered_text_is_found(full: Small, store_path: Path, statement: str) -> None:
    assert after(store_path, statement).problems == ["text 1 was altered"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE content SET text = NULL, salt = NULL WHERE id = 1",
        "UPDATE content SET text = NULL WHERE id = 1",
        "UPDATE content SET salt = NULL WHERE id = 1",
        "DELETE FROM content WHERE id = 1",
    ],
)
def test_text_that_is_gone_without_an_erasure_is_found(full: Small, store_path: Path, statement: str) -> None:
    assert after(store_path, statement).problems == ["text 1 is missing and no erasure is recorded"]


@pytest.mark.parametrize("column", TRAIL_COLUMNS)
def test_an_altered_entry_is_found(full: Small, store_path: Path, column: str) -> None:
    assert after(store_path, changed("trail", column)).problems


@pytest.mark.parametrize("digest", ["", "not JSON", "[]", "3", '{"rating": 7}', '{"nothing": [1, "x"]}'])
def test_a_digest_that_makes_no_sense_is_a_problem_and_no_crash(
    full: Small, store_path: Path, digest: str
) -> None:
    assert (
        "entry 2 was altered"
        in after(store_path, f"UPDATE trail SET digest = '{digest}' WHERE seq = 2").problems
    )


def test_a_value_of_a_foreign_kind_is_a_problem_and_no_crash(full: Small, store_path: Path) -> None:
    assert after(store_path, "UPDATE rating SET label = x'ff' WHERE id = 1").problems
    assert after(store_path, "UPDATE rating SET trail = 'x' WHERE id = 1").problems
    assert after(store_path, "UPDATE content SET salt = 'x' WHERE id = 1").problems
    assert after(store_path, "UPDATE content SET text = x'ff' WHERE id = 1").problems


def test_an_entry_taken_out_of_the_middle_is_found(full: Small, store_path: Path) -> None:
    found = after(store_path, "DELETE FROM trail WHERE seq = 2")
    assert "entry 2 is missing from the trail" in found.problems
    assert "entry 3 does not follow from the one before it" in found.problems


def test_a_tail_cut_off_with_its_rows_is_found_by_the_exported_head(full: Small, store_path: Path) -> None:
    with full.store.reading() as connection:
        verdict = verify(connection)
        last = verdict.entries
        touched = [
            t.name
            for t in reversed(schema.SEALED)
            if connection.execute(sa.select(t.c.id).where(t.c.trail == last).limit(1)).first()
        ]
    cut = [f"DELETE FROM {name} WHERE trail = {last}" for name in touched]
    texts = (
        "DELETE FROM content WHERE id = (SELECT max(id) FROM content)"  # what the last entry states words of
    )
    verification = after(
        store_path, *cut, texts, f"DELETE FROM trail WHERE seq = {last}", heads={last: verdict.head}
    )
    assert verification.problems == [f"entry {last}, whose hash was exported, is gone"]


def test_a_history_rewritten_from_end_to_end_is_found_by_an_exported_head(
    full: Small, store_path: Path
) -> None:
    with full.store.reading() as connection:
        exported = verify(connection)
    with attacker(store_path) as connection:
        with unguarded(connection):
            connection.exec_driver_sql("UPDATE rating SET label = 'NO' WHERE id = 1")
            rewrite_history(connection)
        assert verify(connection).problems == []  # consistent in itself, which is why heads are exported
        verification = verify(connection, {exported.entries: exported.head})
    assert verification.problems == [f"entry {exported.entries} is not the one whose hash was exported"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rater_progress SET committed = committed + 1",
        "UPDATE rater_progress SET reveals = 0",
        "DELETE FROM rater_progress",
        "INSERT INTO rater_progress (rater_id, frontier, committed, reveals) VALUES (2, 1, 3, 0)",
    ],
)
def test_counters_that_are_not_what_was_recorded_are_found(
    full: Small, store_path: Path, statement: str
) -> None:
    assert any("the counters of rater" in problem for problem in after(store_path, statement).problems)


def test_words_put_back_in_the_place_of_erased_ones_are_found(full: Small, store_path: Path) -> None:
    erase = (
        "UPDATE content SET text = NULL, salt = NULL WHERE id = 1",
        "INSERT INTO erasure (content_id, at, trail) VALUES (1, 't', 1)",
    )
    for words in ("text = 'words nobody said'", "text = 'words nobody said', salt = x'00'"):
        assert any(
            "text 1" in problem
            for problem in after(store_path, *erase, f"UPDATE content SET {words} WHERE id = 1").problems
        )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE slot SET taken = taken + 1",
        "UPDATE slot SET wanted = 9",
        "DELETE FROM reservation",
    ],
)
def test_what_is_given_to_raters_is_compared_with_the_record(make_planned: Path, statement: str) -> None:
    assert any("from the record" in problem for problem in after(make_planned, statement).problems)


@pytest.fixture
def make_planned(full: Small, store_path: Path) -> Path:
    """The planned study of the store, with a unit that is held."""
    with full.store.reading() as connection:
        study = studies.find(connection, "planned")
        assert study is not None
        raters = tuple(rater.id for rater in studies.raters(connection, study.id))
    planned = Small(full.store, study, (), raters)
    draw_all(full.store, study)
    for rater in raters:
        with full.store.writing("lead", "let in", study.id) as (connection, entry):
            certification.grant(connection, entry, rater, "for the test")
    assert isinstance(workers(planned)[0].take(), int)
    return store_path


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "DELETE FROM slot WHERE unit_id = (SELECT max(unit_id) FROM slot)",
            "how many raters have taken the units",
        ),
        (
            "UPDATE slot SET place = place + 100 WHERE unit_id = (SELECT max(unit_id) FROM slot)",
            "how many raters have taken the units",
        ),
        ("UPDATE slot SET wanted = wanted + 1", "how many raters have taken the units"),
        (
            "INSERT INTO slot (unit_id, study_id, place, wanted, taken) SELECT unit_id, 1, 99, 1, 0 FROM "
            "gold_label LIMIT 1",
            "it has no plan",
        ),
        (
            "INSERT INTO slot (unit_id, study_id, place, wanted, taken) SELECT unit_id, (SELECT study_id "
            "FROM work_plan), 99, 1, 0 FROM gold_label LIMIT 1",
            "how many raters have taken the units",
        ),
        (
            "DELETE FROM reservation WHERE assignment_id = (SELECT max(assignment_id) FROM reservation)",
            "the units held for raters differ from the record",
        ),
        ("UPDATE reservation SET rater_id = (SELECT min(id) FROM rater)", "differs from what was assigned"),
        ("UPDATE reservation SET unit_id = (SELECT min(id) FROM unit)", "differs from what was assigned"),
        ("UPDATE reservation SET study_id = (SELECT min(id) FROM study)", "differs from what was assigned"),
        (
            "INSERT OR REPLACE INTO rater_cursor (rater_id, place) SELECT max(rater_id), 99 FROM reservation",
            "has passed over units that they could still be given",
        ),
        ("DELETE FROM progress", "rater 1, unit 2: was committed and is not in the rater's list"),
        (
            "UPDATE progress SET state = 'committed' WHERE state = 'begun'",
            "counts as rated and was not committed",
        ),
        (
            "UPDATE progress SET state = 'skipped' WHERE state = 'compared'",
            "rater 1, unit 2: was committed and does not count as rated",
        ),
    ],
)
def test_projections_that_are_not_what_was_recorded_are_found(
    full: Small, store_path: Path, statement: str, sentence: str
) -> None:
    with full.store.reading() as connection:
        study = studies.find(connection, "planned")
    assert study is not None
    desk = workers(replace(full, study=study, raters=_people(full, study.id)))[0]
    with full.store.writing("lead", "leave some open", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(overlap=2, repeats=0.0, sitting=None))
    draw_all(full.store, study)
    place = desk.take()
    assert isinstance(place, int)
    desk.draft(place)
    assert verify_now(full) == []
    assert any(sentence in problem for problem in after(store_path, statement).problems)


def _people(full: Small, study_id: int) -> tuple[int, ...]:
    with full.store.reading() as connection:
        return tuple(rater.id for rater in studies.raters(connection, study_id) if rater.kind == "person")


def verify_now(full: Small) -> list[str]:
    with full.store.reading() as connection:
        return verify(connection).problems
