"""Does a judge label replies of its own family of models higher than clinicians do, and more so than replies
of other families? (Panickssery, Bowman and Feng 2024, with clinicians as the yardstick.)

The difference of differences: judge less clinicians on replies of its own family, minus the same on the other
families. A judge that is more lenient on everything has none, nor has a family whose replies are better, as
long as judge and clinicians see quality alike. They need not: a judge that sees less of it than clinicians do
(at worst, one label for all) shows a difference against the better family, and one that sees more of it, for
the better family. So it is called a preference only where three things hold together:

- the difference is clear;
- it is clear, in the same direction, among replies that clinicians gave the same label (strata of criterion
  and label, weighted as in a comparison of matched groups). Where one family is better, this one errs toward
  the better family and the other toward the worse as long as the judge sees no more of quality than
  clinicians do (change score and adjusted score, Lord 1967), so both are clear by mistake only in opposite
  directions;
- clinicians do not see the preferred family as clearly better themselves: then a judge that spreads its
  labels wider than they do would show the same.

And only of a judge whose labels clearly rise with those of clinicians.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import scipy

from scoring.agreement.estimate import Estimate
from scoring.agreement.family_differences import (
    FamilyDifference,
    FamilyTables,
    family_difference,
    family_tables,
    scale_values,
)
from scoring.agreement.jackknife import TOLERANCE
from scoring.agreement.label_data import LabelData
from scoring.agreement.multiplicity import holm
from scoring.arrays import Array, IntArray
from scoring.confidence import ALPHA

FOLLOWS_NOT = (
    "its labels do not clearly rise with those of clinicians, so what their differences mean is open"
)
Answer = Literal[
    "prefers_own",  # labels it higher
    "prefers_others",
    "may_be_quality",  # shown, but as much as a difference in quality would
    "not_shown",
    "cannot_tell",
]


@dataclass(frozen=True)
class ScaleFinding:
    """What holds for all criteria on one scale. `ordinal`: in levels; otherwise shares of labels that do not
    fail. `p`: that both differences are chance, corrected for the number of scales (Holm); None where the
    answer is that it cannot be told, and `reason` says why.
    """

    ordinal: bool
    questions: tuple[int, ...]
    together: FamilyDifference
    tables: FamilyTables = field(compare=False, repr=False)
    values: Array = field(compare=False, repr=False)
    answer: Answer
    p: float | None = None
    reason: str = ""

    @cached_property
    def by_question(self) -> dict[int, FamilyDifference]:
        """Of each question that has pairs, by its number."""
        return {
            question: family_difference(self.tables.of_question(place), self.values)
            for place, question in enumerate(self.questions)
            if (self.tables.question == place).any()
        }


def compare_families(data: LabelData, side: IntArray) -> list[ScaleFinding]:
    """What holds for each scale of the instrument on which there are pairs. `side` (U,): OWN, OTHER or
    UNKNOWN of each of the data's units
    (family_differences.py).
    """
    findings = []
    for ordinal, questions in _scales(data):
        tables = family_tables(data, questions, side)
        if not len(tables.cell) and not tables.one_sided:
            continue
        values = scale_values(data.questions[questions[0]])
        together = family_difference(tables, values)
        p, reason = _chance(together)
        findings.append((ordinal, questions, together, tables, values, p, reason))
    corrected = holm([p for *_, p, _ in findings])
    return [
        ScaleFinding(
            ordinal,
            tuple(questions),
            together,
            tables,
            values,
            "cannot_tell" if p is None else _answer(together, p),
            p,
            reason,
        )
        for (ordinal, questions, together, tables, values, _, reason), p in zip(
            findings, corrected, strict=True
        )
    ]


def _scales(data: LabelData) -> list[tuple[bool, list[int]]]:
    """(ordinal, questions): ordinal scales by what their levels count, all nominal ones as one."""
    scales: dict[tuple[float, ...], list[int]] = {}
    for number, question in enumerate(data.questions):
        scales.setdefault(question.scale if question.ordinal else (), []).append(number)
    return [(bool(scale), questions) for scale, questions in scales.items()]


def _chance(families: FamilyDifference) -> tuple[float | None, str]:
    """p that either difference is chance (intersection-union test: the larger of both; 1 where they point
    apart), or why it cannot be told.
    """
    follows = families.follows
    if follows.value is None:
        return None, str(follows.undefined)
    # Of a judge with one label for all rounding leaves a little more than 0.
    if (follows.value if follows.low is None else follows.low) <= TOLERANCE:
        return None, FOLLOWS_NOT
    p_values, df = [], min(families.own.parts, families.others.parts) - 1
    for estimate in (families.difference, families.alike):
        if estimate.value is None or not estimate.error:
            return None, str(estimate.undefined or estimate.no_interval)
        p_values.append(float(2 * scipy.special.stdtr(df, -abs(estimate.value / estimate.error))))
    apart = (families.difference.value or 0) * (families.alike.value or 0) < 0
    return 1.0 if apart else max(p_values), ""


def _answer(families: FamilyDifference, p: float) -> Answer:
    """`p`: corrected."""
    side = _clear_side(families.difference)
    if p >= ALPHA:
        return "may_be_quality" if side else "not_shown"
    if side == _clear_side(families.clinicians):
        return "may_be_quality"
    return "prefers_own" if side > 0 else "prefers_others"


def _clear_side(estimate: Estimate) -> int:
    """1 where the whole interval lies above 0, -1 where it lies below, else 0."""
    if estimate.low is None or estimate.high is None:
        return 0
    return int(estimate.low > 0) - int(estimate.high < 0)
