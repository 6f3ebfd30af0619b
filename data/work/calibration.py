"""Calibration rounds: a set rated blind by all, discussed on one page with who said what and why, then rated
again.

Its units are practice: nobody is given them for real, and their labels stay out of the headline. The
second time is kept through repeat_ids, so that both answers of a rater stand for themselves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import Connection, exists, select

from data import schema
from data.record import studies
from data.record.studies import Study
from data.record.units import readable
from data.schema.vocabulary import UnitKind
from data.store.errors import Refused
from data.store.trail import TrailEntry
from data.work import conflicts, open_slots
from data.work import plan as plans
from data.work.practice import is_practice

STEPS = ("", "discussed", "again", "closed")  # in this order; "" is the first rating, blind


@dataclass(frozen=True)
class CalibrationRound:
    """`step`: "" while it is rated blind, "discussed" while it is talked over, "again" while it is rated
    again, "closed".
    """

    id: int
    title: str
    raters: tuple[int, ...]
    units: tuple[int, ...]
    step: str
    at: str


@dataclass(frozen=True)
class CalibrationTask:
    """`repeated_unit`: the unit to show a second time."""

    unit_id: int
    purpose: str
    calibration_id: int
    repeated_unit: int | None = None


def begin(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    title: str,
    rater_ids: list[int],
    unit_ids: list[int],
) -> int:
    """Begin a calibration round and return its id.

    Beginning the newest round again while it is rated for the first time, as a double click does, changes
    nothing.

    Raises:
        Refused: no plan, no title, fewer than two raters, no unit, or a unit that is gold or in another
            round.
    """
    people = {rater.id for rater in studies.raters(connection, study.id) if rater.kind == "person"}
    if plans.current(connection, study.id) is None:
        raise Refused("save_plan_first")
    if not title.strip():
        raise Refused("round_needs_title")
    if len(set(rater_ids)) < 2 or not set(rater_ids) <= people:
        raise Refused("round_needs_two_raters")
    unit = schema.unit
    study_units = set(
        connection.execute(
            select(unit.c.id).where(
                unit.c.id.in_(unit_ids), unit.c.study_id == study.id, unit.c.kind == UnitKind.LISTED
            )
        ).scalars()
    )
    if not unit_ids or set(unit_ids) - study_units:
        raise Refused("round_needs_conversations", noun=study.noun)
    newest = next(iter(rounds(connection, study.id)), None)
    if (
        newest is not None
        and not newest.step
        and (newest.title, set(newest.raters), set(newest.units))
        == (title.strip(), set(rater_ids), set(unit_ids))
    ):
        return newest.id
    practice = (
        connection.execute(
            select(unit.c.position)
            .where(unit.c.id.in_(unit_ids), is_practice(unit.c.id))
            .order_by(unit.c.position)
        )
        .scalars()
        .all()
    )
    if practice:
        raise Refused("practice_already", unit=study.unit_name(practice[0]))
    calibration_id = entry.write(
        schema.calibration,
        {"study_id": study.id, "title": title.strip(), "raters": json.dumps(sorted(set(rater_ids)))},
    )
    entry.write_many(
        schema.calibration_unit,
        [{"calibration_id": calibration_id, "unit_id": unit_id} for unit_id in dict.fromkeys(unit_ids)],
    )
    open_slots.close(connection, unit_ids)
    return calibration_id


def rounds(connection: Connection, study_id: int) -> list[CalibrationRound]:
    """Return the study's calibration rounds, newest first; their units are in the order of the study."""
    table, step, member = schema.calibration, schema.calibration_step, schema.calibration_unit
    calibration_rounds = []
    for row in connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.id.desc())
    ).all():
        units = (
            connection.execute(
                select(member.c.unit_id)
                .join(schema.unit, schema.unit.c.id == member.c.unit_id)
                .where(member.c.calibration_id == row.id)
                .order_by(schema.unit.c.position)
            )
            .scalars()
            .all()
        )
        last = connection.execute(
            select(step.c.step).where(step.c.calibration_id == row.id).order_by(step.c.id.desc()).limit(1)
        ).scalar()
        calibration_rounds.append(
            CalibrationRound(
                row.id, row.title, tuple(json.loads(row.raters)), tuple(units), last or "", row.at
            )
        )
    return calibration_rounds


def move_on(connection: Connection, entry: TrailEntry, study: Study, round_id: int, step: str) -> None:
    """Move a round to `step`: "discussed", "again" or "closed".

    The discussion may begin before everybody is done, but not before two raters are. Raise Refused for an
    unknown round, or a step that is not the next one.
    """
    calibration_round = next(
        (
            calibration_round
            for calibration_round in rounds(connection, study.id)
            if calibration_round.id == round_id
        ),
        None,
    )
    if calibration_round is None:
        raise Refused("no_such_round")
    if step not in STEPS or STEPS.index(step) != STEPS.index(calibration_round.step) + 1:
        raise Refused("round_moved_meanwhile")
    if step == "discussed" and len(finished(connection, calibration_round)) < 2:
        raise Refused("too_few_rated_round")
    entry.write(schema.calibration_step, {"calibration_id": round_id, "step": step})


