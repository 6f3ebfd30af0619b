"""Alignment of an experiment: many trials of one prompt, each judged by one call about its declared
strategies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import name_sets, texts
from scoring.plan_alignment.judge_lines import NOT_SCORED, Parser, known_parser, parse_judge_lines
from scoring.plan_alignment.plans import HIGHEST, trial_alignment

Judge = Callable[[Sequence[str], str], str]
Status = Literal["judged", "incomplete", "skipped", "failed"]
NO_SCORE = "no score"
SKIPPED = "empty strategies or response"


class JudgeFailed(Exception):
    """The call to the judge failed. Its message is kept with the trial."""


@dataclass(frozen=True)
class Trial:
    """One trial with the judge's scores (0 to 2) of its declared strategies.

    `status`: "judged" if every declared strategy has a score, "incomplete" if not, "skipped" if there was
    nothing to judge, "failed" if the call to the judge failed. `alignment`: 0 to 1, None unless judged.
    `reference_alignment`: what the published program counts, where an unscored strategy, a skipped trial and
    a failed trial count 0.
    """

    number: int
    status: Status
    declared: tuple[str, ...]
    scores: dict[str, int]
    reasoning: dict[str, str]
    reply: str = ""
    error: str = ""

    @classmethod
    def scored(
        cls,
        number: int,
        declared: tuple[str, ...],
        scores: dict[str, int],
        reasoning: dict[str, str] | None = None,
        reply: str = "",
        error: str = "",
    ) -> Trial:
        """Make a trial from its scores: "failed" with an `error` and no scores, else judged or incomplete.

        A trial that declared no strategy counts as judged. `error` is kept only if the trial failed.
        """
        status: Status = (
            "judged" if len(scores) == len(declared) else "failed" if error and not scores else "incomplete"
        )
        return cls(
            number, status, declared, scores, reasoning or {}, reply, error if status == "failed" else ""
        )

    @property
    def alignment(self) -> Fraction | None:
        return trial_alignment(self.declared, self.scores) if self.status == "judged" else None

    @property
    def reference_alignment(self) -> Fraction:
        if self.status in ("skipped", "failed"):
            return Fraction(0)
        return Fraction(sum(self.scores.values()), HIGHEST * len(self.declared))

    def published(self) -> dict[str, Any]:
        """Return the trial as an entry of the published judgments.json."""
        if self.status == "skipped":
            return {"trial": self.number, "skipped": True, "reason": SKIPPED}
        if self.status == "failed":
            return {"trial": self.number, "error": self.error}
        parsed = {
            name: {"reasoning": self.reasoning.get(name, NOT_SCORED), "score": self.scores.get(name, 0)}
            for name in self.declared
        }
        return {
            "trial": self.number,
            "raw_output": self.reply,
            "parsed": parsed,
            "trial_alignment": float(self.reference_alignment),
        }


@dataclass(frozen=True)
class Experiment:
    trials: tuple[Trial, ...]

    @property
    def alignment_mean_judged(self) -> Estimate:
        """The mean alignment of the judged trials, 0 to 1, without an interval; no value without any."""
        found = [trial.alignment for trial in self.trials if trial.alignment is not None]
        method = f"mean of {len(found)} judged trials of {len(self.trials)}"
        return (
            Estimate(float(sum(found, Fraction(0)) / len(found)), len(found), method)
            if found
            else undefined_estimate("No trial was judged in full.", 0, method)
        )

    @property
    def reference_mean(self) -> float:
        """The `alignment_mean` of the published metrics.json: skipped and failed trials count 0.

        0.0 without trials.
        """
        counted = [trial.reference_alignment for trial in self.trials]
        return float(sum(counted, Fraction(0)) / len(counted)) if counted else 0.0

    def trials_by_strategy(self) -> dict[str, int]:
        """Return strategy -> the number of trials that have a score of it."""
        return dict(Counter(name for trial in self.trials for name in trial.scores))

    def per_strategy(self, reference: bool = False) -> dict[str, float]:
        """Return strategy -> its mean score, 0 to 1, over the judged and incomplete trials that declared it.

        Args:
            reference: count a strategy without a score as 0, as published, instead of leaving it out.
        """
        pooled: defaultdict[str, list[int]] = defaultdict(list)
        for trial in self.trials:
            if trial.status in ("judged", "incomplete"):
                for name in trial.declared:
                    if reference or name in trial.scores:
                        pooled[name].append(trial.scores.get(name, 0))
        return {
            name: float(Fraction(sum(scores), HIGHEST * len(scores)))
            for name, scores in sorted(pooled.items())
        }


def compute_alignment(
    strategy_sets: Sequence[Collection[str]],
    responses: Sequence[str],
    judge: Judge,
    parser: Parser = "lenient",
) -> Experiment:
    """Judge every trial of an experiment, with one call to the judge per trial, in order.

    A trial without strategies or with a blank response is skipped.

    Args:
        strategy_sets: the strategies that each trial declared.
        responses: the response of each trial; extra entries of the longer list are left out, as published.
        judge: takes the declared strategies and the response, and returns the judge's reply in lines or
            raises JudgeFailed.
        parser: how to read the reply (`parse_judge_lines`).

    Raises:
        BadInput: an argument of the wrong type, before the judge is called.
    """
    replies = texts("responses", responses)
    sets = [tuple(sorted(names)) for names in name_sets("strategy_sets", strategy_sets)]
    parser = known_parser(parser)
    return Experiment(
        tuple(
            _trial(number, declared, response, judge, parser)
            for number, (declared, response) in enumerate(zip(sets, replies, strict=False), start=1)
        )
    )


def _trial(number: int, declared: tuple[str, ...], response: str, judge: Judge, parser: Parser) -> Trial:
    if not declared or not response.strip():
        return Trial(number, "skipped", declared, {}, {})
    try:
        reply = judge(declared, response)
    except JudgeFailed as error:
        return Trial(number, "failed", declared, {}, {}, error=str(error))
    lines = parse_judge_lines(reply, declared, parser)
    return Trial.scored(number, declared, lines.scores, lines.reasoning, reply)
