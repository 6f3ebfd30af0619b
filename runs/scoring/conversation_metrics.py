"""The numbers of one conversation that come from its words and its references, not from a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from data.conversations import Conversation
from data.metrics import MetricSubject, MetricValue, inputs_hash
from data.references import Reference
from scoring.agreement.estimate import Estimate
from scoring.clinical_actions import Lexicon, lexicon
from scoring.drift.curves import drift_slope
from scoring.entity_recall import recall_curve
from scoring.goal_alignment import GoalAlignment, TextEmbedder, align_all
from scoring.step_f1 import THRESHOLD, Matching, extract_reasoning_steps, match_steps

GOAL_VARIANTS = ("actions/windowed", "actions/truncated", "full/windowed", "full/truncated")
MATCHINGS: tuple[Matching, ...] = ("published", "exclusive")
Replies = Sequence[str | None]


@dataclass(frozen=True)
class MeasuredConversation:
    """A conversation, its replies turn by turn, and what it is measured against."""

    conversation: Conversation
    replies: list[str | None]

    @property
    def subject(self) -> MetricSubject:
        return MetricSubject(conversation_id=self.conversation.id)


def steps_of(replies: Replies) -> list[str]:
    """The reasoning steps in everything the assistant said."""
    return extract_reasoning_steps("\n".join(reply for reply in replies if reply))


def goal_version(words: Lexicon, model: str) -> str:
    return f"1; {words.label}; {model}"


def goal_variant(words: Lexicon, variant: str = GOAL_VARIANTS[0]) -> str:
    return variant + _beside(words.label)


def _beside(label: str) -> str:
    """Numbers of another lexicon than the default are variants of their own, beside the default's and never
    in their place.
    """
    return "" if label == lexicon().label else f"/{label}"


def goal_inputs(measured: MeasuredConversation, plan: Reference, words: Lexicon, model: str) -> str:
    return inputs_hash(
        "goal_alignment", goal_version(words, model), words.groups, measured.replies, *_which(plan)
    )


def _which(reference: Reference) -> tuple[str, int, Any]:
    """A text that comes back after another is computed anew, or the other's numbers would stay the newest."""
    return reference.level, reference.version, reference.body


def goal(
    measured: Sequence[MeasuredConversation],
    plans: Sequence[Reference],
    words: Lexicon,
    model: str,
    embedder: TextEmbedder,
) -> list[MetricValue]:
    """Session goal alignment of several conversations at once."""
    goal_alignments = align_all(
        [
            (measured_conversation.replies, plan.body)
            for measured_conversation, plan in zip(measured, plans, strict=True)
        ],
        words,
        embedder,
    )
    return [
        metric
        for measured_conversation, plan, result in zip(measured, plans, goal_alignments, strict=True)
        for metric in _goal(
            measured_conversation,
            plan,
            result,
            goal_version(words, model),
            goal_inputs(measured_conversation, plan, words, model),
        )
    ]


def _goal(
    measured_conversation: MeasuredConversation,
    plan: Reference,
    goal_alignment: GoalAlignment,
    version: str,
    inputs: str,
) -> list[MetricValue]:
    shared = {
        "model": goal_alignment.model,
        "lexicon": goal_alignment.lexicon,
        "plan_version": plan.version,
        "plan_level": plan.level,
    }
    details: dict[str, dict[str, Any]] = {
        "actions/windowed": {
            **shared,
            "curve": goal_alignment.curve("windowed"),
            "local": [turn.local for turn in goal_alignment.turns],
        },
        "actions/truncated": {
            **shared,
            "curve": goal_alignment.curve("truncated"),
            "tokens": [turn.tokens for turn in goal_alignment.turns],
            "truncated_from": goal_alignment.truncated_from,
        },
        "full/windowed": {**shared, "tokens": goal_alignment.tokens_full},
        "full/truncated": {**shared, "tokens": goal_alignment.tokens_full},
    }
    values = (
        goal_alignment.actions_windowed,
        goal_alignment.actions_truncated,
        goal_alignment.full_windowed,
        goal_alignment.full_truncated,
    )
    of = _beside(goal_alignment.lexicon)
    metrics = [
        _metric(
            measured_conversation, "goal_alignment", variant + of, version, value, inputs, details[variant]
        )
        for variant, value in zip(GOAL_VARIANTS, values, strict=True)
    ]
    slope = drift_slope(goal_alignment.curve("windowed"))
    return [
        *metrics,
        _metric(
            measured_conversation,
            "goal_alignment_slope",
            "windowed" + of,
            version,
            slope,
            inputs,
            {"n": slope.n},
        ),
    ]


def step_f1(measured: MeasuredConversation, gold: Reference) -> list[MetricValue]:
    """Step-F1 in both ways of matching, with the pairs as positions."""
    steps = steps_of(measured.replies)
    metrics = []
    for matching in MATCHINGS:
        step_match = match_steps(steps, gold.body, THRESHOLD, matching)
        value = Estimate(step_match.f1, len(step_match.pairs), "Step-F1", step_match.undefined)
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
        metrics.append(
            _metric(measured, "step_f1", matching, "1", value, step_inputs(measured, gold), detail)
        )
    return metrics


def step_inputs(measured: MeasuredConversation, gold: Reference) -> str:
    return inputs_hash("step_f1", "1", THRESHOLD, measured.replies, *_which(gold))


def entity_recall(measured: MeasuredConversation, entities: Reference) -> list[MetricValue]:
    """Recall of the critical entities at each turn: the value is that of the last reply, the slope that of
    the curve.
    """
    curve = recall_curve(measured.replies, entities.body)
    inputs = entity_inputs(measured, entities)
    last = next((turn.recall for turn in reversed(curve.turns) if turn.recall.value is not None), None)
    value = last or Estimate(None, 0, "recall", "The assistant says nothing.")
    slope = drift_slope(curve.recall)
    return [
        _metric(
            measured,
            "entity_recall",
            curve.variant,
            "1",
            value,
            inputs,
            {"curve": curve.recall, "entities": len(entities.body)},
        ),
        _metric(measured, "entity_recall_slope", curve.variant, "1", slope, inputs, {"n": slope.n}),
    ]


def entity_inputs(measured: MeasuredConversation, entities: Reference) -> str:
    return inputs_hash("entity_recall", "1", measured.replies, *_which(entities))


def _metric(
    measured: MeasuredConversation,
    name: str,
    variant: str,
    version: str,
    value: Estimate,
    inputs: str,
    detail: dict[str, Any],
) -> MetricValue:
    return MetricValue(measured.subject, name, variant, version, value.value, value.undefined, inputs, detail)
