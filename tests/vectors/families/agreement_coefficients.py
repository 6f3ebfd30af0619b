"""Coefficients of any number of raters, their intervals over conversations, and "does not apply" taken
apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.agreement.coefficients.brennan_prediger import brennan_prediger
from scoring.agreement.coefficients.conger import conger, habits
from scoring.agreement.coefficients.fleiss import fleiss
from scoring.agreement.coefficients.gwet import gwet
from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.krippendorff import coincidences, krippendorff
from scoring.agreement.coefficients.multirater_percent import AGREEING
from scoring.agreement.coefficients.prevalence import BIAS, PREVALENCE
from scoring.agreement.coefficients.scott import SCOTT
from scoring.agreement.coefficients.spread import by_unit
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.labels.applicability import separate
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import LabelPairs, pair_raters, pair_with_judge
from scoring.arrays import Array
from scoring.rubric import coaching_rubric, score
from tests.studies.label_rows import from_rows
from tests.vectors.families.values import has_reason, value_of
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, plain

DOMAIN = ("YES", "NO", "NA")
ROUNDING = 1e-12
KINDS = ("none", "linear", "quadratic", "ordinal")
SPREADS: dict[str, Callable[..., Statistic]] = {
    "ac": gwet,
    "bp": brennan_prediger,
    "pabak": brennan_prediger,
    "fleiss_gwet": fleiss,
    "fleiss": fleiss,
}


def labels_of(case: dict[str, Any]) -> Labels:
    categories = case["categories"]
    values = (
        [float(one) for one in categories]
        if all(isinstance(one, int | float) for one in categories)
        else None
    )
    return from_rows(case["ratings"], categories, case.get("clusters"), values)


def statistic(name: str, labels: Labels, raters: int) -> tuple[Statistic, Array]:
    """The product's statistic of that name, and its counts by part."""
    base, _, suffix = name.rpartition("_")
    kind: Any = suffix if suffix in KINDS[1:] else "none"
    base = base if kind != "none" else name
    scale = tuple(float(level) for level in labels.scale)
    units = labels.units
    if name.startswith("alpha_"):
        return krippendorff(name.removeprefix("alpha_"), scale), units.by_part(coincidences(units))
    if name == "percent_agreement":
        return AGREEING, units.by_part(by_unit(units))
    if base == "conger":
        return conger(kind, scale), habits(labels, range(raters))
    if base in ("ac1", "ac2"):
        base = "ac"
    if base in SPREADS:
        return SPREADS[base](kind, scale), units.by_part(by_unit(units))
    tables = pair_raters(labels).by_part() if len(labels) else np.zeros((0, len(scale), len(scale)))
    return {
        "cohen": cohen(kind, len(scale)),
        "scott": SCOTT,
        "prevalence_index": PREVALENCE,
        "bias_index": BIAS,
    }[base], tables


