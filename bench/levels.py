"""How often a change of the judge's level is named, and what else is, in studies whose truth is known: 400 a
cell, with what is asked beside it.
"""

from __future__ import annotations

import os
from collections import Counter
from multiprocessing import get_context

from bench.scale import sized, some
from scoring.drift.findings import SOURCES
from tests.studies.simulated_levels import cells, count_named, missed

STUDIES = sized(400, 2)
KINDS = ("level", *SOURCES, "trend", "any")


def run() -> None:
    every = some(cells())
    with get_context("spawn").Pool(min(2, os.cpu_count() or 1)) as pool:
        results = pool.map(_count, range(len(every)), chunksize=1)
    width = max(len(cell.title) for cell in every)
    print(
        f"\n{'named in a share of ' + str(STUDIES) + ' studies':{width}}  "
        + " ".join(f"{kind:>7}" for kind in KINDS)
        + "  asked"
    )
    wrong = 0
    for cell, counts in zip(every, results, strict=True):
        asked = ", ".join(
            f"{kind} {'>=' if direction > 0 else '<='} {share}"
            for kind, (direction, share) in cell.asked.items()
        )
        short = missed(cell, counts, STUDIES)
        wrong += len(short)
        print(
            f"{cell.title:{width}}  "
            + " ".join(f"{counts[kind] / STUDIES:7.3f}" for kind in KINDS)
            + f"  {asked}{'  MISSED' if short else '  met' if asked else ''}"
        )
    print(f"\n{wrong} missed")


def _count(number: int) -> Counter[str]:
    """By number, because what a cell plants cannot be sent to another process."""
    return count_named(cells()[number], STUDIES)
