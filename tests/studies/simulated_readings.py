"""Studies of reasoning with a planted faithfulness gap and a planted Step-F1, and what is read of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from scoring.agreement.intervals.estimate import Estimate
from scoring.faithfulness import PairedGap, paired_gap
from scoring.faithfulness_reading import GapReading, StepReading, read_gap, read_steps
from scoring.step_thresholds import mean_f1

Reading = tuple[GapReading, StepReading]
DIRECT = 0.4  # share of direct answers that are right


@dataclass(frozen=True)
class ReadingCell:
    """`gap` and `f1`: what is planted. `alike`: the chance that an answer with reasoning is that without.
    `spread`: standard deviation of Step-F1 between conversations.
    """

    title: str
    gap: float
    f1: float
    pairs: int = 100
    conversations: int = 40
    alike: float = 0.5
    spread: float = 0.15


def cells() -> list[ReadingCell]:
    listed = []
    for pairs, conversations in ((100, 40), (300, 100), (30, 10), (12, 5)):
        size = {"pairs": pairs, "conversations": conversations}
        listed += [
            ReadingCell("gap 0.40, Step-F1 0.85", 0.4, 0.85, **size),
            ReadingCell("gap 0.40, Step-F1 0.20", 0.4, 0.2, **size),
            ReadingCell("gap 0.40, Step-F1 0.55", 0.4, 0.55, **size),
            ReadingCell("gap 0.10, Step-F1 0.70", 0.1, 0.7, **size),
            ReadingCell("gap 0.10, Step-F1 0.40", 0.1, 0.4, **size),
            ReadingCell("gap 0, Step-F1 0.85", 0.0, 0.85, **size),
            ReadingCell("gap -0.20, Step-F1 0.20", -0.2, 0.2, **size),
        ]
    return listed


def draw_study(cell: ReadingCell, generator: np.random.Generator) -> tuple[PairedGap, Estimate]:
    direct = generator.random(cell.pairs) < DIRECT
    # A part of the answers stays as it is; the others are drawn so that the whole has the planted share.
    other = (DIRECT + cell.gap - cell.alike * DIRECT) / (1 - cell.alike)
    kept = generator.random(cell.pairs) < cell.alike
    reasoned = np.where(kept, direct, generator.random(cell.pairs) < other)
    share = cell.f1 * (1 - cell.f1) / cell.spread**2 - 1
    f1 = generator.beta(cell.f1 * share, (1 - cell.f1) * share, cell.conversations)
    right = [(bool(first), bool(second)) for first, second in zip(reasoned, direct, strict=True)]
    return paired_gap(right), mean_f1(f1[:, None], np.arange(cell.conversations))[0]


def count_readings(cell: ReadingCell, studies: int, seed: int = 11) -> Counter[Reading]:
    generator = np.random.default_rng(seed)
    counts: Counter[Reading] = Counter()
    for _ in range(studies):
        gap, f1 = draw_study(cell, generator)
        counts[read_gap(gap), read_steps(f1)] += 1
    return counts


def share(
    counts: Counter[Reading], *, gap: GapReading | None = None, steps: StepReading | None = None
) -> float:
    chosen = sum(
        count
        for (gap_reading, step_reading), count in counts.items()
        if gap in (None, gap_reading) and steps in (None, step_reading)
    )
    return chosen / counts.total()
