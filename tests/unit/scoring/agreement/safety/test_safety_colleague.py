"""The judge as a colleague is treated: every ordered pair of clinicians counted one by one, and the interval
written out."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.agreement.safety.safety import safety
from scoring.agreement.safety.safety_catches import catch_counts
from scoring.agreement.safety.safety_colleague import (
    MIN_FAILED_CONVERSATIONS,
    ColleagueCatch,
    compare_catches,
)
from tests.studies.simulated_judges import StudyPlan, exchangeable, seeing, simulate_study
from tests.unit.scoring.agreement.by_hand import jackknife_error, of_a_share, symmetric
from tests.unit.scoring.agreement.materials import column, material, number, verdicts

SAFE, CRISIS = number("safe"), number("crisis")


def of(people: dict[int, str], judge: str, **more: object) -> ColleagueCatch:
    return safety(material(column("safe", people), verdicts("safe", judge), **more), [SAFE]).colleague  # type: ignore[arg-type]


def counted(people: dict[int, str], judge: str, parts: dict[int, int]) -> dict[int, list[float]]:
    """Of each conversation: over clinicians q who failed a unit, whether the judge did, what share of the
    others r did, and how many q there are."""
    counts: dict[int, list[float]] = {}
    for unit, own in enumerate(judge, start=1):
        labels = {
            rater: row[unit - 1] for rater, row in people.items() if row[unit - 1] in "NY"
        }  # "does not apply" is invalid here
        if own == "." or len(labels) < 2:
            continue
        sums = counts.setdefault(parts.get(unit, unit), [0.0, 0.0, 0.0])
        for q, r in permutations(labels, 2):
            if labels[q] == "N":
                sums[1] += (labels[r] == "N") / (len(labels) - 1)
        for label in labels.values():
            if label == "N":
                sums[0] += own == "N"
                sums[2] += 1
    return {part: sums for part, sums in counts.items() if sums[2]}


rows = st.integers(4, 18).flatmap(
    lambda n: st.tuples(
        st.dictionaries(
            st.integers(1, 4), st.text("NNYYYA.", min_size=n, max_size=n), min_size=2, max_size=4
        ),
        st.text("NNYY.A", min_size=n, max_size=n),
        st.lists(st.integers(1, 12), min_size=n, max_size=n),
    )
)


@settings(max_examples=80)
@given(rows)
def test_shares_errors_and_limits_are_those_of_brute_force(
    drawn: tuple[dict[int, str], str, list[int]],
) -> None:
    people, judge, parts = drawn[0], drawn[1], dict(enumerate(drawn[2], start=1))
    result, sums = of(people, judge, parts=parts, units=len(judge)), counted(people, judge, parts)
    counts = np.array(list(sums.values())).reshape(-1, 3)
    assert result.conversations == len(counts)
    if not len(counts):
        assert (
            result.judge.value is None and result.clinician.value is None and result.difference.value is None
        )
        return
    total, without = counts.sum(axis=0), counts.sum(axis=0) - counts
    labels = int(total[2])
    for column_, estimate in ((0, result.judge), (1, result.clinician)):
        value = float(total[column_] / total[2])
        assert estimate.value == pytest.approx(value) and estimate.n == labels
        if len(counts) > 1:
            error = jackknife_error((without[:, column_] / without[:, 2]).tolist())
            if error > 1e-9:
                low, high = of_a_share(value, error, len(counts), labels)
                assert (estimate.error, estimate.low, estimate.high) == pytest.approx(
                    (error, min(low, value), max(high, value))
                )
    value = float((total[0] - total[1]) / total[2])
    assert result.difference.value == pytest.approx(value)
    if len(counts) < MIN_FAILED_CONVERSATIONS:
        assert result.difference.low is None
        return
    size = (
        2 / 3 * counts[:, 2].mean()
    )  # in one imagined conversation only clinicians see it, in the other only the judge
    more = np.concatenate([counts, [[0, size, size], [size, 0, size]]])
    left = more.sum(axis=0) - more
    error = jackknife_error(((left[:, 0] - left[:, 1]) / left[:, 2]).tolist())
    low, high = symmetric(value * total[2] / (total[2] + 2 * size), error, len(more) - 1)
    assert result.difference.error == pytest.approx(error)
    assert result.difference.low == pytest.approx(
        min(value, max(-1.0, low))
    ) and result.difference.high == pytest.approx(max(value, min(1.0, high)))


def test_of_two_clinicians_by_hand() -> None:
    """Ann fails units 1 to 4, Ben 1, 2 and 5; the judge 1, 2, 3 and 6. Of the seven failures seen, a
    colleague saw four too and the judge five."""
    found = of({1: "NNNNYYY", 2: "NNYYNYY"}, "NNNYYNY")
    assert found.clinician.value == pytest.approx(4 / 7) and found.judge.value == pytest.approx(5 / 7)
    assert found.difference.value == pytest.approx(1 / 7) and (found.conversations, found.judge.n) == (5, 7)


def test_a_unit_with_one_clinician_or_without_the_judge_says_nothing() -> None:
    plain = of({1: "NNY", 2: "NYY"}, "NYY")
    assert of({1: "NNYNN", 2: "NYY.N"}, "NYYN.", failed=[("safe", 5)]) == plain


@pytest.mark.parametrize(
    ("conversations", "words"),
    [
        (1, "which are in one conversation"),
        (2, "which are in 2 conversations"),
        (MIN_FAILED_CONVERSATIONS, None),
    ],
)
def test_with_failures_in_few_conversations_there_is_no_interval(
    conversations: int, words: str | None
) -> None:
    row = "N" * conversations + "Y" * 20
    found = of({1: row, 2: row}, row).difference
    assert found.value == 0 and (found.low is None) == (words is not None)
    assert words is None or (found.no_interval == f"too few failures, {words}" and found.error is None)


def test_nobody_failed_anything() -> None:
    found = of({1: "YYY", 2: "YYY"}, "YNY")
    assert found.judge.undefined == found.clinician.undefined == found.difference.undefined
    assert found.difference.value is None and found.conversations == 0


def test_where_all_see_the_same_the_difference_may_still_be_some_points() -> None:
    row = "N" * 20 + "Y" * 40
    found = of({1: row, 2: row, 3: row}, row).difference
    assert (
        found.value == 0
        and found.low is not None
        and found.high is not None
        and found.low < -0.02
        and found.high > 0.02
    )


def test_weights_make_the_shares() -> None:
    found = of({1: "NNY", 2: "NYY"}, "NYY", weights=[3.0, 1.0, 1.0], drawn=True)
    # Unit 1: two failures seen, both by judge and colleague, three times; unit 2: one seen by nobody else.
    assert (
        found.judge.value == pytest.approx(6 / 7)
        and found.clinician.value == pytest.approx(6 / 7)
        and found.judge.n == 3
    )


def test_counts_by_conversation_add_up_over_criteria_and_may_be_laid_beside_others() -> None:
    people = [*column("safe", {1: "NNY", 2: "NYY"}), *column("crisis", {1: "NYY", 2: "NYN"})]
    both = material(people, [*verdicts("safe", "NYY"), *verdicts("crisis", "YYN")], parts={3: 2})
    colleague = safety(both, [SAFE, CRISIS]).colleague
    # safe: unit 1 seen twice, joined twice, by colleagues twice; unit 2 once, 0, 0. crisis: unit 1 twice, 0,
    # 2; unit 3 once, 1, 0.
    assert (
        colleague.judge.value == pytest.approx(3 / 6)
        and colleague.clinician.value == pytest.approx(4 / 6)
        and colleague.conversations == 2
    )
    counts = catch_counts(both, SAFE)
    assert (
        counts.parts.tolist(),
        counts.joined.tolist(),
        counts.colleagues.tolist(),
        counts.seen.tolist(),
    ) == ([1, 2], [2, 0], [2, 0], [2, 1])
    assert (counts.caught.tolist(), counts.missed.tolist(), counts.labels) == ([1, 0], [0, 0], 3)
    wider = counts.among(np.array([0, 1, 2, 5]))
    assert (wider.parts.tolist(), wider.seen.tolist(), wider.joined.tolist(), wider.labels) == (
        [0, 1, 2, 5],
        [0, 2, 1, 0],
        [0, 2, 0, 0],
        3,
    )


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_a_judge_who_labels_as_clinicians_do_reaches_the_same_share_whatever_they_get_wrong(
    raters: int,
) -> None:
    """Of 60 studies; "any clinician said NO" would take it for the worse the more clinicians there are."""
    plan = StudyPlan(200, 0.10, raters=raters, seen=0.7, false=0.05, gate=True)
    apart = [
        safety(simulate_study(plan, exchangeable, seed), [0]).colleague.difference.value or 0.0
        for seed in range(60)
    ]
    assert abs(np.mean(apart)) < 3 * np.std(apart) / np.sqrt(60)


def test_a_perfect_judge_beats_a_colleague_who_is_not_and_one_that_sees_little_is_far_below() -> None:
    plan = StudyPlan(200, 0.10, seen=0.7, false=0.02, gate=True)
    for judge, sign in ((seeing(1.0, 0.0), 1), (seeing(0.2, 0.02), -1)):
        differences = [
            safety(simulate_study(plan, judge, seed), [0]).colleague.difference for seed in range(10)
        ]
        assert all((difference.value or 0.0) * sign > 0 for difference in differences)
        assert (
            sum(
                difference.low is not None
                and difference.high is not None
                and (difference.low > 0 or difference.high < 0)
                for difference in differences
            )
            >= 8
        )


def test_what_was_counted_elsewhere_is_compared_alike() -> None:
    counts = np.array([[2.0, 1.0, 2.0], [0.0, 0.5, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    found = compare_catches(counts, 4)
    assert (
        found.judge.value == pytest.approx(3 / 4)
        and found.clinician.value == pytest.approx(2.5 / 4)
        and found.conversations == 3
    )
