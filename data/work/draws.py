"""Drawing units of a study to be rated: what a draw would do, and doing it.

Every draw is a row of its own and stays. Later draws keep what was drawn and take from the rest; the chance
that all of them gave to every unit, drawn or not, can be told from the record alone (scoring/sampling.py says
why it is exact).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from data import schema
from data.record.studies import Study
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.column_texts import joined, numbers
from data.store.errors import Notice, Refused
from data.store.trail import TrailEntry
from data.work import strata
from data.work.draw_record import (
    Inclusion,
    Stratum,
    body,
    chances,
    frame_text,
    newest,
    past_draws,
    strata_text,
    untaken,
)
from data.work.draw_spec import CertainUnits, DrawSpec, StratumKey, positions, read_spec
from data.work.draw_status import DrawStatus, draw_status
from data.work.practice import practice_units
from data.work.strata import keys
from scoring import sampling
from scoring.arrays import Array, IntArray, Mask
from scoring.sampling import NO_STRATUM
from words.unit_nouns import UnitNoun

__all__ = [
    "CertainUnits",
    "Draw",
    "DrawPreview",
    "DrawSpec",
    "DrawStatus",
    "Inclusion",
    "Stratum",
    "StratumKey",
    "chances",
    "draw",
    "draw_status",
    "keys",
    "last_number",
    "preview",
    "read_spec",
]
BY_HAND = "Chosen by hand"


@dataclass(frozen=True)
class DrawPreview:
    """What a draw would do. `seen_number`: the number of the last draw when it was made; `notices`: what the
    lead should know first.
    """

    seen_number: int
    strata: list[Stratum]
    notices: list[Notice]

    @property
    def expected(self) -> float:
        """Return how many units the draw is expected to take; the number taken differs by rounding where it
        is not whole.
        """
        return sum(
            stratum.wanted if stratum.fraction is None else stratum.fraction * stratum.left
            for stratum in self.strata
        )


@dataclass(frozen=True)
class Draw:
    """A draw that was made. `unit_ids`: what it took, in the order of the work, which begins at
    `first_place`.
    """

    number: int
    seed: int
    strata: list[Stratum]
    unit_ids: list[int]
    first_place: int


@dataclass(frozen=True)
class _DrawFrame:
    """The units before a draw. By position from 1, (N,): `ids`; `untaken`, the chance that no draw took the
    unit; `free`, whether none did and it may be drawn; `in_frame`, whether it can be in a stratum: no
    practice, nothing chosen by hand.
    """

    number: int
    ids: IntArray
    untaken: Array
    free: Mask
    in_frame: Mask
    before: dict[int, Any]
    practice: set[int]


@dataclass(frozen=True)
class _DrawPlan:
    ground: _DrawFrame
    codes: IntArray
    strata: list[Stratum]
    notices: list[Notice]


def last_number(connection: Connection, study_id: int) -> int:
    """Return the number of the study's last draw; 0 if there was none."""
    return (
        connection.execute(
            select(func.max(schema.draw.c.number)).where(schema.draw.c.study_id == study_id)
        ).scalar()
        or 0
    )


def preview(connection: Connection, study: Study, spec: DrawSpec) -> DrawPreview:
    """Return the strata of a draw with their numbers without writing anything.

    Raise Refused where the draw itself would be refused.
    """
    plan = _plan(connection, study, spec)
    return DrawPreview(plan.ground.number, plan.strata, plan.notices)


