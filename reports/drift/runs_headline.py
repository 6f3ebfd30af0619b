"""What moves over the runs of an experiment, in one sentence for the top of a page."""

from __future__ import annotations

from collections.abc import Sequence

from data.record.run_summaries import RunSummary
from reports.drift.run_correlations import METRICS, RISES, RunCorrelation, comparable_runs, run_correlations
from reports.wording import listed
from words.plurals import count, inflect

NO_RUNS = "This study has no runs of an experiment."


def runs_headline(summaries: Sequence[RunSummary]) -> str:
    """What rises or falls with the temperature, or as the dialogue grows, all tested together; else that
    nothing clearly does, or why nobody can tell.
    """
    runs = [run_summary for run_summary in summaries if run_summary.source != "curve"]
    if not runs:
        return (
            "Over the runs nothing can be told to move, because averages do not tell how cases vary."
            if summaries
            else NO_RUNS
        )
    correlations = run_correlations(comparable_runs(runs))
    tested = [correlation for correlation in correlations if correlation.corrected is not None]
    over = f"over {count(len(runs), 'run', 'runs')}"
    if not tested:
        reason = correlations[0].rho.undefined or correlations[0].rho.no_interval if correlations else None
        why = reason or "no run has a temperature or a depth beside a number"
        return f"Whether anything moves {over} cannot be told, because {why}."
    sentences = [
        f"{_joined(names)} {inflect(len(names), verb, verb[:-1])} as {rising}"
        for rising in dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)
        for direction, verb in ((-1, "falls"), (1, "rises"))
        if (names := _names(tested, rising, direction))
    ]
    if not sentences:
        rising = listed(list(dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)))
        return f"Nothing is seen to change as {rising}, {over}."
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
