"""What tables are made of. A sealed table is append-only, and each of its rows names the trail entry that it
was written under."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Column, ForeignKey, Integer, MetaData, Table, Text

metadata = MetaData()
SEALED: list[Table] = []


def row_id() -> Column[int]:
    """Return the column `id`, the primary key."""
    return Column("id", Integer, primary_key=True)


def ref(name: str, target: str, nullable: bool = False) -> Column[int]:
    """Return a column that refers to the id of the table `target`."""
    return Column(name, Integer, ForeignKey(f"{target}.id"), nullable=nullable)


def text(name: str, nullable: bool = False, **more: Any) -> Column[str]:
    """Return a column of text."""
    return Column(name, Text, nullable=nullable, **more)


def content_ref(name: str) -> list[Column[Any]]:
    """Return the two columns that refer to free text: its row, and the HMAC under the row's salt."""
    return [ref(f"{name}_content", "content", nullable=True), Column(f"{name}_mac", Text)]


def one_of(column: str, vocabulary: type[StrEnum]) -> CheckConstraint:
    """Return a constraint that the column holds a word of the vocabulary."""
    listed = ", ".join(f"'{word}'" for word in vocabulary)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def sealed(name: str, *parts: Any) -> Table:
    """Make an append-only table, with an id and the trail entry of each row."""
    trail = Column("trail", Integer, nullable=False)
    table = Table(name, metadata, row_id(), *parts, trail, sqlite_autoincrement=True)
    SEALED.append(table)
    return table
