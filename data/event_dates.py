"""When conversations were held, when clinicians rated them and when a judge answered: the days on which drift
is looked for.

Known is what this program saw itself, or a file said of each row; the day on which a file was imported is
none of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, exists, func, or_, select

from data import schema
from data.conversations import PERSON
from data.curves import FIRST, by_name
from data.judgements import Judge, of_the_study
from scoring.arrays import IntArray
from scoring.drift.periods import EPOCH, UNKNOWN

HELD = (
    "date",
    "held",
    "held_at",
    "held_on",
    "session_date",
    "started_at",
    "start",
    "created_at",
    "timestamp",
)  # facts that say when it was held
MOST = 8  # more values than this make too few conversations of each in a period
ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, eq=False)
class EventDates:
    """Days since 1970-01-01 in UTC, UNKNOWN where not known.

    `conversation`: ids, in the order of the study, `held` and `facts` of each; `held_by`: the fact that says
    when, None where most have none.
    `rated`: (rater, unit, day) of what is known, three arrays. `judged`: (unit, day) of each judge that was
    asked for. Where a file says several days, the first counts.
    """

    conversation: IntArray
    held: IntArray
    held_by: str | None
    facts: dict[str, tuple[str | None, ...]]
    rated: tuple[IntArray, IntArray, IntArray]
    judged: tuple[IntArray, IntArray]

    def divides(self) -> list[str]:
        """Facts by which conversations may be divided, the condition first."""
        facts_that_divide = [
            name
            for name, values in self.facts.items()
            if 2 <= len({value for value in values if value is not None}) <= MOST
            and name not in (*PERSON, *HELD)
        ]
        return sorted(
            facts_that_divide,
            key=lambda name: (
                next((i for i, word in enumerate(FIRST) if word in name.lower()), len(FIRST)),
                name,
            ),
        )


def read_event_dates(connection: Connection, study_id: int, judge_ids: Sequence[int]) -> EventDates:
    talk, text = schema.conversation, schema.content
    rows = connection.execute(
        select(talk.c.id, text.c.text)
        .join(text, text.c.id == talk.c.facts_content)
        .where(talk.c.study_id == study_id)
        .order_by(talk.c.position)
    ).all()
    facts = [json.loads(row.text or "{}") for row in rows]
    held_by, held = _held(facts)
    judged = [_judged(connection, study_id, judge_id) for judge_id in judge_ids]
    return EventDates(
        np.array([row.id for row in rows], dtype=np.int64),
        held,
        held_by,
        by_name(facts),
        _rated(connection, study_id),
        (
            np.concatenate([np.zeros(0, dtype=np.int64), *(unit for unit, _ in judged)]),
            np.concatenate([np.zeros(0, dtype=np.int64), *(day for _, day in judged)]),
        ),
    )


def has_rated_days(connection: Connection, study_id: int) -> bool:
    """Whether it is known of any label of a person when it was given."""
    commit, rating, rater, trail = schema.commit, schema.rating, schema.rater, schema.trail
    given = (
        select(commit.c.id).join(rater, rater.c.id == commit.c.rater_id).where(rater.c.study_id == study_id)
    )
    judged_days = (
        select(rating.c.id)
        .join(trail, trail.c.seq == rating.c.trail)
        .where(rating.c.study_id == study_id, rating.c.source == "imported", rating.c.at != trail.c.at)
    )
    return bool(connection.execute(select(or_(given.exists(), judged_days.exists()))).scalar())


def first_answers(connection: Connection, study_id: int, judges: Sequence[Judge]) -> list[tuple[int, str]]:
    """(day, name) of each judge's first answer, where at least two are known and they differ: when one
    followed another.
    """
    made = []
    for judge in judges:
        _, days = _judged(connection, study_id, judge.id)
        if len(days):
            made.append((int(days.min()), judge.name))
    return sorted(made) if len({day for day, _ in made}) > 1 else []


def day_of(text: Any) -> int:
    """The day of an ISO date or moment, with its time zone where it has one; UNKNOWN for everything else, and
    before 1970.
    """
    if not isinstance(text, str) or not ISO.match(text.strip()):
        return UNKNOWN
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return UNKNOWN
    day: date = (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    return max((day - EPOCH).days, UNKNOWN)


def _held(facts: Sequence[dict[str, Any]]) -> tuple[str | None, IntArray]:
    """The first fact that gives a day to more than half of the conversations."""
    for name in HELD:
        days = np.array([day_of(one.get(name)) for one in facts], dtype=np.int64)
        if 2 * int((days > UNKNOWN).sum()) > len(days):
            return name, days
    return None, np.full(len(facts), UNKNOWN, dtype=np.int64)


def _rated(connection: Connection, study_id: int) -> tuple[IntArray, IntArray, IntArray]:
    """The day of each commit; of imported ratings the one that their file gave, which is not the moment of
    the import.
    """
    commit, rating, rater, trail = schema.commit, schema.rating, schema.rater, schema.trail
    rows = [
        *connection.execute(
            select(commit.c.rater_id, commit.c.unit_id, commit.c.at)
            .join(rater, rater.c.id == commit.c.rater_id)
            .where(rater.c.study_id == study_id)
        ),
        *connection.execute(
            select(rating.c.rater_id, rating.c.unit_id, rating.c.at)
            .join(trail, trail.c.seq == rating.c.trail)
            .where(rating.c.study_id == study_id, rating.c.source == "imported", rating.c.at != trail.c.at)
            .distinct()
        ),
    ]
    days = _days((int(who), int(unit), str(at)) for who, unit, at in rows)
    return days[:, 0], days[:, 1], days[:, 2]


def _judged(connection: Connection, study_id: int, judge_id: int) -> tuple[IntArray, IntArray]:
    """The day of the first answer to each unit. A judge of this program answered when it was written; an
    imported one when its file says so.
    """
    table, trail, tried = schema.judgement, schema.trail, schema.judge_attempt
    mine = (table.c.study_id == study_id, table.c.judge_id == judge_id, of_the_study())
    if connection.execute(select(exists().where(tried.c.judge_id == judge_id))).scalar():
        asked = select(table.c.unit_id, func.min(table.c.at)).where(*mine).group_by(table.c.unit_id)
    else:
        asked = (
            select(table.c.unit_id, table.c.at)
            .join(trail, trail.c.seq == table.c.trail)
            .where(*mine, table.c.at != trail.c.at)
            .distinct()
        )
    days = _days((0, int(unit), str(at)) for unit, at in connection.execute(asked))
    return days[:, 1], days[:, 2]


def _days(rows: Iterable[tuple[int, int, str]]) -> IntArray:
    """(N, 3): rater, unit and first day of the rows whose day can be read."""
    day_by_date: dict[str, int] = {}
    first: dict[tuple[int, int], int] = {}
    for who, unit, at in rows:
        if len(at) == 29 and at.endswith("+00:00"):  # as the store writes it
            if at[:10] not in day_by_date:
                day_by_date[at[:10]] = day_of(at)
            day = day_by_date[at[:10]]
        else:
            day = day_of(at)
        if day > UNKNOWN:
            first[who, unit] = min(day, first.get((who, unit), day))
    return np.array([(*of, day) for of, day in first.items()], dtype=np.int64).reshape(-1, 3)
