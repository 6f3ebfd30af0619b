"""Whether anything was written that a page of a study may rest on: the last such entry of the trail.

Answers before they are committed change none, and neither do labels and numbers of other studies. What else
is written in another study may: a text that is erased there is gone here too, and what somebody was shown in
the study before counts in the one that continues it.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import schema
from data.store.trail import START

WITHOUT_EFFECT = frozenset({schema.draft.name})  # tables whose rows are in no list and no number
WITHOUT_EFFECT_ELSEWHERE = WITHOUT_EFFECT | {
    table.name
    for table in (
        schema.assignment,
        schema.assignment_event,
        schema.attempt,
        schema.commit,
        schema.judgement,
        schema.metric_value,
        schema.rating,
        schema.run_event,
    )
}  # the same, of other studies


@dataclass(frozen=True)
class StudyHead:
    """`hash`: of the last entry that counts, another one whenever such an entry was made, also where a store
    was brought back from a backup and went on differently.
    """

    study_id: int
    hash: str


@dataclass(frozen=True)
class _Position:
    """Up to which entry was looked, and what was the head there."""

    seq: int
    hash: str
    head: str


class StudyHeads:
    """Of the studies of one store, for all threads. Entries are looked at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._positions: dict[int, _Position] = {}

    def find(self, connection: Connection, study_id: int) -> StudyHead:
        """In the state of the store that the connection reads."""
        trail = schema.trail
        last = connection.execute(
            select(trail.c.seq, trail.c.hash).order_by(trail.c.seq.desc()).limit(1)
        ).first()
        if last is None:
            return StudyHead(study_id, START)
        with self._lock:
            position = self._positions.get(study_id)
        if position is not None and not _is_there(connection, position):
            position = None
        if position is None or position.seq < last.seq:
            head = _last_with_effect(connection, study_id, position.seq if position else 0)
            position = _Position(last.seq, last.hash, head or (position.head if position else START))
            with self._lock:
                self._positions[study_id] = position
        return StudyHead(study_id, position.head)


def _is_there(connection: Connection, position: _Position) -> bool:
    """Not in an earlier state of the store, nor in one that was brought back and went on differently."""
    trail = schema.trail
    return (
        connection.execute(select(trail.c.hash).where(trail.c.seq == position.seq)).scalar() == position.hash
    )


def _last_with_effect(connection: Connection, study_id: int, after: int) -> str | None:
    """The hash of the last entry behind one that counts; read from the end, and no further."""
    trail = schema.trail
    with connection.execute(
        select(trail.c.hash, trail.c.study, trail.c.digest)
        .where(trail.c.seq > after)
        .order_by(trail.c.seq.desc())
    ) as rows:
        for row in rows:
            elsewhere = row.study not in (study_id, None)
            if _tables(row.digest) - (WITHOUT_EFFECT_ELSEWHERE if elsewhere else WITHOUT_EFFECT):
                return str(row.hash)
    return None


def _tables(digest: str) -> frozenset[str]:
    """Of an entry; one that was altered counts as one that has an effect."""
    try:
        return frozenset(json.loads(digest)) or frozenset({""})
    except (ValueError, TypeError):
        return frozenset({""})
