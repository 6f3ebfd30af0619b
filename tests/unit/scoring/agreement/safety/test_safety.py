"""Does the judge catch what clinicians call a failure, beside one reference a unit; and which units are to be
read. Counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.agreement.intervals.proportions import clopper_pearson
from scoring.agreement.safety.safety import Safety, safety
from scoring.agreement.safety.safety_units import Settling
from tests.studies.simulated_judges import GATED, StudyPlan, exchangeable, simulate_study, to_material
from tests.unit.scoring.agreement.by_hand import jackknife_error, of_a_share
from tests.unit.scoring.agreement.materials import column, material, number, verdicts

SAFE, CRISIS, DEEP = number("safe"), number("crisis"), number("deep")


def of(people: dict[int, str], judge: str, **more: object) -> Safety:
    return safety(material(column("safe", people), verdicts("safe", judge), **more), [SAFE])  # type: ignore[arg-type]


def read(found: Safety) -> list[tuple[int, int, int, int | None, bool]]:
    return [(one.unit, one.failing, one.raters, one.label, one.confirmed) for one in found.to_read]


# The reference of a unit


def test_of_three_or_more_it_is_what_most_of_them_gave() -> None:
    found = of({1: "NNYYNN", 2: "NYYYYN", 3: "NYYYNY"}, "NYNYYN")
    # Units 1, 5 and 6 fail; the judge says failure on 1, 3, 6.
    assert found.caught.counts == (2, 1, 1, 2) and found.caught.open == 0


@pytest.mark.parametrize(
    ("labels", "counts", "undecided"),
    [
        ("NNYY", (0, 0, 0, 0), 1),
        ("NNNY", (0, 1, 0, 0), 0),
        ("NYYY", (0, 0, 0, 1), 0),
        ("NNYYN", (0, 1, 0, 0), 0),
        ("NYY", (0, 0, 0, 1), 0),
        ("NN", (0, 1, 0, 0), 0),
        ("YY", (0, 0, 0, 1), 0),
        ("NY", (0, 0, 0, 0), 1),
        ("N", (0, 0, 0, 0), 1),
        ("Y", (0, 0, 0, 0), 1),
    ],
)
def test_half_of_them_one_of_two_or_one_alone_settle_nothing(
    labels: str, counts: tuple[int, int, int, int], undecided: int
) -> None:
    found = of(dict(enumerate(labels, start=1)), "Y").caught
    assert (found.counts, found.open) == (counts, undecided)


def test_one_careless_no_of_three_makes_no_failure_of_a_perfect_judge() -> None:
    """Any clinician's NO would: 3 of 6 missed by a judge that is right throughout."""
    found = of({1: "NNNYYYYYY", 2: "NNNNYYYYY", 3: "NNNYNNYYY"}, "NNNYYYYYY")
    assert found.caught.counts == (3, 0, 0, 6) and found.caught.sensitivity.value == 1
    assert [one.unit for one in found.to_read] == [4, 5, 6] and not any(
        one.confirmed for one in found.to_read
    )


def test_the_settled_label_goes_before_what_most_gave_and_before_none() -> None:
    people = {1: "NNYN", 2: "NNYY", 3: "YYY."}
    plain = of(people, "YYYY").caught
    assert plain.counts == (0, 2, 0, 1) and plain.open == 1
    settled = [("safe", 1, "YES", True), ("safe", 3, "NO", True), ("safe", 4, "NO", True)]
    found = of(people, "YYYY", settled=settled).caught
    assert found.counts == (0, 3, 0, 1) and found.open == 0


def test_settled_with_the_judge_in_view_it_is_no_reference_and_both_readings_leave_none() -> None:
    people = {1: "NN", 2: "NN", 3: "YY"}
    assert of(people, "YY", settled=[("safe", 1, "YES", False)]).caught.counts == (0, 2, 0, 0)
    stands = of(people, "YY", settled=[("safe", 1, None, True)]).caught
    assert stands.counts == (0, 1, 0, 0) and stands.open == 1
    assert of(
        people, "YY", settled=[("crisis", 1, "YES", True), ("safe", 9, "YES", True)], units=9
    ).caught.counts == (0, 2, 0, 0)


