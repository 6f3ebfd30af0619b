"""Step-F1: how many of the assistant's reasoning steps meet a gold step."""

from __future__ import annotations

from data.record.metrics import inputs_hash
from data.record.references import Reference
from runs.scoring.metric_spec import ConversationMetric, MetricCase, MetricResult, ShownColumn
from runs.scoring.metrics._texts import Replies, reference_parts
from scoring.step_f1 import THRESHOLD, Matching, match_steps, steps_of_replies

NAME = "step_f1"
MATCHINGS: tuple[Matching, ...] = ("published", "exclusive")


def step_inputs(replies: Replies, gold: Reference) -> str:
    """Return the hash of replies, gold steps and the threshold."""
    return inputs_hash(NAME, "1", THRESHOLD, replies, *reference_parts(gold))


def _match(case: MetricCase) -> list[MetricResult]:
    """In both ways of matching, with the pairs as positions."""
    steps, gold = steps_of_replies(case.replies), case.references["gold_steps"]
    results = []
    for matching in MATCHINGS:
        step_match = match_steps(steps, gold.body, THRESHOLD, matching)
        detail = {
            "pairs": [[p.model, p.gold, p.dice] for p in step_match.pairs],
            "contested": [[p.model, p.gold, p.dice] for p in step_match.contested],
            "precision": step_match.precision,
            "recall": step_match.recall,
            "steps": len(steps),
            "gold": len(gold.body),
            "threshold": THRESHOLD,
            "gold_version": gold.version,
        }
        results.append(MetricResult(step_match.f1, step_match.undefined, matching, detail))
    return results


METRIC = ConversationMetric(
    name=NAME,
    title="Step-F1",
    order=30,
    needs=("gold_steps",),
    compute=_match,
    inputs=lambda case: step_inputs(case.replies, case.references["gold_steps"]),
    columns=(ShownColumn("Step-F1", "published"), ShownColumn("Step-F1, each step once", "exclusive")),
)
