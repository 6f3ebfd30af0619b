"""Find the last entry of the trail that a page of a study may depend on.

Uncommitted answers have no effect, nor have labels and numbers of other studies. Other entries of another
study may: a text erased there is gone here too, and what a rater was shown there counts in a study that
continues it.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass

from sqlalchemy import Connection, select

from data import schema
from data.store.trail import START

WITHOUT_EFFECT = frozenset({schema.draft.name})  # tables that no list or number reads
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
}  # tables of other studies without effect here


@dataclass(frozen=True)
class StudyHead:
    """`hash`: of the last entry with an effect. It changes with every such entry, and if a store was restored
    and continued differently.
    """

    study_id: int
    hash: str


@dataclass(frozen=True)
class _Position:
    """Up to which entry the trail was read, and the head there."""

    seq: int
    hash: str
    head: str


class StudyHeads:
    """The heads of one store's studies, for all threads. Each entry is read once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._positions: dict[int, _Position] = {}

    def find(self, connection: Connection, study_id: int) -> StudyHead:
        """Return the head in the state that the connection reads."""
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
    """Tell whether the position exists: not in an earlier state of the store, nor in a restored one that
    continued differently.
    """
    trail = schema.trail
    return (
        connection.execute(select(trail.c.hash).where(trail.c.seq == position.seq)).scalar() == position.hash
    )


def _last_with_effect(connection: Connection, study_id: int, after: int) -> str | None:
    """Return the hash of the last entry with an effect, reading from the end; None if there is none."""
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
    """Return the tables of an entry; an altered one counts as having an effect."""
    try:
        return frozenset(json.loads(digest)) or frozenset({""})
    except (ValueError, TypeError):
        return frozenset({""})
