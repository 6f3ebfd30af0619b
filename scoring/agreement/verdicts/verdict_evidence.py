"""What the verdict on a criterion rests on, read from the labels of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.level_bias import estimate_level_bias
from scoring.agreement.intervals.mean_of_raters import average
from scoring.agreement.judges.lost_answers import compare_lost_answers
from scoring.agreement.labels.label_data import Arm, LabelData, Question
from scoring.agreement.labels.labels import Labels, numbered_with
from scoring.agreement.labels.pairs import pair_raters, pair_with_judge
from scoring.agreement.safety.safety import safety
from scoring.agreement.verdicts.criterion_agreement import (
    coefficients_of_two,
    compare_criterion,
    headline,
    verdicts_of,
)
from scoring.agreement.verdicts.raters import (
    CopiedRater,
    choose_raters,
    find_copies,
    find_uninformative_raters,
)
from scoring.agreement.verdicts.uneven_raters import find_uneven_raters
from scoring.agreement.verdicts.verdict_rule import CriterionEvidence


def gather_evidence(
    material: LabelData,
    number: int,
    arm: Arm = "blind",
    *,
    one_rater_chosen: bool = False,
    everyone: LabelData | None = None,
    all_raters: bool = False,
    copies: Mapping[int, CopiedRater] | None = None,
) -> CriterionEvidence:
    """Read what the verdict on one criterion rests on.

    Args:
        material: The labels that count: without raters who are set aside or labelled too few units.
        number: Position of the criterion.
        arm: Which ratings; only "blind" ones lead to a verdict.
        one_rater_chosen: A report of one rater's labels has no colleague to compare with.
        everyone: The labels of everybody, by default `material`; a safety gate settles what any of them saw.
        all_raters: Count raters whose labels are not shown to agree with the others' too.
        copies: Raters who look like a copy of the judge, over all criteria; found here by default.
    """
    labels = material.labels_without_rule(number, arm)
    apart = () if all_raters else find_uninformative_raters(material, number, arm)
    without = frozenset(apart)
    suspects = find_copies(material, range(len(material.questions))) if copies is None else copies
    raters = choose_raters(labels.leave_out(without))
    return replace(
        _gather(material, number, arm, without, everyone),
        one_rater_chosen=one_rater_chosen,
        uninformative=apart,
        suspected_copies=tuple(rater for rater in suspects if rater not in without),
        left_out={rater: _gather(material, number, arm, without | {rater}, everyone) for rater in raters}
        if len(raters) > 2
        else {},
        with_everyone=gather_evidence(
            material,
            number,
            arm,
            one_rater_chosen=one_rater_chosen,
            everyone=everyone,
            all_raters=True,
            copies=suspects,
        )
        if apart
        else None,
    )


def _gather(
    material: LabelData, number: int, arm: Arm, without: frozenset[int], everyone: LabelData | None
) -> CriterionEvidence:
    """The evidence without some raters."""
    question, judge = material.questions[number], material.judge_labels(number)
    labels = material.collapsed_labels(number, arm).leave_out(without)
    pairs, people = pair_with_judge(labels, judge), pair_raters(labels)
    same_label, coefficient = compare_criterion(question, labels, judge)
    verdicts = verdicts_of(question, pairs)
    used = np.bincount(labels.code, weights=labels.times, minlength=len(question.domain))
    weight = (
        labels.times
        if labels.weight is None
        else labels.weight
        if labels.times is None
        else labels.times * labels.weight
    )
    weighted = np.bincount(labels.code, weights=weight, minlength=len(question.domain))
    shared = (labels.units.counts[labels.units.counts.sum(axis=1) > 1] > 0).any(axis=0)
    averaged = average(
        coefficients_of_two(question)[headline(question)], verdicts_of(question, people).by_side()
    )
    return CriterionEvidence(
        blind=arm == "blind",
        one_rater_chosen=False,
        pairs=pairs.n,
        conversations=int(pairs.parts[1].sum()),
        lost=compare_lost_answers(material, number, arm, without),
        people_pairs=same_label.people.n,
        people_conversations=same_label.people.conversations or 0,
        same_label=same_label,
        coefficient=coefficient,
        people=averaged.estimate(),
        people_labels_used=int(shared.sum()),
        people_carrying=int(averaged.times[averaged.rarity.carrying].sum()),
        people_shared=averaged.shared,
        people_whole_scale=average(cohen("none", len(question.domain)), people.by_side()).estimate(),
        labels_used=int((used > 0).sum()),
        levels_used=int((used[: len(question.levels)] > 0).sum()),
        rarer_share=float(1 - weighted.max() / weighted.sum()) if weighted.any() else 0.0,
        contradicted=_contradicted(labels, judge),
        bias=estimate_level_bias(question.scale, verdicts),
        level=_level(question),
        safety=safety(material, [number], everyone, without) if question.gate else None,
        uneven=find_uneven_raters(labels),
    )


def _contradicted(labels: Labels, judge: Labels) -> int:
    """Conversations in which most of two clinicians or more gave another label than the only one that the
    judge ever gave.
    """
    if not len(judge) or (judge.code != judge.code[0]).any():
        return 0
    units = labels.where(np.isin(labels.unit, judge.unit)).units
    rest = np.delete(units.counts, int(judge.code[0]), axis=1)
    raters = units.counts.sum(axis=1)
    against = (raters > 1) & (2 * rest.max(axis=1, initial=0) > raters)
    part = units.part[against]
    return int(numbered_with(part, units.times[part])[2].sum()) if len(part) else 0


def _level(question: Question) -> float | None:
    """What lies between two neighbouring levels."""
    if not question.ordinal or len(question.scale) < 2:
        return None
    return (max(question.scale) - min(question.scale)) / (len(question.scale) - 1)
