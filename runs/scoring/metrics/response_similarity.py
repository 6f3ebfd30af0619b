"""Level 3.2 of plan-output alignment: how alike the responses of an experiment are, by BERTScore, where it is
installed.
"""

from __future__ import annotations

from collections.abc import Sequence

from data.record import conversations
from data.record.metrics import MetricSubject, MetricValue, inputs_hash
from data.record.studies import Study
from data.store.store import Connection
from runs.scoring.metric_spec import ShownRow, StudyMaterial, StudyMetric
from scoring.models.model_settings import MAX_REPLIES, ModelMissing, bertscore
from scoring.plan_alignment import parse_plan

NAMES = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
TITLES = ("Likeness of the responses: BERTScore precision", "BERTScore recall", "BERTScore F1")


def responses_of(connection: Connection, study: Study, ids: Sequence[int]) -> list[str]:
    """Return what each trial said after its plan; [] for a study without declared plans."""
    if study.taxonomy is None or not study.instrument.criteria_from:
        return []
    responses = []
    for conversation in conversations.read(connection, list(ids)):
        last = next((m.text for m in reversed(conversation.messages or []) if m.role == "assistant"), "")
        responses.append(parse_plan(last, study.taxonomy).response)
    return responses


def similarity_inputs(responses: Sequence[str]) -> str:
    """Return the hash of the responses and the configured model."""
    entry = bertscore().model
    return inputs_hash("bertscore", "1", entry.name, entry.num_layers, entry.sha256, list(responses))


def similarity(responses: Sequence[str]) -> list[MetricValue]:
    """Return mean precision, recall and F1 of the similarity of the responses.

    Raise ModelMissing if the library or weights are missing, BadInput for too many responses.
    """
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


def _compute(material: StudyMaterial) -> list[MetricValue]:
    """Compute BERTScore, which is an extra: without its library only this metric is left out, with a
    notice.
    """
    with material.store.reading() as connection:
        responses = responses_of(connection, material.study, material.conversation_ids[: MAX_REPLIES + 1])
    if len(responses) > MAX_REPLIES:
        material.leave_out(
            "BERTScore of the responses was left out: it compares all pairs, of at most "
            f"{MAX_REPLIES:,} responses."
        )
    if not 0 < len(responses) <= MAX_REPLIES:
        return []
    if material.is_present(similarity_inputs(responses)):
        return []
    try:
        return similarity(responses)
    except ModelMissing as error:
        material.leave_out(f"BERTScore of the responses was left out. {error}")
    return []


METRIC = StudyMetric(
    name="response_similarity",
    title="likeness of responses",
    order=80,
    compute=_compute,
    applies=lambda _connection, study: study.taxonomy is not None and bool(study.instrument.criteria_from),
    made_of="declared plans",
    rows=tuple(
        ShownRow(title, name, {"product": ""}, counted="responses", lead_only=False, says_model=True)
        for name, title in zip(NAMES, TITLES, strict=True)
    ),
)
