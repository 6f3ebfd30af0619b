"""Who is stricter, on the same units only."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given as drawn_from
from hypothesis import strategies as st
from scipy.stats import t

from data.labels import agreement_labels
from data.record import studies, units
from data.store.store import Store
from scoring.agreement.coefficients.levels import Levels, failing, order
from scoring.agreement.people.rounds import RoundLabel
from scoring.agreement.people.severity import ALONE, APART, NOBODY, OrdinalLabels, Severity, severity_of
from scoring.instruments import Scale

ORDER = {"depth": {str(n): n for n in range(1, 6)}}


def given(levels: dict[int, list[str | None]], criterion: str = "depth") -> list[RoundLabel]:
    """rater -> labels of units 0, 1, ...; each unit a conversation of its own. "-": not rated."""
    return [
        RoundLabel(unit, unit, criterion, rater, label)
        for rater, row in levels.items()
        for unit, label in enumerate(row)
        if label != "-"
    ]


def severity(labels: Iterable[RoundLabel], values: Levels) -> Severity:
    """Of labels as they are given. `values`: criterion -> label -> level."""
    units: dict[tuple[int, int], int] = {}
    rows: dict[str, list[tuple[int, int, int, int]]] = {}
    for label in labels:
        level = None if label.label is None else values.get(label.criterion, {}).get(label.label)
        if level is not None:
            unit = units.setdefault((label.conversation, label.unit), len(units))
            rows.setdefault(label.criterion, []).append((unit, label.rater, label.conversation, level))
    return severity_of(
        [
            OrdinalLabels(unit, rater, part, level.astype(float))
            for unit, rater, part, level in (np.array(some, dtype=np.int64).T for some in rows.values())
        ]
    )


def test_a_rater_is_held_against_the_others_on_the_same_units_and_case_mix_does_not_count() -> None:
    found = severity(
        given({1: ["4", "5", "5", "1"], 2: ["3", "4", "4", "-"], 3: ["-", "-", "-", "-"]}), ORDER
    )
    one = found.raters[1]
    assert (one.labels, one.difference.value, found.raters[2].difference.value) == (3, 1.0, -1.0)
    assert (one.mean, one.others) == pytest.approx((14 / 3, 11 / 3))
    assert found.spread.value == pytest.approx(1.0) and found.far_apart
    assert 3 not in found.raters


def test_the_others_are_a_mean_when_there_are_several() -> None:
    found = severity(given({1: ["5", "5"], 2: ["3", "4"], 3: ["4", "2"]}), ORDER)
    assert found.raters[1].difference.value == pytest.approx((1.5 + 2) / 2)
    assert found.raters[3].difference.value == pytest.approx((0 - 2.5) / 2)
    assert found.spread.value == pytest.approx(2.0)  # means 5, 3.5, 3


def test_the_interval_leaves_out_one_conversation_at_a_time() -> None:
    one = severity(given({1: ["4", "5", "3"], 2: ["3", "3", "3"]}), ORDER).raters[1].difference  # 1, 2, 0
    half = t.ppf(0.975, 2) * math.sqrt(2 / 3 * (0.5**2 + 0 + 0.5**2))
    assert one.value == 1.0
    assert (one.low, one.high) == pytest.approx((1 - half, 1 + half))


def test_where_each_unit_has_two_of_many_raters_the_spread_is_still_the_whole_difference() -> None:
    """Rater 0 is one level stricter than all others; differences from whoever was there would give 1.25 or
    0.63.
    """
    chance = random.Random(1)
    labels = []
    for unit in range(400):
        base = chance.randint(2, 4)
        labels += [
            RoundLabel(unit, unit, "depth", rater, str(base - (rater == 0)))
            for rater in chance.sample(range(5), 2)
        ]
    result = severity(labels, ORDER)
    assert result.spread.value == pytest.approx(1.0)
    assert result.raters[0].difference.value == pytest.approx(-1.0)


@drawn_from(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(0, 2), st.sampled_from("12345")),
        max_size=40,
        unique_by=lambda row: row[:3],
    )
)
def test_any_design_is_the_least_squares_of_units_and_raters(rows: list[tuple[int, int, int, str]]) -> None:
    """Units in pairs make a conversation; each has two criteria or three."""
    result = severity(
        [
            RoundLabel(unit // 2, unit, f"c{criterion}", rater, label)
            for unit, rater, criterion, label in rows
        ],
        {f"c{i}": ORDER["depth"] for i in range(3)},
    )
    panels: dict[tuple[int, int], dict[int, int]] = {}
    for unit, rater, criterion, label in rows:
        panels.setdefault((unit, criterion), {})[rater] = int(label)
    shared = {key: panel for key, panel in panels.items() if len(panel) > 1}
    assert set(result.raters) == {rater for _, rater, _, _ in rows}
    for rater, rater_level in result.raters.items():
        apart = [
            panel[rater] - (sum(panel.values()) - panel[rater]) / (len(panel) - 1)
            for panel in shared.values()
            if rater in panel
        ]
        assert rater_level.labels == len(apart) and rater_level.difference.value == (
            pytest.approx(sum(apart) / len(apart)) if apart else None
        )
        assert rater_level.difference.conversations == len(
            {unit // 2 for (unit, _), panel in shared.items() if rater in panel}
        )
    raters = sorted({rater for panel in shared.values() for rater in panel})
    if result.spread.value is None:
        assert result.spread.undefined == (APART if raters else NOBODY)
        return
    design = [
        [float(key == at) for at in shared] + [float(rater == at) for at in raters]
        for key, panel in shared.items()
        for rater in panel
    ]
    effects = np.linalg.lstsq(
        np.array(design),
        np.array([level for panel in shared.values() for level in panel.values()], dtype=float),
        rcond=None,
    )[0]
    assert result.spread.value == pytest.approx(np.ptp(effects[len(shared) :]), abs=1e-9)
    assert result.spread.n == sum(map(len, shared.values()))


def test_half_a_level_is_not_more_than_half_a_level() -> None:
    assert not severity(given({1: ["4", "3"], 2: ["3", "3"]}), ORDER).far_apart
    assert severity(given({1: ["4", "4", "3"], 2: ["3", "3", "3"]}), ORDER).far_apart


def test_what_has_no_place_in_the_order_is_left_out() -> None:
    found = severity(given({1: ["4", "NA", "5", None], 2: ["3", "3", "NA", "2"]}), ORDER)
    assert (found.raters[1].labels, found.raters[1].difference.value) == (1, 1.0)
    assert severity([RoundLabel(1, 1, "other", rater, "4") for rater in (1, 2)], ORDER).raters == {}


def test_criteria_are_held_apart() -> None:
    labels = [*given({1: ["5"]}, "depth"), *given({2: ["1"]}, "warmth")]
    found = severity(labels, {"depth": ORDER["depth"], "warmth": ORDER["depth"]})
    assert (found.spread.value, found.spread.undefined) == (None, NOBODY)


def test_where_it_cannot_be_estimated_there_is_a_reason() -> None:
    alone = severity(given({1: ["4", "4"]}), ORDER)
    assert (
        alone.raters[1].labels,
        alone.raters[1].mean,
        alone.raters[1].difference.undefined,
        alone.spread.undefined,
    ) == (0, None, ALONE, NOBODY)
    assert severity([], ORDER).spread.undefined == NOBODY
    groups = severity(given({1: ["4", "-"], 2: ["3", "-"], 3: ["-", "2"], 4: ["-", "1"]}), ORDER)
    assert (groups.spread.value, groups.spread.undefined, groups.far_apart) == (None, APART, False)
    assert groups.raters[3].difference.value == 1.0


def test_on_a_nominal_scale_it_is_the_share_of_the_failing_label() -> None:
    scale = Scale.model_validate(
        {
            "kind": "nominal",
            "levels": [
                {"id": "YES", "name": "Yes", "key": "y", "value": 1},
                {"id": "NO", "name": "No", "key": "n", "value": 0},
            ],
            "not_applicable": {"id": "NA", "name": "Does not apply", "key": "a"},
        }
    )
    assert (failing(scale), order(scale)) == ({"YES": 0, "NO": 1}, {})
    result = severity(
        given({1: ["NO", "NO", "YES", "NA"], 2: ["NO", "YES", "YES", "NO"]}), {"depth": failing(scale)}
    )
    assert (
        result.raters[1].mean,
        result.raters[1].others,
        result.raters[1].difference.value,
    ) == pytest.approx((2 / 3, 1 / 3, 1 / 3))


def test_three_experts_who_rated_everything_differ_by_their_means(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        where, criterion = units.conversations_of(connection, study.id), study.instrument.criteria[0]
        labels = [
            RoundLabel(where[label.unit_id], label.unit_id, label.criterion, label.who, label.label)
            for label in agreement_labels.human_labels(connection, study.id, "blind", criterion=criterion.id)
        ]
    values = order(study.instrument.scale_of(criterion))
    result = severity(labels, {criterion.id: values})
    means = {
        rater: [values[str(label.label)] for label in labels if label.rater == rater]
        for rater in result.raters
    }
    assert {len(row) for row in means.values()} == {50}
    each = [sum(row) / 50 for row in means.values()]
    assert result.spread.value == pytest.approx(max(each) - min(each))
    assert sum(rater_level.difference.value or 0 for rater_level in result.raters.values()) == pytest.approx(
        0
    )
