"""The triggers that keep tables append-only. Installed after every migration, checked at every start."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from sqlalchemy import Connection, text

from data import schema
from data.store.errors import StoreError

# The error of the trigger that keeps out words about an erased conversation.
OF_ERASED = "the words of this conversation were erased"


@lru_cache
def _statements() -> Mapping[str, str]:
    """Return name -> statement of every trigger."""
    statements = {
        f"{table.name}_no_{verb.lower()}": f"CREATE TRIGGER {table.name}_no_{verb.lower()} BEFORE {verb} ON "
        f"{table.name} BEGIN SELECT RAISE(ABORT, '{table.name} is append-only'); END"
        for table in [*schema.SEALED, schema.trail]
        for verb in ("UPDATE", "DELETE")
    }
    statements["content_no_delete"] = (
        "CREATE TRIGGER content_no_delete BEFORE DELETE ON content "
        "BEGIN SELECT RAISE(ABORT, 'content is erased, never deleted'); END"
    )
    statements["content_only_erased"] = (
        "CREATE TRIGGER content_only_erased BEFORE UPDATE ON content WHEN NEW.id <> OLD.id OR "
        "NEW.conversation_id IS NOT OLD.conversation_id OR NEW.text IS NOT NULL OR NEW.salt IS NOT NULL "
        "BEGIN SELECT RAISE(ABORT, 'content is erased, never changed'); END"
    )
    statements["content_not_of_erased"] = (
        "CREATE TRIGGER content_not_of_erased BEFORE INSERT ON content WHEN NEW.text IS NOT NULL AND EXISTS ("
        "SELECT 1 FROM conversation JOIN content AS words "
        "ON words.id = coalesce(conversation.transcript_content, conversation.facts_content) "
        "WHERE conversation.id = NEW.conversation_id AND words.text IS NULL) "
        f"BEGIN SELECT RAISE(ABORT, '{OF_ERASED}'); END"
    )
    return MappingProxyType(statements)


def remove(connection: Connection) -> None:
    """Remove the triggers for a migration, which may replace their tables."""
    for name in _statements():
        connection.execute(text(f"DROP TRIGGER IF EXISTS {name}"))


def install(connection: Connection) -> None:
    """Create the triggers, in place of those that exist."""
    remove(connection)
    for statement in _statements().values():
        connection.execute(text(statement))


def check(connection: Connection) -> None:
    """Raise StoreError unless every trigger exists word for word, and no other one does."""
    here: dict[str, str] = dict(
        connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
    )
    missing = [name for name, statement in _statements().items() if here.get(name) != statement]
    if missing:
        raise StoreError("store_unguarded", name=missing[0], more=len(missing) - 1)
    refuse_foreign(connection)


def refuse_foreign(connection: Connection) -> None:
    """Raise StoreError if the database has a foreign trigger, which could silently swallow or change what is
    saved.
    """
    rows = connection.execute(
        text("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    )
    foreign = [row for row in rows if row.name not in _statements()]
    if foreign:
        raise StoreError(
            "store_with_foreign_trigger",
            name=foreign[0].name[:80],
            table=foreign[0].tbl_name[:80],
            count=len(foreign),
            more=len(foreign) - 1,
        )
