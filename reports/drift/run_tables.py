"""How the numbers of runs move with temperature and with the depth of the dialogue, and average curves of
models, in words and tables.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from data.record.run_summaries import RunSummary
from reports.document import Block, Paragraph, Scatter, Section, Table
from reports.drift.run_correlations import (
    AXES,
    LED_BY,
    METRICS,
    RISES,
    ComparableRuns,
    RunCorrelation,
    comparable_runs,
    correlate,
    model_and_vignette,
    run_correlations,
    run_points,
)
from reports.wording import CANNOT, limits, listed, number
from scoring.agreement.intervals.additive_counts import divide_counts
from scoring.agreement.intervals.bootstrap import jackknife
from scoring.agreement.intervals.estimate import Estimate
from scoring.drift.curves import drift_slope
from scoring.medians import median
from words.figures import chance, decimal
from words.plurals import count, inflect

READING = (
    "Rho goes from -1 (the higher one is, the lower the other) to 1 (both rise together). Runs of one model "
    "on one vignette are alike, so the interval is made by leaving out one such group at a time; p comes "
    "from the same test. The sentences use p corrected for all of these tests (Holm). Correlation does not "
    "prove a cause, and this test misses a fall followed by a rise."
)
ROUNDING_ERROR = 1e-12
NO_RUNS = "No experiments have been run in this study."


def section(summaries: Sequence[RunSummary]) -> Section | None:
    """Return the section on runs; None if there is neither a run nor a curve."""
    runs, curves = (
        [run_summary for run_summary in summaries if run_summary.source != "curve"],
        [run_summary for run_summary in summaries if run_summary.curve is not None],
    )
    if not runs and not curves:
        return None
    sets = comparable_runs(runs)
    blocks: list[Block] = []
    if runs:
        correlations = run_correlations(sets)
        blocks += [
            Paragraph(_sentence(correlation), "strong")
            for correlation in correlations
            if correlation.metric in LED_BY
        ]
        if not correlations:
            blocks.append(
                Paragraph(
                    f"{count(len(runs), 'run', 'runs')}: none has both a number and a temperature setting "
                    "or length, so there is nothing to compare."
                )
            )
        else:
            blocks += [Paragraph(READING, "small"), _rhos(correlations)]
        blocks += [_medians(some) for some in sets if some.axis == "temperature"]
        blocks += [_models(some) for some in sets if some.axis == "temperature"]
    if curves:
        blocks.append(_curves(curves))
    for some in sets:
        blocks += _picture(some, "alignment_mean")
    return Section("run_tables", "Runs of an experiment", tuple(blocks))


def _sentence(correlation: RunCorrelation) -> str:
    some, rho = correlation.runs, correlation.rho
    name, rising, of = (
        METRICS[correlation.metric],
        RISES[some.axis],
        f"{count(rho.n, 'run', 'runs')}, {some.name}",
    )
    if rho.value is None:
        return f"{name}: whether it changes as {rising} cannot be estimated: {rho.undefined} ({of})."
    if rho.low is None or rho.high is None:
        return f"{name} as {rising}: rho {decimal(rho.value, 2)}, no interval: {rho.no_interval} ({of})."
    moves = {
        1: f"{name} rises as {rising}",
        -1: f"{name} falls as {rising}",
        0: f"{name} shows no clear change as {rising}",
    }[correlation.direction]
    p = "" if correlation.corrected is None else f", p {chance(correlation.corrected)}"
    few = "; few groups, so do not rely on it" if limits(rho).endswith("rely on") else ""
    return (
        f"{moves}: rho {decimal(rho.value, 2)} (plausible range {decimal(rho.low, 2)} to "
        f"{decimal(rho.high, 2)}{p}), {of}{few}."
    )


def _rhos(correlations: Sequence[RunCorrelation]) -> Table:
    rows = [
        (
            METRICS[correlation.metric],
            AXES[correlation.runs.axis],
            correlation.runs.name,
            number(correlation.rho),
            limits(correlation.rho),
            f"{correlation.rho.n:,}",
            f"{correlation.rho.conversations or 0:,}",
            "" if correlation.rho.p is None else chance(correlation.rho.p),
            "" if correlation.corrected is None else chance(correlation.corrected),
        )
        for correlation in correlations
    ]
    return Table(
        "run_rhos",
        "Are they correlated?",
        (
            "Number",
            "Over",
            "Runs of",
            "Rho",
            "95% interval, uncorrected",
            "Runs",
            "Groups",
            "p",
            "p, corrected",
        ),
        rows,
        (3, 5, 6, 7, 8),
    )


def _medians(some: ComparableRuns) -> Table:
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
    header = ("Temperature setting", "Runs", *(METRICS[metric] for metric in shown_metrics))
    return Table(
        _key("run_medians", some),
        f"Medians at each temperature setting of the model, {some.name}",
        header,
        rows,
        (0, 1),
    )


def _median(runs: Sequence[RunSummary], metric: str) -> Estimate:
    having = [run_summary for run_summary in runs if metric in run_summary.numbers]
    return median(
        [run_summary.numbers[metric] for run_summary in having],
        independent=max(Counter(map(model_and_vignette, having)).values(), default=1) == 1,
    )


def _models(some: ComparableRuns) -> Table:
    """Each model by itself: where its alignment lies, and whether it changes."""
    by: defaultdict[str, list[RunSummary]] = defaultdict(list)
    for run_summary in some.runs:
        by[model_and_vignette(run_summary)[0]].append(run_summary)
    rows = []
    for model, runs in sorted(by.items()):
        rho = correlate(ComparableRuns(some.name, some.axis, tuple(runs)), "alignment_mean")
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
            "95% interval",
            "Rho with the temperature setting",
            "95% interval of rho",
            "Runs with both numbers",
        ),
        rows,
        (1, 2, 6),
    )


def _mean(runs: Sequence[RunSummary], metric: str) -> tuple[str, str]:
    """With the interval from leaving out one vignette at a time; without a value, why."""
    by: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for run_summary in runs:
        if metric in run_summary.numbers:
            by[model_and_vignette(run_summary)].append(run_summary.numbers[metric])
    sums = np.array([(sum(values), len(values)) for values in by.values()], dtype=float).reshape(-1, 2)
    interval = jackknife(sums, divide_counts)
    if interval.value is None:
        return f"{CANNOT}: no run has it", ""
    if interval.low is None or interval.high is None:
        return decimal(interval.value, 3), "none: one vignette can't show how much the number would vary"
    if interval.high - interval.low < ROUNDING_ERROR:
        return decimal(interval.value, 3), "none: the number is the same for every vignette"
    return decimal(
        interval.value, 3
    ), f"{decimal(max(0.0, interval.low), 3)} to {decimal(min(1.0, interval.high), 3)}"


def _with(estimate: Estimate, runs: int) -> str:
    """0.95 (0.93 to 0.97), with n where not every run has it."""
    of = f", {estimate.n:,} runs" if estimate.n != runs else ""
    return (
        number(estimate) if estimate.value is None else f"{number(estimate, 3)} ({limits(estimate, 3)}{of})"
    )


def _key(name: str, some: ComparableRuns) -> str:
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
        cases = "unknown" if run_summary.curve.cases is None else f"{run_summary.curve.cases:,}"
        rows.append(
            (
                run_summary.run,
                f"{len(run_summary.curve.values):,}",
                cases,
                first,
                last,
                number(slope, 4),
                "none: a curve of averages does not show how cases vary",
            )
        )
    return Table(
        "run_curves",
        f"Average recall of {listed([run_summary.run for run_summary in curves])}, turn by turn",
        ("Model", "Turns", "Cases", "First", "Last", "Change per turn", "95% interval"),
        rows,
        (1, 2, 3, 4),
    )


def _picture(some: ComparableRuns, metric: str) -> Iterator[Block]:
    """The points of a number over the axis, drawn and run by run; nothing where there are none."""
    points, axis = run_points(some, metric), AXES[some.axis].capitalize()
    if not points:
        return
    x, y, runs = zip(*points, strict=True)
    groups = tuple(model_and_vignette(run)[0] for run in runs)
    yield Scatter(
        _key(f"run_scatter_{some.axis}", some),
        f"{METRICS[metric]} and {AXES[some.axis]}, {some.name}",
        axis,
        METRICS[metric],
        x,
        y,
        groups,
    )
    yield Table(
        _key(f"run_points_{some.axis}", some),
        f"The runs on this chart, {some.name}",
        ("Run", "Model", axis, METRICS[metric]),
        [
            (run.run, group, f"{at:g}", decimal(value, 3))
            for (at, value, run), group in zip(points, groups, strict=True)
        ],
        (2, 3),
    )


def runs_headline(summaries: Sequence[RunSummary]) -> str:
    """Return what rises or falls with temperature or depth, tested together, or why it can't be tested.

    For example "NAME falls as the temperature rises.", or "No change is clear as ..., over 4 runs.";
    NO_RUNS without summaries.
    """
    runs = [run_summary for run_summary in summaries if run_summary.source != "curve"]
    if not runs:
        return (
            "Changes over the runs can't be tested, because averages do not show how cases vary."
            if summaries
            else NO_RUNS
        )
    correlations = run_correlations(comparable_runs(runs))
    tested = [correlation for correlation in correlations if correlation.corrected is not None]
    over = f"over {count(len(runs), 'run', 'runs')}"
    if not tested:
        reason = correlations[0].rho.undefined or correlations[0].rho.no_interval if correlations else None
        why = reason or "no run has both a number and a temperature setting or length"
        return (
            "Whether anything changes with the model's temperature setting or the length of the dialogue, "
            f"{over}, can't be estimated, because {why}."
        )
    sentences = [
        f"{_joined(names)} {inflect(len(names), verb, verb[:-1])} as {rising}"
        for rising in dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)
        for direction, verb in ((-1, "falls"), (1, "rises"))
        if (names := _names(tested, rising, direction))
    ]
    if not sentences:
        rising = listed(list(dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)))
        return f"No change is clear as {rising}, {over}."
    first, *others = sentences
    return f"{'; '.join([first, *(part[:1].lower() + part[1:] for part in others)])}."


def _names(tested: Sequence[RunCorrelation], rising: str, direction: int) -> list[str]:
    """Numbers that move this way; of runs that are compared apart (another tier or source) with which."""
    several = len({correlation.runs.name for correlation in tested}) > 1
    return [
        METRICS[correlation.metric] + (f" ({correlation.runs.name})" if several else "")
        for correlation in tested
        if RISES[correlation.runs.axis] == rising and correlation.direction == direction
    ]


def _joined(names: Sequence[str]) -> str:
    """As the beginning of a sentence."""
    first, *others = names
    return " and ".join([first, *(name[:1].lower() + name[1:] for name in others)])
