"""The judges in use over time: what they answered to the anchors, and when one took the place of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from data.labels import event_dates
from data.record import adoptions, anchors
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.drift.agreement_by_date import scaled
from scoring.agreement.labels.label_data import LabelData
from scoring.drift import periods
from scoring.drift.anchor_answers import by_round
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.periods import UNKNOWN


def judges_of_line(
    connection: Connection, study: Study, material: LabelData, judge_ids: Sequence[int]
) -> AnchorAnswers | None:
    """What judges answered to the newest anchors, as one judge that may move: of one judge all, of the judges
    in use each until it was replaced.

    A round is of one day, its last, because one that ran over midnight was asked once; labels of the study
    have days of their own. None where there are no anchors.
    """
    anchor_set = anchors.newest(connection, study.id)
    if anchor_set is None:
        return None
    until = _replaced(connection, study) if len(judge_ids) > 1 else {}
    asked = {
        study_question.id: (
            number,
            dict(zip(study_question.domain, scaled(study_question).tolist(), strict=True)),
        )
        for number, study_question in enumerate(material.questions)
    }
    answer_rows: list[tuple[int, int, int, float, bool]] = []
    for judge_id in judge_ids:
        parted = by_round(anchors.answers(connection, anchor_set, judge_id))
        last = {number: max(answer.day for answer in answers) for number, answers in parted.items() if number}
        for answer in (answer for answers in parted.values() for answer in answers):
            day = last.get(answer.round, answer.day)
            if (
                answer.label is not None
                and answer.criterion in asked
                and UNKNOWN < day <= until.get(judge_id, day)
            ):
                number, levels = asked[answer.criterion]
                answer_rows.append(
                    (
                        answer.conversation,
                        number,
                        day,
                        levels.get(answer.label, np.nan),
                        answer.label == answer.settled,
                    )
                )
    conversation, question, days, level, right = (
        zip(*answer_rows, strict=True) if answer_rows else ((), (), (), (), ())
    )
    return AnchorAnswers(
        np.array(conversation, dtype=np.int64),
        np.array(question, dtype=np.int64),
        np.array(days, dtype=np.int64),
        np.array(level, dtype=float),
        np.array(right, dtype=bool),
    )


def _replaced(connection: Connection, study: Study) -> dict[int, int]:
    """Judge -> the day on which another one took its place for good."""
    history = adoptions.adoption_history(connection, study.id)
    last = {adoption.judge_id: number for number, adoption in enumerate(history)}
    return {
        judge_id: periods.day_of(history[number + 1].at)
        for judge_id, number in last.items()
        if number + 1 < len(history)
    }


def changes_of_judge(
    connection: Connection, study: Study, judges: Sequence[Judge]
) -> tuple[tuple[int, str], ...]:
    """(day, what happened): which judge came into use; where nobody decided, when each first answered."""
    names = {judge.id: judge.name for judge in judges}
    decided = [
        (periods.day_of(adoption.at), f"{names[adoption.judge_id]} in use")
        for adoption in adoptions.adoption_history(connection, study.id)
    ]
    return tuple(
        decided
        or [
            (day, f"{name} first answered")
            for day, name in event_dates.first_answers(connection, study.id, judges)
        ]
    )
