"""What a study bundle holds: the rows of the record that belong to one study, and the trail they rest on.

A bundle is one SQLite file, or a folder with the same tables as JSON Lines. Rows keep their ids, and each
entry of the trail that wrote rows of the study is there whole, so that the digests can be computed again. Of
other entries only the number and the two hashes are there: the chain can be followed, and nothing is told of
other studies.
"""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Float,
    Integer,
    LargeBinary,
    Select,
    Table,
    exists,
    func,
    select,
    union,
)

from data import schema
from data.store.trail import TableDigest, canonical

FORMAT = 1
ABOUT = "about"
ABOUT_FILE = "about.json"
EXPORTED = "export study"  # the action of the entry that every export makes; its detail holds the digest
# Tables whose rows several studies may use: a bundle holds the rows that its study refers to.
SHARED = (schema.instrument, schema.taxonomy, schema.judge_prompt, schema.asked_model)
# An entry may have written rows of these tables for several studies. So the check can't tell whether a row
# that is not in the bundle was removed. None of them holds a label, reveal or time of a person.
OFTEN_SHARED = frozenset({schema.erasure.name, schema.store_key.name, *(table.name for table in SHARED)})
TABLES = tuple(table for table in schema.SEALED if table is not schema.store_key)
# Columns that refer to another study, which is not in the bundle.
OUTWARD = frozenset(
    {
        (schema.seen_elsewhere.name, "of_study_id"),
        (schema.successor.name, "of_study_id"),
        (schema.trial.name, "source_id"),
        (schema.trial.name, "attempt_id"),
    }
)
_PROMPT_HASH = 12  # characters of a prompt's SHA-256 in the identity of a judge


def content_columns(table: Table) -> list[str]:
    """Return the columns of a table that hold ids of texts."""
    return [column.name for column in table.columns if column.name.endswith("_content")]


def columns(table: Table) -> list[Column[Any]]:
    """Return the columns of a table in a bundle.

    The conversation of a text is left out: it follows from the row that refers to the text.
    """
    return [column for column in table.columns if (table.name, column.name) != ("content", "conversation_id")]


def references(table: Table) -> dict[str, Table]:
    """Return column -> the table whose ids it holds; without columns that point out of the study."""
    return {
        column.name: key.column.table
        for column in table.columns
        for key in column.foreign_keys
        if (table.name, column.name) not in OUTWARD
    }


def select_rows(table: Table, study_id: int) -> Select[Any]:
    """Return a query of the rows of one of TABLES, or of `content`, that belong to a study, by id."""
    return select(*columns(table)).where(_belongs(table, study_id)).order_by(table.c.id)


def _belongs(table: Table, study_id: int) -> ColumnElement[bool]:
    """Follow the first column that names a row of the study, from table to table."""
    if table is schema.study:
        return table.c.id == study_id
    if table is schema.content:
        return table.c.id.in_(_text_ids(study_id, TABLES))
    if table is schema.erasure:
        others = [other for other in TABLES if other is not schema.erasure]
        return table.c.content_id.in_(_text_ids(study_id, others))
    if table is schema.judge_prompt:
        judge = schema.judge
        begin = func.substr(table.c.sha256, 1, _PROMPT_HASH)
        return exists().where(judge.c.study_id == study_id, func.instr(judge.c.identity, begin) > 0)
    if table in SHARED:
        using = (
            (schema.attempt, "asked_model_id")
            if table is schema.asked_model
            else (schema.study, f"{table.name}_id")
        )
        return table.c.id.in_(select(using[0].c[using[1]]).where(_belongs(using[0], study_id)))
    name, owner = next(
        (name, owner) for name, owner in references(table).items() if owner not in (schema.content, *SHARED)
    )
    return table.c[name].in_(select(owner.c.id).where(_belongs(owner, study_id)))


def _text_ids(study_id: int, tables: Any) -> Any:
    return union(
        *(
            select(table.c[name]).where(_belongs(table, study_id), table.c[name].is_not(None))
            for table in tables
            for name in content_columns(table)
        )
    )


class BundleDigest:
    """The digest of all rows of a bundle: of each table the number of rows and their hash."""

    def __init__(self) -> None:
        self._tables: dict[str, TableDigest] = {}

    def add(self, table: str, row: list[Any]) -> None:
        """Add a row, in the order of the columns; the rows of a table come by id."""
        self._tables.setdefault(table, TableDigest()).add(row)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(digest.count for digest in self._tables.values())

    def hexdigest(self) -> str:
        """Return the SHA-256 of the digests of all tables, in hexadecimal."""
        told = {name: digest.value() for name, digest in self._tables.items()}
        return hashlib.sha256(canonical(told)).hexdigest()


def value_fits(column: Column[Any], value: Any) -> bool:
    """Tell whether a column may hold a value of this type, NULL included."""
    if value is None:
        return bool(column.nullable)
    if isinstance(column.type, Integer):
        return type(value) is int and -(2**63) <= value < 2**63
    if isinstance(column.type, Float):
        return type(value) in (int, float)
    return isinstance(value, bytes if isinstance(column.type, LargeBinary) else str)
