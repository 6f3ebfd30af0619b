"""How often each verdict is given to judges whose truth is known: 400 studies a cell, with what is asked
beside what is reached.
"""

from __future__ import annotations

import os
from collections import Counter
from multiprocessing import get_context

from scoring.agreement.verdict_rule import TrustVerdict
from tests.verdict_cells import Cell, cells, check_plans, count_verdicts, failing

STUDIES = 400
ORDER = (
    TrustVerdict.YES,
    TrustVerdict.LEANS,
    TrustVerdict.NO,
    TrustVerdict.COLLEAGUES_DIFFER,
    TrustVerdict.NOT_SHOWN,
    TrustVerdict.CANNOT_TELL,
)


def run() -> None:
    every = cells()
    with get_context("spawn").Pool(min(2, os.cpu_count() or 1)) as pool:
        results = pool.map(_count, every, chunksize=1)
        planned = pool.map(_tell, (False, True), chunksize=1)
    width = max(len(cell.title) for cell in every)
    print(
        f"\n{'judge (conversations x clinicians)':{width}}  "
        + " ".join(f"{verdict:>17}" for verdict in ORDER)
        + "  asked"
    )
    missed = 0
    for cell, counts in zip(every, results, strict=True):
        asked = ", ".join(
            f"{verdict} {f'>= {low}' if high == 1.0 else f'<= {high}'}" for verdict, low, high in cell.asked
        )
        wrong = failing(cell, counts, STUDIES)
        missed += len(wrong)
        print(
            f"{cell.title:{width}}  "
            + " ".join(f"{counts[verdict] / STUDIES:17.3f}" for verdict in ORDER)
            + f"  {asked}{'  MISSED' if wrong else '  met' if asked else ''}"
        )
    print(f"\n{missed} missed")
    for gate, (tell_count, asked_of, hopeless) in zip((False, True), planned, strict=True):
        print(
            f"{'safety criterion' if gate else 'criterion'}: as many more conversations as were said would "
            f"tell told in {tell_count / asked_of:.2f} of "
            f"{asked_of} studies that were open (aimed at 0.80); {hopeless} were told that no affordable "
            "number would"
        )


def _count(cell: Cell) -> Counter[TrustVerdict]:
    return count_verdicts(cell, STUDIES)


def _tell(gate: bool) -> tuple[int, int, int]:
    return check_plans(gate, STUDIES)
