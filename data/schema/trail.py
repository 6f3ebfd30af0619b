"""The chain of everything that was written, the texts that its rows point to, and their erasure."""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, Table, Text

from data.schema.base import content_ref, metadata, ref, row_id, sealed, text

content = Table(
    "content",
    metadata,
    row_id(),
    Column("salt", LargeBinary),
    Column("text", Text),
    sqlite_autoincrement=True,
)

trail = Table(
    "trail",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    text("at"),
    text("actor"),
    text("action"),
    Column("study", Integer),
    text("detail"),
    text("digest"),
    text("previous"),
    text("hash"),
)

erasure = sealed("erasure", ref("content_id", "content"), *content_ref("reason"), text("at"))
