"""When conversations were held, when clinicians rated them and when a judge answered: the days on which drift
is looked for.

Known is what this program saw itself, or a file said of each row; the day on which a file was imported is
none of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, or_, select

from data import schema
from data.labels.event_days import read_judged_days, read_rated_days
from data.record.curves import FIRST, by_name
from data.record.fact_names import HELD, PERSON, plain_name
from data.record.judgements import Judge
from data.store.kept_parts import keep_part
from scoring.arrays import IntArray
from scoring.drift.periods import UNKNOWN, day_of

MAX_CONDITIONS = 8  # more values than this make too few conversations of each in a period


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
        """Return the names of facts by which conversations may be divided, the condition first.

        A fact qualifies with 2 to MAX_CONDITIONS (8) different values, unless it names a person or a date.
        """
        facts_that_divide = [
            name
            for name, values in self.facts.items()
            if 2 <= len({value for value in values if value is not None}) <= MAX_CONDITIONS
            and plain_name(name) not in (*PERSON, *HELD)
        ]
        return sorted(
            facts_that_divide,
            key=lambda name: (
                next((i for i, word in enumerate(FIRST) if word in name.lower()), len(FIRST)),
                name,
            ),
        )


def read_event_dates(connection: Connection, study_id: int, judge_ids: Sequence[int]) -> EventDates:
    """Return when conversations were held, rated by people, and judged by the judges in `judge_ids`."""
    facts = keep_part(
        connection,
        study_id,
        "dates of conversations",
        (schema.conversation, schema.erasure),
        lambda: _read_conversations(connection, study_id),
    )
    rated = read_rated_days(connection, study_id)
    judged = [read_judged_days(connection, study_id, judge_id) for judge_id in judge_ids]
    nothing = np.zeros(0, dtype=np.int64)
    return EventDates(
        facts.conversation,
        facts.held,
        facts.held_by,
        facts.facts,
        (rated.rater, rated.unit, rated.day),
        (
            np.concatenate([nothing, *(days.unit for days in judged)]),
            np.concatenate([nothing, *(days.day for days in judged)]),
        ),
    )


@dataclass(frozen=True, eq=False)
class _ConversationDates:
    """What `EventDates` holds of conversations."""

    conversation: IntArray
    held: IntArray
    held_by: str | None
    facts: dict[str, tuple[str | None, ...]]


def _read_conversations(connection: Connection, study_id: int) -> _ConversationDates:
    talk, text = schema.conversation, schema.content
    rows = connection.execute(
        select(talk.c.id, text.c.text)
        .join(text, text.c.id == talk.c.facts_content)
        .where(talk.c.study_id == study_id)
        .order_by(talk.c.position)
    ).all()
    facts = [json.loads(row.text or "{}") for row in rows]
    held_by, held = _held(facts)
    return _ConversationDates(
        np.array([row.id for row in rows], dtype=np.int64), held, held_by, by_name(facts)
    )


def has_rated_days(connection: Connection, study_id: int) -> bool:
    """Tell whether the day is known on which any label of a person was given."""
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
    """Return (day, judge's name) of each judge's first answer, earliest first.

    Empty unless at least two judges have different days. Days are counted from 1970-01-01 in UTC; a judge
    without a known day is left out.
    """
    made = []
    for judge in judges:
        days = read_judged_days(connection, study_id, judge.id).day
        if len(days):
            made.append((int(days.min()), judge.name))
    return sorted(made) if len({day for day, _ in made}) > 1 else []


def _held(facts: Sequence[dict[str, Any]]) -> tuple[str | None, IntArray]:
    """The first fact that gives a day to more than half of the conversations."""
    names = dict.fromkeys(name for conversation_facts in facts for name in conversation_facts)
    order = {held: place for place, held in enumerate(HELD)}
    for name in sorted(
        (name for name in names if plain_name(name) in order), key=lambda name: order[plain_name(name)]
    ):
        days = np.array(
            [day_of(conversation_facts.get(name)) for conversation_facts in facts], dtype=np.int64
        )
        if 2 * int((days > UNKNOWN).sum()) > len(days):
            return name, days
    return None, np.full(len(facts), UNKNOWN, dtype=np.int64)
