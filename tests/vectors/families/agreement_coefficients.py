"""Coefficients of any number of raters, their intervals over conversations, and "does not apply" taken apart.

Left out: `se_unclustered`, the error if labels of one conversation were independent, which the product shows nowhere; and
`bootstrap_percentile_reference`, drawn at random by another program (tests/unit/scoring/agreement compares with it loosely).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scoring.agreement.agreeing import AGREEING
from scoring.agreement.applicability import separate
from scoring.agreement.brennan_prediger import brennan_prediger
from scoring.agreement.conger import conger, habits
from scoring.agreement.fleiss import fleiss
from scoring.agreement.gwet import gwet
from scoring.agreement.jackknife import Array, Statistic, jackknife
from scoring.agreement.kappa import cohen
from scoring.agreement.krippendorff import coincidences, krippendorff
from scoring.agreement.labels import Labels, from_rows
from scoring.agreement.pairs import Pairs, among, beside
from scoring.agreement.prevalence import BIAS, PREVALENCE
from scoring.agreement.scott import SCOTT
from scoring.agreement.spread import by_unit
from tests.vectors.tally import Tally

KINDS = ("none", "linear", "quadratic", "ordinal")
SPREADS: dict[str, Callable[..., Statistic]] = {"ac": gwet, "bp": brennan_prediger, "pabak": brennan_prediger, "fleiss_gwet": fleiss, "fleiss": fleiss}


def labels_of(case: dict[str, Any]) -> Labels:
    categories = case["categories"]
    values = [float(one) for one in categories] if all(isinstance(one, int | float) for one in categories) else None
    return from_rows(case["ratings"], categories, case.get("clusters"), values)


def statistic(name: str, labels: Labels, raters: int) -> tuple[Statistic, Array]:
    """The product's statistic of that name, and its counts by part."""
    base, _, suffix = name.rpartition("_")
    kind: Any = suffix if suffix in KINDS[1:] else "none"
    base = base if kind != "none" else name
    scale = tuple(float(one) for one in labels.scale)
    units = labels.units
    if name.startswith("alpha_"):
        return krippendorff(name.removeprefix("alpha_"), scale), units.by_part(coincidences(units))  # type: ignore[arg-type]
    if name == "percent_agreement":
        return AGREEING, units.by_part(by_unit(units))
    if base == "conger":
        return conger(kind, scale), habits(labels, range(raters))
    if base in ("ac1", "ac2"):
        base = "ac"
    if base in SPREADS:
        return SPREADS[base](kind, scale), units.by_part(by_unit(units))
    tables = among(labels).by_part() if len(labels) else np.zeros((0, len(scale), len(scale)))
    return {"cohen": cohen(kind, len(scale)), "scott": SCOTT, "prevalence_index": PREVALENCE, "bias_index": BIAS}[base], tables


def coefficients(case: dict[str, Any], tally: Tally, document: dict[str, Any]) -> None:
    labels = labels_of(case)
    raters = len(case.get("raters") or (case["ratings"][0] if case["ratings"] else ()))
    for name, expected in case["expected"].items():
        found = jackknife(*statistic(name, labels, raters), len(labels))
        where = f"{case['id']} {name}"
        if "undefined" in expected:
            tally.number(where, found.value, None)
            tally.same(f"{where} has a reason", bool(found.undefined), True)
        else:
            tally.number(where, found.value, expected["value"])


def clustered(case: dict[str, Any], tally: Tally, document: dict[str, Any]) -> None:
    labels = labels_of(case)
    for name, expected in case["expected"].items():
        found = jackknife(*statistic(name, labels, len(case["ratings"][0])), len(labels))
        where = f"{case['id']} {name}"
        tally.number(where, found.value, expected.get("value"))
        if "ci95_t" not in expected or expected["ci95_t"] is None:
            tally.number(f"{where} low", found.low, None)
            tally.same(f"{where} has a reason", bool(found.no_interval or found.undefined), True)
            continue
        low, high = expected["ci95_t"]
        tally.same(f"{where} conversations", found.conversations, expected["df"] + 1)
        tally.number(f"{where} low", found.low, max(low, statistic(name, labels, 2)[0].low))
        tally.number(f"{where} high", found.high, min(high, 1.0))  # no agreement passes 1
        if high <= 1:
            tally.number(f"{where} error", (high - low) / (found.high - found.low) * expected["jackknife_se"]  # type: ignore[operator]
                         if found.high is not None else None, expected["jackknife_se"])


def na_policy(case: dict[str, Any], tally: Tally, document: dict[str, Any]) -> None:
    name, expected, rows = case["id"], case["expected"], case["rows"]
    tally.same(f"{name} rows", len(rows), expected["n_rows"])
    rated = [row for row in rows if row["human"] is not None]
    tally.same(f"{name} not rated", len(rows) - len(rated), expected["n_human_missing"])
    tally.same(f"{name} failures", sum(row["judge"] == "ERROR" for row in rows), expected["n_judge_error"])
    domain = ("YES", "NO", "NA")
    both = [row for row in rated if row["judge"] in domain]
    tally.same(f"{name} both", len(both), expected["n_both_rated"])
    human = from_rows([[row["human"]] for row in both], domain)
    judge = from_rows([[row["judge"]] for row in both], domain)
    pairs = beside(human, judge)
    threshold = expected["structural_na"]["threshold_turns"]
    forced = np.array([threshold is not None and row["turns"] < threshold for row in both], dtype=bool)
    found = separate(pairs, forced, "NA")
    structural = expected["structural_na"]
    tally.same(f"{name} by rule", found.forced, structural["n"])
    tally.same(f"{name} against the rule", (found.first_against, found.second_against), (structural["human_rule_violations"], structural["judge_rule_violations"]))
    for part, some in (("three_category_naive_all", pairs), ("three_category_excluding_structural", found.free), ("applicability", found.applies),
                       ("verdict_given_both_applicable", found.verdict)):
        _table(f"{name} {part}", some, expected[part], tally)
    if "invalid_na" in expected:
        invalid = {"human": sum(row["human"] == "NA" for row in both), "judge": sum(row["judge"] == "NA" for row in both)}
        tally.same(f"{name} invalid", invalid, expected["invalid_na"])


def _table(where: str, pairs: Pairs, expected: dict[str, Any], tally: Tally) -> None:
    tally.same(f"{where} n", len(pairs), expected["n"])
    if not expected["n"]:
        return
    tally.same(f"{where} table", pairs.table().tolist(), expected["table_rows_human_cols_judge"])
    k = len(pairs.domain)
    labels = from_rows([[pairs.domain[a], pairs.domain[b]] for a, b in zip(pairs.first, pairs.second, strict=True)], pairs.domain)
    for name in ("percent_agreement", "cohen", "ac1", "alpha_nominal"):
        if name in expected:
            found = jackknife(*statistic(name, labels, 2), len(labels))
            wanted = expected[name]
            tally.number(f"{where} {name}", found.value, wanted if isinstance(wanted, int | float) else None)
    assert k >= 2


COMPARERS = {"agreement_coefficients": coefficients, "agreement_cluster": clustered, "agreement_na_policy": na_policy}
