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
    """`judged`: every declared strategy has a score. `incomplete`: some have. `skipped`: there was nothing to
    judge.

    `alignment` (0 to 1) is that of a judged trial only. `reference_alignment` is what the published program
    counts: an unscored strategy, a skipped and a failed trial count 0.
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
        """The trial that these scores of declared strategies make; without any the judge failed, where
        `error` says so.
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
        """The entry of judgments.json in the published form."""
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
        """Mean over the judged trials; `n` of them. The headline."""
        found = [trial.alignment for trial in self.trials if trial.alignment is not None]
        method = f"mean of {len(found)} judged trials of {len(self.trials)}"
        return (
            Estimate(float(sum(found, Fraction(0)) / len(found)), len(found), method)
            if found
            else undefined_estimate("No trial was judged in full.", 0, method)
        )

    @property
    def reference_mean(self) -> float:
        """`alignment_mean` of the published metrics.json: skipped and failed trials count 0; 0.0 without
        trials.
        """
        counted = [trial.reference_alignment for trial in self.trials]
        return float(sum(counted, Fraction(0)) / len(counted)) if counted else 0.0

    def trials_by_strategy(self) -> dict[str, int]:
        """How many trials have a score of each strategy."""
        return dict(Counter(name for trial in self.trials for name in trial.scores))

    def per_strategy(self, reference: bool = False) -> dict[str, float]:
        """Mean score of a strategy over the trials that declared it, 0 to 1. `reference`: an unscored one
        counts 0.
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
    """Judge each trial: `strategy_sets[i]` was declared, `responses[i]` said.

    `judge(declared, response)` returns the judge's reply in lines, or raises JudgeFailed; one call a trial,
    in order. A trial without strategies or with a blank response is skipped and not judged. Surplus entries
    of the longer list are left out, as published. Raises BadInput for arguments of a wrong kind, before the
    judge is called.
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
