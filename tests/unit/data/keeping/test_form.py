"""The database itself is what a new store is; whatever else stands in it, or is missing, is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory

from data.keeping.backup import backup
from data.keeping.verify import verify
from data.store import migrate
from data.store.errors import StoreError
from data.store.store import Store, open_store
from tests.studies.small_study import Small
from tests.unit.data.tampering import attacker

FORMS = [script.revision for script in ScriptDirectory.from_config(migrate._config()).walk_revisions()]
SWALLOWING = "CREATE TRIGGER quiet BEFORE INSERT ON rating BEGIN SELECT RAISE(IGNORE); END"


def changed(path: Path, *statements: str) -> list[str]:
    """What is said of the store after these statements, with all guards in their places unless a statement
    takes them away.
    """
    with attacker(path) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
        return verify(connection).problems


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (
            SWALLOWING,
            "the trigger quiet on rating is not Second Reader's: it can change or swallow what is saved",
        ),
        (
            "CREATE TRIGGER quiet AFTER UPDATE ON rater_progress BEGIN DELETE FROM rater_cursor; END",
            "the trigger quiet on rater_progress is not Second Reader's: it can change or swallow what is saved",
        ),
        ("CREATE VIEW labels AS SELECT label FROM rating", "the view labels is not Second Reader's"),
        ("CREATE TABLE notes (text)", "the table notes is not Second Reader's"),
        (
            "CREATE UNIQUE INDEX once ON rating (event, label)",
            "the index once on rating is not Second Reader's: it can make saving fail",
        ),
        (f'CREATE TABLE "{"a" * 400}" (x)', f"the table {'a' * 80}... is not Second Reader's"),
        ("DROP INDEX one_label", "the index one_label is missing"),
        ("DROP INDEX rating_for_agreement", "the index rating_for_agreement is missing"),
        ("DROP TRIGGER rating_no_update", "the guard rating_no_update is missing"),
        (
            "ALTER TABLE rating ADD COLUMN believed TEXT",
            "the table rating has a column that is not Second Reader's: believed",
        ),
        (
            "DELETE FROM alembic_version",
            "the store names a schema version that it was not migrated to",
        ),
        (
            "INSERT INTO alembic_version VALUES ('0001')",
            "the store names a schema version that it was not migrated to",
        ),
    ],
)
def test_what_is_not_of_a_new_store_is_named_and_nothing_else(
    full: Small, store_path: Path, statement: str, problem: str
) -> None:
    assert changed(store_path, statement) == [problem]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        (
            "one_label",
            "CREATE UNIQUE INDEX one_label ON judgement (unit_id, judge_id, criterion, replicate) WHERE "
            "status = 'OK'",
        ),
        (
            "one_label",
            "CREATE INDEX one_label ON judgement (unit_id, judge_id, criterion, replicate) WHERE status = "
            "'ok'",
        ),
        ("draft_by_unit", "CREATE INDEX draft_by_unit ON draft (rater_id, unit_id, criterion DESC)"),
        ("draft_by_unit", "CREATE INDEX draft_by_unit ON rating (rater_id, unit_id, criterion)"),
    ],
)
def test_an_index_of_another_definition_is_named(
    full: Small, store_path: Path, name: str, other: str
) -> None:
    assert changed(store_path, f"DROP INDEX {name}", other) == [
        f"the index {name} is not as Second Reader makes it"
    ]


def test_a_guard_that_guards_nothing_is_named(full: Small, store_path: Path) -> None:
    toothless = (
        "CREATE TRIGGER rating_no_update BEFORE UPDATE ON rating WHEN 0 BEGIN SELECT RAISE(ABORT, "
        "'rating is append-only'); END"
    )
    assert changed(store_path, "DROP TRIGGER rating_no_update", toothless) == [
        "the guard rating_no_update is not as Second Reader makes it"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("label IS NULL OR cannot_rate IS NULL", "1"),
        ("UNIQUE (event)", "UNIQUE (event, at)"),
        ("label TEXT", "label INTEGER"),
        ("FOREIGN KEY(rater_id) REFERENCES rater (id)", "FOREIGN KEY(rater_id) REFERENCES unit (id)"),
    ],
)
def test_a_table_with_other_rules_is_named(full: Small, store_path: Path, before: str, after: str) -> None:
    rule = (
        f"UPDATE sqlite_master SET sql = replace(sql, '{before}', '{after}') WHERE name = 'rating' AND "
        f"sql LIKE '%{before}%'"
    )
    with attacker(store_path) as connection:
        connection.exec_driver_sql("PRAGMA writable_schema=ON")
        assert connection.exec_driver_sql(rule).rowcount == 1
        assert verify(connection).problems == [
            "the table rating is not as Second Reader makes it: its columns or rules were changed"
        ]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE unit_commit",
        "ALTER TABLE unit_commit RENAME TO elsewhere",
        "ALTER TABLE rating RENAME COLUMN label TO label_then",
        "ALTER TABLE draft DROP COLUMN confidence",
        "DROP TABLE alembic_version",
    ],
)
def test_where_a_part_is_missing_that_is_said_and_nothing_crashes(
    full: Small, store_path: Path, statement: str
) -> None:
    problems = changed(store_path, statement)
    assert any("is missing" in problem or "lacks the column" in problem for problem in problems)
    if "alembic" not in statement:
        assert problems[-1] == "nothing else could be checked while parts of the database are missing"


def test_what_the_planner_counts_for_itself_is_nobodys_doing(full: Small, store_path: Path) -> None:
    assert changed(store_path, "ANALYZE") == []


def test_how_a_statement_is_spaced_and_quoted_does_not_matter(full: Small, store_path: Path) -> None:
    assert (
        changed(
            store_path,
            "DROP INDEX draft_by_unit",
            'create  INDEX "draft_by_unit" on [draft]("rater_id",\n unit_id , `criterion`) -- as before',
        )
        == []
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_store_of_every_earlier_form_is_clean_once_it_is_brought_up_to_date(
    store_path: Path, form: str
) -> None:
    engine = sa.create_engine(f"sqlite:///{store_path}")
    with engine.connect() as connection:
        config = migrate._config()
        config.attributes["connection"] = connection
        command.upgrade(config, form)
        connection.commit()
    engine.dispose()
    if form == FORMS[0]:
        with pytest.raises(StoreError, match="store_unguarded"):
            open_store(f"sqlite:///{store_path}")
        return
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        SWALLOWING,
        "CREATE TRIGGER quiet AFTER DELETE ON reservation BEGIN DELETE FROM rater_cursor; END",
        "CREATE TRIGGER quiet BEFORE INSERT ON content BEGIN SELECT RAISE(IGNORE); END",
    ],
)
def test_a_store_with_a_trigger_of_somebody_else_is_not_opened(
    small: Small, store_path: Path, raw: sqlite3.Connection, statement: str
) -> None:
    raw.execute(statement)
    with pytest.raises(StoreError, match="store_with_foreign_trigger") as refused:
        open_store(f"sqlite:///{store_path}")
    assert refused.value.facts["name"] == "quiet"
    raw.execute("DROP TRIGGER quiet")
    open_store(f"sqlite:///{store_path}").close()


def test_such_a_trigger_is_met_again_when_the_store_at_the_path_is_opened_anew(
    small: Small, store_path: Path, tmp_path: Path
) -> None:
    store = open_store(f"sqlite:///{store_path}")
    other = tmp_path / "other.sqlite"
    backup(store, other)
    with closing(sqlite3.connect(other, isolation_level=None)) as copy:
        copy.execute(SWALLOWING)
    _put_in_place(other, store_path)
    with pytest.raises(StoreError, match="store_with_foreign_trigger"), store.reading():
        pass
    store.close()


def _put_in_place(source: Path, target: Path) -> None:
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    source.replace(target)


def test_the_objects_of_a_store_are_those_of_a_new_one(store: Store) -> None:
    with store.reading() as connection:
        assert migrate.objects(connection) == list(migrate.objects_of_new_store())
