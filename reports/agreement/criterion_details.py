"""What opens behind a criterion: the counts, which way the judge errs, and the units furthest apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reports.agreement.findings import Findings
from reports.agreement.matrices import counts_heat, phrase_errors
from reports.document import Block, Heat, RowDetails, Table, UnitLink
from scoring.agreement.labels.label_data import Question
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement
from scoring.arrays import IntArray
from words.unit_nouns import CONVERSATION, UnitNoun

FURTHEST = 4  # units listed


@dataclass(frozen=True)
class DistantUnit:
    """`clinicians`: codes of their labels on what the judge labelled too."""

    position: int
    clinicians: tuple[int, ...]
    judge: int


def furthest_units(findings: Findings, judge_agreement: JudgeAgreement) -> list[DistantUnit]:
    """Return at most FURTHEST (4) units on which judge and clinicians are furthest apart; [] if none
    differ.

    First those with the largest distance of any pair, then with the most differing pairs, then as in the
    study.
    """
    pairs, units = judge_agreement.pairs, findings.material.units
    apart = _distance(judge_agreement.question, pairs.first, pairs.second)
    differ = apart > 0
    if not differ.any():
        return []
    ids, place = np.unique(pairs.unit[differ], return_inverse=True)
    largest = np.zeros(len(ids), dtype=int)
    np.maximum.at(largest, place, apart[differ])
    often = np.bincount(place, minlength=len(ids))
    position = units.position[units.at(ids)]
    chosen = np.lexsort((position, -often, -largest))[:FURTHEST]
    return [
        DistantUnit(
            int(position[number]),
            tuple(int(code) for code in pairs.first[pairs.unit == ids[number]]),
            int(pairs.second[pairs.unit == ids[number]][0]),
        )
        for number in chosen
    ]


def _distance(question: Question, first: IntArray, second: IntArray) -> IntArray:
    """In levels; a nominal scale, and "does not apply" beside a level, are one apart."""
    if not question.ordinal:
        return np.asarray(first != second, dtype=np.int64)
    levels = len(question.levels)
    both = (first < levels) & (second < levels)
    distance: IntArray = np.where(both, abs(first - second), first != second).astype(np.int64)
    return distance


def criterion_details(
    judge_agreement: JudgeAgreement,
    furthest: list[DistantUnit],
    first_words: Mapping[int, str],
    noun: UnitNoun = CONVERSATION,
) -> RowDetails:
    """Return what opens behind a criterion's row; empty without pairs.

    Args:
        judge_agreement: the criterion.
        furthest: its units to list.
        first_words: position -> beginning of the conversation; erased ones are absent.
        noun: what a unit is called.
    """
    if not judge_agreement.counted.pairs:
        return RowDetails()
    names = judge_agreement.question.names
    behind: list[Block] = []
    if furthest:
        behind.append(
            Table(
                f"furthest_{judge_agreement.question.id}",
                "Furthest apart",
                (noun.heading, "Begins", "Clinicians", "Judge"),
                [
                    (
                        UnitLink(unit.position, judge_agreement.question.id),
                        first_words.get(unit.position, ""),
                        " \u00b7 ".join(names[code] for code in unit.clinicians),
                        names[unit.judge],
                    )
                    for unit in furthest
                ],
            )
        )
    errors = phrase_errors(judge_agreement)
    return RowDetails(f"{errors[:1].upper()}{errors[1:]}.", (_matrix(judge_agreement),), tuple(behind))


def _matrix(judge_agreement: JudgeAgreement) -> Heat:
    question = judge_agreement.question
    return counts_heat(
        f"counts_{question.id}", "Clinician down, judge across", question.names, judge_agreement.counted.table
    )
