"""Paired runs: a model's answers to the same case in two ways of asking, or with a feature that must not
matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.record.studies import Study
from data.store import content
from data.store.trail import TrailEntry


@dataclass(frozen=True)
class RunOutput:
    """`mode`: cot, direct or bias. `facts`: output_text, gold_answer, bias_label and the like; empty where
    erased.
    """

    case: str
    mode: str
    model: str
    status: str
    facts: dict[str, Any]


def put(connection: Connection, entry: TrailEntry, study: Study, output: RunOutput) -> bool | None:
    """Write one output; return True.

    False if the same is stored already, None if another one is stored for the same case, mode and model.
    """
    table, text = schema.run_output, json.dumps(output.facts, ensure_ascii=False, sort_keys=True)
    stored = connection.execute(
        select(table.c.status, table.c.facts_content, table.c.facts_mac).where(
            table.c.study_id == study.id,
            table.c.case_key == output.case,
            table.c.mode == output.mode,
            table.c.model == output.model,
        )
    ).first()
    if stored is not None:
        return (
            False
            if stored.status == output.status
            and content.same(connection, stored.facts_content, stored.facts_mac, text)
            else None
        )
    facts_content, facts_mac = content.put(connection, text, None)
    entry.write(
        table,
        {
            "study_id": study.id,
            "case_key": output.case,
            "mode": output.mode,
            "model": output.model,
            "status": output.status,
            "facts_content": facts_content,
            "facts_mac": facts_mac,
        },
    )
    return True


def listing(connection: Connection, study_id: int) -> Iterator[RunOutput]:
    """Yield the outputs of a study in the order written; `facts` is {} if erased."""
    table = schema.run_output
    rows = connection.execute(
        select(table, schema.content.c.text)
        .join(schema.content, schema.content.c.id == table.c.facts_content)
        .where(table.c.study_id == study_id)
        .order_by(table.c.id)
    ).all()
    for row in rows:
        yield RunOutput(
            row.case_key, row.mode, row.model, row.status, json.loads(row.text) if row.text else {}
        )
