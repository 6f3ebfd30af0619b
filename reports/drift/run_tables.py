"""How the numbers of runs move with temperature and with the depth of the dialogue, and average curves of
models, in words and tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from data.run_summaries import RunSummary
from reports.document import Block, Paragraph, Scatter, Section, Table
from reports.wording import CANNOT, limits, listed, number
from scoring.agreement.estimate import Estimate
from scoring.bootstrap import jackknife
from scoring.drift.curves import drift_slope
from scoring.figures import chance, decimal
from scoring.medians import median
from scoring.plurals import count
from scoring.rank_correlation import RankCorrelation, rank_correlation

METRICS = {
    "alignment_mean": "Alignment",
    "jaccard_all": "Likeness of plans",
    "bertscore_f1": "Likeness of replies",
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
    "temperature": "the temperature rises",
    "n_messages": "the dialogue grows",
    "slice": "the dialogue grows",
}
READING = (
    "Rho runs from -1 (the higher the one, the lower the other) to 1 (they rise together). Runs of one "
    "model on one vignette are alike, so the "
    "interval leaves out one such group at a time; p is of the same test, and the sentences follow from it. "
    "They are not adjusted for the number "
    "of comparisons. Moving together is no proof of a "
    "cause, and what falls and rises again shows nothing here."
)
TOLERANCE = 1e-12
SOURCES = {"table": "imported table", "folder": "run folders of this program"}


@dataclass(frozen=True)
class _ComparableRuns:
    """Runs that may be compared: of one source and one tier. `name` in words."""

    name: str
    axis: str
    runs: tuple[RunSummary, ...]


def section(summaries: Sequence[RunSummary]) -> Section | None:
    """None where there is neither a run nor a curve."""
    runs, curves = (
        [run_summary for run_summary in summaries if run_summary.source != "curve"],
        [run_summary for run_summary in summaries if run_summary.curve is not None],
    )
    if not runs and not curves:
        return None
    sets = _sets(runs)
    blocks: list[Block] = []
    if runs:
        correlations = [
            (some, metric, _rho(some, metric))
            for some in sets
            for metric in METRICS
            if any(metric in run_summary.numbers for run_summary in some.runs)
        ]
        blocks += [
            Paragraph(_sentence(some, metric, rho), "strong")
            for some, metric, rho in correlations
            if metric in LED_BY
        ]
        if not correlations:
            blocks.append(
                Paragraph(
                    f"{count(len(runs), 'run', 'runs')}: none has a temperature or a depth beside a number, "
                    "so there is nothing to compare."
                )
            )
        else:
            blocks += [Paragraph(READING, "small"), _rhos(correlations)]
        blocks += [_medians(some) for some in sets if some.axis == "temperature"]
        blocks += [_models(some) for some in sets if some.axis == "temperature"]
    if curves:
        blocks.append(_curves(curves))
    for some in sets:
        if _points(some, "alignment_mean"):
            blocks += [_scatter(some, "alignment_mean"), _scatter_table(some, "alignment_mean")]
    return Section("run_tables", "Runs of an experiment", tuple(blocks))


def _sets(runs: Sequence[RunSummary]) -> list[_ComparableRuns]:
    """Which runs are compared over which axis. Runs of another tier had another judge; runs cut elsewhere are
    another experiment.

    Over the temperature: of each source the runs of each tier, and those without one. Over depth: all that
    have one.
    """
    comparable_runs = []
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
                comparable_runs.append(
                    _ComparableRuns(
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
            comparable_runs.append(
                _ComparableRuns(
                    source_words,
                    depth,
                    tuple(run_summary for run_summary in of if getattr(run_summary, depth) is not None),
                )
            )
    return comparable_runs


def _points(some: _ComparableRuns, metric: str) -> list[tuple[float, float, RunSummary]]:
    return [
        (float(getattr(run_summary, some.axis)), run_summary.numbers[metric], run_summary)
        for run_summary in some.runs
        if metric in run_summary.numbers
    ]


def _group(run: RunSummary) -> tuple[str, str]:
    """What runs share: model and vignette; the model alone where no vignette is told."""
    return run.model or "model not told", run.vignette or ""


def _rho(some: _ComparableRuns, metric: str) -> RankCorrelation:
    points = _points(some, metric)
    return rank_correlation(
        [x for x, _, _ in points],
        [y for _, y, _ in points],
        [_group(run_summary) for _, _, run_summary in points],
        (AXES[some.axis], METRICS[metric].lower()),
    )


def _sentence(some: _ComparableRuns, metric: str, rho: RankCorrelation) -> str:
    name, rising, of = METRICS[metric], RISES[some.axis], f"{count(rho.n, 'run', 'runs')}, {some.name}"
    if rho.value is None:
        return f"{name}: whether it changes as {rising} cannot be estimated: {rho.undefined} ({of})."
    if rho.low is None or rho.high is None:
        return f"{name} as {rising}: rho {decimal(rho.value, 2)}, no interval: {rho.no_interval} ({of})."
    moves = {
        1: f"{name} rises as {rising}",
        -1: f"{name} falls as {rising}",
        0: f"{name} shows no clear change as {rising}",
    }[rho.direction]
    p = "" if rho.p is None else f", p {chance(rho.p)}"
    few = "; few groups, so do not rely on it" if limits(rho).endswith("rely on") else ""
    return (
        f"{moves}: rho {decimal(rho.value, 2)} (plausible {decimal(rho.low, 2)} to "
        f"{decimal(rho.high, 2)}{p}), {of}{few}."
    )


def _rhos(correlations: Sequence[tuple[_ComparableRuns, str, RankCorrelation]]) -> Table:
    rows = [
        (
            METRICS[metric],
            AXES[some.axis],
            some.name,
            number(rho),
            limits(rho),
            f"{rho.n:,}",
            f"{rho.conversations or 0:,}",
            "" if rho.p is None else chance(rho.p),
        )
        for some, metric, rho in correlations
    ]
    return Table(
        "run_rhos",
        "Do they move together?",
        ("Number", "Over", "Runs of", "Rho", "95 % interval", "Runs", "Groups", "p"),
        rows,
        (3, 5, 6, 7),
    )


def _medians(some: _ComparableRuns) -> Table:
    """Interval only where each group has one run at that temperature."""
    shown_metrics = [
        metric for metric in METRICS if any(metric in run_summary.numbers for run_summary in some.runs)
    ]
    by: defaultdict[float, list[RunSummary]] = defaultdict(list)
    for run_summary in some.runs:
        by[run_summary.temperature or 0.0].append(run_summary)
    rows = [
        (
            f"{temperature:g}",
            f"{len(runs):,}",
            *(_with(_median(runs, metric), len(runs)) for metric in shown_metrics),
        )
        for temperature, runs in sorted(by.items())
    ]
    header = ("Temperature", "Runs", *(METRICS[metric] for metric in shown_metrics))
    return Table(_key("run_medians", some), f"Medians at each temperature, {some.name}", header, rows, (0, 1))


def _median(runs: Sequence[RunSummary], metric: str) -> Estimate:
    having = [run_summary for run_summary in runs if metric in run_summary.numbers]
    return median(
        [run_summary.numbers[metric] for run_summary in having],
        independent=max(Counter(map(_group, having)).values(), default=1) == 1,
    )


def _models(some: _ComparableRuns) -> Table:
    """Each model by itself: where its alignment lies, and whether it changes."""
    by: defaultdict[str, list[RunSummary]] = defaultdict(list)
    for run_summary in some.runs:
        by[_group(run_summary)[0]].append(run_summary)
    rows = []
    for model, runs in sorted(by.items()):
        rho = _rho(_ComparableRuns(some.name, some.axis, tuple(runs)), "alignment_mean")
        rows.append(
            (model, f"{len(runs):,}", *_mean(runs, "alignment_mean"), number(rho), limits(rho), f"{rho.n:,}")
        )
    return Table(
        _key("run_models", some),
        f"Model by model, {some.name}",
        (
            "Model",
            "Runs",
            "Alignment, mean",
            "95 % interval",
            "Rho with temperature",
            "95 % interval of rho",
            "Runs with both",
        ),
        rows,
        (1, 2, 6),
    )


def _mean(runs: Sequence[RunSummary], metric: str) -> tuple[str, str]:
    """With the interval from leaving out one vignette at a time; without a value, why."""
    by: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for run_summary in runs:
        if metric in run_summary.numbers:
            by[_group(run_summary)].append(run_summary.numbers[metric])
    interval = jackknife(
        list(by.values()),
        lambda groups: mean([value for group in groups for value in group]) if groups else None,
    )
    if interval.value is None:
        return f"{CANNOT}: no run has it", ""
    if interval.low is None or interval.high is None:
        return decimal(interval.value, 3), "none: one vignette says nothing of how far it would vary"
    if interval.high - interval.low < TOLERANCE:
        return decimal(interval.value, 3), "none: it is the same for every vignette"
    return decimal(
        interval.value, 3
    ), f"{decimal(max(0.0, interval.low), 3)} to {decimal(min(1.0, interval.high), 3)}"


def _with(estimate: Estimate, runs: int) -> str:
    """0.95 (0.93 to 0.97), with n where not every run has it."""
    of = f", {estimate.n:,} runs" if estimate.n != runs else ""
    return (
        number(estimate) if estimate.value is None else f"{number(estimate, 3)} ({limits(estimate, 3)}{of})"
    )


def _key(name: str, some: _ComparableRuns) -> str:
    return f"{name}_{'_'.join(some.name.replace(',', '').split())}"


def _curves(curves: Sequence[RunSummary]) -> Table:
    """Nothing tells how far an average curve varies: the cases behind it are not in the file."""
    rows = []
    for run_summary in curves:
        assert run_summary.curve is not None
        slope, values = (
            drift_slope(run_summary.curve.values),
            [value for value in run_summary.curve.values if value is not None],
        )
        first, last = (decimal(values[0], 2), decimal(values[-1], 2)) if values else ("", "")
        cases = "not told" if run_summary.curve.cases is None else f"{run_summary.curve.cases:,}"
        rows.append(
            (
                run_summary.run,
                f"{len(run_summary.curve.values):,}",
                cases,
                first,
                last,
                number(slope, 4),
                "none: a curve of averages does not tell how its cases vary",
            )
        )
    return Table(
        "run_curves",
        f"Average recall of {listed([run_summary.run for run_summary in curves])}, turn by turn",
        ("Model", "Turns", "Cases", "First", "Last", "Change a turn", "95 % interval"),
        rows,
        (1, 2, 3, 4),
    )


def _scatter(some: _ComparableRuns, metric: str) -> Scatter:
    points = _points(some, metric)
    title, x, y = (
        f"{METRICS[metric]} and {AXES[some.axis]}, {some.name}",
        tuple(x for x, _, _ in points),
        tuple(y for _, y, _ in points),
    )
    groups = tuple(_group(run_summary)[0] for _, _, run_summary in points)
    return Scatter(
        _key(f"run_scatter_{some.axis}", some),
        title,
        AXES[some.axis].capitalize(),
        METRICS[metric],
        x,
        y,
        groups,
    )


def _scatter_table(some: _ComparableRuns, metric: str) -> Table:
    """The points of the chart, run by run."""
    rows = [
        (run_summary.run, _group(run_summary)[0], f"{x:g}", decimal(y, 3))
        for x, y, run_summary in _points(some, metric)
    ]
    return Table(
        _key(f"run_points_{some.axis}", some),
        f"The runs on this chart, {some.name}",
        ("Run", "Model", AXES[some.axis].capitalize(), METRICS[metric]),
        rows,
        (2, 3),
    )
