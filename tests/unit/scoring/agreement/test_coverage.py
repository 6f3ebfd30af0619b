"""How often the interval holds the true value, simulated: labels in conversations, 12 each, of two sides that
agree better in some conversations.

The other side differs with the chance logistic(-1 + 1.2 z), z normal, one z a conversation. What is
true is the value of one sample of 200,000 conversations. Each figure is of 600 samples, so it is right to
about .02.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from scipy.special import expit, ndtri

from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.spread import of_pairs
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.safety.safety import safety
from scoring.agreement.verdicts.criterion_agreement import compare_judge_with_colleagues
from scoring.arrays import Array, IntArray
from tests.studies.simulated_judges import StudyPlan, exchangeable, simulate_study

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.slow]
RUNS, LABELS, EFFECT, MANY, SEED = 600, 12, 1.2, 200_000, 2026
Draw = Callable[[np.random.Generator, tuple[float, ...], int], tuple[IntArray, IntArray]]


def wrong_in_some(
    chance: np.random.Generator, shares: tuple[float, ...], conversations: int
) -> tuple[IntArray, IntArray]:
    """Labels fall alike in every conversation; how often the other side differs is the conversation's."""
    k, shape = len(shares), (conversations, LABELS)
    wrong = expit(-1 + EFFECT * chance.standard_normal((conversations, 1)))
    first = chance.choice(k, p=shares, size=shape)
    return first, np.where(chance.random(shape) < wrong, (first + chance.integers(1, k, shape)) % k, first)


def rare_in_some(
    chance: np.random.Generator, shares: tuple[float, ...], conversations: int
) -> tuple[IntArray, IntArray]:
    """Rare labels come together in few conversations: both sides read one hidden amount of each label with an
    error of their own.
    """
    shape = (conversations, LABELS)
    hidden = EFFECT * chance.standard_normal((conversations, 1)) + chance.standard_normal(shape)
    cuts = np.sqrt(EFFECT**2 + 1 + 0.7**2) * ndtri(np.cumsum(shares)[:-1])
    first, second = (np.searchsorted(cuts, hidden + 0.7 * chance.standard_normal(shape)) for _ in range(2))
    return first, second


def tables(first: IntArray, second: IntArray, k: int, of_labels: bool = False) -> Array:
    """One table a conversation; or, as if labels were independent, one a label."""
    count = first.size if of_labels else len(first)
    place = np.arange(first.size) // (1 if of_labels else LABELS)
    return (
        np.bincount(place * k * k + first.ravel() * k + second.ravel(), minlength=count * k * k)
        .astype(float)
        .reshape(count, k, k)
    )


@dataclass(frozen=True)
class Scenario:
    shares: tuple[float, ...]
    conversations: int
    draw: Draw = wrong_in_some

    def statistics(self) -> dict[str, tuple[Statistic, Callable[[Array], Array]]]:
        k = len(self.shares)
        made: dict[str, tuple[Statistic, Callable[[Array], Array]]] = {
            "kappa": (cohen("none", k), lambda counts: counts),
            "quadratic kappa": (cohen("quadratic", k), lambda counts: counts),
            "AC1": (gwet("none", tuple(map(float, range(k)))), of_pairs),
        }
        return (
            made if k > 2 else {name: one for name, one in made.items() if name != "quadratic kappa"}
        )  # on two labels the same as kappa


BALANCED_15, BALANCED_150 = Scenario((1 / 3,) * 3, 15), Scenario((1 / 3,) * 3, 150)
TOP_15, YES_150 = Scenario((0.05, 0.10, 0.85), 15), Scenario((0.05, 0.95), 150)
RARE_15, RARE_150 = Scenario((0.05, 0.95), 15, rare_in_some), Scenario((0.05, 0.95), 150, rare_in_some)


