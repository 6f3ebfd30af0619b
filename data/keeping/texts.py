"""Check the texts in `content`: each matches the rows that refer to it, exists unless its erasure is
recorded, is referred to, and belongs to the conversation of those rows.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from sqlalchemy import Connection

from data import schema
from data.store.content import spell_conversation
from data.store.driver import raw_connection

_REFERENCES = [
    (table.name, column.name.removesuffix("_content"))
    for table in schema.SEALED
    for column in table.columns
    if column.name.endswith("_content")
]
# A study that continues another has its own rows for the same texts.
_COPIED = ("conversation", "reference")
_MOST_NUMBERS = 10
# Per referenced text: the row's MAC, its salt, its bytes if it is a text, and whether it was erased.
_REFERRED = """
    SELECT referring.{name}_content, CAST(referring.{name}_mac AS BLOB), content.salt,
        CASE WHEN typeof(content.text) = 'text' THEN CAST(content.text AS BLOB) END,
        referring.{name}_content IN (SELECT content_id FROM erasure)
    FROM {table} AS referring LEFT JOIN content ON content.id = referring.{name}_content
    WHERE referring.{name}_content IS NOT NULL
"""
_PLACE = "SELECT 1 FROM content WHERE id = ? AND salt IS NOT NULL AND text IS NOT NULL"
_ALL_REFERRED = " UNION ALL ".join(
    f"SELECT {name}_content FROM {table} WHERE {name}_content IS NOT NULL" for table, name in _REFERENCES
)
_UNREFERRED = (
    f"SELECT id FROM content WHERE id NOT IN ({_ALL_REFERRED} UNION ALL SELECT content_id FROM erasure)"
)
_BACK_AGAIN = """
    SELECT DISTINCT erasure.content_id FROM erasure JOIN content ON content.id = erasure.content_id
    WHERE content.text IS NOT NULL OR content.salt IS NOT NULL ORDER BY erasure.content_id
"""
_GONE = """
    SELECT DISTINCT content_id FROM erasure WHERE content_id NOT IN (SELECT id FROM content)
    ORDER BY content_id
"""


def text_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each referenced text that is missing, altered, or removed without a recorded
    erasure.
    """
    raw = raw_connection(connection)
    wrong: set[object] = set()  # a text may be used in several places; it is reported once
    for table, name in _REFERENCES:
        for number, recorded, salt, text, erased in raw.execute(_REFERRED.format(table=table, name=name)):
            if (
                erased
                or (
                    type(salt) is bytes
                    and text is not None
                    and hmac.digest(salt, text, "sha256").hex().encode() == recorded
                )
                or number in wrong
            ):
                continue
            wrong.add(number)
            if type(number) is not int:
                yield f"{table}: {number!r} is not the number of a text"
                continue
            here = raw.execute(_PLACE, (number,)).fetchone()
            yield (
                f"text {number} was altered"
                if here
                else f"text {number} is missing and no erasure is recorded"
            )
    for (number,) in raw.execute(_BACK_AGAIN):
        yield f"text {number} was erased but exists again"
    for (number,) in raw.execute(_GONE):
        yield f"text {number} was erased, but its row is missing"
    yield from _unreferred(connection)
    yield from _of_another_conversation(connection)


def erased_count(connection: Connection) -> int:
    """Return how many of the referenced texts were erased."""
    statement = f"SELECT count(DISTINCT content_id) FROM erasure WHERE content_id IN ({_ALL_REFERRED})"
    count: int = connection.exec_driver_sql(statement).scalar_one()
    return count


def _of_another_conversation(connection: Connection) -> Iterator[str]:
    wrong: set[object] = set()
    for table, name in _REFERENCES:
        column = f"referring.{name}_content"
        first = f" AND referring.id IN (SELECT min(id) FROM {table} GROUP BY {name}_content)"
        wrong.update(
            number
            for (number,) in raw_connection(connection).execute(
                f"SELECT content.id FROM {table} AS referring JOIN content ON content.id = {column} WHERE "
                f"content.conversation_id IS NOT {spell_conversation(schema.metadata.tables[table])}"
                f"{first if table in _COPIED else ''}"
            )
        )
    for number in sorted(wrong, key=str):
        yield f"text {number} is filed under another conversation, so that erasing its own would leave it"


def _unreferred(connection: Connection) -> Iterator[str]:
    numbers, count = [], 0
    for (number,) in raw_connection(connection).execute(_UNREFERRED):
        count += 1
        if count <= _MOST_NUMBERS:
            numbers.append(str(number))
    if count:
        more = " ..." if count > _MOST_NUMBERS else ""
        yield (
            f"texts that no row refers to, so that erasing a conversation would not reach them: {count:,} "
            f"(number {', '.join(numbers)}{more})"
        )
