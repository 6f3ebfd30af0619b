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
from data.record.study_changes import is_archived
from data.store.errors import Notice
from data.store.trail import now
from data.work import calibration, certification, exposures, open_slots, repeats, roles
from data.work.plan import WorkPlan


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
    """No unit now. `kind`: left_out, seen, failed, no_gold, pause, undrawn or done."""

    kind: str
    notice: Notice


def choose_next_unit(
    connection: Connection, study: Study, plan: WorkPlan, rater: Rater, rng: random.Random
) -> NextUnit | NoUnit:
    """Return the next unit for a rater who holds none, or why there is none. Nothing is written."""
    if is_archived(connection, study.id):
        return NoUnit("left_out", Notice("study_archived"))
    why_not = roles.why_not_given(connection, plan, rater.id)
    if why_not is not None:
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
        return NoUnit("failed" if gold.tried else "no_gold", gold.notice)
    if study.review == "blind" and exposures.saw_page(connection, rater.id):
        return NoUnit("seen", Notice("saw_judge_labels"))
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
        return NoUnit("undrawn", Notice("nothing_drawn_for_raters"))
    return NoUnit("done", _nothing_left(connection, study, rater.id))


def _nothing_left(connection: Connection, study: Study, rater_id: int) -> Notice:
    skipped = open_slots.skipped_and_open(connection, rater_id)
    if skipped:
        return Notice("skipped_wants_raters", skipped=skipped)
    if open_slots.wants_raters(connection, study.id):
        return Notice("rest_is_for_others")
    return Notice("all_have_raters", noun=study.noun)


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
    return NoUnit("pause", Notice("take_a_break", units=sitting.units, left=left))
