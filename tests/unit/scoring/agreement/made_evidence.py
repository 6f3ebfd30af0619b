"""What a verdict rests on, made by hand: a study on which nothing is wrong, and one thing changed at a
time.
"""

from __future__ import annotations

from typing import Any

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.judges.lost_answers import LossTest, LostAnswers
from scoring.agreement.people.colleague import ColleagueComparison
from scoring.agreement.safety.safety import Safety
from scoring.agreement.safety.safety_colleague import ColleagueCatch
from scoring.agreement.safety.safety_shares import SafetyShares
from scoring.agreement.safety.safety_units import Settling
from scoring.agreement.verdicts.verdict_rule import CriterionEvidence

Limits = (
    tuple[float, float, float] | float | None
)  # value, low, high; a value without an interval; or none at all


def estimate(limits: Limits, method: str = "kappa", n: int = 180) -> Estimate:
    if limits is None:
        return undefined_estimate("every label is the same", n, method)
    if isinstance(limits, float):
        return Estimate(limits, n, method, no_interval="too few of the rarer label", conversations=60)
    value, low, high = limits
    return Estimate(value, n, method, low=low, high=high, conversations=60)


def comparison(name: str, people: Limits, judge: Limits, difference: Limits) -> ColleagueComparison:
    return ColleagueComparison(
        name,
        estimate(people, name),
        estimate(judge, name),
        estimate(difference, f"difference of {name}", 360),
        30,
    )


def safety_of(
    caught: Limits,
    colleague: Limits,
    alarms: Limits,
    settled: int,
    with_unlabelled: Limits = None,
    unlabelled: int = 0,
    with_unasked: Limits = None,
    unasked: int = 0,
    at_worst: Limits = None,
    open_missed: int = 0,
) -> Safety:
    some = estimate((0.9, 0.85, 0.95), "share")
    shares = SafetyShares(
        (36, 4, 2, 18),
        unlabelled,
        unasked,
        60,
        None,
        0,
        estimate(caught, "sensitivity", 40),
        estimate(with_unlabelled, "sensitivity, failures without a label missed", 40 + unlabelled),
        estimate(with_unasked, "sensitivity, failures without a row missed", 40 + unlabelled + unasked),
        open_missed,
        estimate(at_worst, "sensitivity, at worst", 40 + unlabelled + open_missed),
        some,
        some,
        some,
    )
    return Safety(
        (0,),
        shares,
        ColleagueCatch(some, some, estimate(colleague, "difference of failures seen too"), 40),
        ColleagueCatch(some, some, estimate(alarms, "difference of false alarms"), 20),
        (),
        (),
        3,
        0,
        Settling(40, 40, settled),
    )


def evidence(
    *,
    blind: bool = True,
    one_rater_chosen: bool = False,
    pairs: int = 180,
    conversations: int = 60,
    labelled: int = 60,
    failed: int = 0,
    p: float | None = None,
    absent: int = 0,
    p_absent: float | None = None,
    people_pairs: int = 180,
    people_conversations: int = 60,
    labels_used: int = 2,
    levels_used: int = 2,
    people: Limits = (0.6, 0.45, 0.75),
    people_labels_used: int = 2,
    people_carrying: int = 30,
    people_shared: int = 20,
    whole: Limits = (0.6, 0.45, 0.75),
    with_each_other: Limits = (0.6, 0.45, 0.75),
    with_judge: Limits = (0.62, 0.5, 0.74),
    coefficient: Limits = (0.02, -0.05, 0.09),
    same_label: Limits = (0.01, -0.04, 0.06),
    rarer_share: float = 0.3,
    contradicted: int = 0,
    bias: Limits = (0.0, -0.1, 0.1),
    level: float | None = None,
    gate: bool = False,
    caught: Limits = (0.93, 0.85, 0.98),
    colleague: Limits = (0.02, -0.05, 0.09),
    alarms: Limits = (0.0, -0.02, 0.02),
    settled: int = 40,
    with_unlabelled: Limits = None,
    unlabelled: int = 0,
    with_unasked: Limits = None,
    unasked: int = 0,
    at_worst: Limits = None,
    open_missed: int = 0,
    p_evaded: float | None = None,
    uneven: bool = False,
    with_everyone: dict[str, Any] | None = None,
    suspected_copies: tuple[int, ...] = (),
    left_out: dict[int, dict[str, Any]] | None = None,
) -> CriterionEvidence:
    """As good as a colleague, unless told otherwise."""
    return CriterionEvidence(
        blind,
        one_rater_chosen,
        pairs,
        conversations,
        LostAnswers(
            labelled,
            failed,
            absent,
            LossTest(((failed, 0), (0, labelled)), p),
            LossTest(((absent, 0), (0, labelled)), p_absent),
            LossTest(((3, 0), (0, labelled)), p_evaded),
        ),
        people_pairs,
        people_conversations,
        comparison("percent agreement", (0.8, 0.7, 0.9), (0.81, 0.72, 0.9), same_label),
        comparison("kappa", with_each_other, with_judge, coefficient),
        estimate(people),
        people_labels_used,
        people_carrying,
        people_shared,
        estimate(whole),
        labels_used,
        levels_used,
        rarer_share,
        contradicted,
        estimate(bias, "judge less clinician, mean"),
        level,
        safety_of(
            caught,
            colleague,
            alarms,
            settled,
            with_unlabelled,
            unlabelled,
            with_unasked,
            unasked,
            at_worst,
            open_missed,
        )
        if gate
        else None,
        suspected_copies=suspected_copies,
        uneven=uneven,
        with_everyone=None if with_everyone is None else evidence(**{"gate": gate, **with_everyone}),
        left_out={
            rater: evidence(**{"gate": gate, **changed}) for rater, changed in (left_out or {}).items()
        },
    )


