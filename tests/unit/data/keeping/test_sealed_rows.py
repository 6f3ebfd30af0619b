"""Rows are compared in the form in which they were sealed, whoever spells them, and in whatever order
somebody put them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from data import schema
from data.keeping import sealed_rows
from data.keeping.verify import verify
from data.store.trail import canonical
from tests.studies.small_study import Small
from tests.unit.data.tampering import after, attacker, unguarded

TEXTS = [
    "",
    "plain",
    'a "quoted" word',
    "back\\slash",
    "line\nend\r\t\b\f",
    "".join(map(chr, range(1, 0x20))),
    "a\0b",
    "\x7f\x80\xff",
    "Zürich, 東京, 🙂",
    "\u2028\u2029",
    "</script>",
    "'",
    "],[",
    '{"a":[1,2]}',
    "\ufeff",
    "\U0010ffff",
]
NUMBERS = [0, 1, -1, 2**63 - 1, -(2**63), None]


@pytest.fixture
def memory() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as raw:
        yield raw


@pytest.mark.parametrize("value", [*TEXTS, *NUMBERS])
def test_sqlite_spells_a_value_as_python_does(memory: sqlite3.Connection, value: Any) -> None:
    memory.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, value)")
    memory.execute("INSERT INTO kept VALUES (1, ?)", (value,))
    assert memory.execute("SELECT CAST(json_array(id, value) AS BLOB) FROM kept").fetchone()[0] == canonical(
        [1, value]
    )


def test_only_tables_of_numbers_and_texts_are_spelled_by_sqlite() -> None:
    spelled_here = {table.name for table in schema.SEALED if not sealed_rows._database_spells(table)}
    assert spelled_here == {"metric_value", "drawn", "run_summary"}


@pytest.mark.parametrize("text", TEXTS)
def test_a_note_of_any_words_verifies_and_every_name(small: Small, text: str) -> None:
    with small.store.writing("tests", text or "nothing", small.study.id, said=text) as (connection, entry):
        entry.write(schema.set_aside, {"rater_id": small.raters[0], "back": 0, "decided_by": text})
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_what_sqlite_would_spell_otherwise_is_spelled_again_before_it_is_called_altered(
    full: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a version of SQLite would that writes JSON with a space somewhere: slower, and no problem."""
    with full.store.reading() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        raw.create_function("json_array", -1, lambda *values: canonical(list(values)).decode() + " ")
        assert verify(connection).problems == []
        raw.create_function("json_array", -1, None)


def test_rows_that_are_out_of_order_are_named_and_no_others(full: Small, store_path: Path) -> None:
    with full.store.reading() as connection:
        first, last = connection.exec_driver_sql("SELECT min(trail), max(trail) FROM rating").one()
    assert first < last
    found = after(store_path, f"UPDATE rating SET trail = {last} WHERE id = 1")
    assert found.problems == [
        f"rating: the rows of entry {entry} were altered, added to or taken away" for entry in (first, last)
    ]


def test_two_rows_that_changed_places_are_named(full: Small, store_path: Path) -> None:
    with attacker(store_path) as connection, unguarded(connection):
        lowest, highest = connection.exec_driver_sql("SELECT min(id), max(id) FROM draft").one()
    verification = after(
        store_path,
        f"UPDATE draft SET id = 900000 WHERE id = {lowest}",
        f"UPDATE draft SET id = {lowest} WHERE id = {highest}",
        f"UPDATE draft SET id = {highest} WHERE id = 900000",
    )
    assert verification.problems and all(
        problem.startswith("draft: the rows of entry") for problem in verification.problems
    )


@pytest.mark.parametrize("value", ["x'ff'", "CAST(x'ff' AS TEXT)", "CAST(x'c328' AS TEXT)", "1.5", "'nan'"])
@pytest.mark.parametrize("column", ["label", "trail", "reveals_before", "note_content"])
def test_a_value_of_any_kind_is_named_under_its_entry(
    full: Small, store_path: Path, column: str, value: str
) -> None:
    with full.store.reading() as connection:
        rows, entry = connection.exec_driver_sql(
            "SELECT (SELECT count(*) FROM rating), trail FROM rating WHERE id = 1"
        ).one()
        whole = verify(connection).rows
    verification = after(store_path, f"UPDATE rating SET {column} = {value} WHERE id = 1")
    assert f"rating: the rows of entry {entry} were altered, added to or taken away" in verification.problems
    assert verification.rows == whole and rows > 1


@pytest.mark.parametrize("column", ["at", "actor", "action", "detail", "digest", "previous", "hash", "study"])
@pytest.mark.parametrize("value", ["x'ff'", "CAST(x'ff' AS TEXT)", "1.5", "''"])
def test_an_entry_with_a_value_of_any_kind_is_named(
    full: Small, store_path: Path, column: str, value: str
) -> None:
    assert (
        "entry 3 was altered"
        in after(store_path, f"UPDATE trail SET {column} = {value} WHERE seq = 3").problems
    )


def test_a_store_that_was_altered_from_end_to_end_is_said_in_a_thousand_sentences(
    full: Small, store_path: Path
) -> None:
    everything = (
        "INSERT INTO trail SELECT value, 'at', 'a', 'b', 0, '{}', '{}', 'p', 'h' FROM "
        "generate_series(1000000, 1003000)"
    )
    numbers = (
        "WITH RECURSIVE number (n) AS (VALUES (1000000) UNION ALL SELECT n + 1 FROM number WHERE n < "
        "1003000) "
    )
    verification = after(
        store_path,
        everything.replace("SELECT value", numbers + "SELECT n").replace(
            "generate_series(1000000, 1003000)", "number"
        ),
    )
    assert len(verification.problems) == 1000
    assert verification.problem_count > 6000
