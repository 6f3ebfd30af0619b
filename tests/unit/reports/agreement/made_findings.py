"""Findings made of rows, without a store: who said what of which conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from data.record.judgements import Judge
from data.record.rater_codes import assign_codes
from data.record.studies import Study
from reports.agreement.findings import Findings, ReportRequest
from scoring.agreement.labels.label_data import (
    ARMS,
    Arm,
    HumanLabels,
    JudgeLabels,
    LabelData,
    SettledLabel,
    UnitTable,
    question_of,
)
from scoring.instruments import parse_instrument
from tests.unit.data.bench import GATED

Row = tuple[str, int, str, str]  # criterion, unit from 1, rater, label


def findings(
    people: Iterable[Row] = (),
    judge: Iterable[tuple[str, int, str | None]] = (),
    units: int = 40,
    arm: Arm = "blind",
    asked_arm: Arm = "blind",
    instrument: str = GATED,
    settled: tuple[SettledLabel, ...] = (),
    **asked: Any,
) -> Findings:
    """A judge's label None is a failed call."""
    rubric = parse_instrument(instrument)
    questions = tuple(question_of(rubric, criterion) for criterion in rubric.criteria)
    index = {question.id: number for number, question in enumerate(questions)}
    rows = list(people)
    names = {name: number for number, name in enumerate(dict.fromkeys(row[2] for row in rows), start=1)}

    def columns(some: Sequence[tuple[int, ...]], width: int) -> list[Any]:
        return list(np.array(some, dtype=np.int64).reshape(-1, width).T)

    given = HumanLabels(
        *columns(
            [
                (index[c], u, names[r], questions[index[c]].domain.index(label), ARMS.index(arm), 0)
                for c, u, r, label in rows
            ],
            6,
        )
    )
    judge_rows = [
        (index[c], u, questions[index[c]].domain.index(label)) for c, u, label in judge if label is not None
    ]
    failed = tuple((index[c], u, "failed") for c, u, label in judge if label is None)
    question, unit, code = columns(judge_rows, 3)
    ids = np.arange(1, units + 1)
    table = UnitTable(ids, ids, ids, ids, np.full(units, 10), np.full(units, -1))
    material = LabelData(
        questions,
        table,
        {number: name for name, number in names.items()},
        given,
        JudgeLabels(question, unit, code, failed),
        settled,
    )
    study = Study(
        1,
        "made",
        "A made study",
        "",
        "synthetic",
        "blind",
        "after_unit",
        10,
        "",
        "",
        ("User", "Assistant"),
        rubric,
        None,
    )
    return Findings(
        ReportRequest(study, Judge(1, "Judge A", {}), arm=asked_arm, **asked),
        material,
        assign_codes(study, material.people),
        material,
    )
