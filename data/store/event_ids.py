"""The id of an event belongs to one rater, one unit and one content.

The same event may arrive again if its acknowledgement was lost; then it is acknowledged again. Another
content under its id is refused, so that nothing counts as saved that is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from sqlalchemy import Connection, Table, select

from data.store import content
from data.store.errors import Refused

REUSED = "event_id_reused"


def is_kept(
    connection: Connection,
    table: Table,
    event: str,
    values: Mapping[str, Any],
    texts: Mapping[str, str] | None = None,
) -> bool:
    """Tell whether a table holds this event already.

    Args:
        values: the row, by column.
        texts: its texts, by column name without `_content`.

    Raises:
        Refused: the stored row differs. Erased texts can't be compared, so they differ.
    """
    row = connection.execute(select(table).where(table.c.event == event)).mappings().first()
    if row is None:
        return False
    same_values = all(row[column] == value for column, value in values.items())
    same_texts = all(_same_text(connection, row, name, text) for name, text in (texts or {}).items())
    if not (same_values and same_texts):
        raise Refused(REUSED)
    return True


def refuse_late_words(what: str, words: str) -> NoReturn:
    """Raise Refused for what a closed tab had left, with the words that would be lost."""
    if words:
        raise Refused("late_words_of_closed_tab", what=what, words=words)
    raise Refused("late_entry_of_closed_tab", what=what)


def _same_text(connection: Connection, row: Mapping[Any, Any], name: str, text: str) -> bool:
    content_id = row[f"{name}_content"]
    if content_id is None or not text:
        return content_id is None and not text
    return content.same(connection, content_id, row[f"{name}_mac"], text)
