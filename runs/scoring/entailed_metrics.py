"""The numbers of one conversation that need a model which tells whether one text follows from another."""

from __future__ import annotations

from collections.abc import Iterator

from data.metrics import MetricSubject, MetricValue, inputs_hash
from runs.scoring.conversation_metrics import MeasuredConversation, goal_variant, steps_of
from scoring.clinical_actions import Lexicon, extract_clinical_actions
from scoring.entailment import EntailmentModel, one_by_one
from scoring.knowledge_conflict import STRIDE, knowledge_conflict
from scoring.step_validity import step_validity


def knowledge(measured: MeasuredConversation, words: Lexicon, model: EntailmentModel) -> MetricValue:
    """Does the advice of one turn contradict that of the turn before? Share of the judged pairs."""
    conflict = knowledge_conflict(
        {measured.conversation.key: measured.replies},
        lambda turn_text: extract_clinical_actions(turn_text, words),
        one_by_one(model),
    )
    detail = {
        "pairs": [
            [pair.turn, verdict] for pair, verdict in zip(conflict.pairs, conflict.verdicts, strict=True)
        ],
        "failed": conflict.failed,
        "contradictions": len(conflict.contradictions),
        "judged": conflict.rate.n,
        "stride": STRIDE,
        "model": model.label,
        "lexicon": words.label,
    }
    return MetricValue(
        measured.subject,
        "knowledge_conflict",
        variant_of(words),
        f"1; {words.label}; {model.label}",
        conflict.rate.value,
        conflict.rate.undefined,
        knowledge_inputs(measured, words, model),
        detail,
    )


def variant_of(words: Lexicon) -> str:
    return goal_variant(words, "product")


def knowledge_inputs(measured: MeasuredConversation, words: Lexicon, model: EntailmentModel) -> str:
    return inputs_hash("knowledge_conflict", "1", STRIDE, words.groups, model.label, measured.replies)


def validity(measured: MeasuredConversation, model: EntailmentModel) -> MetricValue:
    """Does each step follow from what the user said first and the steps before it?"""
    result = step_validity(_prompt(measured), steps_of(measured.replies), model)
    return MetricValue(
        measured.subject,
        "step_validity",
        "entailed",
        f"1; {model.label}",
        result.valid.value,
        result.valid.undefined,
        validity_inputs(measured, model),
        {"verdicts": list(result.verdicts), "model": model.label},
    )


def validity_inputs(measured: MeasuredConversation, model: EntailmentModel) -> str:
    return inputs_hash("step_validity", "1", model.label, _prompt(measured), measured.replies)


def _prompt(measured: MeasuredConversation) -> str:
    return next(
        (message.text for message in measured.conversation.messages or [] if message.role == "user"), ""
    )


def together(present: list[MetricValue]) -> Iterator[MetricValue]:
    """The rate over all judged pairs of a study."""
    metrics = [
        m
        for m in present
        if (m.metric, m.variant) == ("knowledge_conflict", "product") and m.subject.conversation_id
    ]
    if not metrics:
        return
    contradictions, judged, failed = (
        sum(m.detail[name] for m in metrics) for name in ("contradictions", "judged", "failed")
    )
    reason = (
        None if judged else "No pair could be judged." if failed else "No two neighbouring turns give advice."
    )
    yield MetricValue(
        MetricSubject(),
        "knowledge_conflict",
        "product",
        "1",
        contradictions / judged if judged else None,
        reason,
        inputs_hash("knowledge_conflict_rate", "1", sorted(m.inputs for m in metrics)),
        {"contradictions": contradictions, "n": judged, "failed": failed, "conversations": len(metrics)},
    )
