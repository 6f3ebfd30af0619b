"""A store whose guards are missing or changed is not opened; a migration puts them back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from data import schema
from data.keeping.verify import verify
from data.store import migrate, triggers
from data.store.errors import StoreError
from data.store.store import open_store
from reports.refusals import word_error
from tests.studies.small_study import Small

NAMES = [
    f"{table.name}_no_{verb}" for table in [*schema.SEALED, schema.trail] for verb in ("update", "delete")
]
NAMES += ["content_no_delete", "content_only_erased", "content_not_of_erased"]

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9999", "{head}"

def upgrade():
{steps}
"""
BATCH = """\
    with op.batch_alter_table("{table}", recreate="always") as batch:
        batch.add_column(sa.Column("added", sa.Text()))
"""


def guards(raw: sqlite3.Connection) -> dict[str, str]:
    return dict(raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall())


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Give the program one more migration, with these steps, as its next version would have."""

    def add(steps: str) -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(
            Path(migrate.__file__).with_name("migrations"),
            folder,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (folder / "versions" / "9999_next.py").write_text(
            MIGRATION.format(head=migrate.head(), steps=steps), encoding="utf-8"
        )
        monkeypatch.setattr(migrate, "MIGRATIONS", folder)

    return add


def test_a_new_store_has_every_guard(small: Small, raw: sqlite3.Connection) -> None:
    assert set(guards(raw)) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_store_without_one_of_them_is_not_opened(
    small: Small, store_path: Path, raw: sqlite3.Connection, name: str
) -> None:
    raw.execute(f"DROP TRIGGER {name}")
    with pytest.raises(StoreError, match="store_unguarded"):
        open_store(f"sqlite:///{store_path}")


@pytest.mark.parametrize(
    "change",
    [
        ("BEGIN SELECT", "WHEN 0 BEGIN SELECT"),
        ("ABORT", "FAIL"),
        ("BEFORE UPDATE ON", "BEFORE UPDATE OF at ON"),
    ],
)
def test_a_store_with_a_changed_guard_is_not_opened(
    small: Small, store_path: Path, raw: sqlite3.Connection, change: tuple[str, str]
) -> None:
    statement = guards(raw)["rating_no_update"]
    assert change[0] in statement
    raw.execute("DROP TRIGGER rating_no_update")
    raw.execute(statement.replace(*change))
    with pytest.raises(StoreError, match="store_unguarded"):
        open_store(f"sqlite:///{store_path}")


def test_the_message_says_what_to_do(small: Small, store_path: Path, raw: sqlite3.Connection) -> None:
    raw.execute("DROP TRIGGER rating_no_update")
    with pytest.raises(StoreError) as refused:
        open_store(f"sqlite:///{store_path}")
    assert word_error(refused.value) == (
        "The guards of the append-only tables are missing or changed (rating_no_update and 0 more). Ratings could be "
        "altered without a trace, so the program does not start. Restore the last backup (second-reader restore "
        "FILE), or ask the person who changed the file."
    )


@pytest.mark.parametrize("table", ["rating", "rater", "conversation", "content", "trail"])
def test_a_migration_that_makes_a_table_anew_leaves_every_guard_and_every_row(
    full: Small, store_path: Path, raw: sqlite3.Connection, next_migration: Callable[[str], None], table: str
) -> None:
    full.store.close()
    before, count = guards(raw), raw.execute(f"SELECT count(*) FROM {table}").fetchone()
    next_migration(BATCH.format(table=table))
    open_store(f"sqlite:///{store_path}").close()
    assert raw.execute(f"PRAGMA table_info({table})").fetchall()[-1][1] == "added"
    assert guards(raw) == before
    assert raw.execute(f"SELECT count(*) FROM {table}").fetchone() == count
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []


def test_without_putting_them_back_such_a_migration_would_lose_guards_and_be_noticed(
    full: Small, store_path: Path, next_migration: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    full.store.close()
    next_migration(BATCH.format(table="rating"))
    monkeypatch.setattr(triggers, "install", lambda connection: None)
    with pytest.raises(StoreError, match="store_unguarded"):
        open_store(f"sqlite:///{store_path}")


def test_a_migration_that_breaks_off_leaves_the_store_as_it_was(
    full: Small,
    store_path: Path,
    raw: sqlite3.Connection,
    next_migration: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full.store.close()
    before, released = list(raw.iterdump()), migrate.MIGRATIONS
    next_migration(BATCH.format(table="rating") + '    raise RuntimeError("the power went")')
    with pytest.raises(RuntimeError, match="the power went"):
        open_store(f"sqlite:///{store_path}")
    assert list(raw.iterdump()) == before
    monkeypatch.setattr(migrate, "MIGRATIONS", released)
    again = open_store(f"sqlite:///{store_path}")
    with again.reading() as connection:
        assert verify(connection).problems == []
    again.close()


def test_a_migration_that_loses_rows_others_refer_to_is_not_kept(
    full: Small, store_path: Path, raw: sqlite3.Connection, next_migration: Callable[[str], None]
) -> None:
    full.store.close()
    before = list(raw.iterdump())
    next_migration('    op.execute("DELETE FROM rater")')
    with pytest.raises(StoreError, match="store_not_migrated"):
        open_store(f"sqlite:///{store_path}")
    assert list(raw.iterdump()) == before


def test_a_foreign_trigger_does_not_go_off_in_a_migration(
    small: Small, store_path: Path, raw: sqlite3.Connection, next_migration: Callable[[str], None]
) -> None:
    small.store.close()
    head = migrate.head()
    next_migration("    pass")
    raw.execute(
        "CREATE TRIGGER quiet AFTER UPDATE ON alembic_version BEGIN UPDATE alembic_version SET version_num "
        "= '0001'; END"
    )
    with pytest.raises(StoreError, match="store_with_foreign_trigger") as refused:
        open_store(f"sqlite:///{store_path}")
    assert "not Second Reader's: quiet on the table alembic_version. It could" in word_error(refused.value)
    assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (head,)