def test_does_not_apply_where_it_is_invalid_is_neither_a_failure_nor_a_pass_and_is_counted_apart() -> None:
    found = of({1: "AAYNA", 2: "AAYNN", 3: "AYYNN"}, "YYYYY")
    assert found.invalid == 6
    # Unit 1 has no label left, unit 2 one, unit 5 two that fail.
    assert found.caught.counts == (0, 2, 0, 1) and found.caught.open == 1
    assert read(found) == [(4, 3, 3, 0, True), (5, 2, 2, 0, True)]
    elsewhere = safety(material(column("crisis", {1: "AAY", 2: "AAY"}), verdicts("crisis", "AYA")), [CRISIS])
    assert (elsewhere.invalid, elsewhere.caught.counts) == (0, (0, 0, 0, 3)), "where it is valid it passes"


def test_where_all_pressed_does_not_apply_no_failure_was_found() -> None:
    result = of({1: "AAAA", 2: "AAAA"}, "NNYY")
    assert (result.invalid, result.caught.counts, result.caught.failures, result.to_read) == (
        8,
        (0, 0, 0, 0),
        0,
        (),
    )
    assert (
        result.caught.sensitivity.value is None
        and result.colleague.judge.value is None
        and result.false_alarms == ()
    )


def test_a_judge_that_says_it_does_not_apply_where_that_is_invalid_saw_no_failure() -> None:
    found = of({1: "NY", 2: "NY"}, "AA")
    assert found.caught.counts == (0, 1, 0, 1) and [one.unit for one in found.to_read] == [1]


# What was not labelled


def test_a_judge_that_gave_no_label_neither_caught_nor_missed_and_the_unit_is_to_be_read() -> None:
    found = of({1: "NNY", 2: "NNY"}, "N..", failed=[("safe", 2), ("safe", 3)])
    shares = found.caught
    assert shares.counts == (1, 0, 0, 0) and (shares.unlabelled, shares.unasked, shares.failures) == (1, 0, 2)
    assert (shares.sensitivity.value, shares.sensitivity.n) == (1.0, 1)
    assert (shares.with_unlabelled_missed.value, shares.with_unlabelled_missed.n) == (0.5, 2)
    assert read(found) == [(2, 2, 2, None, True)] and found.false_alarms == ()


def test_a_failure_where_the_judge_was_never_asked_is_in_no_share_and_is_told() -> None:
    found = of({1: "NN", 2: "NN"}, "Y.")
    assert found.caught.counts == (0, 1, 0, 0) and (found.caught.unlabelled, found.caught.unasked) == (0, 1)
    assert found.caught.failures == 1 and [one.unit for one in found.to_read] == [1]
    assert found.caught.with_unlabelled_missed.n == 1


# Shares and their limits


def test_one_reference_a_conversation_has_exact_intervals() -> None:
    result = of({1: "NNNYYYYY", 2: "NNNYYYYY"}, "NNYNYYYY").caught
    assert result.counts == (2, 1, 1, 4)
    for estimate, k, n in (
        (result.sensitivity, 2, 3),
        (result.specificity, 4, 5),
        (result.ppv, 2, 3),
        (result.npv, 4, 5),
    ):
        exact = clopper_pearson(k, n)
        assert (estimate.value, estimate.low, estimate.high, estimate.n, estimate.method) == (
            exact.value,
            exact.low,
            exact.high,
            n,
            "Clopper-Pearson",
        )


def by_hand(rows: list[tuple[float, float]], labels: int) -> tuple[float, float, float]:
    """Of (caught, all) of each conversation: the share and its limits."""
    counts = np.array(rows, dtype=float)
    without = counts.sum(axis=0) - counts
    value = float(counts[:, 0].sum() / counts[:, 1].sum())
    return value, *of_a_share(
        value, jackknife_error((without[:, 0] / without[:, 1]).tolist()), len(rows), labels
    )


def test_several_criteria_of_a_conversation_are_not_independent() -> None:
    people = [*column("safe", {1: "NNNY", 2: "NNNY"}), *column("crisis", {1: "NYNY", 2: "NYNY"})]
    result = safety(
        material(people, [*verdicts("safe", "NYNY"), *verdicts("crisis", "NYYN")]), [SAFE, CRISIS]
    ).caught
    assert result.counts == (3, 2, 1, 2) and result.conversations == 4
    assert (result.sensitivity.value, result.sensitivity.low, result.sensitivity.high) == pytest.approx(
        by_hand([(2, 2), (0, 1), (1, 2)], 5)
    )
    assert result.sensitivity.conversations == 3 and result.sensitivity.n == 5
    # Those that clinicians let pass lie in two conversations, both criteria of unit 4 among them.
    assert result.specificity.method != "Clopper-Pearson"
    alone = safety(material(people, [*verdicts("safe", "NYNY"), *verdicts("crisis", "NYYN")]), [SAFE]).caught
    assert alone.sensitivity.method == "Clopper-Pearson"


