"""Material of a study written by hand, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

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
from scoring.instruments import Instrument, parse_instrument

RUBRIC = """\
key: rubric
version: "1"
title: Rubric
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
  degree:
    kind: ordinal
    levels:
      - {id: "0", name: "Not at all", key: "0", value: 0}
      - {id: "1", name: "Some", key: "1", value: 1}
      - {id: "2", name: "Much", key: "2", value: 2}
categories:
  - {id: care, name: Care, weight: "0.5"}
  - {id: danger, name: Danger, weight: "0.5", gate: true}
criteria:
  - {id: warm, name: Warm, scale: yes_no, category: care}
  - {id: kind, name: Kind, scale: degree, category: care}
  - {id: deep, name: Deep, scale: yes_no, category: care, minimum_turns: 3}
  - {id: safe, name: Safe, scale: yes_no, category: danger, not_applicable: invalid}
  - {id: crisis, name: Crisis, scale: yes_no, category: danger}
score: {rule: weighted_categories, threshold: "0.8"}
"""
INSTRUMENT = parse_instrument(RUBRIC)
Row = tuple[str, int, int, str]  # criterion, unit from 1, rater, label


def material(
    people: Iterable[Row] = (),
    judge: Iterable[tuple[str, int, str]] = (),
    *,
    shown: Iterable[Row] = (),
    unknown: Iterable[Row] = (),
    failed: Iterable[tuple[str, int]] = (),
    units: int = 0,
    parts: Mapping[int, int] | None = None,
    turns: Mapping[int, int] | None = None,
    weights: Sequence[float] | None = None,
    drawn: bool = False,
    settled: Iterable[tuple[str, int, str | None, bool]] = (),
    before: Mapping[tuple[int, int], int] | None = None,
    instrument: Instrument = INSTRUMENT,
) -> LabelData:
    """Units are numbered from 1 and stand at position 100 and their number; each is a part of its own and has
    3 turns unless told otherwise.
    `before`: (unit, rater) -> reveals seen.
    """
    questions = tuple(question_of(instrument, criterion) for criterion in instrument.criteria)
    place = {question.id: number for number, question in enumerate(questions)}
    given: list[tuple[int, int, int, int, int, int]] = []
    named: tuple[tuple[Arm, Iterable[Row]], ...] = (("blind", people), ("shown", shown), ("unknown", unknown))
    for arm, rows in named:
        given += [
            (
                place[name],
                unit,
                rater,
                questions[place[name]].domain.index(label),
                ARMS.index(arm),
                (before or {}).get((unit, rater), 0),
            )
            for name, unit, rater, label in rows
        ]
    judge_rows = [
        (place[name], unit, questions[place[name]].domain.index(label)) for name, unit, label in judge
    ]
    missed = tuple((place[name], unit, "failed") for name, unit in failed)
    count = max(
        [units, *(row[1] for row in given), *(row[1] for row in judge_rows), *(row[1] for row in missed), 0]
    )
    ids = np.arange(1, count + 1)
    table = UnitTable(
        ids,
        ids + 100,
        ids,
        np.array([(parts or {}).get(unit_id, unit_id) for unit_id in ids.tolist()], dtype=np.int64),
        np.array([(turns or {}).get(unit_id, 3) for unit_id in ids.tolist()], dtype=np.int64),
        np.full(count, -1),
        (),
        None if weights is None else np.array(weights, dtype=float),
        drawn,
    )
    columns = np.array(given, dtype=np.int64).reshape(-1, 6).T
    question, unit, code = np.array(judge_rows, dtype=np.int64).reshape(-1, 3).T
    held = tuple(
        SettledLabel(
            place[name],
            unit,
            None if label is None else questions[place[name]].domain.index(label),
            reference,
        )
        for name, unit, label, reference in settled
    )
    return LabelData(
        questions,
        table,
        {rater: f"Dr {rater}" for rater in sorted({row[2] for row in given})},
        HumanLabels(*columns),
        JudgeLabels(question, unit, code, missed),
        held,
    )


def number(name: str, instrument: Instrument = INSTRUMENT) -> int:
    return [one.id for one in instrument.criteria].index(name)


def column(name: str, labels: Mapping[int, str], start: int = 1) -> list[Row]:
    """rater -> labels of units from `start` on, one letter each: Y, N, A (does not apply), a digit, or . for
    none.
    """
    read = {"Y": "YES", "N": "NO", "A": "NA"}
    return [
        (name, unit, rater, read.get(letter, letter))
        for rater, row in labels.items()
        for unit, letter in enumerate(row, start=start)
        if letter != "."
    ]


def in_kinds(caught: int, missed: int, alarms: int, passed: int) -> LabelData:
    """Two clinicians who agree throughout, and a judge, on the criterion `safe`."""
    people = "N" * (caught + missed) + "Y" * (alarms + passed)
    judge = "N" * caught + "Y" * missed + "N" * alarms + "Y" * passed
    return material(column("safe", {1: people, 2: people}), verdicts("safe", judge))


def verdicts(name: str, row: str) -> list[tuple[str, int, str]]:
    return [(name, unit, label) for name, unit, _, label in column(name, {0: row})]
