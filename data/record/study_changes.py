"""A study's title and whether it is archived. Each change is a row; the last one of its kind counts.

An archived study stays in the store, and nobody is given anything in it to rate. What somebody is rating can
still be saved (services/rating_events.py).
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from data import schema
from data.record import studies
from data.record.studies import Study
from data.store.errors import Refused
from data.store.free_text import check_text
from data.store.trail import TrailEntry

TITLE_LIMIT = 200


def rename_study(connection: Connection, entry: TrailEntry, study: Study, title: str) -> None:
    """Give the study another title; the key stays. The same title again changes nothing.

    Raise Refused for a title that is blank or has more than TITLE_LIMIT (200) characters.
    """
    title = " ".join(title.split())
    if not title:
        raise Refused("title_blank")
    check_text("title", title, TITLE_LIMIT)
    if title != studies.get(connection, study.id).title:
        entry.write(schema.study_change, {"study_id": study.id, "title": title})


def set_archived(connection: Connection, entry: TrailEntry, study: Study, archived: bool) -> None:
    """Archive a study, or take it out of the archive. Nothing happens if it is so already."""
    if archived != is_archived(connection, study.id):
        entry.write(schema.study_change, {"study_id": study.id, "archived": int(archived)})


def is_archived(connection: Connection, study_id: int) -> bool:
    """Tell whether the study is archived now; a `Study` tells it as of when it was read."""
    change = schema.study_change
    statement = (
        select(change.c.archived)
        .where(change.c.study_id == study_id, change.c.archived.is_not(None))
        .order_by(change.c.id.desc())
        .limit(1)
    )
    return bool(connection.execute(statement).scalar())
