"""The chain of everything that was written, the texts that its rows point to, and their erasure."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, Table, Text

from data.schema.base import content_ref, metadata, ref, row_id, sealed, text

# `conversation_id`: the conversation that a text is from or about, with which it is erased; None: of none.
content = Table(
    "content",
    metadata,
    row_id(),
    Column(
        "conversation_id",
        Integer,
        # A conversation and its texts name each other, so that this is checked when both are there.
        ForeignKey(
            "conversation.id", name="of_a_conversation", use_alter=True, deferrable=True, initially="DEFERRED"
        ),
    ),
    Column("salt", LargeBinary),
    Column("text", Text),
    sqlite_autoincrement=True,
)
Index(
    "content_of_conversation",
    content.c.conversation_id,
    sqlite_where=content.c.conversation_id.is_not(None),
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
