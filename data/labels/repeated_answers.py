"""Both answers of raters to the units that came to them a second time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.labels.counted import given_for_real
from data.record.studies import Study
from scoring.agreement.people.repeats import RepeatedAnswer
from scoring.drift.periods import day_of


@dataclass(frozen=True)
class RepeatedAnswers:
    """`domains`: the labels of each criterion's scale. `without_label`: pairs with a "cannot rate", which is
    no label.
    """

    pairs: list[RepeatedAnswer]
    domains: dict[str, list[str]]
    without_label: int


def answered_twice(connection: Connection, study: Study) -> RepeatedAnswers:
    """Return the pairs of blind answers of one rater to a unit and to its hidden repeat.

    The first is the last answer before the repeat, the second the last one to the repeat. Answers filled in
    by rule are left out.
    """
    repeat, unit = schema.repeat, schema.unit
    shown_again = connection.execute(
        select(repeat.c.unit_id, repeat.c.of_unit_id, unit.c.conversation_id)
        .join(unit, unit.c.id == repeat.c.of_unit_id)
        .where(unit.c.study_id == study.id, repeat.c.why == "repeat")
        .order_by(repeat.c.id)
    ).all()
    if not shown_again:  # then no rating need be read
        return RepeatedAnswers([], {}, 0)
    first, second = _given(connection, study.id, True), _given(connection, study.id, False)
    repeated_answers, without = [], 0
    for row in shown_again:
        for (rater, criterion), later in second[row.unit_id].items():
            before = [
                rating_row
                for rating_row in first[row.of_unit_id].get((rater, criterion), ())
                if rating_row.id < later[0].id
            ]
            if not before:
                continue
            if before[-1].label is None or later[-1].label is None:
                without += 1
            else:
                repeated_answers.append(
                    RepeatedAnswer(
                        row.conversation_id,
                        rater,
                        criterion,
                        before[-1].label,
                        later[-1].label,
                        day_of(later[0].at),
                    )
                )
    domains = {
        name: [level.id for level in study.instrument.scale_for(name).labels()]
        for name in {repeated_answer.criterion for repeated_answer in repeated_answers}
    }
    return RepeatedAnswers(repeated_answers, domains, without)


def _given(connection: Connection, study_id: int, first: bool) -> dict[int, dict[tuple[int, str], list[Any]]]:
    """Unit -> (rater, criterion) -> blind answers in their order, to units that came again or, not `first`,
    to their repeats.
    """
    rating, unit, repeat = schema.rating, schema.unit, schema.repeat
    which = (repeat.c.of_unit_id if first else repeat.c.unit_id) == rating.c.unit_id
    ratings_by_unit: dict[int, dict[tuple[int, str], list[Any]]] = defaultdict(dict)
    for row in connection.execute(
        select(
            rating.c.id, rating.c.unit_id, rating.c.rater_id, rating.c.criterion, rating.c.label, rating.c.at
        )
        .join(unit, unit.c.id == rating.c.unit_id)
        .join(repeat, which)
        .where(
            rating.c.study_id == study_id,
            rating.c.exposure == "blind",
            rating.c.source != "rule",
            repeat.c.why == "repeat",
            *(given_for_real(rating) if first else ()),
        )
        .order_by(rating.c.id)
    ):
        ratings_by_unit[row.unit_id].setdefault((row.rater_id, row.criterion), []).append(row)
    return ratings_by_unit
