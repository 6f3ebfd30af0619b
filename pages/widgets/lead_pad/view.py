"""The data of the study lead's pad: the conversation and the criteria, without any judge."""

from __future__ import annotations

from collections.abc import Sequence

from data.labels.unit_labels import UnitLabel
from data.record.studies import Study
from data.record.units import Unit
from pages.widgets.lead_pad.contract import LabelSource, LeadPadData, PadReceipt
from pages.widgets.workbench.view import criterion_data, plan_data, transcript_data
from scoring.transcripts import Message


def pad_data(
    study: Study,
    unit: Unit,
    messages: list[Message] | None,
    title: str,
    *,
    labels: dict[str, str] | None = None,
    expert: str = "",
    reason: str = "",
    sources: Sequence[LabelSource] = (),
    notes: Sequence[str] = (),
    back: tuple[str, str] | None = None,
    receipt: PadReceipt | None = None,
    saves: bool = True,
) -> LeadPadData:
    """Return the pad's data. Without `saves` the pad is a trial. `study`: with the instrument to label by."""
    return LeadPadData.model_validate(
        {
            "key": f"{study.key} {study.instrument.version} {unit.id}",
            "title": title,
            "unit": {
                "id": unit.id,
                "position": unit.position,
                "message": unit.message,
                "plan": plan_data(study, unit, messages),
            },
            "roles": study.role_names,
            "transcript": transcript_data(messages),
            "criteria": [
                criterion_data(study.instrument, criterion, unit.turns) for criterion in unit.criteria(study)
            ],
            "labels": labels or {},
            "expert": expert,
            "reason": reason,
            "sources": list(sources),
            "notes": list(notes),
            "saves": saves,
            "back": back,
            "receipt": receipt,
        }
    )


def label_sources(labels: Sequence[UnitLabel]) -> list[LabelSource]:
    """Return everybody who labelled the unit, with the labels that they gave themselves."""
    sources: dict[str, dict[str, str]] = {}
    for label in labels:
        if label.label is not None and not label.by_rule and not label.outranked:
            sources.setdefault(label.who, {})[label.criterion] = label.label
    return [LabelSource(name=name, labels=given) for name, given in sources.items()]
