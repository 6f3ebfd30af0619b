"""Sentences about judge runs: what is under way, how the last one ended, what has no label and what the next
one takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.record.judge_runs import JudgeRun, JudgeRunProgress
from reports.wording import describe_minutes
from runs.judging.run_estimate import RunEstimate
from words.plurals import count


def headline(runs: Sequence[JudgeRun], progress: JudgeRunProgress | None, failures: Mapping[str, int]) -> str:
    """Return how the runs are going, such as "gpt5 is being asked: 12 of 400 calls.", in a sentence or two.

    Else, in this order: a run waits, the last run ended early, calls without a label, or all is finished;
    "No judge was asked from here yet." without any.

    Args:
        runs: newest first.
        progress: of the run under way, None without one.
        failures: judge's name -> calls without a label.
    """
    under_way = next((run for run in reversed(runs) if run.state != "ended"), None)
    if under_way is not None and progress is not None and progress.total:
        return f"{under_way.judge_name} is being asked: {progress.done:,} of {progress.total:,} calls."
    if under_way is not None:
        return f"A run of {under_way.judge_name} is waiting for the worker, the background program."
    without_label = _without_label(failures)
    last = next(iter(runs), None)
    if last is not None and last.outcome != "finished":
        return f"The last run, of {last.judge_name}, ended early. {without_label}".strip()
    if without_label:
        return without_label
    if last is not None:
        return f"The last run, of {last.judge_name}, finished, and every call returned a label."
    return "No judge has been run here yet."


def _without_label(failures: Mapping[str, int]) -> str:
    waiting = {name: number for name, number in failures.items() if number}
    if not waiting:
        return ""
    calls = count(sum(waiting.values()), "call", "calls")
    of = next(iter(waiting)) if len(waiting) == 1 else f"{len(waiting)} judges"
    return f"{calls} to {of} returned no label."


def describe_estimate(estimate: RunEstimate) -> str:
    """Return what a run will take: the estimate's own sentence, with the minutes if the judge's pace is
    known and the answers are not replayed.

    Without calls: "Everything was asked already: nothing is pending."
    """
    if not estimate.calls:
        return "Everything has been asked already, so nothing is pending."
    if estimate.seconds is None or estimate.replayed:
        return estimate.sentence()
    return f"{estimate.sentence()} {describe_minutes(estimate.seconds / 60)} at the pace of its last run."
