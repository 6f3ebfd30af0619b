"""Proportions, safety tables, paired tests, multiplicity, the alternative annotator test, sample sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc

from scoring.agreement.alt_test import alt_test
from scoring.agreement.diagnostics import diagnostics
from scoring.agreement.estimate import Estimate
from scoring.agreement.mcnemar import mcnemar
from scoring.agreement.multiplicity import benjamini_hochberg, benjamini_yekutieli, bonferroni, holm
from scoring.agreement.proportions import Proportion, proportion
from scoring.agreement.sample_size import failures_needed, kappa_test_size, kappa_width_size, rule_of_three, share_width_size
from scoring.agreement.significance import Significance
from scoring.agreement.stuart_maxwell import bowker, stuart_maxwell
from tests.vectors.tally import Tally

Case = dict[str, Any]
ADJUSTMENTS = {"holm": holm, "fdr_bh": benjamini_hochberg, "fdr_by": benjamini_yekutieli, "bonferroni": bonferroni}


def has_reason(where: str, tally: Tally, found: Estimate | Proportion | Significance | Any) -> None:
    tally.same(f"{where} has a reason", bool(found.undefined), True)


def estimate(where: str, tally: Tally, found: Estimate, expected: Any) -> None:
    """Expected: a number, a value with or without an interval, or undefined."""
    expected = expected if isinstance(expected, dict) else {"value": expected}
    tally.number(where, found.value, expected.get("value"))
    if expected.get("value") is None:
        has_reason(where, tally, found)
    if "ci95" in expected:
        tally.numbers(f"{where} interval", [found.low, found.high], expected["ci95"])


def shares(where: str, tally: Tally, found: Proportion, expected: dict[str, Any]) -> None:
    for key, value in (("k", found.k), ("n", found.n)):
        if key in expected:
            tally.same(f"{where} {key}", value, expected[key])
    if "undefined" in expected:
        tally.number(where, found.value, None)
        has_reason(where, tally, found)
        return
    if "value" in expected:
        tally.number(where, found.value, expected["value"])
    for key, interval in (("clopper_pearson", found.clopper_pearson), ("wilson", found.wilson)):
        limits = expected.get(key)
        if isinstance(limits, dict):
            limits = limits.get("ci95", [None, None])
        if limits is not None:
            tally.numbers(f"{where} {key}", [interval.low, interval.high], limits)


def proportion_ci(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    found = proportion(case["k"], case["n"])
    shares(case["id"], tally, found, case["expected"])
    tally.number(f"{case['id']} share", found.value, case["k"] / case["n"] if case["n"] else None)


def safety(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    found = diagnostics(case["tp"], case["fn"], case["fp"], case["tn"])
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        if name in case["expected"]:
            shares(f"{case['id']} {name}", tally, getattr(found, name), case["expected"][name])
    for name in ("balanced_accuracy", "youden_j"):  # not listed where one of its parts is undefined
        estimate(f"{case['id']} {name}", tally, getattr(found, name), case["expected"].get(name))


def tested(where: str, tally: Tally, found: Significance, expected: Any) -> None:
    expected = expected if isinstance(expected, dict) else {"p": expected}
    for key, value in (("statistic", found.statistic), ("p", found.p), ("df", found.df)):
        if key in expected:
            tally.number(f"{where} {key}", value, expected[key])
    if found.p is None:
        tally.number(f"{where} p", found.p, expected.get("p"))
        has_reason(where, tally, found)


def paired(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    where, table, expected = case["id"], case["table"], case["expected"]
    counts = np.array(table)
    if (counts == np.diag(np.diag(counts))).all():
        # Nothing differs. Other programs print p = 1 or nothing; here it cannot be told, and the reason is what is compared.
        here = mcnemar(table)
        for one in (here.exact, here.mid_p, here.chi2, here.chi2_continuity) if case["test"] == "mcnemar" else (stuart_maxwell(table), bowker(table)):
            tally.number(f"{where} {one.method}", one.p, None)
            has_reason(where, tally, one)
    elif case["test"] == "mcnemar":
        pairs = mcnemar(table)
        for name, found in (("exact_p", pairs.exact), ("mid_p", pairs.mid_p), ("chi2", pairs.chi2), ("chi2_continuity", pairs.chi2_continuity)):
            if name in expected:
                tested(f"{where} {name}", tally, found, expected[name])
    else:
        if "stuart_maxwell" in expected:
            margins(where, tally, counts, expected["stuart_maxwell"])
        if "bowker" in expected:
            symmetry(where, tally, counts, expected["bowker"])


def margins(where: str, tally: Tally, counts: Any, expected: dict[str, Any]) -> None:
    """A program that inverts the whole matrix has no value where labels are unused; here they are left out, and that is compared."""
    found = stuart_maxwell(counts)
    if "undefined" not in expected:
        tested(f"{where} Stuart-Maxwell", tally, found, expected)
        return
    used = [i for i in range(len(counts)) if counts[i].sum() + counts[:, i].sum() > 2 * counts[i, i]]
    tally.same(f"{where} Stuart-Maxwell without unused labels", found, stuart_maxwell(counts[np.ix_(used, used)]))


def symmetry(where: str, tally: Tally, counts: Any, expected: dict[str, Any]) -> None:
    """statsmodels counts pairs of labels that were never exchanged among the degrees of freedom; here only the others are."""
    found = bowker(counts)
    empty = int((np.triu(counts + counts.T + np.eye(len(counts), dtype=int)) == 0).sum() - np.tri(len(counts), k=-1).sum())
    if "undefined" in expected and empty:  # R divides 0 by 0
        tally.same(f"{where} Bowker has a value", found.p is not None, True)
    elif found.statistic is not None and found.df is not None and expected.get("df") == found.df + empty:
        tally.number(f"{where} Bowker statistic", found.statistic, expected["statistic"])
        tally.number(f"{where} Bowker p on all pairs", float(chdtrc(found.df + empty, found.statistic)), expected["p"])
    else:
        tested(f"{where} Bowker", tally, found, expected)


def multiplicity(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    for name, adjust in ADJUSTMENTS.items():
        if name in case["expected"]:
            tally.numbers(f"{case['id']} {name}", adjust(case["p"]), case["expected"][name]["adjusted"])
    tally.same(f"{case['id']} a number for each", len(holm(case["p"])), len(case["p"]))


def alternative(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    """The file also lists 52 rows that the authors published; it has no labels for them, so there is nothing to recompute."""
    where, expected, options = case["id"], case["expected"], case.get("options") or {}
    found = alt_test(case["humans"], case["llm"], case["scoring"], epsilon=case["epsilon"], q=options.get("q_fdr", 0.05),
                     min_humans=options.get("min_humans_per_instance", 2), min_units=options.get("min_instances_per_human", 30))
    estimate(f"{where} winning rate", tally, found.winning_rate, expected.get("winning_rate"))
    estimate(f"{where} advantage probability", tally, found.advantage_probability, expected.get("advantage_probability"))
    if "passes_at_0.5" in expected:
        tally.same(f"{where} passes", found.passes, expected["passes_at_0.5"])
    if "p_values" in expected:
        tally.numbers(f"{where} p", [one.p for one in found.against], expected["p_values"])


def sample_size(case: Case, tally: Tally, document: dict[str, Any]) -> None:
    where, expected = case["id"], case["expected"]
    share = next((case[key] for key in ("sensitivity", "specificity", "proportion", "share", "p") if key in case), None)
    if "k0" in case:
        size = kappa_test_size(case["k0"], case["k1"], case["prevalence"])
    elif "kappa" in case:
        size = kappa_width_size(case["kappa"], case["prevalence"], case["half_width"])
    elif share is not None:
        tally.same(f"{where} n", share_width_size(share, case["half_width"]), expected["n"])
        return
    else:
        tally.same(f"{where} n", failures_needed(case["rate"]), expected["n"])
        if "rule_of_three" in expected:
            tally.number(f"{where} rule of three", rule_of_three(case["rate"]), expected["rule_of_three"])
        return
    tally.same(f"{where} n", size.n, expected["n"])
    if "n_exact" in expected:
        tally.number(f"{where} exact", size.exact, expected["n_exact"])


COMPARERS = {"agreement_proportion_ci": proportion_ci, "agreement_safety_diagnostics": safety, "agreement_paired_tests": paired,
             "agreement_multiplicity": multiplicity, "agreement_alttest": alternative, "agreement_sample_size": sample_size}
