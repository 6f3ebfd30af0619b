"""When each rater committed each unit, and how many minutes it took: a hundred thousand of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, case, select

from data import schema
from data.labels.counted import counted_units
from data.record.studies import Study
from data.store.column_texts import joined, numbers, places
from scoring.arrays import Array, IntArray, Mask

BREAK = 60.0  # minutes; after a longer gap the rater did something else in between
LENGTH = 23  # of a moment up to its milliseconds, as data/store/trail.py writes them, all in UTC


@dataclass(frozen=True, eq=False)
class RatingMoments:
    """One entry for each unit that a rater committed for real: no practice, nothing that came again. By
    commit, of every rater in order.

    `day`: since 1970-01-01 in UTC. `minutes`: from the commit before, or from the moment the unit was given
    where that is later; NaN where neither is known or where it is a break of more than an hour. Imported
    ratings were never committed here, so that they are not among these.
    """

    rater: IntArray
    unit: IntArray
    day: IntArray
    minutes: Array


class SecondsPerUnit:
    """How long each rater took over each unit."""

    def __init__(self, moments: RatingMoments) -> None:
        order = np.argsort(moments.unit, kind="stable")
        self._unit, self._rater = moments.unit[order], moments.rater[order]
        self._minutes = moments.minutes[order]

    def of_units(self, unit_ids: Sequence[int]) -> dict[tuple[int, int], float]:
        """Return (rater, unit) -> seconds; what is unknown is absent."""
        seconds = {}
        for unit_id in unit_ids:
            start, end = np.searchsorted(self._unit, [unit_id, unit_id + 1])
            for rater, minutes in zip(
                self._rater[start:end].tolist(), self._minutes[start:end].tolist(), strict=True
            ):
                if not np.isnan(minutes):
                    seconds[rater, unit_id] = round(60 * minutes, 1)
        return seconds


def rating_moments(connection: Connection, study: Study) -> RatingMoments:
    """Return when each real unit was committed and how many minutes it took, rater by rater in order."""
    commit, unit, mine = schema.commit, schema.unit, schema.rater.c.study_id == study.id
    row = connection.execute(
        select(
            joined(commit.c.id),
            joined(commit.c.rater_id),
            joined(commit.c.unit_id),
            joined(commit.c.ordinal),
            joined(commit.c.at),
        )
        .join(schema.rater, schema.rater.c.id == commit.c.rater_id)
        .where(mine)
    ).one()
    number, rater, of, ordinal = map(numbers, row[:4])
    order = np.lexsort((number, ordinal, rater))
    rater, of, at = rater[order], of[order], _moments(row[4])[order]
    given, real = _given(connection, study, rater, of)
    began = np.where(np.isnan(given), -np.inf, given)
    same = rater[1:] == rater[:-1]
    began[1:][same] = np.maximum(began[1:][same], at[:-1][same])
    minutes = (at - began) / 60_000
    # Before the unit was given: a clock that was set back says nothing.
    minutes[(minutes > BREAK) | (minutes < 0)] = np.nan
    counted = numbers(
        connection.execute(
            select(joined(unit.c.id)).where(unit.c.study_id == study.id, *counted_units())
        ).scalar()
    )
    keep = real & np.isin(of, counted)
    return RatingMoments(rater[keep], of[keep], (at[keep] // 86_400_000).astype(np.int64), minutes[keep])


def _moments(text: str | None) -> Array:
    """Milliseconds since 1970 of what `joined` made of a column of moments."""
    return (
        np.array([one[:LENGTH] for one in text.split(",")] if text else [], dtype="datetime64[ms]")
        .astype(np.int64)
        .astype(np.float64)
    )


def _given(connection: Connection, study: Study, rater: IntArray, unit: IntArray) -> tuple[Array, Mask]:
    """Of every commit the moment its unit was given to the rater, NaN where nobody gave it, and whether it
    was not given to practise or again.
    """
    table = schema.assignment
    purpose = case((table.c.purpose == "real", 1), else_=0)
    row = connection.execute(
        select(joined(table.c.rater_id), joined(table.c.unit_id), joined(purpose), joined(table.c.at))
        .join(schema.rater, schema.rater.c.id == table.c.rater_id)
        .where(schema.rater.c.study_id == study.id)
    ).one()
    who, what, real = map(numbers, row[:3])
    most = int(max(unit.max(initial=0), what.max(initial=0))) + 1
    at, matched = places(who * most + what, rater * most + unit)
    moment, for_real = np.full(len(unit), np.nan), np.ones(len(unit), dtype=bool)
    moment[matched], for_real[matched] = _moments(row[3])[at], real[at] == 1
    return moment, for_real
