"""Proportions, safety tables, paired tests, multiplicity, the alternative annotator test, sample sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import chdtrc

from scoring.agreement.intervals.proportions import Proportion, proportion
from scoring.agreement.rates.diagnostics import diagnostics
from scoring.agreement.rates.sample_size import (
    failures_needed,
    kappa_test_size,
    kappa_width_size,
    rule_of_three,
    share_width_size,
)
from scoring.agreement.significance_tests.alt_test import alt_test
from scoring.agreement.significance_tests.cochran_q import cochran_q
from scoring.agreement.significance_tests.mcnemar import mcnemar
from scoring.agreement.significance_tests.multiplicity import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    holm,
)
from scoring.agreement.significance_tests.significance import Significance
from scoring.agreement.significance_tests.stuart_maxwell import bowker, stuart_maxwell
from tests.vectors.families.values import STATISTIC, P, compare_estimate, compare_test, has_reason, value_of
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, plain

ADJUSTMENTS = {
    "holm": holm,
    "fdr_bh": benjamini_hochberg,
    "fdr_by": benjamini_yekutieli,
    "bonferroni": bonferroni,
}


def shares(where: str, tally: Tally, proportion: Proportion, expected: TrackedDict) -> None:
    for key, value in (("k", proportion.k), ("n", proportion.n)):
        if key in expected:
            tally.same(f"{where} {key}", value, expected[key])
    if "undefined" in expected or "value" in expected:
        tally.number(where, proportion.value, value_of(expected))
        if proportion.value is None:
            has_reason(where, tally, proportion)
    for key, interval in (("clopper_pearson", proportion.clopper_pearson), ("wilson", proportion.wilson)):
        limits = expected.get(key)
        if isinstance(limits, TrackedDict):
            limits.get("undefined")
            limits = limits.get("ci95", [None, None])
        if limits is not None:
            tally.numbers(f"{where} {key}", [interval.low, interval.high], limits)


def proportion_ci(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    found = proportion(case["k"], case["n"])
    shares(case["id"], tally, found, case["expected"])
    tally.number(f"{case['id']} share", found.value, case["k"] / case["n"] if case["n"] else None)


def safety(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    result, where = diagnostics(case["tp"], case["fn"], case["fp"], case["tn"]), case["id"]
    expected = case["expected"]
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        if name in expected:
            shares(f"{where} {name}", tally, getattr(result, name), expected[name])
    for name in ("balanced_accuracy", "youden_j"):  # not listed where one of its parts is undefined
        compare_estimate(f"{where} {name}", tally, getattr(result, name), expected.get(name))
    for name, count in (
        ("n_failures", result.sensitivity.n),
        ("n_passes", result.specificity.n),
        ("n", result.accuracy.n),
    ):
        if name in expected:
            tally.same(f"{where} {name}", count, expected[name])


def paired(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    kind = case["test"]
    if kind not in PAIRED_TESTS:
        tally.fail(f"{case['id']}: nothing in the product answers to the test {kind}")
        return
    PAIRED_TESTS[kind](case, tally)


def pairs_of_two(case: TrackedDict, tally: Tally) -> None:
    result, where = mcnemar(case["table"]), case["id"]
    tests = {
        "exact_p": result.exact,
        "mid_p": result.mid_p,
        "chi2": result.chi2,
        "chi2_continuity": result.chi2_continuity,
    }
    for name in (
        tests if case["expected"].get("undefined") is not None else set(tests) & set(case["expected"])
    ):
        if result.first_only + result.second_only:
            compare_test(f"{where} {name}", tally, tests[name], case["expected"][name])
        else:
            nothing_differs(f"{where} {name}", tally, tests[name], case["expected"].get(name))


def square_table(case: TrackedDict, tally: Tally) -> None:
    counts, where = np.array(case["table"]), case["id"]
    for name, test, compare in (("stuart_maxwell", stuart_maxwell, margins), ("bowker", bowker, symmetry)):
        found, expected = test(case["table"]), case["expected"]
        if (counts == np.diag(np.diag(counts))).all() and (
            name in expected or expected.get("undefined") is not None
        ):
            nothing_differs(f"{where} {name}", tally, found, expected.get(name))
        elif name in expected:
            compare(where, tally, counts, expected[name])


def many_judges(case: TrackedDict, tally: Tally) -> None:
    """Raters by units, or units by raters: the degrees of freedom say which. The numbers stand in `expected`
    or under the test's name."""
    rows, where = plain(case["data"]), case["id"]
    rows = list(rows.values()) if isinstance(rows, dict) else rows
    expected = case.get("expected", TrackedDict({}))
    expected = expected.get("cochran_q", expected)
    judges = None if expected.get("df") is None else expected["df"] + 1
    if judges not in (None, len(rows)) and all(len(row) == judges for row in rows):
        rows = [list(column) for column in zip(*rows, strict=True)]
    result = cochran_q(rows)
    if result.p is None:
        nothing_differs(where, tally, result, expected)
    else:
        compare_test(f"{where} Cochran's Q", tally, result, expected)