def coefficients(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    labels = labels_of(case)
    raters = len(case.get("raters") or (case["ratings"][0] if case["ratings"] else ()))
    for name, expected in case["expected"].items():
        compare_coefficient(
            f"{case['id']} {name}", tally, jackknife(*statistic(name, labels, raters), len(labels)), expected
        )
    for name, figure in (case.get("published") or TrackedDict({})).items():
        found = jackknife(*statistic(name, labels, raters), len(labels))
        tally.published(f"{case['id']} {name} as published", found.value, figure)


def compare_coefficient(where: str, tally: Tally, found: Estimate, expected: Any) -> None:
    value = value_of(expected)
    tally.number(where, found.value, value)
    if value is None:
        has_reason(where, tally, found)


def clustered(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    labels = labels_of(case)
    if "n_clusters" in case:
        tally.same(f"{case['id']} clusters", len(set(labels.units.part.tolist())), case["n_clusters"])
    for name, expected in case["expected"].items():
        measure, counts = statistic(name, labels, len(case["ratings"][0]))
        # Tukey's symmetric interval; the product prints others, of the same standard error (limits.py).
        estimate, where = (
            jackknife(replace(measure, kind="amount", rarity=None), counts, len(labels)),
            f"{case['id']} {name}",
        )
        compare_coefficient(where, tally, estimate, expected)
        compare_interval(where, tally, estimate, measure.low, expected)


def compare_interval(
    where: str, tally: Tally, estimate: Estimate, lowest: float, expected: TrackedDict
) -> None:
    """Standard error, degrees of freedom and the two limits. No coefficient passes 1 or the lowest it can
    reach, where others do."""
    limits, error, df = (expected.get(name) for name in ("ci95_t", "jackknife_se", "df"))
    if "df" in expected:
        tally.same(f"{where} conversations", estimate.conversations, None if df is None else df + 1)
    if error is not None and error < ROUNDING:
        # All conversations show the same: an interval of no width, which the product does not print.
        tally.same(f"{where} has no standard error", estimate.error, None)
        if limits is not None:
            tally.numbers(f"{where} the interval has no width", limits, [expected["value"]] * 2)
        return
    if "jackknife_se" in expected:
        tally.number(f"{where} standard error", estimate.error, error)
    if limits is None:
        tally.number(f"{where} low", estimate.low, None)
        tally.same(f"{where} has a reason", bool(estimate.no_interval or estimate.undefined), True)
    else:
        tally.numbers(
            f"{where} interval", [estimate.low, estimate.high], [max(limits[0], lowest), min(limits[1], 1.0)]
        )


def na_policy(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    name, rows, criterion = case["id"], plain(case["rows"]), case["criterion"]
    rated = [row for row in rows if row["human"] is not None]
    both = [row for row in rated if row["judge"] in DOMAIN]
    expected = case["expected"]
    tally.same(f"{name} rows", len(rows), expected["n_rows"])
    tally.same(f"{name} not rated", len(rows) - len(rated), expected["n_human_missing"])
    tally.same(f"{name} failures", sum(row["judge"] == "ERROR" for row in rows), expected["n_judge_error"])
    tally.same(f"{name} both", len(both), expected["n_both_rated"])
    pairs = pair_with_judge(
        from_rows([[row["human"]] for row in both], DOMAIN),
        from_rows([[row["judge"]] for row in both], DOMAIN),
    )
    structural = expected["structural_na"]
    threshold = next(
        (entry.minimum_turns for entry in coaching_rubric().criteria if entry.id == criterion), None
    )
    tally.same(f"{name} fewest turns", threshold, structural["threshold_turns"])
    forced = np.array([threshold is not None and row["turns"] < threshold for row in both], dtype=bool)
    separation = separate(pairs, forced, "NA")
    tally.same(f"{name} by rule", separation.forced, structural["n"])
    tally.same(
        f"{name} against the rule",
        (separation.first_against, separation.second_against),
        (structural["human_rule_violations"], structural["judge_rule_violations"]),
    )
    for part, some in (
        ("three_category_naive_all", pairs),
        ("three_category_excluding_structural", separation.free),
        ("applicability", separation.applies),
        ("verdict_given_both_applicable", separation.verdict),
    ):
        compare_table(f"{name} {part}", some, expected[part], tally)
    if "invalid_na" in expected:
        invalid = {
            "human": sum(row["human"] == "NA" for row in both),
            "judge": sum(row["judge"] == "NA" for row in both),
        }
        tally.same(f"{name} invalid", invalid, expected["invalid_na"])
    if "scored_failure_table" in expected:
        compare_failures(f"{name} failures", criterion, rated, expected["scored_failure_table"], tally)


def compare_failures(
    where: str, criterion: str, rows: list[dict[str, Any]], expected: TrackedDict, tally: Tally
) -> None:
    """Failures as the rubric counts them, the clinician's beside the judge's."""

    def fails(label: str) -> bool:
        return criterion in score({criterion: label}, missing="left_out").failed_checks

    counts = Counter((fails(row["human"]), fails(row["judge"])) for row in rows if row["judge"] is not None)
    for name, cell in (
        ("tp", (True, True)),
        ("fn", (True, False)),
        ("fp", (False, True)),
        ("tn", (False, False)),
    ):
        tally.same(f"{where} {name}", counts[cell], expected[name])


def compare_table(where: str, pairs: LabelPairs, expected: TrackedDict, tally: Tally) -> None:
    tally.same(f"{where} n", len(pairs), expected["n"])
    if "table_rows_human_cols_judge" in expected:
        tally.same(f"{where} table", pairs.table().tolist(), expected["table_rows_human_cols_judge"])
    labels = from_rows(
        [[pairs.domain[a], pairs.domain[b]] for a, b in zip(pairs.first, pairs.second, strict=True)],
        pairs.domain,
    )
    for name in ("percent_agreement", "cohen", "ac1", "alpha_nominal"):
        if name in expected:
            estimate = jackknife(*statistic(name, labels, 2), len(labels))
            compare_coefficient(f"{where} {name}", tally, estimate, expected[name])
    if expected.get("undefined") is not None:
        has_reason(where, tally, jackknife(*statistic("percent_agreement", labels, 2), len(labels)))


COMPARERS = {
    "agreement_coefficients": coefficients,
    "agreement_cluster": clustered,
    "agreement_na_policy": na_policy,
}
