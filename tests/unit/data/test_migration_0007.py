"""A store of the form before kinds of conflicts: whoever opened a conversation is barred as before, erased
words or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.settling import access
from data.store import content, migrate, triggers
from data.store.errors import StoreError
from data.store.store import Store, open_store
from data.store.trail import NEW_FORM, TrailEntry
from data.work import conflicts
from tests import small_study
from tests.small_study import Small
from tests.unit.data import forms

WORDS = "opened in the disagreements page"


@dataclass(frozen=True)
class Before:
    """A store as the program before this one left it, closed: its study, and its rows of the two tables."""

    small: Small
    conflicts: list[tuple[Any, ...]]
    trail: list[tuple[Any, ...]]

    def is_opened(self, store: Store, position: int) -> bool:
        with store.reading() as connection:
            return access.has_opened(connection, self.small.desk().unit(position), self.small.raters[1])

    def is_barred(self, store: Store, position: int) -> bool:
        with store.reading() as connection:
            return conflicts.bars_conversation(
                connection, self.small.raters[1], self.small.desk().unit(position).id
            )


def bar(
    connection: sa.Connection, entry: TrailEntry, small: Small, position: int, words: str, lifted: int = 0
) -> None:
    """A row as it was written before: the reason is a text."""
    value_content, value_mac = content.put(connection, words)
    entry.write(
        schema.conflict,
        {
            "rater_id": small.raters[1],
            "conversation_id": small.desk().unit(position).conversation_id,
            "value_content": value_content,
            "value_mac": value_mac,
            "kind": "stated",
            "lifted": lifted,
        },
    )


@pytest.fixture
def make_before(store_path: Path, tmp_path: Path) -> Callable[..., Before]:
    def leave(*written: tuple[str, int, str], erased: tuple[str, ...] = ()) -> Before:
        """`written`: (action in the trail, position, words; a "-" before them lifts)."""
        store = open_store(f"sqlite:///{store_path}")
        small = small_study.make(store, tmp_path)
        small.desk().rate(4)
        for action, position, words in written:
            with store.writing("Ben", action, small.study.id) as (connection, entry):
                bar(connection, entry, small, position, words.removeprefix("-"), int(words.startswith("-")))
        for key in erased:
            with store.writing("lead", "erase a conversation", small.study.id) as (connection, entry):
                erase_conversation(connection, entry, small.study, key, "asked for")
        store.close()
        with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
            forms.back_to_0006(raw)
            return Before(
                small,
                raw.execute("SELECT * FROM conflict").fetchall(),
                raw.execute("SELECT * FROM trail").fetchall(),
            )

    return leave


OPENED = ("open a disagreement", 1, WORDS)
NOTE = ("open a note to the study lead", 2, WORDS)
STATED = ("conflict of interest", 3, "her own brother")


def test_who_opened_a_conversation_is_told_by_a_row_of_its_own_and_the_rows_from_before_stay(
    make_before: Callable[..., Before], store_path: Path
) -> None:
    before = make_before(OPENED, NOTE, STATED)
    store = open_store(f"sqlite:///{store_path}")
    assert [before.is_opened(store, position) for position in (1, 2, 3, 4)] == [True, True, False, False]
    assert [before.is_barred(store, position) for position in (1, 2, 3, 4)] == [True, True, True, False]
    with store.reading() as connection:
        rows = connection.execute(sa.select(schema.conflict)).all()
        names = [column.name for column in schema.conflict.columns if column.name != "kind"]
        assert [tuple(row._mapping[name] for name in names) for row in rows[:3]] == before.conflicts
        assert [row.kind for row in rows] == ["stated", "stated", "stated", "opened", "opened"]
        trail = connection.exec_driver_sql("SELECT * FROM trail").mappings().all()
        assert [tuple(row.values()) for row in trail[:-2]] == before.trail
        assert [(entry["actor"], entry["action"]) for entry in trail[-2:]] == [
            ("Second Reader", "state who opened conversations to settle them"),
            ("Second Reader", "bring the store to a new form"),
        ]
        verdict = verify(connection)
        assert (verdict.problems, verdict.entries) == ([], len(before.trail) + 2)
        assert (
            connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == migrate.head()
        )
    store.close()


def test_where_the_words_were_erased_before_the_entry_tells_who_opened_it(
    make_before: Callable[..., Before], store_path: Path
) -> None:
    before = make_before(OPENED, NOTE, STATED, erased=("c1", "c2", "c3"))
    store = open_store(f"sqlite:///{store_path}")
    assert [before.is_opened(store, position) for position in (1, 2, 3)] == [True, True, False]
    assert [before.is_barred(store, position) for position in (1, 2, 3)] == [True, True, True]
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


def test_the_bar_outlives_an_erasure_afterwards(make_before: Callable[..., Before], store_path: Path) -> None:
    before = make_before(OPENED)
    store = open_store(f"sqlite:///{store_path}")
    with store.writing("lead", "erase a conversation", before.small.study.id) as (connection, entry):
        erase_conversation(connection, entry, before.small.study, "c1", "asked for")
    assert before.is_opened(store, 1) and before.is_barred(store, 1)
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


def test_what_was_lifted_stays_lifted_and_what_followed_counts(
    make_before: Callable[..., Before], store_path: Path
) -> None:
    before = make_before(
        ("conflict of interest", 1, WORDS),
        ("conflict of interest", 1, "-"),
        ("conflict of interest", 2, "-"),
        NOTE,
    )
    store = open_store(f"sqlite:///{store_path}")
    assert [before.is_opened(store, position) for position in (1, 2)] == [False, True]
    assert not before.is_barred(store, 1)
    store.close()


def test_a_store_in_which_nobody_opened_anything_gets_no_entry_that_says_so(
    make_before: Callable[..., Before], store_path: Path
) -> None:
    before = make_before(STATED)
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        *entries, form = connection.exec_driver_sql("SELECT * FROM trail").all()
        assert ([tuple(row) for row in entries], form.action) == (before.trail, NEW_FORM)
        assert verify(connection).problems == []
    store.close()


def test_the_guards_are_there_and_the_kind_of_no_row_can_be_changed(
    make_before: Callable[..., Before], store_path: Path
) -> None:
    make_before(OPENED, STATED)
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        triggers.check(connection)
    for statement in ("UPDATE conflict SET kind = 'opened'", "DELETE FROM conflict"):
        with (
            pytest.raises(StoreError, match="never changed or deleted"),
            store.writing("tests", "attack") as (connection, _),
        ):
            connection.exec_driver_sql(statement)
    store.close()


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE conflict SET kind = 'stated' WHERE kind = 'opened'", ["the rows of entry"]),
        (
            "UPDATE conflict SET kind = 'opened' WHERE kind = 'stated'",
            ["row 1 is not as it was brought over", "row 2 is not as it was brought over"],
        ),
        ("DELETE FROM conflict WHERE kind = 'opened'", ["the rows of entry"]),
    ],
)
def test_a_kind_that_was_changed_behind_the_guards_is_a_problem_of_the_trail(
    make_before: Callable[..., Before],
    store_path: Path,
    raw: sqlite3.Connection,
    statement: str,
    wrong: list[str],
) -> None:
    make_before(OPENED, STATED)
    store = open_store(f"sqlite:///{store_path}")
    for verb in ("update", "delete"):
        raw.execute(f"DROP TRIGGER conflict_no_{verb}")
    raw.execute(statement)
    with store.reading() as connection:
        problems = verify(connection).problems
    rows = [problem for problem in problems if problem.startswith("conflict: ")]
    assert len(rows) == len(wrong)
    assert all(problem.startswith(f"conflict: {words}") for problem, words in zip(rows, wrong, strict=True))
    assert [problem for problem in problems if problem not in rows] == [
        "the guard conflict_no_delete is missing",
        "the guard conflict_no_update is missing",
    ]
    store.close()
