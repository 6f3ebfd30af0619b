"""Level 3.2 of plan-output alignment: how alike the responses of an experiment are, by BERTScore, where it is
installed.
"""

from __future__ import annotations

from collections.abc import Sequence

from data import conversations
from data.metrics import MetricSubject, MetricValue, inputs_hash
from data.store import Connection
from data.studies import Study
from scoring.models.configured import bertscore
from scoring.plan_alignment import parse_plan

NAMES = ("bertscore_precision", "bertscore_recall", "bertscore_f1")


def responses_of(connection: Connection, study: Study, ids: Sequence[int]) -> list[str]:
    """What each trial said after its plan; nothing for a study without declared plans."""
    if study.taxonomy is None or not study.instrument.criteria_from:
        return []
    found = []
    for conversation in conversations.read(connection, list(ids)):
        last = next((m.text for m in reversed(conversation.messages or []) if m.role == "assistant"), "")
        found.append(parse_plan(last, study.taxonomy).response)
    return found


def similarity_inputs(responses: Sequence[str]) -> str:
    entry = bertscore().model
    return inputs_hash("bertscore", "1", entry.name, entry.num_layers, entry.sha256, list(responses))


def similarity(responses: Sequence[str]) -> list[MetricValue]:
    """Raises ModelMissing where the library or the weights are absent, BadInput for more than it takes."""
    from scoring.models.response_similarity import response_similarity

    scores = response_similarity(responses)
    values = (scores.precision, scores.recall, scores.f1)
    return [
        MetricValue(
            MetricSubject(),
            name,
            "product",
            f"1; {scores.model}",
            value.value,
            value.undefined,
            similarity_inputs(responses),
            {
                "n": value.n,
                "blank": scores.blank,
                "cut": scores.cut,
                "model": scores.model,
                "reference": scores.reference[short],
            },
        )
        for name, value, short in zip(NAMES, values, scores.reference, strict=True)
    ]