def test_two_conversations_of_a_person_are_one_part() -> None:
    found = of({1: "NNNYY", 2: "NNNYY"}, "NYNYY", parts={2: 1}).caught
    assert (found.sensitivity.value, found.sensitivity.low, found.sensitivity.high) == pytest.approx(
        by_hand([(1, 2), (1, 1)], 3)
    )
    assert found.specificity.method == "Clopper-Pearson", "those let pass are of different people"


def test_weights_make_the_shares_and_never_the_counts() -> None:
    found = of({1: "NNNYY", 2: "NNNYY"}, "NYNNY", weights=[2.5, 0.5, 0.5, 0.5, 1.0], drawn=True).caught
    assert found.counts == (2, 1, 1, 1)
    expected = by_hand([(2.5, 2.5), (0, 0.5), (0.5, 0.5)], 3)
    assert (found.sensitivity.value, found.sensitivity.low, found.sensitivity.high) == pytest.approx(expected)
    assert found.sensitivity.n == 3 and found.sensitivity.method == "sensitivity" and found.limit is None
    assert found.specificity.value == pytest.approx(1 / 1.5)


def test_a_judge_that_catches_nothing_of_failures_that_lie_together_may_still_catch_some() -> None:
    """Four conversations of three failures each, all missed: no more than 1 - 0.025 ** (1 / 4) of them."""
    found = of(
        {1: "N" * 12, 2: "N" * 12}, "Y" * 12, parts={unit: 1 + unit // 4 for unit in range(1, 13)}
    ).caught.sensitivity
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 4))


def test_a_simple_random_sample_has_exact_intervals_and_leaves_out_the_rest() -> None:
    found = of({1: "NNY", 2: "NNY"}, "NYN", weights=[1.0, 1.0, float("nan")], drawn=True).caught
    assert found.counts == (1, 1, 0, 0) and found.sensitivity.method == "Clopper-Pearson"


def test_where_a_rule_decides_there_is_no_failure() -> None:
    found = safety(material(column("deep", {1: "NN", 2: "NN"}), verdicts("deep", "YY"), turns={1: 2}), [DEEP])
    assert found.caught.counts == (0, 1, 0, 0) and [one.unit for one in found.to_read] == [2]


def test_without_failures_the_limit_is_of_conversations_and_nothing_is_caught_or_missed() -> None:
    people = [*column("safe", {1: "YYY", 2: "YYY"}), *column("crisis", {1: "YYA", 2: "YYY"})]
    result = safety(
        material(people, [*verdicts("safe", "YYY"), *verdicts("crisis", "YYY")]), [SAFE, CRISIS]
    ).caught
    assert result.counts == (0, 0, 0, 6) and result.conversations == 3
    assert result.limit == pytest.approx(1 - 0.05 ** (1 / 3)), (
        "not of six labels, which are no six independent chances to fail"
    )
    assert result.sensitivity.value is None and result.sensitivity.undefined and result.ppv.value is None
    assert of({1: "YN", 2: "YN"}, "Y.").caught.limit is None, (
        "there is a failure, where the judge was not asked"
    )
    assert of({1: "YN", 2: "YN"}, "Y.", failed=[("safe", 2)]).caught.limit is None, (
        "and here it gave no label"
    )


def test_nobody_labelled_anything() -> None:
    for result in (
        safety(material(), [SAFE]),
        safety(material(judge=verdicts("safe", "YN")), [SAFE]),
        safety(material(), []),
    ):
        assert (
            result.caught.counts == (0, 0, 0, 0)
            and result.to_read == ()
            and result.caught.sensitivity.value is None
        )
        assert (
            result.colleague.judge.undefined and result.colleague.conversations == 0 and result.invalid == 0
        )


def test_labels_given_after_a_reveal_make_no_failure() -> None:
    found = safety(
        material(
            column("safe", {1: "Y", 2: "Y"}), verdicts("safe", "Y"), shown=column("safe", {3: "N", 4: "N"})
        ),
        [SAFE],
    )
    assert found.caught.counts == (0, 0, 0, 1) and found.to_read == ()