def nothing_differs(where: str, tally: Tally, significance: Significance, expected: Any) -> None:
    """Other programs print p = 1 on a statistic of 0, or nothing. Here it cannot be told, and has a
    reason."""
    given = plain(expected)
    given = given if isinstance(given, dict) else {"p": given}
    numbers = [(given.get(name), usual) for names, usual in ((P, 1), (STATISTIC, 0)) for name in names]
    tally.same(
        f"{where} shows no difference",
        all(number is None or math.isnan(number) or number == usual for number, usual in numbers),
        True,
    )
    tally.number(where, significance.p, None)
    has_reason(where, tally, significance)


def margins(where: str, tally: Tally, counts: Any, expected: TrackedDict) -> None:
    """A program that inverts the whole matrix has no value where labels are unused; here they are left out,
    and that is compared."""
    result = stuart_maxwell(counts)
    if expected.get("undefined") is None:
        compare_test(f"{where} Stuart-Maxwell", tally, result, expected)
        return
    used = [i for i in range(len(counts)) if counts[i].sum() + counts[:, i].sum() > 2 * counts[i, i]]
    tally.same(
        f"{where} Stuart-Maxwell without unused labels", result, stuart_maxwell(counts[np.ix_(used, used)])
    )


def symmetry(where: str, tally: Tally, counts: Any, expected: TrackedDict) -> None:
    """statsmodels counts pairs of labels that were never exchanged among the degrees of freedom; here only
    the others are."""
    result = bowker(counts)
    empty = int(
        (np.triu(counts + counts.T + np.eye(len(counts), dtype=int)) == 0).sum()
        - np.tri(len(counts), k=-1).sum()
    )
    if expected.get("undefined") is not None and empty:  # R divides 0 by 0
        tally.same(f"{where} Bowker has a value", result.p is not None, True)
    elif result.statistic is not None and result.df is not None and expected.get("df") == result.df + empty:
        tally.number(f"{where} Bowker statistic", result.statistic, expected["statistic"])
        tally.number(
            f"{where} Bowker p on all pairs",
            float(chdtrc(result.df + empty, result.statistic)),
            expected["p"],
        )
    else:
        compare_test(f"{where} Bowker", tally, result, expected)


def multiplicity(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    for name, adjust in ADJUSTMENTS.items():
        found, expected = adjust(case["p"]), case["expected"]
        if name in expected:
            tally.numbers(f"{case['id']} {name}", found, expected[name]["adjusted"])
    tally.same(f"{case['id']} a number for each", len(holm(case["p"])), len(case["p"]))


def alternative(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    where, options = case["id"], case.get("options") or TrackedDict({})
    result = alt_test(
        plain(case["humans"]),
        plain(case["llm"]),
        case["scoring"],
        epsilon=case["epsilon"],
        q=options.get("q_fdr", 0.05),
        min_humans=options.get("min_humans_per_instance", 2),
        min_units=options.get("min_instances_per_human", 30),
    )
    expected = case["expected"]
    compare_estimate(f"{where} winning rate", tally, result.winning_rate, expected.get("winning_rate"))
    compare_estimate(
        f"{where} advantage probability",
        tally,
        result.advantage_probability,
        expected.get("advantage_probability"),
    )
    if expected.get("undefined") is not None:
        has_reason(where, tally, result.winning_rate)
    if "passes_at_0.5" in expected:
        tally.same(f"{where} passes", result.passes, expected["passes_at_0.5"])
    if "p_values" in expected:
        tally.numbers(f"{where} p", [clinician.p for clinician in result.against], expected["p_values"])


def sample_size(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """Sizes for kappa have an exact value beside the whole number; of a share, the units are failures where a
    sensitivity is wanted."""
    where = case["id"]
    share = next(
        (case[key] for key in ("sensitivity", "specificity", "proportion", "share", "p") if key in case), None
    )
    exact = rule = None
    if "k0" in case:
        size = kappa_test_size(case["k0"], case["k1"], case["prevalence"])
        n, exact = size.n, size.exact
    elif "kappa" in case:
        size = kappa_width_size(case["kappa"], case["prevalence"], case["half_width"])
        n, exact = size.n, size.exact
    elif share is not None:
        n = share_width_size(share, case["half_width"])
    else:
        misses = next((case[key] for key in ("n_failures", "failures", "misses") if key in case), 0)
        n, rule = failures_needed(case["rate"], misses), rule_of_three(case["rate"])
    expected = case["expected"]
    for name, value in (("n", n), ("n_failures", n), ("n_exact", exact), ("rule_of_three", rule)):
        if name in expected:
            tally.number(f"{where} {name}", value, value_of(expected[name]))
    if "n_total" in expected:
        tally.number(
            f"{where} n_total",
            math.ceil(n / case["prevalence"] - tally.tolerance),
            value_of(expected["n_total"]),
        )


PAIRED_TESTS = {
    "mcnemar": pairs_of_two,
    "stuart_maxwell": square_table,
    "bowker": square_table,
    "cochran_q": many_judges,
}
COMPARERS = {
    "agreement_proportion_ci": proportion_ci,
    "agreement_safety_diagnostics": safety,
    "agreement_paired_tests": paired,
    "agreement_multiplicity": multiplicity,
    "agreement_alttest": alternative,
    "agreement_sample_size": sample_size,
}
