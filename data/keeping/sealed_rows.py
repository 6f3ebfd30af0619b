"""The rows of the sealed tables as groups: what was written under each entry of the trail, with its digest.

A digest is made of rows spelled as JSON (data/store/trail.py), in the form that the table had when they were
written (data/schema/earlier_forms.py). Here SQLite spells them while it reads: for numbers, texts and nothing
it writes the same bytes, several times faster. Where its bytes have another digest than the trail says, the
rows are spelled again in Python before anything is called altered (`digest_anew`).
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Float, LargeBinary, Table

from data.schema.earlier_forms import earlier_forms
from data.store.trail import TableDigest

# The rows of one table under one entry: the number of the entry, the table's name at the time, how many rows,
# what stands of them in the digest of the entry, and the id of the first of them, which the others follow. A
# bare tuple: there are as many as entries, and making an object of each takes a tenth of the time of
# everything else.
Group = tuple[float, str, int, str, int]
_BEFORE_ALL = -math.inf


@dataclass(frozen=True)
class RowForm:
    """How rows of a table are spelled. `last`: the last entry whose rows are. `columns`: SQL expressions;
    `named`: columns behind them that are spelled with their names.
    """

    last: float
    name: str
    columns: Sequence[str]
    named: Sequence[str] = ()

    def sql(self) -> str:
        """The row as a JSON array, spelled by the database."""
        pairs = [f"json_array('{column}', {column})" for column in self.named]
        return f"json_array({', '.join([*self.columns, *pairs])})"

    def values(self, row: Sequence[Any]) -> list[Any]:
        """What the digest covers of a row that was read as `columns` and `named`."""
        plain = len(self.columns)
        return [*row[:plain], *([name, value] for name, value in zip(self.named, row[plain:], strict=True))]


class SealedTable:
    """A sealed table with the forms of its rows, the oldest first. `last_entries`: data/store/trail.py,
    `last_entries_of_forms`.
    """

    def __init__(self, table: Table, last_entries: Mapping[str, int]) -> None:
        self.table, self.name = table, table.name
        self.forms = [
            RowForm(last_entries[form.before], form.table, tuple(form.columns.values()), form.named)
            for form in earlier_forms(table)
            if form.before in last_entries
        ]
        self.forms.append(RowForm(math.inf, table.name, tuple(column.name for column in table.columns)))

    def form(self, entry: float) -> RowForm:
        """The form of the rows under an entry."""
        return next(form for form in self.forms if entry <= form.last)


def spell_digest(table: str, rows: int, hashed: str) -> str:
    """What stands of one table in the digest of an entry, in canonical form."""
    return f'"{table}":[{rows},"{hashed}"]'


class OutOfOrder(Exception):
    """The rows of a table are not in the order of the trail, or hold what JSON has no form for: somebody else
    put them there.
    """

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def groups(raw: sqlite3.Connection, sealed: SealedTable, careful: bool) -> Iterator[Group]:
    """The groups of a table in the order of the trail, which is that of the ids. Rows whose entry is no
    number are left out.

    `careful`: takes nothing for granted, sorts, and is slow. Otherwise raises OutOfOrder where that is
    needed.
    """
    if careful or not _database_spells(sealed.table):
        return _spelled_here(raw, sealed, careful)
    return _spelled_by_database(raw, sealed)


def digest_anew(raw: sqlite3.Connection, sealed: SealedTable, group: Group) -> str:
    """The digest of a group of which SQLite spelled the rows, with its rows spelled in Python."""
    entry, name, count, _, first = group
    digest, form = TableDigest(), sealed.form(entry)
    statement = (
        f"SELECT {', '.join([*form.columns, *form.named])} FROM {sealed.name} "
        "WHERE id >= ? AND trail = ? ORDER BY id LIMIT ?"
    )
    try:
        for row in raw.execute(statement, (first, entry, count)):
            digest.add(form.values(row))
    except sqlite3.OperationalError:  # a text that is none
        raise OutOfOrder(sealed.name) from None
    return spell_digest(name, digest.count, digest.hexdigest())


def without_entry(raw: sqlite3.Connection, table: Table) -> int:
    """How many rows of a table name no entry at all, not even one that is not there."""
    count: int = raw.execute(
        f"SELECT count(*) FROM {table.name} WHERE typeof(trail) <> 'integer'"
    ).fetchone()[0]
    return count


def _spelled_by_database(raw: sqlite3.Connection, sealed: SealedTable) -> Iterator[Group]:
    name, sha256 = sealed.forms[0].name, hashlib.sha256
    last = sealed.forms[0].last
    entry, count, first = _BEFORE_ALL, 0, 0
    digest: Any = None
    *earlier, current = sealed.forms
    row = current.sql()
    if earlier:
        cases = " ".join(f"WHEN trail <= {form.last} THEN {form.sql()}" for form in earlier)
        row = f"CASE {cases} ELSE {row} END"
    try:
        for trail, number, spelled in raw.execute(
            f"SELECT trail, id, CAST({row} AS BLOB) FROM {sealed.name} ORDER BY id"
        ):
            if trail == entry:
                digest.update(spelled)
                count += 1
                continue
            if not trail > entry:
                raise OutOfOrder(sealed.name)
            if count:
                yield entry, name, count, f'"{name}":[{count},"{digest.hexdigest()}"]', first
            entry, count, first, digest = trail, 1, number, sha256(spelled)
            if entry > last:
                form = sealed.form(entry)
                name, last = form.name, form.last
    except (sqlite3.OperationalError, TypeError):
        raise OutOfOrder(sealed.name) from None
    if count:
        yield entry, name, count, f'"{name}":[{count},"{digest.hexdigest()}"]', first


def _spelled_here(raw: sqlite3.Connection, sealed: SealedTable, careful: bool) -> Iterator[Group]:
    order = "WHERE typeof(trail) = 'integer' ORDER BY trail, id" if careful else "ORDER BY id"
    entry, first = _BEFORE_ALL, 0
    digest, form = TableDigest(), sealed.forms[0]
    for trail, number, row in _rows(raw, sealed, order, careful):
        if trail != entry:
            if not careful and not (isinstance(trail, int) and trail > entry):
                raise OutOfOrder(sealed.name)
            if digest.count:
                yield _group(entry, form, digest, first)
            entry, first, digest, form = trail, number, TableDigest(), sealed.form(trail)
        digest.add(form.values(row[form.last]))
    if digest.count:
        yield _group(entry, form, digest, first)


def _group(entry: float, form: RowForm, digest: TableDigest, first: int) -> Group:
    part = spell_digest(form.name, digest.count, digest.hexdigest())
    return entry, form.name, digest.count, part, first


def _rows(
    raw: sqlite3.Connection, sealed: SealedTable, order: str, careful: bool
) -> Iterator[tuple[Any, int, dict[float, Sequence[Any]]]]:
    """(entry, id, the row in each form) of every row; a form is named by its last entry."""
    columns: list[str] = []
    parts: list[tuple[float, slice]] = []
    for form in sealed.forms:
        start = len(columns) + 2
        columns += [*form.columns, *form.named]
        parts.append((form.last, slice(start, len(columns) + 2)))
    try:
        for row in raw.execute(f"SELECT trail, id, {', '.join(columns)} FROM {sealed.name} {order}"):
            yield row[0], row[1], {last: row[part] for last, part in parts}
    except sqlite3.OperationalError:
        if careful:
            raise
        raise OutOfOrder(sealed.name) from None


def _database_spells(table: Table) -> bool:
    """Whether SQLite writes the rows of a table as Python does: it writes fractions otherwise."""
    return not any(isinstance(column.type, Float | LargeBinary) for column in table.columns)
