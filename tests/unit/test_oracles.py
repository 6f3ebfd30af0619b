"""A number is right or it does not exist: every coefficient that a report can print is computed here a second
time by independent means, and one without such an oracle fails; every interval too; and every metric names
the vectors, or the test with a published or independent value, that hold it to its definition.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
from collections.abc import Callable, Mapping
from typing import Literal

import krippendorff
import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from runs.scoring.registry import names_of_our_numbers
from scoring.agreement.intervals import limits, proportions
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.verdicts.criterion_agreement import VERDICT_ALPHA, compare_people, compare_with_judge
from scoring.arrays import Array, IntArray
from tests.unit.scoring.agreement.materials import material
from tests.vectors.stated import read_stated

UNITS, RATERS = 60, 3

# -- coefficients -----------------------------------------------------------------------------------------


def weights(scale: Array, kind: str) -> Array:
    """(k, k): 1 for the same label, 0 for the two ends of the scale."""
    distance = np.abs(np.subtract.outer(scale, scale)) / np.ptp(scale)
    return np.asarray(
        {"none": np.eye(len(scale)), "linear": 1 - distance, "quadratic": 1 - distance**2}[kind]
    )


def agreeing(codes: IntArray, weight: Array) -> float:
    """Mean weight over units and pairs of raters. `codes` (U, R)."""
    pairs = itertools.combinations(range(codes.shape[1]), 2)
    return float(np.mean([weight[codes[:, a], codes[:, b]] for a, b in pairs]))


def gwet(codes: IntArray, scale: Array, kind: str) -> float:
    """Gwet 2014, with chance from how often labels are used: T (k (k - 1))^-1 sum q (1 - q)."""
    weight, k = weights(scale, kind), len(scale)
    used = np.array([(codes == code).mean() for code in range(k)])
    chance = weight.sum() / (k * (k - 1)) * (used * (1 - used)).sum()
    return float((agreeing(codes, weight) - chance) / (1 - chance))


def conger(codes: IntArray, scale: Array) -> float:
    """Conger 1980: chance from the habits of every two raters."""
    k = len(scale)
    habits = np.array(
        [[(codes[:, rater] == code).mean() for code in range(k)] for rater in range(codes.shape[1])]
    )
    chance = np.mean([habits[a] @ habits[b] for a, b in itertools.combinations(range(len(habits)), 2)])
    return float((agreeing(codes, np.eye(k)) - chance) / (1 - chance))


def alpha(level: Literal["nominal", "ordinal", "interval"]) -> Callable[[IntArray, Array], float]:
    """A code beyond the scale is a label that is not there."""

    def of(codes: IntArray, scale: Array) -> float:
        values = np.append(scale, np.nan)[np.minimum(codes, len(scale))]
        return float(krippendorff.alpha(values.T, value_domain=scale.tolist(), level_of_measurement=level))

    return of


def fleiss(codes: IntArray, scale: Array) -> float:
    return float(fleiss_kappa(aggregate_raters(codes, n_cat=len(scale))[0], method="fleiss"))


def cohen(kind: str | None) -> Callable[[IntArray, Array], float]:
    return lambda codes, scale: float(
        cohen_kappa_score(codes[:, 0], codes[:, 1], labels=range(len(scale)), weights=kind)
    )


def pabak(codes: IntArray, scale: Array) -> float:
    k = len(scale)
    return (k * agreeing(codes, np.eye(k)) - 1) / (k - 1)


def prevalence(codes: IntArray, scale: Array) -> float:
    both = (codes == 0).all(axis=1).sum(), (codes == 1).all(axis=1).sum()
    return float(abs(int(both[0]) - int(both[1])) / len(codes))


def bias(codes: IntArray, scale: Array) -> float:
    return float(abs((codes[:, 0] == 0).mean() - (codes[:, 1] == 0).mean()))


Oracle = Callable[[IntArray, Array], float]
# Of codes (U, R) on a scale of k numbers: of a clinician and the judge, and of clinicians.
OF_TWO: dict[str, Oracle] = {
    "kappa": cohen(None),
    "linear kappa": cohen("linear"),
    "quadratic kappa": cohen("quadratic"),
    "AC1": lambda codes, scale: gwet(codes, scale, "none"),
    "AC2, linear": lambda codes, scale: gwet(codes, scale, "linear"),
    "AC2, quadratic": lambda codes, scale: gwet(codes, scale, "quadratic"),
    "Scott's pi": fleiss,  # of two raters it is the same
    "PABAK": pabak,
    "alpha, nominal": alpha("nominal"),
    "alpha, ordinal": alpha("ordinal"),
    "alpha, interval": alpha("interval"),
    "prevalence index": prevalence,
    "bias index": bias,
}
OF_MANY: dict[str, Oracle] = {
    "percent agreement": lambda codes, scale: agreeing(codes, np.eye(len(scale))),
    "AC1": OF_TWO["AC1"],
    "AC2, quadratic": OF_TWO["AC2, quadratic"],
    "Fleiss' kappa": fleiss,
    "Conger's kappa": conger,
    "alpha, nominal": alpha("nominal"),
    VERDICT_ALPHA: alpha("nominal"),
    "alpha, ordinal": alpha("ordinal"),
    "alpha, interval": alpha("interval"),
}


def draw_study(seed: int) -> tuple[LabelData, dict[int, IntArray]]:
    """Labels on every criterion of the instrument, some of them "does not apply" where that can be said, and
    by question the codes (U, R) of clinicians, with those of the judge in the last column.
    """
    generator = np.random.default_rng(seed)
    people, judge, codes = [], [], {}
    for number, question in enumerate(material().questions):
        shape = (UNITS, RATERS + 1)
        truth = np.repeat(generator.integers(0, len(question.levels), UNITS)[:, None], RATERS + 1, axis=1)
        drawn = np.where(
            generator.random(shape) < 0.6, truth, generator.integers(0, len(question.domain), shape)
        )
        codes[number] = drawn
        for unit, row in enumerate(drawn.tolist(), start=1):
            labels = [question.domain[code] for code in row]
            people += [(question.id, unit, rater, label) for rater, label in enumerate(labels[:-1])]
            judge.append((question.id, unit, labels[-1]))
    return material(people, judge), codes


def check(
    printed: Mapping[str, Estimate],
    oracles: Mapping[str, Oracle],
    codes: IntArray,
    scales: Mapping[str, Array],
) -> set[str]:
    """`scales`: by coefficient; by default that of ""."""
    unknown = set(printed) - set(oracles)
    assert not unknown, f"no oracle for {sorted(unknown)}: nothing without one may reach a report"
    for name, estimate in printed.items():
        expected = oracles[name](codes, scales.get(name, scales[""]))
        assert estimate.value == pytest.approx(expected, abs=1e-9), name
    return set(printed)


@pytest.mark.parametrize("seed", range(3))
def test_every_coefficient_of_judge_and_clinician_is_that_of_its_oracle(seed: int) -> None:
    data, codes = draw_study(seed)
    covered = set()
    for number, question in enumerate(data.questions):
        for rater in range(RATERS):
            agreement = compare_with_judge(data.narrow_to(rater=rater), number)
            two = codes[number][:, [rater, RATERS]]
            assert agreement.percent.value == pytest.approx((two[:, 0] == two[:, 1]).mean())
            both_apply = two[(two < len(question.levels)).all(axis=1)]
            covered |= check(agreement.coefficients, OF_TWO, both_apply, {"": np.array(question.scale)})
            whole = {"": np.arange(float(len(question.domain)))}
            check(agreement.whole_scale, OF_TWO, two, whole)
            if question.not_applicable is not None and agreement.applies:
                applies = (two == len(question.levels)).astype(np.int64)
                check(agreement.applies, OF_TWO, applies, {"": np.arange(2.0)})
    assert covered == set(OF_TWO)


@pytest.mark.parametrize("seed", range(3))
def test_every_coefficient_of_clinicians_is_that_of_its_oracle(seed: int) -> None:
    data, codes = draw_study(seed)
    covered = set()
    for number, question in enumerate(data.questions):
        levels = np.array(question.scale)
        scales = {"": np.arange(float(len(question.domain)))}
        scales |= {
            name: levels
            for name in OF_MANY
            if name == VERDICT_ALPHA or ("alpha, n" not in name and ", " in name)
        }
        covered |= check(compare_people(data, number).coefficients, OF_MANY, codes[number][:, :-1], scales)
    assert covered == set(OF_MANY)


# -- intervals --------------------------------------------------------------------------------------------


def t_interval(value: float, error: float, df: float) -> tuple[float, float]:
    low, high = scipy.stats.t.interval(0.95, df, loc=value, scale=error)
    return float(low), float(high)


def korn_graubard(share: float, error: float, conversations: int, most: float) -> tuple[float, float]:
    """Korn and Graubard 1998, with the beta quantiles of SciPy."""
    wider = scipy.stats.t.ppf(0.975, most - 1) / scipy.stats.t.ppf(0.975, conversations - 1)
    n = min(most, share * (1 - share) / error**2 * wider**2)
    k = share * n
    return float(scipy.stats.beta.ppf(0.025, k, n - k + 1)), float(scipy.stats.beta.ppf(0.975, k + 1, n - k))


def test_every_interval_is_that_of_its_oracle() -> None:
    exact, score = (
        {(k, n): proportion_confint(k, n, method=method) for k, n in ((0, 9), (3, 17), (40, 41), (8, 8))}
        for method in ("beta", "wilson")
    )
    fisher = tuple(np.tanh(t_interval(float(np.arctanh(0.4)), 0.1 / (1 - 0.4**2), 12)))
    checked: dict[Callable[..., object], list[tuple[object, object]]] = {
        limits.symmetric: [(limits.symmetric(0.3, 0.1, 7), t_interval(0.3, 0.1, 7))],
        limits.fisher: [(limits.fisher(0.4, 0.1, 12), fisher)],
        limits.korn_graubard: [(limits.korn_graubard(0.2, 0.04, 30, 90), korn_graubard(0.2, 0.04, 30, 90))],
        limits.at_least: [(limits.at_least(*counts), low) for counts, (low, _) in exact.items()],
        limits.at_most: [(limits.at_most(*counts), high) for counts, (_, high) in exact.items()],
        proportions.clopper_pearson: [
            ((estimate.low, estimate.high), expected)
            for counts, expected in exact.items()
            for estimate in (proportions.clopper_pearson(*counts),)
        ],
        proportions.wilson: [
            ((estimate.low, estimate.high), expected)
            for counts, expected in score.items()
            for estimate in (proportions.wilson(*counts),)
        ],
        proportions.wilson_half_width: [
            (proportions.wilson_half_width(3 / 17, 17), (score[3, 17][1] - score[3, 17][0]) / 2)
        ],
        proportions.at_most: [(proportions.at_most(3, 17), scipy.stats.beta.ppf(0.95, 4, 14))],
    }
    for pairs in checked.values():
        for ours, expected in pairs:
            assert ours == pytest.approx(expected, abs=1e-9)
    public = {
        function
        for module in (limits, proportions)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and function.__module__ == module.__name__
    }
    assert public == set(checked)


# -- metrics ----------------------------------------------------------------------------------------------

# By the name of a number: files of vectors whose values it is compared with, or tests with a published or
# independent value.
BERT = "unit/scoring/models/test_response_similarity.py::test_the_values_of_a_fixed_pair_stay"
GRID = "unit/scoring/test_step_thresholds.py::test_it_is_what_matching_gives_at_each_threshold"
RECOGNISED = "unit/scoring/test_entity_recall.py::test_with_a_recogniser_the_curve_is_that_of_its_entities"
METRICS: dict[str, tuple[str, ...]] = {
    "alignment_mean": ("alignment_experiment",),
    "bertscore_f1": (BERT,),
    "bertscore_precision": (BERT,),
    "bertscore_recall": (BERT,),
    "entity_recall": ("entity_match", "entity_recall_sets"),
    "entity_recall_average_slope": ("alignment_curve_average",),
    "entity_recall_slope": ("drift_slope",),
    "extracted_entity_recall": ("entity_match", "entity_recall_sets", RECOGNISED),
    "extracted_entity_recall_average_slope": ("alignment_curve_average",),
    "extracted_entity_recall_slope": ("drift_slope",),
    "faithfulness_gap": (
        "diagnosis_match",
        "unit/scoring/test_faithfulness_reading.py::test_the_interval_is_newcombes",
    ),
    "goal_alignment": ("alignment_curve_texts", "alignment_sbert"),
    "goal_alignment_average_slope": ("alignment_curve_average",),
    "goal_alignment_slope": ("drift_slope",),
    "jaccard_all": ("alignment_plan_consistency",),
    "jaccard_valid_only": ("alignment_plan_consistency",),
    "knowledge_conflict": ("clinical_actions", "knowledge_conflict"),
    "modal_set_agreement": ("alignment_plan_consistency",),
    "plan_alignment": ("alignment_experiment", "alignment_judge_reply_parsing", "alignment_plan_parsing"),
    "rubric_score": ("rubric_judge_reply", "rubric_scoring"),
    "silent_bias_rate": ("bias_mention", "silent_bias"),
    "step_f1": ("step_extraction", "step_f1", "step_f1_dice", "step_f1_normalise"),
    "step_f1_thresholds": ("step_f1", GRID),
    "step_validity": (
        "unit/scoring/test_step_validity.py::test_the_share_is_of_entailed_steps_and_the_others_are_named",
    ),
    "validity_rate": ("alignment_plan_consistency",),
}
GROUPS = {"paired_runs", "plan_experiment", "response_similarity"}  # names of several numbers, not of one


def test_every_metric_has_vectors_or_an_oracle() -> None:
    stated = read_stated()
    assert names_of_our_numbers() - {""} - GROUPS == set(METRICS), (
        "name the vectors or the test that hold a number to its definition"
    )
    for name, sources in METRICS.items():
        assert sources, name
        for source in sources:
            if "::" not in source:
                assert stated[source].compared > 0, source
                continue
            path, function = source.split("::")
            module = importlib.import_module(f"tests.{path.removesuffix('.py').replace('/', '.')}")
            assert callable(getattr(module, function)), source
