"""The sentence that Drift over runs opens with: what moves with the temperature, tested together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.record.run_summaries import RunCurve, RunSummary
from reports.drift.run_correlations import METRICS, comparable_runs, run_correlations
from reports.drift.run_tables import NO_RUNS, runs_headline
from tests.unit.reports.drift.test_run_tables import runs


def with_number(summaries: list[RunSummary], metric: str, effect: float) -> list[RunSummary]:
    draw = np.random.default_rng(11)
    return [
        replace(
            run,
            numbers={
                **run.numbers,
                metric: 0.5 + effect * (run.temperature or 0.0) + float(draw.normal(0, 0.02)),
            },
        )
        for run in summaries
    ]


def test_without_runs_it_says_so() -> None:
    assert runs_headline([]) == NO_RUNS


@pytest.mark.parametrize(
    ("effect", "sentence"),
    [
        (-0.3, "Alignment falls as the model's temperature setting rises."),
        (0.3, "Alignment rises as the model's temperature setting rises."),
        (0.0, "No change is clear as the model's temperature setting rises, over 300 runs."),
    ],
)
def test_what_was_planted_is_said_and_what_never_varies_claims_nothing(effect: float, sentence: str) -> None:
    assert runs_headline(runs(effect)) == sentence


def test_all_that_move_and_either_way() -> None:
    same = with_number(runs(-0.3), "bertscore_f1", -0.4)
    assert runs_headline(same) == (
        "Alignment and similarity of replies fall as the model's temperature setting rises."
    )
    other = with_number(runs(-0.3), "bertscore_f1", 0.4)
    assert runs_headline(other) == (
        "Alignment falls as the model's temperature setting rises; similarity of replies rises as the "
        "model's temperature setting rises."
    )


def test_a_number_is_named_by_the_p_that_holds_for_all_of_them() -> None:
    every = runs(0.0)
    for metric in METRICS:
        every = with_number(every, metric, 0.0)
    correlations = run_correlations(comparable_runs(every))
    assert len(correlations) == len(METRICS)
    assert all((found.corrected or 0) >= (found.rho.p or 0) for found in correlations)
    assert not [found for found in correlations if found.direction]


@pytest.mark.parametrize(
    ("some", "why"),
    [
        (
            [RunSummary("r", "table", "m", numbers={"jaccard_all": 0.5})],
            "no run has both a number",
        ),
        ([RunSummary("r", "table", "m", temperature=0.5)], "no run has both a number"),
        (
            [RunSummary("c", "curve", "fox", curve=RunCurve((1.0, 0.5), None))],
            "averages do not show how cases vary",
        ),
    ],
)
def test_what_cannot_be_told_says_why(some: list[RunSummary], why: str) -> None:
    assert why in runs_headline(some)
