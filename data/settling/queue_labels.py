"""The labels in the list of what is to be settled, only for people who may see them already. Opening a unit
is recorded, so an unopened unit shows nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.access.permissions import Action, Person, may
from data.labels.counted import counted_ratings, counted_verdicts
from data.labels.disagreements import Queue
from data.labels.queue_parts import Disagreement
from data.record.studies import Study
from data.settling.anonymous_labels import letter_order
from data.work import conflicts


@dataclass(frozen=True)
class RowLabels:
    """What people said, in the order of their letters, None: cannot rate; and what judges said against them,
    each label once, in the queue of the judge.
    """

    people: tuple[str | None, ...]
    judges: tuple[str, ...]


def row_labels(
    connection: Connection, study: Study, queue: Queue, items: Sequence[Disagreement], person: Person
) -> list[RowLabels | None]:
    """Of each item, or None where its labels stay hidden from this person: of people until the conversation
    was opened, and in the queue of the judge until the unit's judges were shown.
    """
    unit_ids = {item.unit_id for item in items}
    verdicts = _verdicts(connection, study, unit_ids) if queue == "human_judge" else []
    if person.rater and not may(connection, person, Action.SEE_LABELS_UNRECORDED, study):
        unit_ids = _opened(connection, unit_ids, person.rater.id)
        shown = _judges_shown(connection, unit_ids, person.rater.id)
        unit_ids -= {
            verdict.unit_id for verdict in verdicts if (verdict.unit_id, verdict.judge_id) not in shown
        }
    if not unit_ids:
        return [None] * len(items)
    people = _of_people(connection, study, unit_ids)
    judges: dict[tuple[int, str], list[str]] = {}
    for verdict in verdicts:
        labels_of_place = judges.setdefault((verdict.unit_id, verdict.criterion), [])
        if verdict.label not in labels_of_place:
            labels_of_place.append(verdict.label)
    labels: list[RowLabels | None] = []
    for item in items:
        place = (item.unit_id, item.criterion)
        given = people.get(place, ())
        against = [label for label in judges.get(place, ()) if label not in given]
        labels.append(RowLabels(tuple(given), tuple(against)) if item.unit_id in unit_ids else None)
    return labels


def _opened(connection: Connection, unit_ids: set[int], rater_id: int) -> set[int]:
    unit = schema.unit
    return set(
        connection.execute(
            select(unit.c.id).where(
                unit.c.id.in_(unit_ids),
                unit.c.conversation_id.in_(conflicts.seen_conversations(connection, rater_id)),
            )
        ).scalars()
    )


def _judges_shown(connection: Connection, unit_ids: set[int], rater_id: int) -> set[tuple[int, int]]:
    table = schema.exposure
    rows = connection.execute(
        select(table.c.unit_id, table.c.judge_id).where(
            table.c.rater_id == rater_id, table.c.unit_id.in_(unit_ids)
        )
    )
    return {(row.unit_id, row.judge_id) for row in rows}


def _of_people(
    connection: Connection, study: Study, unit_ids: set[int]
) -> dict[tuple[int, str], list[str | None]]:
    rating = schema.rating
    rows = connection.execute(
        counted_ratings(study.id, "blind", sorted(unit_ids)).with_only_columns(
            rating.c.unit_id, rating.c.criterion, rating.c.rater_id, rating.c.label
        )
    ).all()
    raters: dict[int, set[int]] = {}
    given: dict[tuple[int, str], dict[int, str | None]] = {}
    for row in rows:
        raters.setdefault(row.unit_id, set()).add(row.rater_id)
        given.setdefault((row.unit_id, row.criterion), {})[row.rater_id] = row.label
    orders = {unit_id: letter_order(unit_id, ids) for unit_id, ids in raters.items()}
    return {
        place: [by_rater[rater_id] for rater_id in orders[place[0]] if rater_id in by_rater]
        for place, by_rater in given.items()
    }


def _verdicts(connection: Connection, study: Study, unit_ids: set[int]) -> Sequence[Any]:
    """The first label of each judge."""
    verdict = schema.judgement
    return connection.execute(
        select(verdict.c.unit_id, verdict.c.criterion, verdict.c.judge_id, verdict.c.label)
        .join(schema.unit, schema.unit.c.id == verdict.c.unit_id)
        .where(
            verdict.c.study_id == study.id,
            verdict.c.unit_id.in_(unit_ids),
            verdict.c.status == "ok",
            verdict.c.label.is_not(None),
            *counted_verdicts(),
        )
        .order_by(verdict.c.judge_id, verdict.c.id)
    ).all()
