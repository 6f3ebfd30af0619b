"""The alternative annotator test against a plain program of the paper's text, and where it has no answer."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from scoring.agreement.significance_tests.alt_test import Label, Scoring, alt_test
from scoring.bad_input import BadInput

Labels = Mapping[int, Label]


def by_the_paper(
    humans: dict[str, dict[Any, Any]], judge: dict[Any, Any], scoring: Scoring, epsilon: float, least: int
) -> list[tuple[str, float, float]]:
    """Clinician, advantage, p; one unit at a time."""
    results = []
    for name, own in humans.items():
        ahead, differences = [], []
        for unit, label in own.items():
            others = [
                labels[unit]
                for other, labels in humans.items()
                if other != name and labels.get(unit) is not None
            ]
            if label is None or not others or judge.get(unit) is None:
                continue
            near = [
                -math.sqrt(np.mean([(who - other) ** 2 for other in others]))
                if scoring == "neg_rmse"
                else np.mean([who == other for other in others])
                for who in (label, judge[unit])
            ]
            ahead.append(near[1] >= near[0])
            differences.append(int(near[0] >= near[1]) - int(near[1] >= near[0]))
        if len(differences) >= least:
            results.append(
                (
                    name,
                    float(np.mean(ahead)),
                    float(ttest_1samp(differences, epsilon, alternative="less").pvalue),
                )
            )
    return results


def drawn(
    seed: int, raters: int, units: int, missing: float
) -> tuple[dict[str, dict[Any, Any]], dict[Any, Any]]:
    generator = random.Random(seed)

    def labels() -> dict[Any, Any]:
        return {
            unit: None if generator.random() < missing else generator.choice([0, 1, 1, 2])
            for unit in range(units)
            if generator.random() > missing
        }

    return {f"expert{n}": labels() for n in range(raters)}, labels()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(2, 6),
    st.integers(40, 90),
    st.floats(0, 0.4),
    st.sampled_from(["accuracy", "neg_rmse"]),
    st.floats(0, 0.3),
)
def test_it_is_what_the_paper_says(
    seed: int, raters: int, units: int, missing: float, scoring: Scoring, epsilon: float
) -> None:
    humans, judge = drawn(seed, raters, units, missing)
    expected = by_the_paper(humans, judge, scoring, epsilon, 12)
    result = alt_test(humans, judge, scoring, epsilon=epsilon, min_units=12)
    assert [clinician_test.clinician for clinician_test in result.against] == [
        name for name, _, _ in expected
    ]
    assert [clinician_test.advantage for clinician_test in result.against] == pytest.approx(
        [ahead for _, ahead, _ in expected]
    )
    assert [clinician_test.p for clinician_test in result.against] == pytest.approx(
        [p for _, _, p in expected], abs=1e-12
    )
    assert set(result.skipped) == set(humans) - {name for name, _, _ in expected}
    if expected:
        p, m = sorted(expected_p for _, _, expected_p in expected), len(expected)
        won = max(
            (i for i in range(1, m + 1) if p[i - 1] <= i / m * 0.05 / sum(1 / j for j in range(1, m + 1))),
            default=0,
        )
        assert result.winning_rate.value == pytest.approx(won / m)
        assert result.passes == (won / m >= 0.5)


def test_labels_may_be_words() -> None:
    generator = random.Random(3)
    humans = {name: {n: generator.choice(["YES", "NO"]) for n in range(50)} for name in "abc"}
    judge = {n: humans["a"][n] for n in range(50)}
    codes = {"YES": 1, "NO": 0}
    assert alt_test(humans, judge) == alt_test(
        {name: {n: codes[one] for n, one in own.items()} for name, own in humans.items()},
        {n: codes[one] for n, one in judge.items()},
    )


def test_a_judge_that_always_does_as_the_clinicians_is_as_good_as_each() -> None:
    labels: Labels = {n: n % 3 for n in range(40)}
    found = alt_test({"a": labels, "b": labels}, labels)
    assert (found.winning_rate.value, found.advantage_probability.value, found.passes) == (1.0, 1.0, True)
    assert [one.p for one in found.against] == [0.0, 0.0]


def test_differences_that_are_all_epsilon_cannot_be_tested_and_are_no_win() -> None:
    labels: Labels = {n: n % 3 for n in range(40)}
    found = alt_test({"a": labels, "b": labels}, labels, epsilon=0.0)
    assert (found.winning_rate.value, found.passes) == (0.0, False)
    assert [(one.p, one.undefined) for one in found.against] == [(None, "all lie exactly at epsilon")] * 2


def test_a_judge_that_is_always_wrong_where_the_clinicians_agree_loses() -> None:
    labels: Labels = {n: 0 for n in range(40)}
    found = alt_test({"a": labels, "b": labels}, {n: 1 for n in range(40)})
    assert (
        [one.p for one in found.against],
        found.winning_rate.value,
        found.advantage_probability.value,
    ) == ([1.0, 1.0], 0.0, 0.0)


def test_rounding_does_not_decide_a_tie() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in floating point; both lie equally far from the other."""
    humans = {"a": {n: 0.1 + 0.2 for n in range(40)}, "b": {n: 0.5 for n in range(40)}}
    assert {one.advantage for one in alt_test(humans, {n: 0.3 for n in range(40)}, "neg_rmse").against} == {
        1.0
    }


