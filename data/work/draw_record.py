"""What the draws of a study recorded: who was taken, and the chance that all draws so far gave every unit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select

from data import schema
from data.store import content
from data.store.column_texts import numbers
from data.work.draw_spec import DrawSpec
from scoring.arrays import Array, IntArray
from scoring.sampling import NO_STRATUM

WORDS_GONE = "erased"


@dataclass(frozen=True)
class Stratum:
    """One stratum of one draw.

    `units`: how many of the study are in it; `left`: how many of them no draw had taken; `wanted`: how many
    were asked of it, as an expectation over all that the earlier draws might have taken; `fraction`: the
    chance that this draw gives each unit not taken before, None where a person chose; `taken`: None in a
    preview.
    """

    name: str
    why: str
    units: int
    left: int
    wanted: float
    fraction: float | None
    taken: int | None = None


@dataclass(frozen=True)
class PastDraw:
    """`frame`: (N,) the stratum of the unit at each position that there was, from 1. Where the words were
    erased, strata have no names of their own, and `spec` is None.
    """

    id: int
    number: int
    method: str
    seed: str
    at: str
    frame: IntArray
    strata: list[Stratum]
    spec: DrawSpec | None


@dataclass(frozen=True)
class Inclusion:
    """Why a unit is to be rated. `chance`: above 0 and at most 1 over all draws so far, None where a person
    chose it.

    `why`, `stratum` (its name) and `draw` (its number) are those of the draw that took it; `place` is its
    place in the work.
    """

    chance: float | None
    why: str
    stratum: str
    draw: int
    place: int


def past_draws(connection: Connection, study_id: int) -> list[PastDraw]:
    """Return all draws of a study, earliest first."""
    table = schema.draw
    rows = connection.execute(
        select(table).where(table.c.study_id == study_id).order_by(table.c.number)
    ).all()
    bodies = content.get_many(connection, [row.body_content for row in rows])
    return [_past_draw(row, bodies.get(row.body_content)) for row in rows]


def _past_draw(row: Any, body: str | None) -> PastDraw:
    draw_body = json.loads(body) if body is not None else None
    frame = numbers(row.frame.strip("[]").replace("null", str(NO_STRATUM)))
    names = None if draw_body is None else draw_body["names"]
    strata = [
        Stratum(_name(names, number), **stratum_fields)
        for number, stratum_fields in enumerate(json.loads(row.strata))
    ]
    return PastDraw(
        row.id,
        row.number,
        row.method,
        row.seed,
        row.at,
        frame,
        strata,
        None if draw_body is None else DrawSpec.model_validate(draw_body["spec"]),
    )


def body(spec: DrawSpec, strata: Sequence[Stratum]) -> str:
    """Return the JSON text {"spec": ..., "names": [...]} of a draw's words, which may be erased.

    The names are those of the strata, in order.
    """
    return json.dumps(
        {"spec": spec.model_dump(mode="json"), "names": [stratum.name for stratum in strata]},
        ensure_ascii=False,
    )


def strata_text(strata: Sequence[Stratum]) -> str:
    """Return the JSON text of a draw's numbers: a list with one object per stratum, all its fields but the
    name.

    They stay when names are erased: without them no chance could be computed any more.
    """
    return json.dumps(
        [{name: value for name, value in asdict(stratum).items() if name != "name"} for stratum in strata]
    )


def frame_text(codes: IntArray) -> str:
    """Return the JSON text of each position's stratum, null for NO_STRATUM (-1)."""
    return json.dumps(
        [None if code == NO_STRATUM else code for code in codes.tolist()], separators=(",", ":")
    )


def untaken(draws: Sequence[PastDraw], count: int) -> Array:
    """Return (count,), for each position from 1, the chance that none of the draws took the unit there.

    Choices by hand do not lower it.
    """
    chance = np.ones(count)
    for draw in draws:
        chance[: len(draw.frame)] *= 1 - fractions_of(draw)[draw.frame]
    return chance


def fractions_of(draw: PastDraw) -> Array:
    """Return (H + 1,) the fraction of each stratum; the last entry, for units in none, is 0."""
    return np.array([*((stratum.fraction or 0.0) for stratum in draw.strata), 0.0])


def newest(connection: Connection, study_id: int, up_to: int | None = None) -> Mapping[int, Any]:
    """Return unit -> its last row (`why`, `chance`, `place`) among the draws up to number `up_to`, or all
    if None.
    """
    drawn, draw = schema.drawn, schema.draw
    last = (
        select(func.max(drawn.c.id))
        .join(draw, draw.c.id == drawn.c.draw_id)
        .where(draw.c.study_id == study_id)
        .group_by(drawn.c.unit_id)
    )
    if up_to is not None:
        last = last.where(draw.c.number <= up_to)
    rows = connection.execute(
        select(drawn.c.unit_id, drawn.c.why, drawn.c.chance, drawn.c.place).where(drawn.c.id.in_(last))
    )
    return {row.unit_id: row for row in rows}


def chances(connection: Connection, study_id: int, up_to: int | None = None) -> dict[int, Inclusion]:
    """Return every drawn unit -> its inclusion, in the order of the work.

    `up_to`: as if only the draws up to this number had been made. While a later draw is being worked on,
    rates rest on the finished draws. Units that were drawn before they became practice are included; their
    ratings count nowhere.
    """
    drawn, draw = schema.drawn, schema.draw
    names = {
        past_draw.number: [stratum.name for stratum in past_draw.strata]
        for past_draw in past_draws(connection, study_id)
    }
    statement = (
        select(drawn.c.unit_id, drawn.c.stratum, drawn.c.why, drawn.c.place, draw.c.number)
        .join(draw, draw.c.id == drawn.c.draw_id)
        .where(draw.c.study_id == study_id, drawn.c.fresh == 1)
        .order_by(drawn.c.place)
    )
    last = newest(connection, study_id, up_to)
    return {
        row.unit_id: Inclusion(
            last[row.unit_id].chance, row.why, _name(names[row.number], row.stratum), row.number, row.place
        )
        for row in connection.execute(statement)
        if row.unit_id in last
    }


def inclusion_of(connection: Connection, unit_id: int) -> Inclusion | None:
    """Return why one unit is to be rated; None if it is not drawn."""
    drawn, draw = schema.drawn, schema.draw
    rows = connection.execute(
        select(
            drawn.c.fresh,
            drawn.c.stratum,
            drawn.c.why,
            drawn.c.chance,
            drawn.c.place,
            draw.c.number,
            draw.c.body_content,
        )
        .join(draw, draw.c.id == drawn.c.draw_id)
        .where(drawn.c.unit_id == unit_id)
        .order_by(drawn.c.id)
    ).all()
    took = next((row for row in rows if row.fresh), None)
    if took is None:
        return None
    draw_text = content.get(connection, took.body_content)
    names = None if draw_text is None else json.loads(draw_text)["names"]
    return Inclusion(rows[-1].chance, took.why, _name(names, took.stratum), took.number, took.place)


def _name(names: list[str] | None, stratum: int) -> str:
    return WORDS_GONE if names is None else names[stratum]
