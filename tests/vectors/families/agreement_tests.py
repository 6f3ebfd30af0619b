"""Proportions, safety tables, paired tests, multiplicity, the alternative annotator test, sample sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.proportions import clopper_pearson, wilson
from scoring.agreement.rates.sample_size import failures_needed
from scoring.agreement.safety.safety import safety
from scoring.agreement.significance_tests.alt_test import alt_test
from scoring.agreement.significance_tests.cochran_q import cochran_q
from scoring.agreement.significance_tests.mcnemar import mcnemar
from scoring.agreement.significance_tests.multiplicity import benjamini_yekutieli, holm
from scoring.agreement.significance_tests.significance import Significance
from scoring.agreement.significance_tests.stuart_maxwell import stuart_maxwell
from tests.unit.scoring.agreement.materials import in_kinds, number
from tests.vectors.families.values import STATISTIC, P, compare_estimate, compare_test, has_reason, value_of
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, plain

ADJUSTMENTS = {"holm": holm, "fdr_by": benjamini_yekutieli}


def share(where: str, tally: Tally, k: int, intervals: dict[str, Estimate], expected: TrackedDict) -> None:
    """`intervals`: by their names."""
    exact = intervals["clopper_pearson"]
    for key, value in (("k", k), ("n", exact.n)):
        if key in expected:
            tally.same(f"{where} {key}", value, expected[key])
    if "undefined" in expected or "value" in expected:
        tally.number(where, exact.value, value_of(expected))
        if exact.value is None:
            has_reason(where, tally, exact)
    for key, interval in intervals.items():
        limits = expected.get(key)
        if isinstance(limits, TrackedDict):
            limits.get("undefined")
            limits = limits.get("ci95", [None, None])
        if limits is not None:
            tally.numbers(f"{where} {key}", [interval.low, interval.high], limits)


def proportion_ci(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    k, n, where = case["k"], case["n"], case["id"]
    exact = clopper_pearson(k, n)
    share(where, tally, k, {"clopper_pearson": exact, "wilson": wilson(k, n)}, case["expected"])
    tally.number(f"{where} share", exact.value, k / n if n else None)


def catches(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """The shares that the product prints, of clinicians who agree throughout; their interval is Clopper and
    Pearson's.
    """
    tp, fn, fp, tn = (case[name] for name in ("tp", "fn", "fp", "tn"))
    shares = safety(in_kinds(tp, fn, fp, tn), [number("safe")]).caught
    where, expected = case["id"], case["expected"]
    tally.same(f"{where} counts", shares.counts, (tp, fn, fp, tn))
    caught, _, _, passed = shares.counts
    for name, k in (("sensitivity", caught), ("specificity", passed), ("ppv", caught), ("npv", passed)):
        if name in expected:
            share(f"{where} {name}", tally, k, {"clopper_pearson": getattr(shares, name)}, expected[name])


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
    name, expected = "stuart_maxwell", case["expected"]
    if (counts == np.diag(np.diag(counts))).all() and (
        name in expected or expected.get("undefined") is not None
    ):
        nothing_differs(f"{where} {name}", tally, stuart_maxwell(case["table"]), expected.get(name))
    elif name in expected:
        margins(where, tally, counts, expected[name])


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
    misses = next((case[key] for key in ("n_failures", "failures", "misses") if key in case), 0)
    n, expected = failures_needed(case["rate"], misses), case["expected"]
    tally.number(f"{case['id']} n", n, value_of(expected["n"]))


PAIRED_TESTS = {
    "mcnemar": pairs_of_two,
    "stuart_maxwell": square_table,
    "cochran_q": many_judges,
}
COMPARERS = {
    "agreement_proportion_ci": proportion_ci,
    "agreement_safety_diagnostics": catches,
    "agreement_paired_tests": paired,
    "agreement_multiplicity": multiplicity,
    "agreement_alttest": alternative,
    "agreement_sample_size": sample_size,
}
