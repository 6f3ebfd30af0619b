"""The judges in use over time: what they answered to the anchors, and when one took the place of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from data import adoptions, anchors, moments
from data.judgements import Judge
from data.store import Connection
from data.studies import Study
from runs.drift.in_time import scaled
from scoring.agreement.material import Material
from scoring.drift.judge_moved import AnchorAnswers
from scoring.drift.on_anchors import by_round
from scoring.drift.periods import UNKNOWN


def of_line(
    connection: Connection, study: Study, material: Material, judge_ids: Sequence[int]
) -> AnchorAnswers | None:
    """What judges answered to the newest anchors, as one judge that may move: of one judge all, of the judges
    in use each until it was replaced.

    A round is of one day, its last, because one that ran over midnight was asked once; labels of the study
    have days of their own. None where there are no anchors.
    """
    found = anchors.newest(connection, study.id)
    if found is None:
        return None
    until = _replaced(connection, study) if len(judge_ids) > 1 else {}
    asked = {
        one.id: (number, dict(zip(one.domain, scaled(one).tolist(), strict=True)))
        for number, one in enumerate(material.questions)
    }
    made: list[tuple[int, int, int, float, bool]] = []
    for judge_id in judge_ids:
        parted = by_round(anchors.answers(connection, found, judge_id))
        last = {number: max(one.day for one in said) for number, said in parted.items() if number}
        for one in (one for said in parted.values() for one in said):
            day = last.get(one.round, one.day)
            if one.label is not None and one.criterion in asked and UNKNOWN < day <= until.get(judge_id, day):
                number, levels = asked[one.criterion]
                made.append(
                    (one.conversation, number, day, levels.get(one.label, np.nan), one.label == one.settled)
                )
    conversation, question, days, level, right = zip(*made, strict=True) if made else ((), (), (), (), ())
    return AnchorAnswers(
        np.array(conversation, dtype=np.int64),
        np.array(question, dtype=np.int64),
        np.array(days, dtype=np.int64),
        np.array(level, dtype=float),
        np.array(right, dtype=bool),
    )


def _replaced(connection: Connection, study: Study) -> dict[int, int]:
    """Judge -> the day on which another one took its place for good."""
    history = adoptions.history(connection, study.id)
    last = {one.judge_id: number for number, one in enumerate(history)}
    return {
        judge_id: moments.day_of(history[number + 1].at)
        for judge_id, number in last.items()
        if number + 1 < len(history)
    }


def changes_of_judge(
    connection: Connection, study: Study, judges: Sequence[Judge]
) -> tuple[tuple[int, str], ...]:
    """(day, what happened): which judge came into use; where nobody decided, when each first answered."""
    names = {one.id: one.name for one in judges}
    decided = [
        (moments.day_of(one.at), f"{names[one.judge_id]} in use")
        for one in adoptions.history(connection, study.id)
    ]
    return tuple(
        decided
        or [
            (day, f"{name} first answered")
            for day, name in moments.first_answers(connection, study.id, judges)
        ]
    )
