"""Progress, the rater's list, and the next step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from data.labels.pace import own_minutes
from data.record import units
from data.record.studies import Rater
from data.record.study_changes import is_archived
from data.record.units import Unit
from data.store.errors import Notice
from data.work import assignment, exposures, next_unit, repeats
from data.work.worklist import COUNTED, RemainingWork, Worklist, assigned_purpose
from reports.refusals import word_notice
from reports.wording import describe_time

SHOWN_LATER = "Committed. You see the judge's labels later."


@dataclass(frozen=True)
class _NextStep:
    """`place` is the next one; None if there is none, and `said` then says why."""

    place: int | None
    label: str
    said: str = ""


def next_step(worklist: Worklist, unit: Unit, rater: Rater, committed: bool, may_see: bool) -> dict[str, Any]:
    """Return the data around the unit: the count, the list, the next one, and what a commit leads to."""
    connection, study, progress = worklist.connection, worklist.study, worklist.progress
    left = worklist.remaining_work
    compare = exposures.first_to_compare(worklist)
    onward = _onward(worklist, unit, rater)
    if (
        compare is not None
        and compare != unit.position
        and (onward.place is None or study.reveal == "after_batch")
    ):
        onward = _NextStep(compare, "Compare with the judge")
    listed = worklist.window(unit.position)
    due = exposures.due_units(
        worklist,
        [unit_id for _, unit_id, state in listed if state == "committed"],
    )
    sentences = [_after_commit(worklist, unit, may_see), onward.said] if committed else []
    return {
        "progress": {
            "committed": progress.committed,
            "total": progress.committed + left.held + left.may_come if left.whole else None,
            "length": worklist.length,
            "more": _more(left),
            "skipped": units.count_state(connection, rater.id, "skipped"),
            "hint": "judge's labels to compare"
            if compare is not None
            else _judge_ahead(worklist, unit, committed),
            "rest": _rest(worklist),
            "time_left": _time_left(worklist),
        },
        "rail": [[place, "due" if unit_id in due else state] for place, unit_id, state in listed],
        "next": onward.place if onward.place != unit.position else None,
        "next_label": onward.label,
        "after_commit": " ".join(filter(None, sentences)),
    }


def _onward(worklist: Worklist, unit: Unit, rater: Rater) -> _NextStep:
    listed = worklist.next_open(after=unit.position) or worklist.next_open()
    if listed is not None:
        return _NextStep(listed, "Next")
    if is_archived(worklist.connection, worklist.study.id):
        return _NextStep(None, "", word_notice(Notice("study_archived")))
    reason = ""
    if worklist.plan is not None:
        choice = next_unit.choose_next_unit(
            worklist.connection, worklist.study, worklist.plan, rater, assignment.CHANCE
        )
        if not isinstance(choice, next_unit.NoUnit):  # a place after the end of the list asks for it
            return _NextStep(worklist.length + 1, "Next")
        reason = word_notice(choice.notice)
        if choice.kind == "pause":
            return _NextStep(None, "", reason)
    return _NextStep(units.next_skipped(worklist.connection, rater.id), "One you skipped", reason)


def _more(left: RemainingWork) -> str:
    if left.whole or not left.may_come:
        return ""
    many = f"{COUNTED}+" if left.may_come >= COUNTED else f"{left.may_come:,}"
    return f"up to {many} more may be given to you"


def _rest(worklist: Worklist) -> str:
    """Return a reminder to take a break after a long sitting; "" before."""
    plan = worklist.plan
    if plan is None:
        return ""
    sitting = next_unit.current_sitting(worklist.connection, plan, worklist.rater_id)
    if sitting.minutes < plan.remind_minutes or sitting.minutes_since_commit > plan.pause_minutes:
        return ""
    rated = worklist.study.noun.count(sitting.units)
    return f"{rated} in {round(sitting.minutes)} minutes: a short break keeps labels steady."


def _time_left(worklist: Worklist) -> str:
    left = worklist.remaining_work
    units_left = left.held + left.may_come if left.whole else None
    return describe_time(own_minutes(worklist.connection, worklist.rater_id), units_left)


def _after_commit(worklist: Worklist, unit: Unit, may_see: bool) -> str:
    connection, study = worklist.connection, worklist.study
    if may_see:
        return "Committed. The judge's answers are above."
    purpose = assigned_purpose(connection, worklist.rater_id, unit.id)
    if purpose == "gold":
        return "Committed. Once you have rated all of these, My work compares your labels with the expert's."
    if purpose in ("calibration", "discussed"):
        return (
            "Committed. This set will be discussed once everybody has rated it."
            if purpose == "calibration"
            else "Committed."
        )
    if not study.shows_judge:
        return "Committed. This study does not show the judge's labels."
    if not exposures.judges_of(connection, repeats.original(connection, unit.id)):
        return f"Committed. No judge has labelled this {study.noun.singular}."
    if purpose == "repeat" or worklist.held_back(unit.id):
        return SHOWN_LATER
    more, is_certain = _left_of_batch(worklist)
    at_the_end = "" if is_certain else ", or when nothing is left"
    return f"Committed. You see the judge's labels after {more} more{at_the_end}."


def _judge_ahead(worklist: Worklist, unit: Unit, committed: bool) -> str:
    """Say after how many units the rater sees the judge; "" if unknown. The sentence is the same for a
    repeat, so that it doesn't reveal one before it is answered.
    """
    study, plan = worklist.study, worklist.plan
    if committed or study.review == "open" or study.reveal != "after_batch":
        return ""
    # If the batch is smaller than the gap between a unit and its repeat, the judge of all its units may be
    # held back.
    if plan is not None and plan.repeats and study.batch_size < repeats.APART:
        return ""
    if assigned_purpose(worklist.connection, worklist.rater_id, unit.id) not in ("", "real", "repeat"):
        return ""
    if not exposures.judges_of(worklist.connection, repeats.original(worklist.connection, unit.id)):
        return ""
    more, is_certain = _left_of_batch(worklist)
    others = f" and {more - 1:,} more" if more > 1 else ""
    return f"you see the judge's labels after this one{others}{'' if is_certain else ', or at the end'}"


def _left_of_batch(worklist: Worklist) -> tuple[int, bool]:
    """Return how many commits are left before the judge is shown, and whether that is certain. If not, the
    list may end earlier, and the judge is shown then.
    """
    size, left, plan = worklist.study.batch_size, worklist.remaining_work, worklist.plan
    more = size - worklist.progress.committed % size
    certain = left.held + (left.may_come if left.whole else 0)
    others_come = left.practice or left.again or (plan is not None and plan.repeats > 0)
    if left.whole and certain < more and not others_come:
        return certain, True
    return more, certain >= more
