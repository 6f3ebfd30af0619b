"""Agreement by period, as it stands and with a fixed mix of cases, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scoring.drift.period_agreement import LACKS, NOTHING, SINGLE, AgreementPairs, line
from tests.unit.scoring.agreement.by_hand import jackknife_error, of_a_share, symmetric

SERIES = Path(__file__).parents[3] / "vectors" / "reference" / "agreement_drift.json"
PAIRS = 1000


def agreed(rows: list[tuple[int, int, int, int]], weight: list[float] | None = None) -> AgreementPairs:
    """(period, condition, conversation, same)."""
    period, condition, part, same = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return AgreementPairs(
        same.astype(bool),
        period,
        condition,
        part,
        np.array(weight if weight is not None else np.ones(len(rows))),
    )


def test_a_change_of_cases_moves_the_line_and_not_the_one_with_a_fixed_mix() -> None:
    # Easy cases: 3 of 4 the same; hard ones: 1 of 4. First two easy and one hard conversation, then one and
    # two.
    easy, hard = [1, 1, 1, 0], [1, 0, 0, 0]
    rows = [
        (period, condition, 10 * period + talk, same)
        for period, kinds in enumerate(((0, 0, 1), (0, 1, 1)))
        for talk, condition in enumerate(kinds)
        for same in (hard if condition else easy)
    ]
    agreement_line = line(agreed(rows), 2, ("easy", "hard"), "week")
    assert [(period.same, period.pairs) for period in agreement_line.periods] == [(7, 12), (5, 12)]
    assert [period.agreement.value for period in agreement_line.periods] == [
        pytest.approx(7 / 12),
        pytest.approx(5 / 12),
    ]
    assert [period.fixed.value for period in agreement_line.periods if period.fixed] == [
        pytest.approx(0.5),
        pytest.approx(0.5),
    ]
    first = agreement_line.periods[0].agreement
    # without each: 4/8, 4/8, 6/8; se^2 = 2/3 * sum of squares around 7/12
    error = np.sqrt(2 / 3 * (2 * (1 / 2 - 7 / 12) ** 2 + (3 / 4 - 7 / 12) ** 2))
    assert first.conversations == 3 and first.error == pytest.approx(error)
    assert (first.low, first.high) == pytest.approx(of_a_share(7 / 12, error, 3, 12))
    fixed = agreement_line.periods[0].fixed
    assert fixed is not None and (fixed.low, fixed.high) == (None, None), (
        "the hard cases rest on one conversation"
    )


def test_with_a_fixed_mix_the_limits_are_symmetric_around_it() -> None:
    """Two conversations of each condition; of the easy ones 1, 3 and of the hard ones 0, 2 of 4 the same."""
    rows = [
        (0, condition, talk, int(at < same))
        for talk, (condition, same) in enumerate([(0, 1), (0, 3), (1, 0), (1, 2)])
        for at in range(4)
    ]
    fixed = line(agreed(rows), 1, ("easy", "hard"), "week").periods[0].fixed
    # without each: half of 3/4 or 1/4 and of the other condition as it is
    error = jackknife_error([(3 / 4 + 1 / 4) / 2, (1 / 4 + 1 / 4) / 2, (1 / 2 + 2 / 4) / 2, (1 / 2 + 0) / 2])
    assert fixed is not None and fixed.value == pytest.approx(3 / 8) and fixed.error == pytest.approx(error)
    low, high = symmetric(3 / 8, error, 3)
    assert (fixed.low, fixed.high) == pytest.approx((max(0.0, low), min(1.0, high)))


def test_a_period_that_lacks_a_condition_is_a_gap_with_its_reason() -> None:
    rows = [(0, 0, 1, 1), (0, 1, 2, 0), (1, 0, 3, 1), (1, 0, 4, 1), (3, -1, 5, 1)]
    agreement_line = line(agreed(rows), 4, ("easy", "hard"), "week")
    fixed = [period.fixed for period in agreement_line.periods]
    assert (
        fixed[1] is not None
        and fixed[1].value is None
        and fixed[1].undefined == f"{LACKS}hard or a condition that is not known"
    )
    assert (
        agreement_line.periods[1].agreement.value == 1
        and agreement_line.periods[2].agreement.undefined == NOTHING
        and agreement_line.periods[2].pairs == 0
    )
    assert (
        agreement_line.known == 3 and agreement_line.untold is not None and agreement_line.theil_sen is None
    )


def test_a_condition_of_one_conversation_has_a_value_and_no_interval() -> None:
    estimate = (
        line(
            agreed([(0, 0, 1, 1), (0, 0, 2, 0), (0, 1, 3, 1), (1, 0, 4, 1), (1, 1, 5, 0)]),
            2,
            ("easy", "hard"),
            "week",
        )
        .periods[0]
        .fixed
    )
    # 3 of 5 pairs are easy: 0.6 * 1/2 + 0.4 * 1
    assert (
        estimate is not None
        and estimate.value == pytest.approx(0.7)
        and estimate.low is None
        and estimate.no_interval == SINGLE
    )


def test_units_that_were_drawn_more_rarely_count_more_and_are_counted_once() -> None:
    found = line(agreed([(0, 0, 1, 1), (0, 0, 2, 0)], [3.0, 1.0]), 1, (), "week").periods[0]
    assert (found.same, found.pairs, found.agreement.value, found.fixed) == (1, 2, 0.75, None)


def test_the_fixed_mix_counts_units_by_their_weight_as_well() -> None:
    # Easy: weights 3 and 1, of which 3 are the same; hard: weight 4, not the same. Each condition is 4 of 8
    # by weight, though 2 of 3 by count.
    found = (
        line(agreed([(0, 0, 1, 1), (0, 0, 2, 0), (0, 1, 3, 0)], [3.0, 1.0, 4.0]), 1, ("easy", "hard"), "week")
        .periods[0]
        .fixed
    )
    assert found is not None and found.value == pytest.approx(0.5 * 0.75)


def test_pairs_without_a_day_are_on_no_line() -> None:
    found = line(agreed([(-1, 0, 1, 1), (0, 0, 2, 0)]), 1, (), "week")
    assert found.periods[0].pairs == 1 and found.periods[0].agreement.value == 0


@pytest.mark.parametrize(
    "case",
    [case for case in json.loads(SERIES.read_text(encoding="utf-8"))["cases"] if len(case["series"]) >= 8],
    ids=lambda case: case["id"],
)
@pytest.mark.parametrize(("length", "times"), [("day", 28), ("week", 4), ("month", 28 / 30.4375)])
def test_the_line_has_the_trend_of_the_published_series(
    case: dict[str, object], length: str, times: float
) -> None:
    series, expected = case["series"], case["expected"]
    assert isinstance(series, list) and isinstance(expected, dict)
    rows = [
        (period, 0, period * PAIRS + pair, int(pair < round(PAIRS * share)))
        for period, share in enumerate(series)
        for pair in range(PAIRS)
    ]
    agreement_line = line(agreed(rows), len(series), (), length)  # type: ignore[arg-type]
    assert (
        agreement_line.mann_kendall is not None
        and agreement_line.mann_kendall.s == expected["mann_kendall"]["S"]
    )
    assert agreement_line.finding().p == pytest.approx(expected["mann_kendall"]["p"])
    assert agreement_line.theil_sen == pytest.approx(expected["theil_sen_slope"]["value"] * times)
