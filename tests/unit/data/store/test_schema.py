"""The migrations make exactly the schema that the program speaks of."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Inspector, Table

from data import schema
from data.store import migrate
from data.store.store import Store


def in_words(index: Any) -> dict[str, Any]:
    """The condition of a partial index is an object; its words are what counts."""
    return {
        **index,
        "dialect_options": {name: str(value) for name, value in index.get("dialect_options", {}).items()},
    }


def described(inspector: Inspector, table: str) -> dict[str, Any]:
    """Everything about a table that a reflection can tell."""

    def ordered(items: Any) -> list[str]:
        return sorted(str(sorted(item.items(), key=str)) for item in items)

    columns = [{**column, "type": str(column["type"])} for column in inspector.get_columns(table)]
    return {
        "columns": [sorted(column.items(), key=str) for column in columns],
        "primary key": inspector.get_pk_constraint(table)["constrained_columns"],
        "foreign keys": ordered(inspector.get_foreign_keys(table)),
        "unique": ordered(inspector.get_unique_constraints(table)),
        "checks": ordered(inspector.get_check_constraints(table)),
        "indexes": ordered(in_words(index) for index in inspector.get_indexes(table)),
    }


@pytest.fixture
def from_metadata() -> Inspector:
    engine = sa.create_engine("sqlite://")
    schema.metadata.create_all(engine)
    return sa.inspect(engine)


def test_alembic_finds_no_difference(store: Store) -> None:
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


@pytest.mark.parametrize("table", schema.metadata.sorted_tables, ids=lambda table: table.name)
def test_columns_keys_checks_and_indexes_are_the_same(
    store: Store, from_metadata: Inspector, table: Table
) -> None:
    with store.reading() as connection:
        assert described(sa.inspect(connection), table.name) == described(from_metadata, table.name)


def test_there_are_no_tables_beside_the_known_ones(store: Store) -> None:
    with store.reading() as connection:
        assert set(sa.inspect(connection).get_table_names()) == {*schema.metadata.tables, "alembic_version"}


@pytest.mark.parametrize("table", schema.SEALED, ids=lambda table: table.name)
def test_ids_of_sealed_rows_are_never_given_twice(store: Store, table: Table) -> None:
    with store.reading() as connection:
        statement = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE name = ?", (table.name,)
        ).scalar()
    assert "AUTOINCREMENT" in str(statement)


def test_a_store_is_at_the_newest_form(store: Store) -> None:
    with store.reading() as connection:
        assert (
            connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == migrate.head()
        )


def test_the_names_of_the_steps_are_their_revisions_in_order() -> None:
    """So that a store of the newest form is told without loading what migrates."""
    scripts = [*ScriptDirectory.from_config(migrate._config()).walk_revisions()]
    assert tuple(script.revision for script in reversed(scripts)) == migrate.revisions()
    assert ScriptDirectory.from_config(migrate._config()).get_current_head() == migrate.head()