@cache
def coverage(scenario: Scenario) -> dict[tuple[str, str], float]:
    """By statistic and by what is left out, "conversation" or "label". A sample without an interval says
    nothing false, and is not counted; in how many of 1 there was one stands beside it, by "printed".
    """
    chance, k = np.random.default_rng(SEED), len(scenario.shares)
    statistics = scenario.statistics()
    truth = tables(*scenario.draw(chance, scenario.shares, MANY), k).sum(axis=0)
    held: dict[tuple[str, str], list[bool]] = {
        (name, by): [] for name in statistics for by in ("conversation", "label")
    }
    true = {name: float(statistic.of(counts(truth))) for name, (statistic, counts) in statistics.items()}
    for _ in range(RUNS):
        first, second = scenario.draw(chance, scenario.shares, scenario.conversations)
        for by in ("conversation", "label"):
            sample = tables(first, second, k, by == "label")
            for name, (statistic, counts) in statistics.items():
                estimate = jackknife(statistic, counts(sample), first.size)
                if estimate.low is not None and estimate.high is not None:
                    held[name, by].append(estimate.low <= true[name] <= estimate.high)
    coverage_of = {key: sum(samples) / len(samples) for key, samples in held.items()}
    return coverage_of | {(name, "printed"): len(held[name, "conversation"]) / RUNS for name in statistics}


@pytest.mark.parametrize(
    "scenario",
    [BALANCED_15, BALANCED_150, TOP_15, YES_150],
    ids=["balanced 15", "balanced 150", "85 % top 15", "95 % yes 150"],
)
def test_leaving_out_conversations_holds_the_true_value_in_about_95_of_100(scenario: Scenario) -> None:
    found = {name: share for (name, by), share in coverage(scenario).items() if by == "conversation"}
    assert all(0.92 <= share <= 0.97 for share in found.values()), found


@pytest.mark.parametrize(
    "scenario",
    [BALANCED_15, BALANCED_150, TOP_15, YES_150],
    ids=["balanced 15", "balanced 150", "85 % top 15", "95 % yes 150"],
)
def test_leaving_out_single_labels_would_not(scenario: Scenario) -> None:
    found = {name: share for (name, by), share in coverage(scenario).items() if by == "label"}
    assert all(share < 0.9 for share in found.values()), found


def test_where_the_rare_label_lies_in_few_of_few_conversations_there_is_no_interval_and_where_there_is_one_it_holds() -> (
    None
):
    """.88 is what the limits without their rule of rare labels reach with 15 conversations, printed in every
    sample.
    """
    few, many = coverage(RARE_15), coverage(RARE_150)
    for name in ("kappa", "AC1"):
        assert few[name, "conversation"] >= 0.92 and few[name, "printed"] < 0.6, few
        assert 0.92 <= many[name, "conversation"] <= 0.97 and many[name, "printed"] == 1, many


def test_an_interval_is_withheld_for_a_rare_label_alone() -> None:
    for scenario in (BALANCED_15, BALANCED_150, TOP_15, YES_150):
        assert all(share > 0.97 for (_, by), share in coverage(scenario).items() if by == "printed")


@pytest.mark.parametrize(("failures", "conversations"), [(0.02, 50), (0.05, 50), (0.05, 100), (0.20, 50)])
def test_one_label_a_conversation_and_rare_failures(failures: float, conversations: int) -> None:
    """The judge is one more clinician, so that every difference is truly 0 and both kappas are the one of the
    chances planted. Without a rule for rare labels the limits of kappa held it in .61 at 2 % and .81 at 5 %
    of 50 conversations. Each figure is right to about .02.
    """
    plan, runs = StudyPlan(conversations, failures, gate=True), 400
    agreed = failures * _alike(plan.seen) + (1 - failures) * _alike(plan.false)
    chance = _alike(failures * plan.seen + (1 - failures) * plan.false)
    true = {
        "kappa of the judge": (agreed - chance) / (1 - chance),
        "difference of kappa": 0.0,
        "difference of the same label": 0.0,
        "difference of failures seen": 0.0,
    }
    held: dict[str, list[bool]] = {name: [] for name in true}
    for seed in range(runs):
        material = simulate_study(plan, exchangeable, seed)
        same_label, kappa = compare_judge_with_colleagues(material, 0)
        estimates = (
            kappa.judge,
            kappa.difference,
            same_label.difference,
            safety(material, [0]).colleague.difference,
        )
        for (name, value), estimate in zip(true.items(), estimates, strict=True):
            if estimate.low is not None and estimate.high is not None:
                held[name].append(estimate.low <= value <= estimate.high)
    shares = {name: sum(samples) / len(samples) for name, samples in held.items() if len(samples) > runs / 4}
    assert shares and all(share >= 0.92 for share in shares.values()), shares


def _alike(seen: float) -> float:
    """How often two who see it with this chance say the same of it."""
    return seen**2 + (1 - seen) ** 2
