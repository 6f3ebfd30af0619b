"""Progress, the rater's list, and where to go from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from data import exposures, units
from data.store import Connection
from data.studies import Rater, Study
from data.units import Unit
from data.work import assignment, choosing, repeats, worklist
from data.work import plan as plans
from data.work.plan import WorkPlan
from data.work.worklist import RemainingWork

SHOWN_LATER = "Committed. The judge of this one is shown later."


@dataclass(frozen=True)
class _NextStep:
    """`place` is where to go next, None where there is nothing; `said` then says why."""

    place: int | None
    label: str
    said: str = ""


def next_step(
    connection: Connection, study: Study, unit: Unit, rater: Rater, committed: bool, may_see: bool
) -> dict[str, Any]:
    """What stands around the unit: the count, the list, the next one, and what a commit means for it."""
    plan, progress = plans.current(connection, study.id), units.rater_progress(connection, rater.id)
    left = worklist.remaining_work(connection, study, rater.id)
    compare = exposures.first_to_compare(connection, study, rater.id)
    onward = _onward(connection, study, unit, rater, plan)
    if (
        compare is not None
        and compare != unit.position
        and (onward.place is None or study.reveal == "after_batch")
    ):
        onward = _NextStep(compare, "Compare with the judge")
    listed = worklist.window(connection, study, rater.id, unit.position)
    due = exposures.due_units(
        connection, study, rater.id, [unit_id for _, unit_id, state in listed if state == "committed"]
    )
    sentences = (
        [_after_commit(connection, study, unit, rater, progress.committed, left, may_see), onward.said]
        if committed
        else []
    )
    return {
        "progress": {
            "committed": progress.committed,
            "total": progress.committed + left.held + left.may_come if left.whole else None,
            "length": worklist.length(connection, study, rater.id),
            "more": _more(left),
            "skipped": units.count_state(connection, rater.id, "skipped"),
            "hint": "judge to compare" if compare is not None else "",
            "rest": _rest(connection, plan, rater),
        },
        "rail": [[place, "due" if unit_id in due else state] for place, unit_id, state in listed],
        "next": onward.place if onward.place != unit.position else None,
        "next_label": onward.label,
        "after_commit": " ".join(filter(None, sentences)),
    }


def _onward(
    connection: Connection, study: Study, unit: Unit, rater: Rater, plan: WorkPlan | None
) -> _NextStep:
    listed = worklist.next_open(connection, study, rater.id, after=unit.position) or worklist.next_open(
        connection, study, rater.id
    )
    if listed is not None:
        return _NextStep(listed, "Next unit")
    reason = ""
    if plan is not None:
        choice = choosing.choose_next_unit(connection, study, plan, rater, assignment.CHANCE)
        if not isinstance(choice, choosing.NoUnit):  # a place behind the end of the list asks for it
            return _NextStep(worklist.length(connection, study, rater.id) + 1, "Next unit")
        reason = choice.said
        if choice.kind == "pause":
            return _NextStep(None, "", reason)
    return _NextStep(units.next_skipped(connection, rater.id), "Skipped unit", reason)


def _more(left: RemainingWork) -> str:
    if left.whole or not left.may_come:
        return ""
    many = f"{worklist.COUNTED}+" if left.may_come >= worklist.COUNTED else f"{left.may_come:,}"
    return f"up to {many} more may come to you"


def _rest(connection: Connection, plan: WorkPlan | None, rater: Rater) -> str:
    """A reminder of a break, for whoever has sat for long."""
    if plan is None:
        return ""
    count, minutes, since = choosing.sitting(connection, plan, rater.id)
    if minutes < plan.remind_minutes or since > plan.pause_minutes:
        return ""
    return f"{count} units in {round(minutes)} minutes: a short break keeps labels steady."


def _after_commit(
    connection: Connection,
    study: Study,
    unit: Unit,
    rater: Rater,
    committed: int,
    left: RemainingWork,
    may_see: bool,
) -> str:
    if may_see:
        return "Committed. The judge's answers stand above."
    purpose = worklist.purpose(connection, rater.id, unit.id)
    if purpose == "gold":
        return (
            "Committed. My work shows how your labels compare with the expert's when all of these are done."
        )
    if purpose in ("calibration", "discussed"):
        return (
            "Committed. This set is discussed when everybody has rated it."
            if purpose == "calibration"
            else "Committed."
        )
    if study.reveal == "never":
        return "Committed. This study does not show the judge."
    if not exposures.judges_of(connection, repeats.original(connection, unit.id)):
        return "Committed. No judge said anything about this one."
    if purpose == "repeat" or worklist.held_back(connection, study, rater.id, unit.id):
        return SHOWN_LATER
    more = study.batch_size - committed % study.batch_size
    if left.whole:
        return f"Committed. The judge is shown after {min(more, left.held + left.may_come)} more."
    return f"Committed. The judge is shown after {more} more, or when nothing more comes."
