"""How often the printed intervals hold the truth where labels are rare: 1,500 studies a cell, with what is
asked beside what is reached.
"""

from __future__ import annotations

import itertools
import os
from multiprocessing import get_context

from bench.scale import sized, some
from bench.table import Line, show
from tests.studies.interval_coverage import AT_LEAST, Coverage, JudgePlan, measure_coverage
from tests.studies.simulated_judges import StudyPlan

STUDIES = sized(1500, 2)
MIN_STUDIES_FOR_SHARE = sized(400, 1)  # studies with an interval, below which a share of them tells little
FAILURES, CONVERSATIONS, UNITS, RATERS = (
    (0.01, 0.02, 0.05, 0.20),
    (20, 50, 100, 200),
    ((1, 0.0), (6, 0.0), (6, 0.3)),
    (2, 3),
)
JUDGE = JudgePlan()


def cells() -> list[StudyPlan]:
    return [
        StudyPlan(conversations, failures, raters, units, icc, gate=True)
        for failures, (units, icc), raters, conversations in itertools.product(
            FAILURES, UNITS, RATERS, CONVERSATIONS
        )
    ]


def run() -> None:
    plans = some(cells())
    with get_context("spawn").Pool(min(2, os.cpu_count() or 1)) as pool:
        results = pool.map(_measure, plans, chunksize=1)
    names = list(results[0])
    for name in names:
        lines = [_line(plan, result[name]) for plan, result in zip(plans, results, strict=True)]
        show(f"{name}: intervals that hold the truth", lines)
    print(
        "\nmedian and least coverage over the cells with an interval in at least "
        f"{MIN_STUDIES_FOR_SHARE:,} of {STUDIES:,} studies; asked: {AT_LEAST}"
    )
    for name in names:
        shares = sorted(
            coverage.share
            for coverage in (result[name] for result in results)
            if coverage.share is not None and coverage.printed >= MIN_STUDIES_FOR_SHARE
        )
        least = f"least {shares[0]:.3f}  median {shares[len(shares) // 2]:.3f}" if shares else "none"
        print(f"{name:28} {least}  cells {len(shares)} of {len(plans)}")


def _measure(plan: StudyPlan) -> dict[str, Coverage]:
    return measure_coverage(plan, JUDGE, STUDIES)


def _line(plan: StudyPlan, coverage: Coverage) -> Line:
    what = (
        f"{plan.failures:4.0%} failures, {plan.conversations:3} conversations of {plan.units}, "
        f"{plan.raters} raters, "
        f"alike by {plan.icc:.1f}"
    )
    printed = f"printed in {coverage.printed / coverage.studies:.0%}"
    if coverage.share is None:
        return Line(what, "none", printed)
    enough = coverage.printed >= MIN_STUDIES_FOR_SHARE
    return Line(
        what,
        f"{coverage.share:.3f}",
        printed,
        None,
        f">= {AT_LEAST}" if enough else "",
        coverage.share >= AT_LEAST if enough else None,
    )