@pytest.mark.parametrize(
    ("humans", "judge", "left_out"),
    [
        ({}, {}, 0),
        ({"a": {n: 1 for n in range(40)}}, {n: 1 for n in range(40)}, 40),
        ({"a": {n: 1 for n in range(29)}, "b": {n: 1 for n in range(29)}}, {n: 1 for n in range(40)}, 0),
        ({"a": {n: 1 for n in range(40)}, "b": {n: 1 for n in range(40, 80)}}, {n: 1 for n in range(80)}, 80),
        ({"a": {n: 1 for n in range(40)}, "b": {n: 1 for n in range(40)}}, {n: None for n in range(40)}, 40),
    ],
)
def test_without_enough_shared_units_it_cannot_be_told(
    humans: dict[str, Labels], judge: Labels, left_out: int
) -> None:
    result = alt_test(humans, judge)
    assert (
        result.winning_rate.value,
        result.advantage_probability.value,
        result.passes,
        result.skipped,
        result.left_out,
    ) == (None, None, None, tuple(humans), left_out)
    assert (
        result.winning_rate.undefined
        == "no clinician gave 30 labels where another clinician and the judge gave one too"
    )


def test_one_unit_says_nothing_of_its_spread() -> None:
    found = alt_test({"a": {0: 1}, "b": {0: 1}}, {0: 1}, min_units=0)
    assert [one.undefined for one in found.against] == ["one label can't show how much this varies"] * 2
    assert found.passes is False


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"scoring": "rmse"}, "scoring: expected accuracy or neg_rmse"),
        ({"epsilon": 2}, "epsilon: expected -1 to 1"),
        ({"epsilon": math.nan}, "epsilon: expected a finite"),
        ({"q": 0}, "q: expected a number between 0 and 1"),
        ({"min_humans": 1}, "min_humans: expected at least 2"),
        ({"min_units": -1}, "min_units: expected a count"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        alt_test({"a": {0: 1}}, {0: 1}, **options)


def test_distances_need_numbers() -> None:
    with pytest.raises(BadInput, match=r"humans\[a\]\[u1\]: expected a number, found str"):
        alt_test({"a": {"u1": "YES"}, "b": {"u1": 1}}, {"u1": 1}, "neg_rmse")
    with pytest.raises(BadInput, match=r"judge\[u1\]: expected a finite number"):
        alt_test({"a": {"u1": 1}, "b": {"u1": 1}}, {"u1": math.inf}, "neg_rmse")
