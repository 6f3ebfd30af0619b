"""Forms in which the next question depends on the answer, while a person rates: which questions of a unit are
asked, and what becomes of an answer whose question is not asked any more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from data import schema
from data.record.studies import Study
from data.record.units import Unit
from data.store.errors import Refused
from data.store.trail import TrailEntry
from scoring.asked_questions import asked_ids
from scoring.instruments import Criterion


def asked_in_unit(study: Study, unit: Unit, labels: Mapping[str, str | None]) -> set[str]:
    """Return the ids of the unit's criteria that are asked after these labels and those that rules
    fill in.
    """
    instrument, criteria = study.instrument, unit.criteria(study)
    if not instrument.conditional:
        return {criterion.id for criterion in criteria}
    forced = {c.id: instrument.forced_not_applicable(c, unit.turns) for c in criteria}
    return asked_ids(criteria, {c.id: forced[c.id] or labels.get(c.id) for c in criteria})


def check_asked(
    study: Study, unit: Unit, criterion: Criterion, rows: Mapping[str, Mapping[str, Any]]
) -> None:
    """Raise Refused if the criterion is not asked after the latest drafts (`rows`, by criterion)."""
    if criterion.id not in asked_in_unit(study, unit, {name: row["label"] for name, row in rows.items()}):
        raise Refused("question_not_asked", criterion=criterion.name)


def drop_answers(
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    rows: Mapping[str, Mapping[str, Any]],
) -> None:
    """Remove the label from every draft whose question is not asked any more; note and evidence stay.

    `rows`: the latest drafts by criterion, after that of the event.
    """
    asked = asked_in_unit(study, unit, {name: row["label"] for name, row in rows.items()})
    for name, row in rows.items():
        if name not in asked and (row["label"] is not None or row["cannot_rate"] is not None):
            words = {column: row[column] for column in ("evidence", "note_content", "note_mac")}
            entry.write(
                schema.draft,
                {
                    "event": f"{event}:{name}",
                    "rater_id": rater_id,
                    "unit_id": unit.id,
                    "criterion": name,
                    "label": None,
                    "cannot_rate": None,
                    "also": json.dumps([]),
                    "confidence": None,
                    **words,
                },
            )


def check_shown(study: Study, unit: Unit, asked: Set[str], shown: Mapping[str, str | None]) -> None:
    """Raise Refused if the screen (`shown`) had an answer to a criterion that is not in `asked`."""
    for criterion in unit.criteria(study):
        if shown.get(criterion.id) is not None and criterion.id not in asked:
            raise Refused("unasked_answer_on_screen", criterion=criterion.name)
