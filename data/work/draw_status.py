"""Where the draws of a study stand, and what may be estimated from what they took, in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.schema.vocabulary import UnitKind
from data.store.column_texts import joined, numbers
from data.work.draw_record import PastDraw, newest, past_draws, untaken
from data.work.practice import practice_units
from words.plurals import inflect
from words.unit_nouns import CONVERSATION, UnitNoun


@dataclass(frozen=True)
class DrawStatus:
    """All draws of a study, the first first.

    `units` of the study (shown again or not, each once); of these `practice`, `chosen` by hand, and the rest:
    `drawn` ones, those that `came_after` every draw, and those `passed_over`, which existed but had no chance
    in any draw. `sentences` say what may be estimated. `unreachable`: the number of units about which nothing
    can be estimated (scoring.sampling.weighted).
    """

    draws: list[PastDraw]
    units: int
    practice: int
    chosen: int
    drawn: int
    came_after: int
    passed_over: int
    sentences: list[str]

    @property
    def unreachable(self) -> int:
        return self.came_after + self.passed_over


def draw_status(connection: Connection, study_id: int, noun: UnitNoun = CONVERSATION) -> DrawStatus:
    """Return all draws of a study, how many units they cover, and sentences on what may be estimated."""
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
    draw_status = DrawStatus(draws, len(ids), int(practice.sum()), int(chosen.sum()), drawn, after, over, [])
    after_a_draw = any(
        draw.method == "chosen" and any(before.method != "chosen" for before in draws[:number])
        for number, draw in enumerate(draws)
    )
    draw_status.sentences.extend(
        _sentences(draw_status, int(others.sum()), bool((missed > 0).any()), after_a_draw, noun)
    )
    return draw_status


def _sentences(
    draw_status: DrawStatus, others: int, weights: bool, after_a_draw: bool, noun: UnitNoun
) -> list[str]:
    sentences = []
    reached = others - draw_status.unreachable
    if not draw_status.draws:
        return ["Nothing was drawn yet."]
    if reached == 0:
        sentences.append(
            "Nothing was drawn by chance: no rate for the whole study can be estimated."
            if draw_status.chosen
            else f"No {noun.singular} had a chance to be drawn."
        )
    elif draw_status.unreachable == 0:
        apart = " or ".join(
            [
                *(["chosen by hand"] if draw_status.chosen else []),
                *(["for practice"] if draw_status.practice else []),
            ]
        )
        every = f"Every {noun.singular}{f' that is not {apart}' if apart else ''}"
        if not weights:
            sentences.append(f"{every} was drawn, so none has to be weighted.")
        else:
            sentences.append(
                f"{every} had a chance: rates for {'these' if apart else 'the whole study'} can be "
                "estimated, weighted."
            )
    else:
        if draw_status.came_after:
            sentences.append(
                f"{noun.count(draw_status.came_after)} came after the draw and had no chance: rates speak of "
                f"the other {reached} until {inflect(draw_status.came_after, 'it is', 'they are')} drawn."
            )
        if draw_status.passed_over:
            sentences.append(
                f"{noun.count(draw_status.passed_over)} had no chance in any draw: rates speak of the other "
                f"{reached} only."
            )
    if draw_status.chosen:
        sentences.append(
            f"{noun.count(draw_status.chosen)} {inflect(draw_status.chosen, 'was', 'were')} chosen by hand; "
            f"{inflect(draw_status.chosen, 'it counts', 'they count')} "
            f"in no rate."
        )
    if draw_status.chosen and after_a_draw and reached:
        sentences.append(
            "After a draw some were chosen by hand. If they were chosen for what they are, the rest is no "
            "longer like the whole study, and rates may lean."
        )
    if draw_status.practice:
        sentences.append(
            f"{noun.count(draw_status.practice)} {inflect(draw_status.practice, 'is', 'are')} for practice; "
            f"{inflect(draw_status.practice, 'it counts', 'they count')} "
            f"in no rate."
        )
    return sentences
