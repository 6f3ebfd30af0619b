"""Which unit a rater is given next, or why none. Nothing is written here.

In this order: what practice asks for (gold units until certification, then an open calibration round), a
hidden repeat that is due, and then a unit that still wants raters. Of these the rater gets one at random
among the first that are free for them in the order of the draw. The order of the draw is itself random, so
what is finished at any moment is, up to the width of that window, a random part of what was drawn; and every
rater meets the units in an order of their own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from data import schema
from data.record.studies import Rater, Study
from data.store.trail import now
from data.work import calibration, certification, exposures, open_slots, repeats, roles
from data.work.plan import WorkPlan
from words.plurals import inflect


@dataclass(frozen=True)
class NextUnit:
    """`assignment_id`: the unit was in this rater's list before and is taken up again. `repeated_unit`: it is
    shown a second time.
    """

    unit_id: int
    purpose: str
    assignment_id: int | None = None
    repeated_unit: int | None = None
    calibration_id: int | None = None
    cursor: int | None = None


@dataclass(frozen=True)
class NoUnit:
    """No unit now. `kind`: left_out, seen, failed, no_gold, pause, undrawn or done; `said` in the rater's
    words.
    """

    kind: str
    said: str


def choose_next_unit(
    connection: Connection, study: Study, plan: WorkPlan, rater: Rater, rng: random.Random
) -> NextUnit | NoUnit:
    """Return the next unit for a rater who holds none, or why there is none. Nothing is written."""
    why_not = roles.why_not_given(connection, plan, rater.id)
    if why_not:
        return NoUnit("left_out", why_not)
    pause = _find_pause(connection, plan, rater.id)
    if pause is not None:
        return pause
    gold = certification.certification_status(connection, study, rater.id) if plan.certify else None
    if gold is not None and gold.next_unit is not None:
        return NextUnit(gold.next_unit, "gold")
    practice = calibration.next_unit(connection, study.id, rater.id)
    if practice is not None:
        return NextUnit(
            practice.unit_id,
            practice.purpose,
            repeated_unit=practice.repeated_unit,
            calibration_id=practice.calibration_id,
        )
    if gold is not None and not gold.certified:
        return NoUnit("failed" if gold.tried else "no_gold", gold.said)
    if study.review == "blind" and exposures.saw_page(connection, rater.id):
        return NoUnit(
            "seen",
            "The judge's labels of this study were opened in this browser under your name, so nothing more "
            "is given to you to rate blind. If it was not you who looked, take another name in a new tab, or "
            "tell the study lead.",
        )
    back = open_slots.given_back(connection, rater.id)
    if back is not None:
        return NextUnit(back.unit_id, back.purpose, assignment_id=back.assignment_id)
    due = repeats.due(connection, rater.id)
    if due is not None and rng.random() < repeats.EAGERNESS:
        return NextUnit(due, "repeat", repeated_unit=due)
    open_slot = open_slots.free(connection, study.id, rater.id, rng)
    if open_slot is not None:
        return NextUnit(open_slot.unit_id, "real", cursor=open_slot.cursor)
    due = due if due is not None else repeats.due(connection, rater.id, at_the_end=True)
    if due is not None:
        return NextUnit(due, "repeat", repeated_unit=due)
    if (
        connection.execute(
            select(schema.slot.c.unit_id).where(schema.slot.c.study_id == study.id).limit(1)
        ).first()
        is None
    ):
        return NoUnit("undrawn", "The study lead has not chosen yet what is to be rated.")
    return NoUnit("done", _nothing_left(connection, study, rater.id))


def _nothing_left(connection: Connection, study: Study, rater_id: int) -> str:
    skipped = open_slots.skipped_and_open(connection, rater_id)
    if skipped:
        return (
            f"Nothing new is waiting for you. You skipped {skipped} that still "
            f"{inflect(skipped, 'wants', 'want')} a rater: "
            f"{inflect(skipped, 'it stands', 'they stand')} on My work, should you want to take "
            f"{inflect(skipped, 'it', 'one')} up."
        )
    if open_slots.wants_raters(connection, study.id):
        return "Nothing more is waiting for you. What is still open is for others. Thank you."
    return (
        f"Nothing more is waiting for you: every {study.noun.singular} has as many raters as it needs. "
        "Thank you."
    )


@dataclass(frozen=True)
class Sitting:
    """What a rater does without a longer pause. `units`: committed in it; `minutes`: from the first of these
    commits until now; `minutes_since_commit`: from the last of them until now, below 0 where the clock was
    set back.
    """

    units: int
    minutes: float
    minutes_since_commit: float


def current_sitting(connection: Connection, plan: WorkPlan, rater_id: int, at_most: int = 200) -> Sitting:
    """Return the rater's current sitting, of at most `at_most` units.

    All 0 where the last commit is longer ago than the plan's pause.
    """
    table = schema.commit
    times = (
        connection.execute(
            select(table.c.at)
            .where(table.c.rater_id == rater_id)
            .order_by(table.c.ordinal.desc())
            .limit(at_most)
        )
        .scalars()
        .all()
    )
    end, pause = datetime.fromisoformat(now()), timedelta(minutes=plan.pause_minutes)
    later, minutes_ago = end, []
    for at in map(datetime.fromisoformat, times):
        if later - at >= pause:
            break
        minutes_ago.append((end - at).total_seconds() / 60)
        later = at
    return Sitting(len(minutes_ago), minutes_ago[-1], minutes_ago[0]) if minutes_ago else Sitting(0, 0.0, 0.0)


def _find_pause(connection: Connection, plan: WorkPlan, rater_id: int) -> NoUnit | None:
    if plan.sitting is None:
        return None
    sitting = current_sitting(connection, plan, rater_id, plan.sitting)
    since = sitting.minutes_since_commit
    if sitting.units < plan.sitting or since < 0:  # a clock that was set back must not lock anybody out
        return None
    left = max(1, round(plan.pause_minutes - since))
    return NoUnit(
        "pause",
        f"You have rated {sitting.units} in this sitting, which is as many as this study wants at a time. "
        f"Take a break; it goes on in {left} {inflect(left, 'minute', 'minutes')}.",
    )
