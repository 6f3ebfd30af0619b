"""What somebody could do who has the file, a SQLite tool and bad intentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from data import schema
from data.keeping.verify import StoreCheck, verify
from data.store.trail import START, TableDigest, canonical, entry_hash

CHANGED_TABLE = re.compile(r"(?:UPDATE|DELETE FROM|INSERT(?: OR \w+)? INTO)\s+(\w+)")


@contextmanager
def attacker(path: Path) -> Iterator[Connection]:
    """A connection without the checks of the program. What is done with it is rolled back at the end."""
    engine = sa.create_engine(f"sqlite:///{path}", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA ignore_check_constraints=ON")
        connection.exec_driver_sql("BEGIN")
        yield connection
        connection.exec_driver_sql("ROLLBACK")
    engine.dispose()


@contextmanager
def unguarded(connection: Connection, table: str | None = None) -> Iterator[None]:
    """Within the block no guard is there, or none of one table; whoever takes them away puts them back, so
    that nothing looks different.
    """
    guards: dict[str, str] = dict(
        connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = coalesce(?, tbl_name)",
            (table,),
        ).all()
    )
    for name in guards:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    for statement in guards.values():
        connection.exec_driver_sql(statement)


def after(path: Path, *statements: str, heads: Mapping[int, str] | None = None) -> StoreCheck:
    """The verdict on the store after these statements; every one of them must change something."""
    with attacker(path) as connection:
        for statement in statements:
            table = CHANGED_TABLE.match(statement)
            with unguarded(connection, None if table is None else table[1]):
                assert connection.exec_driver_sql(statement).rowcount > 0, statement
        return verify(connection, heads)


def rewrite_history(connection: Connection) -> None:
    """Recompute every digest and hash, so that the trail agrees with the rows as they are now."""
    digests: dict[int, dict[str, list[object]]] = {}
    for table in schema.SEALED:
        table_digests: dict[int, TableDigest] = {}
        for row in connection.execute(sa.select(table).order_by(table.c.id)):
            table_digests.setdefault(row.trail, TableDigest()).add(list(row))
        for seq, digest in table_digests.items():
            digests.setdefault(seq, {})[table.name] = digest.value()
    previous = START
    for entry in connection.execute(sa.select(schema.trail).order_by(schema.trail.c.seq)).mappings().all():
        new_entry = {**entry, "digest": canonical(digests[entry["seq"]]).decode(), "previous": previous}
        previous = entry_hash(new_entry)
        connection.execute(
            sa.update(schema.trail)
            .where(schema.trail.c.seq == entry["seq"])
            .values(digest=new_entry["digest"], previous=new_entry["previous"], hash=previous)
        )
