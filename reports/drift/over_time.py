"""Agreement with the judge over time as it is read from a store: which judge, what was said beside it, what
it answered to the anchors, and when another judge took its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.labels import agreement_material, event_dates
from data.record import adoptions, anchors, judgements
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.drift.agreement_by_date import AgreementByDate, scaled
from scoring.agreement.labels.label_data import LabelData
from scoring.drift import periods
from scoring.drift.anchor_answers import by_round
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.periods import UNKNOWN

AS_USED = 0  # the judges that were in use, one after the other; no judge has this number


@dataclass(frozen=True)
class JudgeChoice:
    """`names` by number, `AS_USED` among them where several were in use; `usual`: what to begin with."""

    names: Mapping[int, str]
    usual: int


def judge_choice(connection: Connection, study: Study) -> JudgeChoice | None:
    """Return the judges that a page offers, and the one to begin with; None if the study has no judge."""
    judges = judgements.judges(connection, study.id)
    if not judges:
        return None
    names: dict[int, str] = (
        {AS_USED: "The judge in use at the time"} if len(_in_use(connection, study)) > 1 else {}
    )
    names |= {judge.id: f"{judge.name}, {judge.identity.get('model', 'unknown')}" for judge in judges}
    usual = AS_USED if AS_USED in names else judges[adoptions.default_judge(connection, study.id, judges)].id
    return JudgeChoice(names, usual)


def read_over_time(connection: Connection, study: Study, judge: int) -> AgreementByDate:
    """Read a study next to one judge (its id), or next to the judges in use at the time (`AS_USED`)."""
    judges = _in_use(connection, study) if judge == AS_USED else [judge]
    material = agreement_material.read_counted(connection, study, judges[0])
    if len(judges) > 1:
        material = agreement_material.as_used(connection, study, material, judges)
    return AgreementByDate.of(
        material,
        event_dates.read_event_dates(connection, study.id, judges),
        changes_of_judge(connection, study, judgements.judges(connection, study.id)),
        judges_of_line(connection, study, material, judges),
    )


def _in_use(connection: Connection, study: Study) -> list[int]:
    """The judges that were adopted, each once, the first one first."""
    history = adoptions.adoption_history(connection, study.id)
    return list(dict.fromkeys(adoption.judge_id for adoption in history))


def judges_of_line(
    connection: Connection, study: Study, material: LabelData, judge_ids: Sequence[int]
) -> AnchorAnswers | None:
    """Return what judges answered to the newest anchors, as if they were one judge that may move.

    Of one judge all answers, of several judges in use each one's until it was replaced. A round counts as
    one day, its last; labels in the study have days of their own. None without anchors.
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
    """Return (day, what happened) for each judge that came into use; if none was adopted, each first
    answer.
    """
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