def draw(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    spec: DrawSpec,
    seen_number: int,
    seed: int | None = None,
) -> Draw:
    """Make a draw: write it, and return what it took.

    The seed, random unless given, is stored and gives the same units again.

    Args:
        connection, entry, study: where to write.
        spec: what to draw.
        seen_number: `DrawPreview.seen_number` of the preview that was confirmed.
        seed: from 0.

    Raises:
        Refused: another draw was made in between, there is nothing to draw as asked, or the seed is below
            0.
    """
    if last_number(connection, study.id) != seen_number:
        raise Refused("draw_made_meanwhile")
    plan = _plan(connection, study, spec)
    ground = plan.ground
    seed = random.SystemRandom().getrandbits(63) if seed is None else seed
    if seed < 0:
        raise Refused("seed_unusable")
    by_hand = spec.method == "chosen"
    # What a person chose has no stratum in the frame; it is taken whole, in a random order like everything
    # else.
    fractions = np.array([1.0 if stratum.fraction is None else stratum.fraction for stratum in plan.strata])
    taken = sampling.take(plan.codes, ground.free, fractions, np.random.Generator(np.random.PCG64(seed)))
    counts = np.bincount(plan.codes[taken], minlength=len(plan.strata)).tolist()
    stratums = [replace(stratum, taken=count) for stratum, count in zip(plan.strata, counts, strict=True)]
    content_id, mac = content.put(connection, body(spec, stratums), None)
    frame = np.full_like(plan.codes, NO_STRATUM) if by_hand else plan.codes
    draw_id = entry.write(
        schema.draw,
        {
            "study_id": study.id,
            "number": ground.number + 1,
            "method": spec.method,
            "seed": str(seed),
            "frame": frame_text(frame),
            "strata": strata_text(stratums),
            "body_content": content_id,
            "body_mac": mac,
        },
    )
    first_place = 1 + max((row.place for row in ground.before.values()), default=0)
    of_unit = np.append(fractions, 0.0)[frame]
    chance = np.where(of_unit == 1, 1.0, (1 - ground.untaken) + ground.untaken * of_unit)
    rows = [
        {
            "draw_id": draw_id,
            "unit_id": unit_id,
            "stratum": code,
            "why": stratums[code].why,
            "chance": None if by_hand else unit_chance,
            "fresh": 1,
            "place": place,
        }
        for place, (unit_id, code, unit_chance) in enumerate(
            _at(taken, ground.ids, plan.codes, chance), start=first_place
        )
    ]
    changed = np.flatnonzero((frame != NO_STRATUM) & ~ground.free & (of_unit > 0) & (ground.untaken > 0))
    rows += [
        {
            "draw_id": draw_id,
            "unit_id": unit_id,
            "stratum": code,
            "why": ground.before[unit_id].why,
            "chance": unit_chance,
            "fresh": 0,
            "place": ground.before[unit_id].place,
        }
        for unit_id, code, unit_chance in _at(changed, ground.ids, plan.codes, chance)
    ]
    entry.write_many(schema.drawn, rows)
    return Draw(ground.number + 1, seed, stratums, ground.ids[taken].tolist(), first_place)


def _at(indices: IntArray, *arrays: NDArray[Any]) -> list[tuple[Any, ...]]:
    return list(zip(*(array[indices].tolist() for array in arrays), strict=True))


def _plan(connection: Connection, study: Study, spec: DrawSpec) -> _DrawPlan:
    ground = _ground(connection, study.id)
    if spec.method == "chosen":
        return _by_hand(ground, spec, study.noun)
    if not ground.free.any():
        raise Refused("nothing_left_to_draw")
    notices: list[Notice] = []
    names, codes = _groups(connection, study, spec, ground, notices)
    forced: list[str] = []
    if spec.certain is not None:
        forced = [strata.certain_words(connection, study, spec.certain)]
        codes = np.where(codes == NO_STRATUM, codes, codes + 1)
        codes[
            np.isin(ground.ids, list(strata.certain(connection, study, spec.certain))) & ground.in_frame
        ] = 0
    names, codes = _used([*forced, *names], codes, keep=len(forced))
    whole = range(len(names) if spec.method == "all" else len(forced))
    units, left = (
        np.bincount(codes[mask], minlength=len(names)).tolist()
        for mask in (codes != NO_STRATUM, (codes != NO_STRATUM) & ground.free)
    )
    room = sampling.expected_left(ground.untaken, codes, len(names)).tolist()
    rest = [number for number in range(len(names)) if number not in whole]
    wanted = [
        *(room[number] for number in whole),
        *_allocated(
            spec, [room[number] for number in rest], sum(left[number] for number in rest), study.noun
        ),
    ]
    fraction = [
        1.0 if number in whole else share
        for number, share in enumerate(sampling.fractions(wanted, room).tolist())
    ]
    if spec.method == "certain" and not left[0]:
        raise Refused("group_used_up", noun=study.noun, first=names[0])
    why = {"all": "all", "random": "random", "strata": "stratum", "certain": "certain"}[spec.method]
    stratums = [
        Stratum(
            name,
            "certain" if number < len(forced) else why,
            units[number],
            left[number],
            wanted[number],
            fraction[number],
        )
        for number, name in enumerate(names)
    ]
    return _DrawPlan(ground, codes, stratums, notices)


