"""Check the database itself: it must have exactly the tables, columns, indexes and triggers of a new
store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlalchemy import Connection

from data import schema
from data.store import migrate
from data.store.migrate import DatabaseObject

# SQLite's ANALYZE keeps statistics for its planner in these tables; nothing here reads them.
_STATISTICS = frozenset({"sqlite_stat1", "sqlite_stat2", "sqlite_stat3", "sqlite_stat4"})
_WORD = re.compile(
    r"""--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|\S""", re.DOTALL
)
_LONGEST_NAME = 80
_KINDS = {"trigger": "guard"}
_ROOM_TO_HARM = {"trigger": ": it can change or swallow what is saved", "index": ": it can make saving fail"}


def differences(connection: Connection) -> Iterator[str]:
    """Yield what the database has too much, lacks, or has in another form than a new store."""
    ours = {(item.kind, item.name): item for item in migrate.objects_of_new_store()}
    here = {(item.kind, item.name): item for item in migrate.objects(connection)}
    for key, item in here.items():
        if key not in ours and item.name not in _STATISTICS:
            place = f" on {_short(item.table)}" if item.kind in ("trigger", "index") else ""
            yield (
                f"the {item.kind} {_short(item.name)}{place} is not Second "
                f"Reader's{_ROOM_TO_HARM.get(item.kind, '')}"
            )
    for key, item in ours.items():
        kind = _KINDS.get(item.kind, item.kind)
        if key not in here:
            yield f"the {kind} {item.name} is missing"
        elif here[key].table != item.table or not _same_statement(here[key].sql, item.sql):
            yield from (
                _column_differences(connection, item)
                if item.kind == "table"
                else [f"the {kind} {item.name} is not as Second Reader makes it"]
            )
    versions = (
        connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
        if ("table", "alembic_version") in here
        else []
    )
    if versions != [migrate.head()]:
        yield "the store names a schema version that it was not migrated to"


def readable(connection: Connection) -> bool:
    """Tell whether every table exists with every column, so that the rows can be checked."""
    return all(
        {column.name for column in table.columns} <= _column_names(connection, name)
        for name, table in schema.metadata.tables.items()
    )


def _column_differences(connection: Connection, item: DatabaseObject) -> Iterator[str]:
    ours = (
        {column.name for column in schema.metadata.tables[item.name].columns}
        if item.name in schema.metadata.tables
        else set()
    )
    here = _column_names(connection, item.name)
    if ours == here or not ours:
        yield f"the table {item.name} is not as Second Reader makes it: its columns or rules were changed"
    for name in sorted(here - ours if ours else ()):
        yield f"the table {item.name} has a column that is not Second Reader's: {_short(name)}"
    for name in sorted(ours - here):
        yield f"the table {item.name} lacks the column {name}"


def _column_names(connection: Connection, table: str) -> set[str]:
    return set(connection.exec_driver_sql("SELECT name FROM pragma_table_xinfo(?)", (table,)).scalars())


def _same_statement(first: str | None, second: str | None) -> bool:
    return first == second or _words(first) == _words(second)


def _words(sql: str | None) -> list[str]:
    """Return the words of a statement without spacing and quotes, so that equal statements of two programs
    compare equal.
    """
    words = [word for word in _WORD.findall(sql or "") if not word.startswith(("--", "/*"))]
    return [
        word if word.startswith("'") else word.strip('"`[]').lower() if len(word) > 1 else word.lower()
        for word in words
    ]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."
