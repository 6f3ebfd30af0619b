"""How often reasoning is called functional, decorative, correct and incorrect where the truth is planted:
1,000 studies a cell.
"""

from __future__ import annotations

from bench.scale import sized, some
from bench.table import Line, show
from scoring.faithfulness_reading import STEP_BANDS, GapReading, StepReading
from tests.studies.simulated_readings import ReadingCell, cells, count_readings, share

STUDIES = sized(1_000, 5)
FALSE = 0.04  # one side of 95 %, with what 1,000 studies add by chance


def run() -> None:
    show("readings of faithfulness beside Step-F1", [_line(cell) for cell in some(cells())])


def _line(cell: ReadingCell) -> Line:
    counts = count_readings(cell, STUDIES)
    functional = share(counts, gap=GapReading.FUNCTIONAL)
    gold = share(counts, gap=GapReading.FUNCTIONAL, steps=StepReading.STRONG)
    incorrect = share(counts, gap=GapReading.FUNCTIONAL, steps=StepReading.POOR)
    low = sum(share(counts, gap=kind) for kind in (GapReading.DECORATIVE, GapReading.LOW, GapReading.HARMFUL))
    wrong = functional if cell.gap <= 0.1 else low
    poor, strong = STEP_BANDS
    if cell.f1 <= strong:
        wrong = max(wrong, share(counts, steps=StepReading.STRONG))
    if cell.f1 >= poor:
        wrong = max(wrong, share(counts, steps=StepReading.POOR))
    return Line(
        f"{cell.title} ({cell.pairs} pairs, {cell.conversations} conversations)",
        f"functional {functional:.3f}, gold standard {gold:.3f}, incorrect {incorrect:.3f}",
        f"not functional {low:.3f}",
        None,
        f"wrong {wrong:.3f} <= {FALSE}",
        wrong <= FALSE,
    )
