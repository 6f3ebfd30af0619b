"""Step-F1 at other thresholds: the same as matching at each of them, and its mean with an interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.step_f1 import calculate_step_f1
from scoring.step_thresholds import THRESHOLDS, f1_by_threshold, mean_f1

WORDS = st.sampled_from(["She", "asks", "calmly", "about", "sleep", "plan", "risk", "today"])
STEPS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), min_size=1, max_size=7)


@given(STEPS, STEPS)
def test_it_is_what_matching_gives_at_each_threshold(model: list[str], gold: list[str]) -> None:
    assert f1_by_threshold(model, gold) == [
        calculate_step_f1(model, gold, threshold) for threshold in THRESHOLDS
    ]


@given(STEPS, STEPS)
def test_it_never_rises_with_the_threshold(model: list[str], gold: list[str]) -> None:
    f1 = f1_by_threshold(model, gold)
    assert f1 is not None and f1 == sorted(f1, reverse=True)


def test_the_threshold_in_use_is_among_them_to_the_last_digit() -> None:
    assert 0.6 in THRESHOLDS and (THRESHOLDS[0], THRESHOLDS[-1]) == (0.3, 0.9)
    model, gold = ["a b c d e"], ["a b c x y"]  # 2 * 3 / 10
    f1 = f1_by_threshold(model, gold)
    assert f1 is not None
    assert dict(zip(THRESHOLDS, f1, strict=True))[0.6] == 1.0
    assert dict(zip(THRESHOLDS, f1, strict=True))[0.65] == 0.0


@pytest.mark.parametrize(("model", "gold"), [([], ["a step"]), (["a step"], []), ([], [])])
def test_without_steps_there_is_none(model: list[str], gold: list[str]) -> None:
    assert f1_by_threshold(model, gold) is None


def test_the_mean_leaves_out_persons_and_stays_between_0_and_1() -> None:
    f1 = np.array([[0.9, 0.1], [0.8, 0.1], [1.0, 0.1]])
    each = mean_f1(f1, np.array([0, 1, 2]))
    assert each[0].value == pytest.approx(0.9)
    # By hand: the values without each are .9, .95, .85; error sqrt(2/3 * .005), t(2) = 4.3027
    half = 4.302652729911275 * np.sqrt(2 / 3 * 0.005)
    assert each[0].low == pytest.approx(0.9 - half) and each[0].high == 1.0
    assert each[1].low is None and each[1].no_interval is not None
    pooled = mean_f1(f1, np.array([0, 0, 1]))
    assert pooled[0].conversations == 2 and pooled[0].low != each[0].low


def test_one_conversation_has_a_mean_and_no_interval() -> None:
    estimate = mean_f1(np.array([[0.4]]), np.array([0]))[0]
    assert (estimate.value, estimate.low) == (0.4, None) and estimate.no_interval
