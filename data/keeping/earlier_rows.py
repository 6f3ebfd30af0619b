"""Rows that an earlier program sealed stand in the columns of now as they stood in those of then: each column
of now is what the row of then says (data/schema/earlier_forms.py). The row of then itself is covered by its
digest.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from data import schema
from data.schema.earlier_forms import earlier_forms
from data.store.trail import last_entries_of_forms


def earlier_row_problems(connection: Connection) -> Iterator[str]:
    last_entries = last_entries_of_forms(connection)
    for table in schema.SEALED:
        before = 0
        for form in earlier_forms(table):
            last = last_entries.get(form.before, 0)
            if form.derived and last > before:
                earlier = ", ".join(f'{sql} AS "{name}"' for name, sql in form.columns.items())
                present = ", ".join(f'"{name}" AS "present_{name}"' for name in form.derived)
                same = " AND ".join(f'"present_{name}" IS ({sql})' for name, sql in form.derived.items())
                for number in connection.exec_driver_sql(
                    f"SELECT id FROM (SELECT {earlier}, {present} FROM {table.name} "
                    "WHERE trail > ? AND trail <= ?) AS earlier "
                    f"WHERE NOT ({same}) ORDER BY id",
                    (before, last),
                ).scalars():
                    yield f"{table.name}: row {number} is not as it was brought over from its earlier form"
            before = max(before, last)