# What decides, in the order of the rule: the name of the reason, and what is changed so that it holds
Reasons = tuple[tuple[str, dict[str, Any]], ...]
TOO_LITTLE: Reasons = (
    ("not_blind", {"blind": False}),
    ("one_rater_chosen", {"one_rater_chosen": True}),
    ("no_pairs", {"labels_used": 0, "levels_used": 0}),
    ("no_judge_label", {"labelled": 0}),
    ("all_does_not_apply", {"labels_used": 1, "levels_used": 0}),
    ("few_conversations", {"conversations": 9}),
    ("few_pairs", {"pairs": 29}),
)
TOO_FEW_COLLEAGUES: Reasons = (
    ("no_two_clinicians", {"people_pairs": 0, "people_conversations": 0}),
    ("few_pairs_of_clinicians", {"people_pairs": 29}),
)
WITHHELD: Reasons = (
    ("silent_on_failures", {"absent": 6, "p_absent": 0.001}),
    ("suspected_copy", {"suspected_copies": (2,)}),
)
NO_LABEL: Reasons = (("gives_no_label", {"labelled": 60, "failed": 16}),)
PLAIN_REASONS: Reasons = (
    *TOO_LITTLE,
    *TOO_FEW_COLLEAGUES,
    ("clinicians_disagree", {"people": (0.05, -0.1, 0.19)}),
    ("one_label_only", {"contradicted": 10}),
    ("no_better_than_chance", {"with_judge": (-0.3, -0.5, -0.1)}),
    ("uneven_raters", {"uneven": True}),
    ("further_by_coefficient", {"coefficient": (-0.2, -0.3, -0.1)}),
    ("further_by_same_label", {"same_label": (-0.2, -0.3, -0.1)}),
    *NO_LABEL,
    *WITHHELD,
    ("rare_label", {"coefficient": 0.02}),
    ("coefficient_open", {"coefficient": (-0.05, -0.2, 0.1)}),
    ("same_label_open", {"same_label": (-0.05, -0.2, 0.1)}),
    ("clinicians_open", {"people": (0.4, 0.19, 0.6)}),
    ("rests_on_one_rater", {"left_out": {2: {"coefficient": (-0.2, -0.3, 0.1)}}}),
    ("leans_one_way", {"bias": (0.5, 0.3, 0.7), "level": 1.0}),
    ("like_a_colleague", {}),
)
# The same of a safety criterion
GATE_REASONS: Reasons = (
    *TOO_LITTLE,
    *NO_LABEL,
    ("settle_first", {"settled": 39}),
    ("catches_below_bar", {"caught": (0.5, 0.3, 0.7)}),
    ("catches_less_than_colleague", {"colleague": (-0.3, -0.5, -0.1)}),
    *TOO_FEW_COLLEAGUES,
    *WITHHELD,
    ("catch_open", {"caught": (0.85, 0.7, 0.95)}),
    ("catch_beside_colleague_open", {"colleague": (-0.05, -0.2, 0.1)}),
    ("more_false_alarms", {"alarms": (0.2, 0.1, 0.3)}),
    ("rests_on_one_rater", {"left_out": {2: {"alarms": (0.2, -0.1, 0.3)}}}),
    ("like_a_colleague", {}),
)
GATE_REASONS = tuple((name, {"gate": True, **changed}) for name, changed in GATE_REASONS)
# Every reason once
REASONS: Reasons = (
    *PLAIN_REASONS,
    *(reason for reason in GATE_REASONS if reason[0] not in dict(PLAIN_REASONS)),
)
