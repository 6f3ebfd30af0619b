"""The threshold of Step-F1: how fast its curve and what clinicians' answers say of it are computed, and how
often the limits hold a planted threshold, 400 studies a cell.
"""

from __future__ import annotations

import os
import time
from multiprocessing import get_context

import numpy as np

from bench.scale import sized, some
from bench.table import Line, show
from scoring.step_pair_ratings import estimate_threshold
from scoring.step_thresholds import f1_by_threshold, mean_f1
from tests.studies.simulated_step_pairs import (
    PairCell,
    ThresholdCounts,
    cells,
    count_named,
    draw_pairs,
    rising,
)

STUDIES = sized(400, 2)
CONVERSATIONS, STEPS = sized(1_000, 30), 10
MOST_SECONDS = 1.0
HELD, FALSE = 0.95, 0.05


def run() -> None:
    conversations = [_steps(seed) for seed in range(CONVERSATIONS)]
    began = time.perf_counter()
    f1 = np.array([f1_by_threshold(model, gold) for model, gold in conversations])
    mean_f1(f1, np.arange(CONVERSATIONS))
    curve = time.perf_counter() - began
    pairs = draw_pairs(
        PairCell("", rising(10, 0.6), 0.6, pairs=CONVERSATIONS * STEPS), np.random.default_rng(1)
    )
    began = time.perf_counter()
    estimate_threshold(pairs, "wrong")
    rated = time.perf_counter() - began
    show(
        f"the threshold of Step-F1, {CONVERSATIONS * STEPS:,} pairs of {CONVERSATIONS:,} conversations",
        [
            Line(
                "curve over 13 thresholds with its intervals",
                f"{curve:.2f} s",
                "",
                None,
                "< 1 s",
                curve < MOST_SECONDS,
            ),
            Line(
                "threshold from answers, with its limits",
                f"{rated:.2f} s",
                "",
                None,
                "< 1 s",
                rated < MOST_SECONDS,
            ),
        ],
    )
    every = some(cells())
    with get_context("spawn").Pool(min(2, os.cpu_count() or 1)) as pool:
        counts = pool.map(_count, range(len(every)), chunksize=1)
    show("thresholds from answers", [_line(cell, count) for cell, count in zip(every, counts, strict=True)])


def _steps(seed: int) -> tuple[list[str], list[str]]:
    """Steps of 12 words out of 60, each with a gold step that has some of them."""
    generator = np.random.default_rng(seed)
    model = [[f"w{word}" for word in generator.choice(60, 12, replace=False)] for _ in range(STEPS)]
    gold = [[*step[: int(generator.integers(2, 13))], f"g{seed % 7}"] for step in model]
    return [" ".join(step) for step in model], [" ".join(step) for step in gold]


def _count(number: int) -> ThresholdCounts:
    """By number, because what a cell plants cannot be sent to another process."""
    return count_named(cells()[number], STUDIES)


def _line(cell: PairCell, counts: ThresholdCounts) -> Line:
    what = f"{cell.title} ({cell.pairs} pairs, {cell.of_each} a conversation, spread {cell.spread:.0f})"
    named = f"named in {counts.named:.3f}"
    if cell.threshold is None:
        return Line(what, named, "", None, f"<= {FALSE}", counts.named <= FALSE)
    width = "" if counts.width is None else f"{named}, limits {counts.width:.2f} apart"
    if counts.held is None:
        return Line(what, "none", width)
    return Line(what, f"held in {counts.held:.3f}", width, None, f">= {HELD}", counts.held >= HELD)
