"""How often each verdict is given to judges whose truth is known: 400 studies a line (200 of large ones),
with what is asked next to what is reached.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from multiprocessing import get_context

from bench.scale import sized, some
from scoring.agreement.verdicts.verdict_rule import TrustVerdict
from tests.studies.verdict_cells import Cell, CheckedPlan, cells, check_plans, count_verdicts, failing

STUDIES = sized(400, 3)
LARGE_STUDIES = sized(200, 3)  # of more than LARGE conversations
LARGE = 1000
ORDER = (
    TrustVerdict.YES,
    TrustVerdict.LEANS,
    TrustVerdict.NO,
    TrustVerdict.COLLEAGUES_DIFFER,
    TrustVerdict.NOT_SHOWN,
    TrustVerdict.CANNOT_TELL,
)


def run() -> None:
    started, every = time.monotonic(), some(cells())
    with get_context("spawn").Pool(min(2, os.cpu_count() or 1)) as pool:
        results = pool.map(_count, every, chunksize=1)
        planned = pool.map(_tell, (False, True), chunksize=1)
    width, missed, part = max(len(cell.title) for cell in every), 0, ""
    for cell, (counts, studies) in zip(every, results, strict=True):
        if cell.part != part:
            part = cell.part
            heads = " ".join(f"{verdict:>17}" for verdict in ORDER)
            print(f"\n{part + ': judge, conversations x clinicians':{width}}  {heads}  asked")
        asked = ", ".join(
            f"{verdict} {f'>= {low}' if high == 1.0 else f'<= {high}'}" for verdict, low, high in cell.asked
        )
        wrong = failing(cell, counts, studies)
        missed += len(wrong)
        print(
            f"{cell.title:{width}}  "
            + " ".join(f"{counts[verdict] / studies:17.3f}" for verdict in ORDER)
            + f"  {asked}{'  MISSED' if wrong else '  met' if asked else ''}"
        )
    print(f"\n{missed} missed, {len(every)} lines in {(time.monotonic() - started) / 60:.0f} minutes\n")
    for gate, checked in zip((False, True), planned, strict=True):
        _print_plans("safety criterion" if gate else "criterion", checked)


def _print_plans(name: str, checked: list[CheckedPlan]) -> None:
    """Whether as many more conversations as were named answer as often as was said."""
    named = [plan for plan in checked if plan.needed]
    others = [plan for plan in checked if not plan.needed]
    print(f"{name}: the number named answered in {_share(named)} of {len(named)} studies (aimed at 0.80)")
    for low, high in ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.01)):
        inside = [plan for plan in others if low <= plan.chance < high]
        if inside:
            printed = sum(plan.chance for plan in inside) / len(inside)
            print(
                f"  where no number was named, chance of the largest {printed:.2f} on average, answered in "
                f"{_share(inside)} of {len(inside)}"
            )


def _share(plans: list[CheckedPlan]) -> str:
    return f"{sum(plan.answered for plan in plans) / len(plans):.2f}" if plans else "-"


def _count(cell: Cell) -> tuple[Counter[str], int]:
    studies = LARGE_STUDIES if cell.plan.conversations > LARGE else STUDIES
    return count_verdicts(cell, studies), studies


def _tell(gate: bool) -> list[CheckedPlan]:
    return check_plans(gate, STUDIES)
