"""What a study needs before any metric can be computed."""

from __future__ import annotations

from data.record import conversations
from data.record.references import KINDS, References
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.store import Connection
from runs.scoring import judge_metrics
from runs.scoring.metric_spec import ConversationMetric, StudyMetric
from runs.scoring.registry import metric_specs
from scoring.step_f1 import REASONING_MARKS, has_reasoning_block

REASONING = "reasoning that the assistant marked as such"
JUDGE_LABELS = "judge labels that its instrument turns into a score"


def missing_material(connection: Connection, study: Study) -> list[str]:
    """Return what metrics are computed from, in words, if no metric applies to the study; [] if at least
    one does.

    ["conversations"] for a study without any. Missing models don't count.
    """
    ids = conversations.ids(connection, study.id)
    if not ids:
        return ["conversations"]
    references = References(connection, study.id)
    study_metrics = metric_specs(StudyMetric)
    if (
        any(_has_references(references, spec) for spec in metric_specs(ConversationMetric))
        or any(spec.applies is None or spec.applies(connection, study) for spec in study_metrics)
        or judge_metrics.count_judged(connection, study, ids)
        or _has_reasoning(connection, study)
    ):
        return []
    made_of = dict.fromkeys(spec.made_of for spec in study_metrics if spec.made_of)
    return [*KINDS.values(), REASONING, *made_of, JUDGE_LABELS]


def _has_reasoning(connection: Connection, study: Study) -> bool:
    """Tell whether the assistant marked its reasoning in any conversation."""
    if not any("reasoning" in spec.needs for spec in metric_specs(ConversationMetric)):
        return False
    candidates = conversations.ids_with_words(connection, study.id, REASONING_MARKS)
    return any(
        has_reasoning_block(conversation.replies())
        for first in range(0, len(candidates), MAX_IDS_PER_QUERY)
        for conversation in conversations.read(connection, candidates[first : first + MAX_IDS_PER_QUERY])
        if conversation.messages is not None
    )


def _has_references(references: References, spec: ConversationMetric) -> bool:
    """Tell whether the study has a reference of each kind that the metric needs."""
    kinds = references.kinds()
    if "reasoning" in spec.needs:
        return "gold_steps" in kinds
    return {*KINDS}.intersection(spec.needs) <= kinds and ("any_reference" not in spec.needs or bool(kinds))