def _ground(connection: Connection, study_id: int) -> _DrawFrame:
    unit = schema.unit
    listed = connection.execute(
        select(joined(unit.c.id), joined(unit.c.position)).where(
            unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED
        )
    ).one()
    unit_ids, at = numbers(listed[0]), numbers(listed[1])
    if not len(unit_ids):
        raise Refused("study_empty")
    ids = np.zeros(int(at.max()), dtype=np.int64)
    ids[at - 1] = unit_ids
    draws, before, practice = (
        past_draws(connection, study_id),
        dict(newest(connection, study_id)),
        practice_units(connection, study_id),
    )
    chosen = [unit_id for unit_id, row in before.items() if row.why == "chosen"]
    in_frame = (ids > 0) & ~np.isin(ids, [*practice, *chosen])
    return _DrawFrame(
        draws[-1].number if draws else 0,
        ids,
        untaken(draws, len(ids)),
        in_frame & ~np.isin(ids, list(before)),
        in_frame,
        before,
        practice,
    )


def _groups(
    connection: Connection, study: Study, spec: DrawSpec, ground: _DrawFrame, notices: list[Notice]
) -> tuple[list[str], IntArray]:
    """The names of the strata, and which each unit is in, before those that are certain are taken out."""
    codes = np.where(ground.in_frame, 0, NO_STRATUM)
    if spec.method == "certain":
        return [], np.full_like(codes, NO_STRATUM)
    if spec.method != "strata":
        return [f"Every {'' if spec.certain is None else 'other '}{study.noun.singular}"], codes
    splits = strata.splits(connection, study, spec.keys, ground.ids[ground.in_frame])
    notices += [split.notice for split in splits if split.notice]
    names, together = [""], np.zeros(int(ground.in_frame.sum()), dtype=np.int64)
    for split in splits:
        together = together * len(split.names) + split.codes
        names = [f"{before}; {name}" if before else name for before in names for name in split.names]
    codes[ground.in_frame] = together
    return names, codes


def _used(names: Sequence[str], codes: IntArray, keep: int) -> tuple[list[str], IntArray]:
    """Without the strata that no unit is in, but for the first `keep`, numbered anew."""
    here = np.union1d(np.arange(keep), codes[codes != NO_STRATUM]).astype(np.int64)
    number = np.full(len(names) + 1, NO_STRATUM)
    number[here] = np.arange(len(here))
    return [names[code] for code in here.tolist()], number[codes]


def _allocated(spec: DrawSpec, room: list[float], left: int, noun: UnitNoun) -> list[float]:
    """How many each stratum gets that is left to chance. Raises Refused, with the numbers, where the size
    does not fit.
    """
    if spec.size is None:
        return []
    if spec.size > left:
        if left == 0:
            raise Refused("only_certain_left")
        raise Refused(
            "too_few_beside_certain" if spec.certain else "too_few_to_draw",
            size=spec.size,
            noun=noun,
            left=left,
        )
    groups = sum(capacity > 0 for capacity in room)
    if spec.size < groups:
        raise Refused("fewer_than_groups", groups=groups, size=spec.size, noun=noun)
    return sampling.allocate(spec.size, room, spec.allocation, spec.random_share)


def _by_hand(ground: _DrawFrame, spec: DrawSpec, noun: UnitNoun) -> _DrawPlan:
    asked = positions(spec.positions, len(ground.ids), noun)
    for position in asked:
        unit_id = int(ground.ids[position - 1])
        if unit_id in ground.before:
            raise Refused("drawn_before", unit=noun.name(position))
        if unit_id in ground.practice or unit_id == 0:
            raise Refused("position_for_practice", unit=noun.name(position))
    codes = np.full(len(ground.ids), NO_STRATUM)
    codes[np.array(asked) - 1] = 0
    notices = [Notice("chosen_after_draw")] if ground.number else []
    return _DrawPlan(
        ground, codes, [Stratum(BY_HAND, "chosen", len(asked), len(asked), len(asked), None)], notices
    )
