"""Step validity: does each reasoning step follow from the prompt and the steps before it?

Seed "Step-F1", its proposal of a logic check by entailment. Step-F1 compares words with gold steps; this asks
a model whether a step follows from what stands before it, and needs no gold steps. A model reads a few
hundred word pieces of what stands before: in a long text, late steps are checked against its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import text, texts
from scoring.entailment import EntailmentModel, Verdict

CONTEXTS_PER_BATCH = 64  # so that not all contexts, each longer than the last, are in memory at the same time
NO_STEPS = "The model's text has no reasoning steps."
NOTHING_BEFORE = "No step has a prompt or another step before it."
NONE_JUDGED = "The model failed on every step."


@dataclass(frozen=True)
class StepValidity:
    """`verdicts`: one a step; None where the step is blank, nothing stands before it, or the model failed.
    `valid`: share of entailed steps among those with a verdict, 0 to 1. `failed`: steps on which the model
    failed. `model` names what judged.
    """

    verdicts: tuple[Verdict | None, ...]
    valid: Estimate
    failed: int
    model: str

    def steps(self, verdict: Verdict) -> tuple[int, ...]:
        """Return the positions of the steps with this verdict, from 0, ascending."""
        return tuple(number for number, found in enumerate(self.verdicts) if found == verdict)


def check_step_validity(model: EntailmentModel, context: str | None, step: str | None) -> bool | None:
    """Tell whether the context entails the step; None where either is blank. Raise BadInput for anything
    but texts.
    """
    premise, hypothesis = text("context", context).strip(), text("step", step).strip()
    return model.verdicts([(premise, hypothesis)])[0] == "entailment" if premise and hypothesis else None


def step_validity(prompt: str | None, steps: Sequence[str | None], model: EntailmentModel) -> StepValidity:
    """Check each step against the prompt and all steps before it, valid or not, as published.

    Raise BadInput for anything but texts, and what the model raises.
    """
    asked, step_texts = text("prompt", prompt), texts("steps", steps)
    pairs = _pairs(asked.strip(), [step.strip() for step in step_texts])
    verdicts: list[Verdict | None] = [None] * len(step_texts)
    failed = 0
    while batch := list(islice(pairs, CONTEXTS_PER_BATCH)):
        batch_verdicts = model.verdicts([(context, step) for _, context, step in batch])
        for (number, _, _), verdict in zip(batch, batch_verdicts, strict=True):
            verdicts[number] = verdict
            failed += verdict is None
    return StepValidity(tuple(verdicts), _valid(verdicts, failed, model.label), failed, model.label)


def _pairs(context: str, steps: list[str]) -> Iterator[tuple[int, str, str]]:
    for number, step in enumerate(steps):
        if step and context:
            yield number, context, step
        context = f"{context} {step}".strip()


def _valid(verdicts: list[Verdict | None], failed: int, model: str) -> Estimate:
    judged = [verdict for verdict in verdicts if verdict is not None]
    method = f"share of entailed steps, {model}"
    if not judged:
        return undefined_estimate(
            NONE_JUDGED if failed else NOTHING_BEFORE if verdicts else NO_STEPS, 0, method
        )
    return Estimate(judged.count("entailment") / len(judged), len(judged), method)
