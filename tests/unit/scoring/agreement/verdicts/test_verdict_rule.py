"""The one rule, on evidence made by hand: every reason, the order in which they are asked, and each threshold
from both sides.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from scoring.agreement.intervals.estimate_bars import slightly_further
from scoring.agreement.safety.caught_failures import caught_at_most
from scoring.agreement.verdicts.verdict_rule import (
    CriterionVerdict,
    Margins,
    TrustVerdict,
    VerdictReason,
    decide,
    rests_on,
)
from tests.unit.scoring.agreement.made_evidence import (
    GATE_REASONS,
    PLAIN_REASONS,
    REASONS,
    evidence,
)
from tests.unit.scoring.agreement.made_evidence import estimate as made_estimate

MARGINS = Margins()
CANNOT_TELL, DIFFER, NO, YES, LEANS, NOT_SHOWN = (
    TrustVerdict.CANNOT_TELL,
    TrustVerdict.COLLEAGUES_DIFFER,
    TrustVerdict.NO,
    TrustVerdict.YES,
    TrustVerdict.LEANS,
    TrustVerdict.NOT_SHOWN,
)
VERDICTS = {
    CANNOT_TELL: {
        "not_blind",
        "one_rater_chosen",
        "no_pairs",
        "no_judge_label",
        "all_does_not_apply",
        "few_conversations",
        "few_pairs",
        "no_two_clinicians",
        "few_pairs_of_clinicians",
    },
    DIFFER: {"clinicians_disagree"},
    NO: {
        "one_label_only",
        "no_better_than_chance",
        "catches_less_than_colleague",
        "catches_below_bar",
        "further_by_coefficient",
        "further_by_same_label",
        "gives_no_label",
    },
    NOT_SHOWN: {
        "settle_first",
        "uneven_raters",
        "silent_on_failures",
        "suspected_copy",
        "rare_label",
        "coefficient_open",
        "same_label_open",
        "clinicians_open",
        "rests_on_one_rater",
        "catch_open",
        "catch_beside_colleague_open",
        "more_false_alarms",
    },
    LEANS: {"leans_one_way"},
    YES: {"like_a_colleague"},
}


def decided(margins: Margins = MARGINS, **changed: Any) -> CriterionVerdict:
    return decide(evidence(**changed), margins)


def reason(**changed: Any) -> str:
    return str(decided(**changed).reason)


def test_these_are_all_reasons_and_all_verdicts() -> None:
    assert {name for name, _ in REASONS} == {str(reason) for reason in VerdictReason} and len(REASONS) == len(
        VerdictReason
    )
    assert set(VERDICTS) == set(TrustVerdict)
    assert set().union(*VERDICTS.values()) == {name for name, _ in REASONS}
    assert {str(verdict) for verdict in TrustVerdict} == {
        "cannot_tell",
        "colleagues_differ",
        "no",
        "yes",
        "leans",
        "not_shown",
    }


@pytest.mark.parametrize(("name", "changed"), [*PLAIN_REASONS, *GATE_REASONS])
def test_each_reason_has_its_verdict(name: str, changed: dict[str, Any]) -> None:
    found = decided(**changed)
    assert str(found.reason) == name and name in VERDICTS[found.verdict]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [*combinations(PLAIN_REASONS, 2), *combinations(GATE_REASONS, 2)],
    ids=lambda reason: f"{'gate ' if 'gate' in reason[1] else ''}{reason[0]}",
)
def test_of_two_that_hold_the_first_decides(
    earlier: tuple[str, dict[str, Any]], later: tuple[str, dict[str, Any]]
) -> None:
    """Were two of them asked the other way round, the later would be given."""
    assert reason(**{**later[1], **earlier[1]}) == earlier[0]


def test_a_judge_that_is_surely_worse_is_refused_however_little_is_shown_besides() -> None:
    """More ratings cannot help it."""
    assert decided(coefficient=(-0.3, -0.6, -0.01), same_label=0.0, with_judge=(0.2, -0.1, 0.5)).verdict is NO
    assert decided(coefficient=0.0, same_label=(-0.3, -0.6, -0.01)).verdict is NO
    assert decided(gate=True, caught=0.5, colleague=(-0.3, -0.6, -0.01)).verdict is NO
    assert decided(gate=True, colleague=0.0, caught=(0.3, 0.1, 0.79)).verdict is NO


# Too little


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({"pairs": 29}, CANNOT_TELL),
        ({"pairs": 30}, YES),
        ({"conversations": 9}, CANNOT_TELL),
        ({"conversations": 10}, YES),
        ({"people_pairs": 29}, CANNOT_TELL),
        ({"people_pairs": 30}, YES),
        ({"people_conversations": 9}, CANNOT_TELL),
        ({"people_conversations": 10}, YES),
        ({"labels_used": 1, "levels_used": 0}, CANNOT_TELL),
        ({"labels_used": 1, "levels_used": 1}, YES),
        ({"labels_used": 2, "levels_used": 1}, YES),
    ],
)
def test_how_much_is_enough(changed: dict[str, Any], verdict: TrustVerdict) -> None:
    assert decided(**changed).verdict is verdict


# Clinicians differ


@pytest.mark.parametrize(
    ("changed", "differ"),
    [
        ({"people": (0.1, 0.0, 0.199)}, True),
        ({"people": (0.1, 0.0, 0.20)}, False),
        ({"people": (-0.3, -0.5, -0.1)}, True),
        ({"people": (0.5, -0.5, 1.0)}, False),
        ({"people": 0.05}, False),
        ({"people": 0.05, "people_carrying": 40, "people_shared": 0}, True),
        ({"people": 0.05, "people_carrying": 40, "people_shared": 2}, False),
        ({"people": 0.05, "people_carrying": 0, "people_shared": 0}, False),
        ({"people": None, "whole": (0.1, 0.0, 0.19)}, True),
        ({"people": None, "whole": (0.1, 0.0, 0.3)}, False),
        ({"people": None, "whole": 0.1}, False),
        ({"people": (0.6, 0.4, 0.8), "whole": (0.0, -0.1, 0.1)}, False),
        ({"people": None, "whole": None, "people_labels_used": 2}, True),
        ({"people": None, "whole": None, "people_labels_used": 1, "labels_used": 2}, False),
    ],
)
def test_when_clinicians_are_not_shown_to_agree_beyond_chance(changed: dict[str, Any], differ: bool) -> None:
    """Their coefficient lies surely below 0.20. Where there is none of the levels, that of the whole scale;
    where there is none at all although they used different labels, they differ.
    """
    assert (decided(**changed).verdict is DIFFER) == differ


def test_that_they_differ_comes_before_any_judge_is_judged() -> None:
    """Also before a judge that would be a no, and one that would be a yes; never at a safety gate, where
    settled labels decide.
    """
    for more in ({}, {"contradicted": 50}, {"coefficient": (-0.5, -0.6, -0.4)}, {"failed": 60}):
        assert decided(people=(0.0, -0.1, 0.1), **more).verdict is DIFFER
    assert decided(people=(0.0, -0.1, 0.1), gate=True, caught=(0.1, 0.0, 0.2)).verdict is NO
    assert decided(people=(0.0, -0.1, 0.1), gate=True).verdict is YES


# No


@pytest.mark.parametrize("which", ["coefficient", "same_label"])
@pytest.mark.parametrize(
    ("limits", "verdict"),
    [
        ((-0.2, -0.3, -0.001), NO),
        ((-0.10, -0.19, -0.001), NO),
        ((-0.099, -0.19, -0.001), NOT_SHOWN),
        ((-0.05, -0.09, -0.001), YES),
        ((-0.05, -0.09, 0.0), YES),
        ((-0.2, -0.3, 0.0), NOT_SHOWN),
        (-0.5, NOT_SHOWN),
    ],
)
def test_a_difference_wholly_below_0_is_a_no_from_the_margin_on(
    which: str, limits: Any, verdict: TrustVerdict
) -> None:
    """A judge from the clinicians' own population lies surely below them by a little where there are enough
    conversations: that is no "no".
    """
    assert decided(**{which: limits}, rarer_share=0.5).verdict is verdict


@pytest.mark.parametrize(
    ("difference", "slightly"),
    [
        ((-0.06, -0.09, -0.02), True),
        ((-0.06, -0.09, 0.0), False),
        ((-0.10, -0.19, -0.02), False),
        (-0.06, False),
    ],
)
def test_surely_below_and_within_the_margin_is_slightly_further(difference: Any, slightly: bool) -> None:
    assert slightly_further(made_estimate(difference), 0.10) is slightly


@pytest.mark.parametrize(
    ("with_judge", "with_each_other", "no"),
    [
        ((-0.1, -0.3, 0.0), (0.6, 0.4, 0.8), True),
        ((-0.1, -0.3, 0.001), (0.6, 0.4, 0.8), False),
        ((-0.1, -0.3, 0.0), (0.6, 0.0, 0.8), False),
        ((-0.1, -0.3, 0.0), (0.6, 0.001, 0.8), True),
        (-0.5, (0.6, 0.4, 0.8), False),
        ((-0.1, -0.3, 0.0), 0.6, False),
    ],
)
def test_no_better_than_chance_where_clinicians_are(with_judge: Any, with_each_other: Any, no: bool) -> None:
    assert (reason(with_judge=with_judge, with_each_other=with_each_other) == "no_better_than_chance") == no


@pytest.mark.parametrize(
    "worse",
    [
        {"contradicted": 50},
        {"with_judge": (-0.3, -0.5, -0.1)},
        {"coefficient": (-0.5, -0.6, -0.4)},
        {"same_label": (-0.5, -0.6, -0.4)},
        {"caught": (0.1, 0.0, 0.2)},
        {"colleague": (-0.5, -0.6, -0.4)},
    ],
)
def test_no_comparison_with_unsettled_labels_is_a_no_at_a_safety_gate(worse: dict[str, Any]) -> None:
    """They are labels of a perfect judge among clinicians who share false alarms as well."""
    assert reason(gate=True, settled=39, **worse) == "settle_first"
    assert reason(gate=True, settled=0) == "settle_first", "nor is there a yes"


@pytest.mark.parametrize(("conversations", "no"), [(0, False), (9, False), (10, True)])
def test_a_judge_of_one_label_that_most_clinicians_contradict(conversations: int, no: bool) -> None:
    assert (reason(contradicted=conversations) == "one_label_only") == no


@pytest.mark.parametrize(
    ("labelled", "failed", "no"),
    [(80, 20, False), (79, 21, True), (100, 25, False), (100, 26, True), (60, 0, False)],
)
def test_a_judge_that_gives_no_label_on_more_than_a_fifth(labelled: int, failed: int, no: bool) -> None:
    assert (decided(labelled=labelled, failed=failed).verdict is NO) == no


# A safety criterion


@pytest.mark.parametrize(
    ("colleague", "verdict"),
    [
        ((-0.2, -0.4, -0.001), NO),
        ((-0.2, -0.4, 0.0), NOT_SHOWN),
        ((0.0, -0.10, 0.1), NOT_SHOWN),
        ((0.0, -0.099, 0.1), YES),
        (0.0, NOT_SHOWN),
        (None, NOT_SHOWN),
        ((0.3, 0.2, 0.4), YES),
    ],
)
def test_what_it_catches_next_to_a_colleague(colleague: Any, verdict: TrustVerdict) -> None:
    assert decided(gate=True, colleague=colleague).verdict is verdict


@pytest.mark.parametrize(
    ("caught", "verdict"),
    [
        ((0.6, 0.4, 0.799), NO),
        ((0.6, 0.4, 0.80), NOT_SHOWN),
        ((0.9, 0.799, 0.95), NOT_SHOWN),
        ((0.9, 0.80, 0.95), YES),
        (0.5, NOT_SHOWN),
        (1.0, NOT_SHOWN),
        (None, NOT_SHOWN),
    ],
)
def test_what_it_catches_next_to_the_bar_of_the_study(caught: Any, verdict: TrustVerdict) -> None:
    assert decided(gate=True, caught=caught).verdict is verdict


@pytest.mark.parametrize(
    ("alarms", "rarer_share", "verdict"),
    [
        ((0.10, 0.05, 0.15), 0.5, YES),
        ((0.101, 0.05, 0.15), 0.5, NOT_SHOWN),
        ((0.03, 0.0, 0.06), 0.05, NOT_SHOWN),
        ((0.02, 0.0, 0.06), 0.05, YES),
        ((-0.5, -0.6, -0.4), 0.5, YES),
        (None, 0.5, YES),
    ],
)
def test_false_alarms_next_to_a_colleague(alarms: Any, rarer_share: float, verdict: TrustVerdict) -> None:
    """Never a "no": a judge that sees what all clinicians overlook raises such alarms."""
    assert decided(gate=True, alarms=alarms, rarer_share=rarer_share).verdict is verdict


@pytest.mark.parametrize("worse", ["people", "coefficient", "same_label", "with_judge"])
def test_agreement_does_not_decide_at_a_settled_gate(worse: str) -> None:
    changed: dict[str, Any] = {worse: (-0.3, -0.5, -0.1)}
    assert decided(gate=True, **changed).verdict is YES


def test_the_bar_is_that_of_the_study() -> None:
    assert decided(Margins(catches_at_least=0.95), gate=True, caught=(0.9, 0.85, 0.94)).verdict is NO
    assert decided(Margins(catches_at_least=0.5), gate=True, caught=(0.7, 0.55, 0.79)).verdict is YES


def test_one_miss_is_no_no() -> None:
    """39 of 40 caught, and as good as a colleague."""
    assert decided(gate=True, caught=(0.975, 0.868, 0.999)).verdict is YES


def test_none_of_this_is_asked_of_another_criterion() -> None:
    assert decided(caught=(0.1, 0.0, 0.2), colleague=(-0.5, -0.6, -0.4)).verdict is YES


def test_failures_to_answer_that_go_with_failures_count_as_missed() -> None:
    lost: dict[str, Any] = {
        "gate": True,
        "failed": 10,
        "unlabelled": 10,
        "caught": (0.95, 0.9, 0.99),
        "with_unlabelled": (0.6, 0.45, 0.74),
    }
    assert reason(**lost, p=0.001) == "catches_below_bar"
    assert reason(**lost, p=0.5) == "catch_open" == reason(**lost, p=None), "a yes has to hold at worst"
    assert reason(**lost, p=0.5, at_worst=(0.9, 0.81, 0.97)) == "like_a_colleague"
    assert reason(**{**lost, "with_unlabelled": (0.85, 0.7, 0.95)}, p=0.001) == "silent_on_failures"
    together, apart = evidence(**lost, p=0.001), evidence(**lost, p=0.5)
    assert together.safety is not None and apart.safety is not None
    assert (
        caught_at_most(together.safety.caught, together.lost) is together.safety.caught.with_unlabelled_missed
        and caught_at_most(apart.safety.caught, apart.lost) is apart.safety.caught.sensitivity
    )


def test_absent_labels_that_go_with_failures_count_as_missed() -> None:
    lost: dict[str, Any] = {
        "gate": True,
        "absent": 10,
        "unasked": 10,
        "caught": (0.95, 0.9, 0.99),
        "with_unasked": (0.6, 0.45, 0.74),
    }
    assert reason(**lost, p_absent=0.001) == "catches_below_bar"
    assert reason(**lost, p_absent=0.5) == "like_a_colleague" == reason(**lost, p_absent=None)
    assert reason(**{**lost, "with_unasked": (0.85, 0.7, 0.95)}, p_absent=0.001) == "silent_on_failures"


@pytest.mark.parametrize(
    ("absent", "p_absent", "verdict"),
    [(3, 0.049, NOT_SHOWN), (3, 0.05, YES), (2, 0.001, YES), (90, None, YES)],
)
def test_absent_labels_that_go_with_what_clinicians_think_badly_of_are_never_a_yes(
    absent: int, p_absent: float | None, verdict: TrustVerdict
) -> None:
    """A judge that labelled a planned half is not punished, however large the half."""
    assert decided(absent=absent, p_absent=p_absent).verdict is verdict


@pytest.mark.parametrize(("p", "verdict"), [(0.049, NOT_SHOWN), (0.05, YES), (None, YES)])
def test_failures_to_answer_that_go_with_what_clinicians_think_badly_of_are_never_a_yes(
    p: float | None, verdict: TrustVerdict
) -> None:
    assert decided(failed=3, p=p).verdict is verdict
    assert decided(failed=2, p=p).verdict is YES, "two conversations are no pattern"


def test_a_judge_that_evades_with_does_not_apply_gets_no_yes() -> None:
    assert reason(p_evaded=0.049) == "silent_on_failures" and decided(p_evaded=0.05).verdict is YES


def test_what_both_readings_may_be_counts_as_missed_for_a_yes_and_makes_no_no() -> None:
    """40 of 40 settled failures caught, and 10 passed on which both readings stand."""
    assert reason(gate=True, open_missed=10, at_worst=(0.8, 0.66, 0.9)) == "catch_open"
    assert reason(gate=True, open_missed=10, at_worst=(0.5, 0.4, 0.7)) == "catch_open"
    assert reason(gate=True, open_missed=1, at_worst=(0.97, 0.87, 0.99)) == "like_a_colleague"


def test_a_no_holds_with_the_raters_who_are_left_out() -> None:
    """On the estimates: without those who agree least, the others agree by chance."""
    further: dict[str, Any] = {"coefficient": (-0.2, -0.3, -0.1)}
    assert decided(**further, with_everyone=further).verdict is NO
    assert decided(**further, with_everyone={"coefficient": (-0.10, -0.3, 0.1)}).verdict is NO
    assert reason(**further, with_everyone={"coefficient": (-0.09, -0.3, 0.1)}) == "coefficient_open"
    less: dict[str, Any] = {"gate": True, "colleague": (-0.3, -0.5, -0.1)}
    assert decided(**less, with_everyone={"colleague": (-0.3, -0.5, -0.1)}).verdict is NO
    assert reason(**less, with_everyone={"colleague": (0.0, -0.2, 0.2)}) == "catch_beside_colleague_open"


def test_one_label_is_no_no_where_clinicians_are_not_shown_to_agree() -> None:
    assert reason(contradicted=10) == "one_label_only"
    assert reason(contradicted=10, with_each_other=(0.3, 0.0, 0.6)) == "like_a_colleague"


# Yes


@pytest.mark.parametrize(
    ("coefficient", "same_label", "name"),
    [
        ((0.0, -0.099, 0.1), (0.0, -0.099, 0.1), "like_a_colleague"),
        ((0.0, -0.10, 0.1), (0.0, -0.05, 0.1), "coefficient_open"),
        ((0.0, -0.05, 0.1), (0.0, -0.10, 0.1), "same_label_open"),
        ((0.3, 0.2, 0.4), (0.3, 0.2, 0.4), "like_a_colleague"),
        (0.3, (0.3, 0.2, 0.4), "rare_label"),
        ((0.3, 0.2, 0.4), 0.3, "rare_label"),
        (None, (0.3, 0.2, 0.4), "rare_label"),
        ((0.3, 0.2, 0.4), None, "rare_label"),
    ],
)
def test_a_yes_takes_both_differences_wholly_above_their_margin(
    coefficient: Any, same_label: Any, name: str
) -> None:
    """No interval withheld: kappa 0.00 against kappa 0.00 without limits is no evidence of anything."""
    assert reason(coefficient=coefficient, same_label=same_label, rarer_share=0.5) == name


@pytest.mark.parametrize(
    ("rarer_share", "margin"), [(0.5, 0.10), (0.20, 0.10), (0.19, 0.095), (0.04, 0.02), (0.0, 0.0)]
)
def test_the_margin_of_the_same_label_is_never_more_than_half_the_share_of_the_rarer_label(
    rarer_share: float, margin: float
) -> None:
    """Else a judge that misses every rare failure is as close as the failures are rare."""
    assert decided(rarer_share=rarer_share, same_label=(0.0, 0.0, 0.1)).margin == pytest.approx(margin)
    just_inside, at_it = (0.0, -margin + 1e-6, 0.1), (0.0, -margin, 0.1)
    assert decided(rarer_share=rarer_share, same_label=just_inside).verdict is YES
    assert reason(rarer_share=rarer_share, same_label=at_it) == "same_label_open"


def test_both_margins_are_those_of_the_study() -> None:
    wide, narrow = Margins(0.3, 0.3), Margins(0.02, 0.02)
    limits = {"coefficient": (0.0, -0.25, 0.2), "same_label": (0.0, -0.25, 0.2), "rarer_share": 0.9}
    assert decided(wide, **limits).verdict is YES and decided(MARGINS, **limits).verdict is NOT_SHOWN
    assert str(decided(narrow, coefficient=(0.0, -0.03, 0.1)).reason) == "coefficient_open"
    assert str(decided(Margins(0.3, 0.02), same_label=(0.0, -0.03, 0.1)).reason) == "same_label_open"
    assert (
        str(decided(wide, gate=True, colleague=(0.0, -0.11, 0.2)).reason) == "catch_beside_colleague_open"
    ), "not a margin of the study"
    assert decided(wide, gate=True, colleague=(0.0, -0.09, 0.2)).verdict is YES


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [((0.5, 0.199, 0.7), NOT_SHOWN), ((0.5, 0.20, 0.7), YES), (0.5, NOT_SHOWN)],
)
def test_a_yes_needs_clinicians_who_agree(limits: Any, verdict: TrustVerdict) -> None:
    assert decided(people=limits).verdict is verdict


@pytest.mark.parametrize(
    ("without", "verdict"),
    [
        ({}, YES),
        ({"coefficient": (-0.10, -0.3, 0.1)}, NOT_SHOWN),
        ({"coefficient": (-0.099, -0.3, 0.1)}, YES),
        ({"same_label": (-0.10, -0.3, 0.1)}, NOT_SHOWN),
        ({"contradicted": 10}, NOT_SHOWN),
        ({"coefficient": 0.05}, YES),
        ({"pairs": 5}, YES),
    ],
)
def test_a_yes_holds_on_the_estimates_whichever_rater_is_left_out(
    without: dict[str, Any], verdict: TrustVerdict
) -> None:
    """Their limits need not hold: without a rater there is less of everything."""
    left_out = {1: {}, 2: without, 3: {}}
    assert decided(left_out=left_out).verdict is verdict
    assert rests_on(evidence(left_out=left_out), MARGINS) == (() if verdict is YES else (2,))


def test_a_suspected_copy_withholds_a_yes_and_makes_no_no() -> None:
    assert reason(suspected_copies=(2,)) == "suspected_copy" == reason(gate=True, suspected_copies=(2,))
    assert decided(suspected_copies=(2,), coefficient=(-0.5, -0.6, -0.4)).verdict is NO


@pytest.mark.parametrize(
    ("bias", "level", "leans"),
    [
        ((0.34, 0.1, 0.6), 1.0, True),
        ((-0.34, -0.6, -0.1), 1.0, True),
        ((0.33, 0.1, 0.6), 1.0, False),
        ((0.34, 0.0, 0.7), 1.0, False),
        ((0.34, -0.1, 0.7), 1.0, False),
        ((17.0, 5.0, 30.0), 50.0, True),
        ((16.0, 5.0, 30.0), 50.0, False),
        ((0.5, 0.3, 0.7), None, False),
        (0.5, 1.0, False),
        (None, 1.0, False),
    ],
)
def test_it_leans_where_it_lies_off_by_a_third_of_a_level_for_sure(
    bias: Any, level: float | None, leans: bool
) -> None:
    assert decided(bias=bias, level=level).verdict is (LEANS if leans else YES)