def finished(connection: Connection, of: CalibrationRound, again: bool = False) -> set[int]:
    """Return the raters who have committed every unit that the round asks of them, the first or the second
    time.
    """
    repeat_ids = repeats_of(connection, of)
    table = schema.commit
    rows = connection.execute(
        select(table.c.rater_id, table.c.unit_id).where(
            table.c.unit_id.in_([*of.units, *repeat_ids.values()]), table.c.rater_id.in_(of.raters)
        )
    ).all()
    committed_pairs = {(row.rater_id, row.unit_id) for row in rows}
    asked = {rater_id: asked_of(connection, of, rater_id) for rater_id in of.raters}
    return {
        rater_id
        for rater_id, wanted in asked.items()
        if wanted
        and all(
            (rater_id, repeat_ids.get(unit_id) if again else unit_id) in committed_pairs for unit_id in wanted
        )
    }


def asked_of(connection: Connection, of: CalibrationRound, rater_id: int) -> list[int]:
    """Return the units of a round that this rater is to rate, in order.

    Left out are units barred by a conflict of interest, erased ones, and those left when they were given
    for real.
    """
    met, commit = schema.assignment, schema.commit
    left = exists().where(
        met.c.rater_id == rater_id, met.c.unit_id == schema.unit.c.id, met.c.purpose != "calibration"
    )
    committed = exists().where(commit.c.rater_id == rater_id, commit.c.unit_id == schema.unit.c.id)
    rows = set(
        connection.execute(
            select(schema.unit.c.id).where(
                schema.unit.c.id.in_(of.units), readable(schema.unit.c.id), ~left | committed
            )
        ).scalars()
    )
    return [
        unit_id
        for unit_id in of.units
        if unit_id in rows and not conflicts.bars_conversation(connection, rater_id, unit_id)
    ]


def repeats_shown(connection: Connection, of: CalibrationRound, rater_id: int | None) -> bool:
    """Tell whether the second answers may be shown to a rater of the round, or to a lead (`rater_id` None).

    A rater has to have finished the second time, or the round has to be closed: seeing them would influence
    raters who have yet to answer.
    """
    return rater_id is None or of.step == "closed" or rater_id in finished(connection, of, again=True)


def repeats_of(connection: Connection, of: CalibrationRound) -> dict[int, int]:
    """Return unit -> the unit that shows it the second time; units without one yet are absent."""
    table = schema.repeat
    return dict(
        connection.execute(
            select(table.c.of_unit_id, table.c.unit_id).where(table.c.calibration_id == of.id)
        ).all()
    )


def next_unit(connection: Connection, study_id: int, rater_id: int) -> CalibrationTask | None:
    """Return what an open round asks of this rater now, oldest round first; None if nothing.

    The second time is only for those who rated the whole set the first time.
    """
    commit, progress = schema.commit, schema.progress
    for calibration_round in reversed(rounds(connection, study_id)):
        if rater_id not in calibration_round.raters or calibration_round.step not in ("", "again"):
            continue
        committed = set(
            connection.execute(
                select(commit.c.unit_id)
                .where(commit.c.rater_id == rater_id)
                .where(
                    commit.c.unit_id.in_(
                        [*calibration_round.units, *repeats_of(connection, calibration_round).values()]
                    )
                )
            ).scalars()
        )
        if calibration_round.step == "":
            skipped = set(
                connection.execute(
                    select(progress.c.unit_id).where(
                        progress.c.rater_id == rater_id,
                        progress.c.unit_id.in_(calibration_round.units),
                        progress.c.state == "skipped",
                    )
                ).scalars()
            )
            left = [
                unit_id
                for unit_id in asked_of(connection, calibration_round, rater_id)
                if unit_id not in committed | skipped
            ]
            if left:
                return CalibrationTask(left[0], "calibration", calibration_round.id)
            continue
        if rater_id not in finished(connection, calibration_round):
            continue
        repeat_ids = repeats_of(connection, calibration_round)
        skipped = set(
            connection.execute(
                select(progress.c.unit_id).where(
                    progress.c.rater_id == rater_id,
                    progress.c.unit_id.in_(repeat_ids.values()),
                    progress.c.state == "skipped",
                )
            ).scalars()
        )
        again = [
            unit_id
            for unit_id in asked_of(connection, calibration_round, rater_id)
            if repeat_ids.get(unit_id) not in committed | skipped
        ]
        if again:
            return CalibrationTask(again[0], "discussed", calibration_round.id, again[0])
    return None


def labels(
    connection: Connection, of: CalibrationRound, again: bool
) -> list[tuple[int, int, str, int, str | None]]:
    """Return (conversation, unit, criterion, rater, label) of the first or second time, label None for
    "cannot rate".

    Only raters who rated the whole set then are in it. Units are the round's own, the second time as well.
    Labels filled in by rule and later changes are left out.
    """
    repeat_ids = {repeat_id: unit_id for unit_id, repeat_id in repeats_of(connection, of).items()}
    shown = repeat_ids if again else {unit_id: unit_id for unit_id in of.units}
    rating, unit = schema.rating, schema.unit
    rows = connection.execute(
        select(
            unit.c.conversation_id, rating.c.unit_id, rating.c.criterion, rating.c.rater_id, rating.c.label
        )
        .join(unit, unit.c.id == rating.c.unit_id)
        .where(
            rating.c.unit_id.in_(list(shown)),
            rating.c.rater_id.in_(finished(connection, of, again)),
            rating.c.source == "given",
            rating.c.replaces.is_(None),
        )
        .order_by(rating.c.unit_id, rating.c.id)
    )
    return [(row.conversation_id, shown[row.unit_id], row.criterion, row.rater_id, row.label) for row in rows]