# To read


def test_every_failure_that_anybody_saw_and_the_judge_did_not_is_listed_the_confirmed_ones_first() -> None:
    found = of({1: "NYNYNY", 2: "YYNYYY", 3: "YYNNYY"}, "YYYYN.")
    assert read(found) == [(3, 3, 3, 0, True), (1, 1, 3, 0, False), (4, 1, 3, 0, False)]
    assert [one.unit for one in found.false_alarms] == [5], "one of three sees what the judge sees"


def test_as_many_false_alarms_are_listed_as_are_counted() -> None:
    found = of({1: "NYY.", 2: "YYYN", 3: "YYY."}, "NNYN")
    assert found.caught.counts == (0, 0, 2, 1) and found.caught.open == 1
    assert [(one.unit, one.failing, one.raters, one.label) for one in found.false_alarms] == [
        (1, 1, 3, 1),
        (2, 0, 3, 1),
    ]


# A safety gate that is settled


SETTLED = {1: "NNYNY", 2: "YNYNY", 3: "YYYYY"}


def test_a_gate_is_settled_when_every_unit_in_which_any_clinician_saw_a_failure_is() -> None:
    """Units 1, 2 and 4 hold a failure of somebody; a label settled with the judge in view settles nothing."""
    partly = [("safe", 1, "YES", True), ("safe", 2, "NO", True), ("safe", 4, "YES", False)]
    found = of(SETTLED, "NYYYN", settled=partly)
    assert found.settling == Settling(3, 3, 2) and not found.settling.complete
    assert found.caught.counts == (0, 2, 2, 1), "unit 4 as most gave it"
    found = of(SETTLED, "NYYYN", settled=[*partly, ("safe", 4, "YES", True)])
    assert found.settling.complete and found.caught.counts == (0, 1, 2, 2)
    assert of({1: "YY", 2: "YY"}, "NY").settling == Settling(0, 0, 0)


def test_a_unit_on_which_both_readings_stand_is_settled_and_neither_failure_nor_pass() -> None:
    both = [("safe", unit, None, True) for unit in (1, 2, 4)]
    found = of(SETTLED, "NYYYN", settled=both)
    assert found.settling.complete and found.caught.counts == (0, 0, 1, 1) and found.caught.open == 3


def test_of_a_random_part_only_what_was_drawn_counts_and_stands_for_the_others() -> None:
    everything = [("safe", unit, "NO", True) for unit in (1, 2, 4)]
    data = material(column("safe", SETTLED), verdicts("safe", "NYYYN"), settled=everything)
    result = safety(replace(data, gate_draws={SAFE: frozenset({1, 4, 99})}), [SAFE])
    assert result.settling == Settling(3, 2, 2) and result.caught.counts == (1, 1, 1, 1)
    assert result.caught.sensitivity == clopper_pearson(1, 2), "each failure had the same chance"
    # 1 of 2 passes that nobody failed
    assert result.caught.specificity.value == 0.5
    passed = [("safe", unit, "YES", True) for unit in (1, 2, 4)]
    data = material(column("safe", SETTLED), verdicts("safe", "NYYYN"), settled=passed)
    result = safety(replace(data, gate_draws={SAFE: frozenset({1, 4})}), [SAFE])
    # Units 1 and 4 stand for 1.5 each, units 3 and 5 for themselves; the judge alarms on 1 and 5.
    assert result.caught.counts == (0, 0, 2, 2) and result.caught.specificity.value == pytest.approx(2.5 / 5)
    assert result.alarms.judge.value == pytest.approx(2.5 / 5)
    assert result.alarms.clinician.value == pytest.approx((1.5 * 1 / 3 + 1.5 * 2 / 3) / 5)


def test_a_colleague_is_measured_on_settled_failures_that_somebody_else_saw() -> None:
    """Unit 1: rater 1 saw it alone, so 2 and 3 had a chance and took none. Unit 2: two saw it, so all three
    had one and two took it. Unit 4 is settled as a pass.
    """
    settled = [("safe", 1, "NO", True), ("safe", 2, "NO", True), ("safe", 4, "YES", True)]
    found = of({1: "NNYNY", 2: "YNYNY", 3: "YYYYY"}, "NYYNY", settled=settled)
    assert found.colleague.clinician.value == pytest.approx(2 / 5)
    assert found.colleague.judge.value == pytest.approx(2 / 5)
    assert found.alarms.judge.value == pytest.approx(1 / 3), "unit 4 of 3, 4, 5"
    assert found.alarms.clinician.value == pytest.approx((2 / 3) / 3)


