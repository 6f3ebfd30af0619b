"""What became of blind labels once a judge had been shown: the label before, the judge's, and the label
since.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, select

from data import schema
from data.labels.counted import given_for_real
from data.record.judgements import first_labels_only
from data.record.studies import Study
from scoring.agreement.coefficients.levels import Levels, order
from scoring.agreement.people.anchoring import Reveal


@dataclass(frozen=True)
class Reveals:
    """`levels`: the labels of each criterion's scale in their order. `without_label`: labels shown beside a
    "cannot rate", before or after, which is no label and moves nowhere.
    """

    reveals: list[Reveal]
    levels: Levels
    without_label: int


def read_reveals(connection: Connection, study: Study, judge_id: int) -> Reveals:
    """Return one entry for each real blind label whose unit was then revealed with a label of this judge.

    Where several judges were shown one after the other, changes after the next reveal do not count for this
    judge. A label that the judge gave only later was not on the screen; what the rater had seen on another
    page is no reveal.
    """
    shown, judgement = schema.exposure, schema.judgement
    rows = connection.execute(
        select(
            shown.c.rater_id,
            shown.c.unit_id,
            judgement.c.criterion,
            judgement.c.label,
            shown.c.trail,
            schema.unit.c.conversation_id,
        )
        .join(
            judgement, and_(judgement.c.unit_id == shown.c.unit_id, judgement.c.judge_id == shown.c.judge_id)
        )
        .join(schema.unit, schema.unit.c.id == shown.c.unit_id)
        .where(
            judgement.c.study_id == study.id,
            judgement.c.judge_id == judge_id,
            judgement.c.status == "ok",
            judgement.c.trail <= shown.c.trail,
            first_labels_only(),
            shown.c.kind == "reveal",
        )
        .order_by(shown.c.id)
    ).all()
    if not rows:  # then no rating need be read
        return Reveals([], {}, 0)
    given, next_shown = _given(connection, study.id), _moments(connection, study.id)
    reveals, without = [], 0
    for row in rows:
        until = min(
            (moment for moment in next_shown[row.rater_id, row.unit_id] if moment > row.trail), default=None
        )
        own = given[row.rater_id, row.unit_id, row.criterion]
        earlier = [event for event in own if event.trail < row.trail]
        later = [event for event in own if event.trail > row.trail and (until is None or event.trail < until)]
        if not earlier or earlier[-1].exposure != "blind":
            continue
        before, after = earlier[-1].label, (later or earlier)[-1].label
        if before is None or after is None:
            without += 1
        else:
            reveals.append(Reveal(row.conversation_id, row.rater_id, row.criterion, before, row.label, after))
    return Reveals(
        reveals,
        {name: order(study.instrument.scale_for(name)) for name in {reveal.criterion for reveal in reveals}},
        without,
    )


def _given(connection: Connection, study_id: int) -> dict[tuple[int, int, str], list[Any]]:
    """The ratings of each rater of revealed units, the first first; none that a rule filled in."""
    rating, shown = schema.rating, schema.exposure
    revealed = select(shown.c.rater_id, shown.c.unit_id).where(shown.c.kind == "reveal").distinct().subquery()
    rows_by_label: dict[tuple[int, int, str], list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(
            rating.c.rater_id,
            rating.c.unit_id,
            rating.c.criterion,
            rating.c.label,
            rating.c.exposure,
            rating.c.trail,
        )
        .join(
            revealed, and_(revealed.c.rater_id == rating.c.rater_id, revealed.c.unit_id == rating.c.unit_id)
        )
        .join(schema.unit, schema.unit.c.id == rating.c.unit_id)
        .where(rating.c.study_id == study_id, *given_for_real(rating))
        .order_by(rating.c.id)
    ):
        rows_by_label[row.rater_id, row.unit_id, row.criterion].append(row)
    return rows_by_label


def _moments(connection: Connection, study_id: int) -> dict[tuple[int, int], list[int]]:
    """(rater, unit) -> the trail entries under which judges were revealed."""
    shown = schema.exposure
    trails_by_unit: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in connection.execute(
        select(shown.c.rater_id, shown.c.unit_id, shown.c.trail)
        .join(schema.unit, schema.unit.c.id == shown.c.unit_id)
        .where(schema.unit.c.study_id == study_id, shown.c.kind == "reveal")
        .distinct()
    ):
        trails_by_unit[row.rater_id, row.unit_id].append(row.trail)
    return trails_by_unit
