"""One change, anywhere in the database, by somebody who has the file: verify names a problem for each, or it
is told here why it need not.

The changes are drawn at random from a seed. Guards are taken away for a change and put back, so that nothing
looks different.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from data import schema
from data.keeping.verify import verify
from data.record import studies
from data.store import content, migrate
from data.work import certification
from tests.studies.planned import Worker, draw_all, workers
from tests.studies.small_study import Small
from tests.unit.data.tampering import attacker, unguarded

pytestmark = pytest.mark.slow

SEED = 20261122
SHARES = 10
CHANGES = 40
SCHEMA_CHANGES = 120
NAMES = sorted(schema.metadata.tables)
INDEXES = sorted(item.name for item in migrate.objects_of_new_store() if item.kind == "index" and item.sql)
GUARDS = sorted(item.name for item in migrate.objects_of_new_store() if item.kind == "trigger")
# What holds nothing that was rated, shown or decided, and is compared with nothing.
BOOKKEEPING = {
    "run_progress": "how far a run of a judge is, for whoever watches; its attempts are the record",
    "worker_beat": "that a worker is alive",
    "sqlite_sequence": "the numbers that SQLite would give; every id is given by the program, the highest "
    "plus one",
}
PROJECTIONS = ("rater_progress", "progress", "slot", "reservation", "rater_cursor")
# Columns of projections of which the record says less than they do.
UNRECORDED = {
    (
        "reservation",
        "until",
    ): "when a unit that is held falls free; it is put off with every save, and a wrong time gives it to "
    "others sooner or later",
}


class Change(NamedTuple):
    """`row`: the rowid of what was changed or deleted."""

    kind: str
    table: str
    column: str = ""
    row: int = 0
    before: Any = None
    after: Any = None


@pytest.fixture
def lively(full: Small) -> Small:
    """The store of a day's work, and somebody in the middle of it: units left for later, begun and held, in
    both studies; a text erased.
    """
    for desk, positions in ((full.desk(0), (3, 4)), (full.desk(1), (1, 2))):
        desk.draft(positions[0], "warm", note="to be thought over")
        desk.skip(positions[1])
    with full.store.writing("lead", "erase", full.study.id) as (connection, entry):
        number = connection.exec_driver_sql("SELECT max(reasoning_content) FROM judgement").scalar_one()
        content.erase(entry, connection, number, "asked for")
    with full.store.reading() as connection:
        study = studies.find(connection, "planned")
        assert study is not None
        people = tuple(rater.id for rater in studies.raters(connection, study.id) if rater.kind == "person")
    planned = Small(full.store, study, (), people)
    draw_all(full.store, study)
    for rater in people:
        with full.store.writing("lead", "let in", study.id) as (connection, entry):
            certification.grant(connection, entry, rater, "for the test")
    _hold(workers(planned))
    return full


def _hold(people: list[Worker]) -> None:
    first, second = people[:2]
    place = first.take()
    assert isinstance(place, int)
    first.draft(place)
    place = second.take()
    assert isinstance(place, int)
    second.skip(place)


def tables_of(connection: Connection) -> list[str]:
    names = (
        connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        .scalars()
        .all()
    )
    filled = [name for name in names if connection.exec_driver_sql(f"SELECT 1 FROM {name} LIMIT 1").first()]
    return filled + 2 * [
        name for name in filled if name in PROJECTIONS
    ]  # of which each has few columns, and a reason to be named of its own


def other_value(chance: random.Random, connection: Connection, table: str, column: str, before: Any) -> Any:
    """Something that could stand there: the value of another row, one beside it, or one of another kind."""
    values = connection.exec_driver_sql(f"SELECT DISTINCT {column} FROM {table}").scalars().all()
    near = (
        [before + 1, before - 1, before + 1_000_000, -before, 0]
        if isinstance(before, int | float)
        else [f"{before}x", f"{before}"[1:], "", "begun", "YES"]
    )
    return chance.choice([*near, *near, *values, None, b"\xff", 1.5, "x", 7])


def change_value(chance: random.Random, connection: Connection, table: str) -> Change:
    columns = connection.exec_driver_sql("SELECT name FROM pragma_table_info(?)", (table,)).scalars().all()
    column = chance.choice(columns)
    row, before, kind = chance.choice(
        connection.exec_driver_sql(f"SELECT rowid, {column}, typeof({column}) FROM {table}").all()
    )
    connection.exec_driver_sql(
        f"UPDATE {table} SET {column} = ? WHERE rowid = ?",
        (other_value(chance, connection, table, column, before), row),
    )
    # A number that is its own id moves with it.
    after = connection.exec_driver_sql(
        f"SELECT {column}, typeof({column}) FROM {table} WHERE rowid = ?", (row,)
    ).first()
    if after is not None and tuple(after) == (before, kind):
        raise NothingChanged
    return Change("update", table, column, row, before, after and after[0])


def delete_row(chance: random.Random, connection: Connection, table: str) -> Change:
    row = chance.choice(connection.exec_driver_sql(f"SELECT rowid FROM {table}").scalars().all())
    before = connection.exec_driver_sql(f"SELECT * FROM {table} WHERE rowid = ?", (row,)).mappings().one()
    connection.exec_driver_sql(f"DELETE FROM {table} WHERE rowid = ?", (row,))
    return Change("delete", table, row=row, before=dict(before))


def insert_row(chance: random.Random, connection: Connection, table: str) -> Change:
    """A copy of a row with a few other values, one of them its key."""
    row = dict(chance.choice(connection.exec_driver_sql(f"SELECT * FROM {table}").mappings().all()))
    keys = [
        name
        for name, key in connection.exec_driver_sql("SELECT name, pk FROM pragma_table_info(?)", (table,))
        if key
    ]
    for column in {*keys, *chance.sample(list(row), min(3, len(row)))}:
        row[column] = other_value(chance, connection, table, column, row[column])
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    connection.exec_driver_sql(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))
    return Change("insert", table, after=row)


@contextmanager
def undone(connection: Connection) -> Iterator[None]:
    """What is done within the block is undone at its end."""
    connection.exec_driver_sql("SAVEPOINT before")
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK TO before")
        connection.exec_driver_sql("RELEASE before")


class NothingChanged(Exception):
    """The value was the same as before."""


def needs_no_name(connection: Connection, change: Change) -> str | None:
    """Why a change need not be named, or None."""
    if change.table in BOOKKEEPING:
        return BOOKKEEPING[change.table]
    if change.kind == "update" and (change.table, change.column) in UNRECORDED:
        return UNRECORDED[change.table, change.column]
    if (
        change.table == "rater_progress"
        and change.column == "frontier"
        and _nothing_left_before(connection, change)
    ):
        return (
            "nothing that is left to rate lies before it: what is done is stepped over, from wherever "
            "the list is walked through"
        )
    if change.table == "rater_cursor" and (change.kind == "delete" or _nothing_free_before(connection)):
        return (
            "no rater could be given anything before the place where they look for more; what others "
            "have is stepped over"
        )
    if change.table == "quotation_count" and (
        change.kind == "delete" or change.column in ("rule", "unicode")
    ):
        return "reports read the words of a label that is not counted by the present rule"
    if (
        change.table == "quotation_count"
        and change.kind != "insert"
        and _words_are_erased(connection, change)
    ):
        return "no report reads what was counted in words that are erased"
    if (
        change.table == "progress"
        and change.kind in ("insert", "update", "delete")
        and _only_skipped(connection, change)
    ):
        return (
            "a skip leaves nothing in the record of a study without a plan, so that it cannot be told "
            "from a unit never opened, or one begun"
        )
    return None


def _words_are_erased(connection: Connection, change: Change) -> bool:
    """Of the label whose count is the changed row; its number may be what was changed."""
    number = change.before if change.column == "judgement_id" else change.row
    return bool(
        connection.exec_driver_sql(
            "SELECT 1 FROM judgement WHERE id = ? AND reasoning_content IN (SELECT content_id FROM erasure)",
            (number,),
        ).first()
    )


def _nothing_left_before(connection: Connection, change: Change) -> bool:
    """Whether the rater of a changed seat has committed or skipped every unit of their list before the place
    that it names now.
    """
    if not isinstance(change.after, int) or change.after < 1:
        return False
    own = connection.exec_driver_sql(
        "SELECT place, unit_id FROM assignment WHERE rater_id = ?", (change.row,)
    ).all()
    whole = connection.exec_driver_sql(
        "SELECT position, id FROM unit WHERE position > 0 AND study_id = (SELECT study_id FROM rater WHERE "
        "id = ?)",
        (change.row,),
    ).all()
    states: dict[int, str] = dict(
        connection.exec_driver_sql(
            "SELECT unit_id, state FROM progress WHERE rater_id = ? AND state <> 'begun'", (change.row,)
        ).all()
    )
    at_the_place = {states.get(unit_id) for place, unit_id in whole if place == change.after and not own}
    return (
        change.after <= len(own or whole) + 1
        and not at_the_place & {"committed", "compared"}
        and all(unit_id in states for place, unit_id in (own or whole) if place < change.after)
    )


def _nothing_free_before(connection: Connection) -> bool:
    """Whether every unit that wants raters and lies before the place of a rater of its study was in that
    rater's list.
    """
    return (
        connection.exec_driver_sql(
            "SELECT 1 FROM rater_cursor JOIN rater ON rater.id = rater_cursor.rater_id JOIN slot ON slot.study_id = "
            "rater.study_id "
            "WHERE typeof(rater_cursor.place) <> 'integer' OR (slot.taken < slot.wanted AND slot.place < "
            "rater_cursor.place AND slot.unit_id NOT IN "
            "(SELECT unit_id FROM assignment WHERE assignment.rater_id = rater_cursor.rater_id))"
        ).first()
        is None
    )


def _only_skipped(connection: Connection, change: Change) -> bool:
    """Whether a unit came to count as skipped by somebody, or does not any more, and nothing else."""
    if change.kind == "delete":
        return bool(change.before["state"] == "skipped")
    if change.column == "rater_id":
        return (
            connection.exec_driver_sql("SELECT state FROM progress WHERE rowid = ?", (change.row,)).scalar()
            == "skipped"
        )
    state = (
        change.after["state"] if change.kind == "insert" else change.after if change.column == "state" else ""
    )
    return state == "skipped" or (change.kind == "update" and change.before == "skipped" and state == "begun")


@pytest.mark.parametrize("share", range(SHARES))
def test_every_change_of_a_row_is_named(lively: Small, store_path: Path, share: int) -> None:
    chance, unnamed, carried_out = random.Random(SEED + share), [], 0
    with attacker(store_path) as connection:
        assert verify(connection).problems == []
        makers: list[Callable[[random.Random, Connection, str], Change]] = [
            change_value,
            change_value,
            change_value,
            delete_row,
            insert_row,
        ]
        while carried_out < CHANGES:
            table, make = chance.choice(tables_of(connection)), chance.choice(makers)
            with undone(connection):
                try:
                    with unguarded(connection, table):
                        change = make(chance, connection, table)
                except (sa.exc.IntegrityError, sa.exc.OperationalError, NothingChanged):
                    continue  # the database itself does not take it
                carried_out += 1
                if needs_no_name(connection, change) is None and not verify(connection).problems:
                    unnamed.append(change)
    assert unnamed == []


def schema_change(chance: random.Random) -> list[str]:
    """Statements that change what the database consists of; single changes but for what takes something away
    to put another in its place.
    """
    table, index, guard, column = (
        chance.choice(NAMES),
        chance.choice(INDEXES),
        chance.choice(GUARDS),
        f"extra_{chance.randrange(1000)}",
    )
    columns = [table_column.name for table_column in schema.metadata.tables[table].columns]
    moment, deed = chance.choice(["BEFORE", "AFTER"]), chance.choice(["INSERT", "UPDATE", "DELETE"])
    return chance.choice(
        [
            [f"CREATE TRIGGER {column} {moment} {deed} ON {table} BEGIN DELETE FROM rater_cursor; END"],
            [f"CREATE VIEW {column} AS SELECT * FROM {table}"],
            [f"CREATE TABLE {column} AS SELECT * FROM {table}"],
            [f"CREATE INDEX {column} ON {table} ({chance.choice(columns)})"],
            [f"DROP INDEX {index}"],
            [f"DROP INDEX {index}", f"CREATE INDEX {index} ON {table} ({chance.choice(columns)} DESC)"],
            [f"DROP TRIGGER {guard}"],
            [
                f"DROP TRIGGER {guard}",
                f"CREATE TRIGGER {guard} {moment} {deed} ON {table} WHEN 0 BEGIN SELECT 1; END",
            ],
            [f"ALTER TABLE {table} ADD COLUMN {column} TEXT"],
            [f"ALTER TABLE {table} RENAME COLUMN {chance.choice(columns)} TO {column}"],
            [f"ALTER TABLE {table} RENAME TO {column}"],
            [f"DROP TABLE {table}"],
            [f"UPDATE alembic_version SET version_num = '{chance.randrange(1, 9):04}'"],
            [f"DROP TABLE {table}", f"CREATE VIEW {table} AS SELECT 1 AS id, 1 AS trail"],
        ]
    )


def test_every_change_of_the_database_itself_is_named(lively: Small, store_path: Path) -> None:
    chance, unnamed, carried_out = random.Random(SEED), [], 0
    with attacker(store_path) as connection:
        while carried_out < SCHEMA_CHANGES:
            statements = schema_change(chance)
            with undone(connection):
                try:
                    for statement in statements:
                        connection.exec_driver_sql(statement)
                except sa.exc.OperationalError:
                    continue  # such as a table that something else depends on
                carried_out += 1
                if not verify(connection).problems:
                    unnamed.append(statements)
        assert verify(connection).problems == []
    assert unnamed == []


def test_what_need_not_be_named_is_there(store_path: Path, lively: Small) -> None:
    with sqlite3.connect(store_path) as raw:
        tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        assert set(BOOKKEEPING) <= tables
        for table, column in UNRECORDED:
            assert column in {row[1] for row in raw.execute(f"PRAGMA table_info({table})")}