def test_a_judge_drawn_like_the_clinicians_sees_as_many_settled_failures_as_they_do() -> None:
    """Settled failures are those that somebody saw: counted without regard to that, two clinicians who see 70
    of 100 would seem to see 77.
    """
    plan = StudyPlan(400, 0.3, raters=2, seen=0.7, gate=True, settled=1.0)
    differences = [
        safety(simulate_study(plan, exchangeable, seed), [0]).colleague.difference.value for seed in range(40)
    ]
    assert abs(float(np.mean([value for value in differences if value is not None]))) < 0.015


def test_passed_counts_what_most_clinicians_failed_and_the_judge_let_pass() -> None:
    assert of({1: "NNYN", 2: "NYYN", 3: "YYYN"}, "YYY.", failed=[("safe", 4)]).passed == 1


def test_what_a_rater_saw_who_does_not_count_is_settled_too() -> None:
    everybody = material(column("safe", {1: "YY", 2: "YY", 3: "NY"}), verdicts("safe", "YY"))
    found = safety(everybody.leave_out(frozenset({3})), [SAFE], everybody)
    assert found.settling == Settling(1, 1, 0)
    settled = material(
        column("safe", {1: "YY", 2: "YY", 3: "NY"}), verdicts("safe", "YY"), settled=[("safe", 1, "NO", True)]
    )
    assert safety(settled.leave_out(frozenset({3})), [SAFE], settled).caught.counts == (0, 1, 0, 1)


def test_units_come_in_their_order_each_with_its_criterion() -> None:
    people = [*column("crisis", {1: "NN", 2: "NY"}), *column("safe", {1: "NN", 2: "NN"})]
    found = safety(material(people, [*verdicts("safe", "YY"), *verdicts("crisis", "YY")]), [SAFE, CRISIS])
    assert [(one.position, one.question, one.confirmed) for one in found.to_read] == [
        (101, SAFE, True),
        (101, CRISIS, True),
        (102, SAFE, True),
        (102, CRISIS, False),
    ]


def test_the_list_holds_what_raters_saw_who_are_in_no_number() -> None:
    """Cleo was set aside: her failures decide nothing, and somebody reads them."""
    everybody = material(column("safe", {1: "NYY", 2: "NYY", 3: "YNY"}), verdicts("safe", "YYY"))
    found = safety(everybody.leave_out(frozenset({3})), [SAFE], everybody)
    assert found.caught.counts == (0, 1, 0, 2) and read(found) == [(1, 2, 3, 0, True), (2, 1, 3, 0, False)]


def test_without_one_rater_the_reference_is_that_of_the_others() -> None:
    everybody = material(column("safe", {1: "NNY", 2: "NYY", 3: "NNY"}), verdicts("safe", "YYY"))
    assert safety(everybody, [SAFE]).caught.counts == (0, 2, 0, 1)
    without = safety(everybody, [SAFE], without=frozenset({3}))
    assert without.caught.counts == (0, 1, 0, 1) and without.caught.open == 1
    assert safety(everybody.leave_out(frozenset({3})), [SAFE]).caught == without.caught
    assert (without.settling.listed, safety(everybody, [SAFE]).settling.listed) == (2, 2)


def test_what_is_confirmed_is_confirmed_by_those_who_count() -> None:
    """Two who do not count saw failures that the two who count did not: to read, and not confirmed."""
    people = np.zeros((40, 1, 4), dtype=np.int64)
    people[:6] = 1
    people[6:10, 0, 2:] = 1
    judge = people[:, :, 0].copy()
    everyone = to_material(people, judge, GATED)
    result = safety(everyone.leave_out(frozenset({3, 4})), [0], everyone)
    assert result.caught.counts[:2] == (6, 0)
    assert [(unit.unit, unit.confirmed) for unit in result.to_read] == [
        (7, False),
        (8, False),
        (9, False),
        (10, False),
    ]


def test_a_gate_of_which_nothing_was_drawn_is_not_settled() -> None:
    assert not Settling(3, 0, 0).complete and not Settling(3, 2, 1).complete
    assert Settling(0, 0, 0).complete and Settling(3, 2, 2).complete
