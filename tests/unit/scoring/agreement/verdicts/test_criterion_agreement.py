"""One criterion: what goes into which number, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.intervals.mean_of_raters import ONE_PAIR
from scoring.agreement.verdicts.criterion_agreement import (
    compare_judge_with_colleagues,
    compare_people,
    compare_with_judge,
    headline,
    second_headline,
)
from tests.unit.scoring.agreement.by_hand import of_a_share
from tests.unit.scoring.agreement.drawn import labels_of
from tests.unit.scoring.agreement.materials import column, material, number, verdicts

WARM, KIND, DEEP = map(number, ("warm", "kind", "deep"))


def kappa(first: str, second: str) -> float:
    table = np.zeros((2, 2))
    for one, other in zip(first, second, strict=True):
        table["YN".index(one), "YN".index(other)] += 1
    return float(cohen("none", 2).of(table))


def test_does_not_apply_is_one_question_and_the_verdict_another() -> None:
    comparison = compare_with_judge(
        material(column("warm", {1: "YYNNAAYN", 2: "YYYY...."}), verdicts("warm", "YNNYAYAA")), WARM
    )
    assert (
        comparison.counted.pairs,
        comparison.counted.same,
        comparison.counted.units,
        comparison.counted.conversations,
        comparison.counted.raters,
    ) == (12, 5, 8, 8, 2)
    assert comparison.counted.table.tolist() == [[3, 3, 1], [1, 1, 1], [1, 0, 1]]
    assert comparison.percent.value == pytest.approx(5 / 12) and comparison.percent.n == 12
    assert comparison.verdicts.pairs == 8 and comparison.verdicts.same == 4
    assert comparison.headline.value == pytest.approx(np.mean([kappa("YYNN", "YNNY"), kappa("YYYY", "YNNY")]))
    apart = comparison.separated
    assert (
        apart is not None and len(apart.applies) == 12 and apart.applies.table().tolist() == [[8, 2], [1, 1]]
    )
    assert comparison.applies is not None
    assert (
        set(comparison.applies) == {"kappa", "AC1"}
        and comparison.whole_scale["kappa"].n == 12
        and comparison.coefficients["kappa"].n == 8
    )


def test_by_chance_is_what_both_sides_habits_give() -> None:
    made = compare_with_judge(material(column("warm", {1: "YYNA"}), verdicts("warm", "YNNN")), WARM)
    assert made.by_chance == pytest.approx((2 * 1 + 1 * 3 + 1 * 0) / 16)
    assert compare_with_judge(material(), WARM).by_chance is None


def test_units_that_a_rule_decides_are_in_no_number_and_are_counted() -> None:
    short = {1: 2, 2: 2, 3: 2}
    label_data = material(column("deep", {1: "YNAYYN", 2: "AAAYNN"}), verdicts("deep", "YAAYNN"), turns=short)
    comparison = compare_with_judge(label_data, DEEP)
    assert (comparison.counted.pairs, comparison.counted.same, comparison.counted.units) == (6, 5, 3)
    assert comparison.separated is not None
    assert (
        comparison.separated.forced,
        comparison.separated.first_against,
        comparison.separated.second_against,
    ) == (6, 2, 2)
    people = compare_people(label_data, DEEP)
    assert (people.counted.pairs, people.counted.same) == (3, 2)
    for coefficient in compare_judge_with_colleagues(label_data, DEEP):
        assert (coefficient.people.n, coefficient.judge.n) == (3, 6)


def test_lenient_is_a_judge_who_says_more_than_the_clinician_whatever_the_order_of_the_scale() -> None:
    nominal = compare_with_judge(
        material(column("warm", {1: "NNYY"}), verdicts("warm", "YYNY")), WARM
    )  # listed YES first
    assert (nominal.lenient, nominal.strict) == (2, 1)
    assert nominal.bias.value == pytest.approx((1 + 1 - 1 + 0) / 4)
    ordinal = compare_with_judge(material(column("kind", {1: "0122"}), verdicts("kind", "2120")), KIND)
    assert (ordinal.lenient, ordinal.strict) == (1, 1) and ordinal.bias.value == 0.0


def test_does_not_apply_is_neither_lenient_nor_strict() -> None:
    made = compare_with_judge(material(column("warm", {1: "AANY"}), verdicts("warm", "YNAA")), WARM)
    assert (made.lenient, made.strict, made.verdicts.pairs) == (0, 0, 0)
    assert made.headline.value is None and made.bias.value is None and made.percent.value == 0.0


def test_an_ordered_scale_shows_quadratic_kappa_and_its_companion() -> None:
    made = compare_with_judge(material(column("kind", {1: "012012"}), verdicts("kind", "012021")), KIND)
    assert (headline(made.question), second_headline(made.question)) == ("quadratic kappa", "AC2, quadratic")
    assert (
        made.headline is made.coefficients["quadratic kappa"]
        and made.applies is None
        and made.separated is None
    )
    assert "prevalence index" not in made.coefficients and "alpha, ordinal" in made.coefficients


def test_a_person_with_one_pair_has_a_count_and_no_coefficient() -> None:
    alone = compare_with_judge(material(column("warm", {1: "Y"}), verdicts("warm", "N")), WARM)
    assert alone.counted.pairs == 1 and alone.percent.value == 0.0
    assert alone.headline.value is None and alone.headline.undefined == ONE_PAIR
    comparison = compare_with_judge(
        material(column("warm", {1: "YNYN", 2: "Y..."}), verdicts("warm", "YNYN")), WARM
    )
    assert (
        comparison.counted.raters == 2
        and comparison.headline.value == pytest.approx(1)
        and "mean of 1 of 2" in comparison.headline.method
    )


def test_arms_are_never_mixed() -> None:
    label_data = material(
        column("warm", {1: "YY"}),
        verdicts("warm", "YNNN"),
        shown=column("warm", {1: "NNN"}),
        unknown=column("warm", {2: "NNNN"}),
    )
    assert [
        (
            compare_with_judge(label_data, WARM, arm).counted.same,
            compare_with_judge(label_data, WARM, arm).counted.pairs,
        )
        for arm in ("blind", "shown", "unknown")
    ] == [(1, 2), (2, 3), (3, 4)]
    assert compare_people(label_data, WARM).counted.pairs == 0


def test_the_judge_is_asked_only_where_somebody_labelled_and_a_failure_is_no_pair() -> None:
    found = material(column("warm", {1: "YNY"}), verdicts("warm", "YN.YYYY"), failed=[("warm", 3)])
    assert compare_with_judge(found, WARM).counted.pairs == 2


def test_the_ceiling_stands_on_units_that_two_people_and_the_judge_labelled() -> None:
    label_data = material(column("warm", {1: "YYNNYN", 2: "YNNN.Y", 3: "....YY"}), verdicts("warm", "YNYN.Y"))
    percent, coefficient = compare_judge_with_colleagues(label_data, WARM)
    # Units 1 to 4 and 6. Persons 1 and 2: Y Y, Y N, N N, N N, N Y; 1 and 3: N Y; 2 and 3: Y Y. Pairs of
    # persons with one unit have no value.
    assert (
        percent.people.n == 7
        and percent.people.value == pytest.approx(3 / 5)
        and "mean of 1 of 3" in percent.people.method
    )
    # With the judge Y N Y N Y: person 1 has YYNNN, person 2 YNNNY, person 3 one pair only.
    assert percent.judge.n == 11 and percent.judge.value == pytest.approx((2 / 5 + 4 / 5) / 2)
    assert percent.difference.value == pytest.approx(3 / 5 - 3 / 5) and percent.difference.n == 18
    assert coefficient.name == "kappa"
    assert coefficient.people.value == pytest.approx(kappa("YYNNN", "YNNNY"))
    assert coefficient.judge.value == pytest.approx((kappa("YYNNN", "YNYNY") + kappa("YNNNY", "YNYNY")) / 2)
    assert coefficient.difference.value == pytest.approx(
        (coefficient.judge.value or 0) - (coefficient.people.value or 0)
    )


def test_without_shared_units_there_is_no_ceiling_and_a_reason() -> None:
    for one in compare_judge_with_colleagues(
        material(column("warm", {1: "YN..", 2: "..YN"}), verdicts("warm", "YNYN")), WARM
    ):
        assert (
            one.people.value is None
            and one.judge.value is None
            and one.difference.value is None
            and one.difference.undefined
        )


def test_alpha_of_people_takes_the_whole_nominal_scale_and_weighted_ones_leave_out_what_has_no_place() -> (
    None
):
    people = compare_people(material(column("warm", {1: "YNAAY", 2: "YNAYY"})), WARM)
    whole = labels_of([[0, 0], [1, 1], [2, 2], [2, 0], [0, 0]], 3).units
    counted = whole.by_part(coincidences(whole)).sum(axis=0)
    assert people.coefficients["alpha, nominal"].value == pytest.approx(
        float(krippendorff("nominal", (0.0, 1.0, 2.0)).of(counted))
    )
    assert "alpha, ordinal" not in people.coefficients


def test_one_conversation_has_a_value_and_says_why_no_interval() -> None:
    made = compare_with_judge(
        material(column("warm", {1: "YNY"}), verdicts("warm", "YNN"), parts={2: 1, 3: 1}), WARM
    )
    assert made.counted.conversations == 1 and made.percent.value == pytest.approx(2 / 3)
    assert (
        made.percent.low is None
        and made.percent.no_interval == "one conversation can't show how much this varies"
    )


def test_weights_change_shares_and_never_counts() -> None:
    comparison = compare_with_judge(
        material(column("warm", {1: "YNY"}), verdicts("warm", "YYN"), weights=[2.0, 0.5, 0.5], drawn=True),
        WARM,
    )
    assert (comparison.counted.pairs, comparison.counted.same) == (
        3,
        1,
    ) and comparison.percent.value == pytest.approx(2 / 3)
    assert comparison.bias.value == pytest.approx((0.5 - 0.5) / 3)
    none = compare_with_judge(
        material(
            column("warm", {1: "YNY"}), verdicts("warm", "YYN"), weights=[1.0, 1.0, float("nan")], drawn=True
        ),
        WARM,
    )
    assert none.counted.pairs == 2


def test_a_unit_that_one_person_read_is_none_on_which_people_agree() -> None:
    """Its label leans on nobody's, so that it makes the interval of the share no narrower."""
    rows = {1: "YYNNYNYYYN", 2: "YNNYYNYYYN"}
    parts = {unit: 1 + unit // 3 for unit in range(1, 11)}
    plain = compare_people(material(column("warm", rows), parts=parts), WARM).coefficients[
        "percent agreement"
    ]
    alone = {1: rows[1] + "YN" * 10, 2: rows[2]}
    more = compare_people(material(column("warm", alone), parts=parts), WARM).coefficients[
        "percent agreement"
    ]
    assert plain.value == pytest.approx(0.8) and plain.error is not None
    expected = pytest.approx(of_a_share(0.8, plain.error, 4, 10))
    assert (plain.low, plain.high) == expected and (more.low, more.high) == expected
