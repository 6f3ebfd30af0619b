"""Where the draws of a study stand, and what may be estimated from what they took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.schema.vocabulary import UnitKind
from data.store.column_texts import joined, numbers
from data.work.draw_record import PastDraw, newest, past_draws, untaken
from data.work.practice import practice_units


@dataclass(frozen=True)
class DrawStatus:
    """All draws of a study, the first first.

    `units` of the study (shown again or not, each once); of these `practice`, `chosen` by hand, and the rest:
    `drawn` ones, those that `came_after` every draw, and those `passed_over`, which existed but had no chance
    in any draw. `weighted`: some had a chance below 1. `chosen_after_draw`: some were chosen after a draw.
    `reachable`, `unreachable`: the numbers of units about which rates can and can't be estimated
    (scoring.sampling.weighted).
    """

    draws: list[PastDraw]
    units: int
    practice: int
    chosen: int
    drawn: int
    came_after: int
    passed_over: int
    weighted: bool
    chosen_after_draw: bool

    @property
    def unreachable(self) -> int:
        return self.came_after + self.passed_over

    @property
    def reachable(self) -> int:
        return self.units - self.practice - self.chosen - self.unreachable


def draw_status(connection: Connection, study_id: int) -> DrawStatus:
    """Return all draws of a study, and how many units they cover."""
    unit = schema.unit
    listed = connection.execute(
        select(joined(unit.c.id), joined(unit.c.position)).where(
            unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED
        )
    ).one()
    ids, at = numbers(listed[0]), numbers(listed[1]) - 1
    draws, rows = past_draws(connection, study_id), newest(connection, study_id)
    practice = np.isin(ids, list(practice_units(connection, study_id)))
    chosen = np.isin(ids, [unit_id for unit_id, row in rows.items() if row.why == "chosen"]) & ~practice
    others = ~practice & ~chosen
    missed = untaken(draws, int(at.max(initial=-1)) + 1)[at[others]]
    never, late = missed == 1, at[others]
    longest_frame = max((len(draw.frame) for draw in draws if draw.method != "chosen"), default=0)
    after, over = int((never & (late >= longest_frame)).sum()), int((never & (late < longest_frame)).sum())
    drawn = int(np.isin(ids[others], list(rows)).sum())
    after_a_draw = any(
        draw.method == "chosen" and any(before.method != "chosen" for before in draws[:number])
        for number, draw in enumerate(draws)
    )
    return DrawStatus(
        draws,
        len(ids),
        int(practice.sum()),
        int(chosen.sum()),
        drawn,
        after,
        over,
        bool((missed > 0).any()),
        after_a_draw,
    )
