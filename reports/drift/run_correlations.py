"""Which runs of an experiment may be compared, and whether their numbers move with temperature or depth: one
test a number, corrected for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.record.run_summaries import RunSummary
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.confidence import ALPHA
from scoring.rank_correlation import RankCorrelation, rank_correlation

METRICS = {
    "alignment_mean": "Alignment",
    "jaccard_all": "Similarity of plans",
    "bertscore_f1": "Similarity of replies",
    "validity_rate": "Share of valid plans",
    "modal_set_agreement": "Share of the most frequent plan",
}
LED_BY = ("alignment_mean", "jaccard_all", "bertscore_f1")  # those that get a sentence
AXES = {
    "temperature": "temperature",
    "n_messages": "messages before the reply",
    "slice": "slice of the dialogue",
}
RISES = {
    "temperature": "the model's temperature setting rises",
    "n_messages": "the dialogue grows",
    "slice": "the dialogue grows",
}
SOURCES = {"table": "imported table", "folder": "run folders of this program"}


@dataclass(frozen=True)
class ComparableRuns:
    """Runs that may be compared: of one source and one tier. `name` in words."""

    name: str
    axis: str
    runs: tuple[RunSummary, ...]


@dataclass(frozen=True)
class RunCorrelation:
    """Of one number over one axis. `corrected`: p over all that were tested, None where it could not be."""

    runs: ComparableRuns
    metric: str
    rho: RankCorrelation
    corrected: float | None

    @property
    def direction(self) -> int:
        """Return 1 if the number rises significantly, -1 if it falls, else 0."""
        if self.corrected is None or self.corrected >= ALPHA or self.rho.value is None:
            return 0
        return (self.rho.value > 0) - (self.rho.value < 0)


def run_correlations(sets: Sequence[ComparableRuns]) -> list[RunCorrelation]:
    """Return the correlation of every number that any run has, set by set, with p corrected over all."""
    correlations = [
        (runs, metric, correlate(runs, metric))
        for runs in sets
        for metric in METRICS
        if any(metric in run_summary.numbers for run_summary in runs.runs)
    ]
    corrected = holm([rho.p for _, _, rho in correlations])
    return [
        RunCorrelation(runs, metric, rho, p)
        for (runs, metric, rho), p in zip(correlations, corrected, strict=True)
    ]


def comparable_runs(runs: Sequence[RunSummary]) -> list[ComparableRuns]:
    """Return the sets of runs that may be compared, over temperature or depth.

    Over temperature: of each source the runs of each tier, and those without one, because another tier had
    another judge. Over depth: all runs that have one.
    """
    sets = []
    for source, source_words in SOURCES.items():
        of = [run_summary for run_summary in runs if run_summary.source == source]
        warm = [run_summary for run_summary in of if run_summary.temperature is not None]
        tiers = sorted({run_summary.tier for run_summary in warm if run_summary.tier})
        for tier in [*tiers, ""]:
            some = tuple(run_summary for run_summary in warm if (run_summary.tier or "") == tier)
            apart = (
                len({run_summary.temperature for run_summary in some}) > 1 or not tiers
            )  # those cut at other depths have one temperature, and are compared below
            if some and (tier or apart):
                sets.append(
                    ComparableRuns(
                        source_words + (f", {tier}" if tier else ", without a tier" if tiers else ""),
                        "temperature",
                        some,
                    )
                )
        depth = next(
            (
                axis
                for axis in ("n_messages", "slice")
                if any(getattr(run_summary, axis) is not None for run_summary in of)
            ),
            None,
        )
        if depth:
            sets.append(
                ComparableRuns(
                    source_words,
                    depth,
                    tuple(run_summary for run_summary in of if getattr(run_summary, depth) is not None),
                )
            )
    return sets


def run_points(some: ComparableRuns, metric: str) -> list[tuple[float, float, RunSummary]]:
    """Return (place on the axis, number, run) of each run that has this number."""
    return [
        (float(getattr(run_summary, some.axis)), run_summary.numbers[metric], run_summary)
        for run_summary in some.runs
        if metric in run_summary.numbers
    ]


def model_and_vignette(run: RunSummary) -> tuple[str, str]:
    """Return what runs share: model ("model unknown" if not stated) and vignette ("")."""
    return run.model or "model unknown", run.vignette or ""


def correlate(some: ComparableRuns, metric: str) -> RankCorrelation:
    """Return the rank correlation of a number with the axis; runs of one model and vignette form a group."""
    points = run_points(some, metric)
    return rank_correlation(
        [x for x, _, _ in points],
        [y for _, y, _ in points],
        [model_and_vignette(run_summary) for _, _, run_summary in points],
        (AXES[some.axis], METRICS[metric].lower()),
    )
