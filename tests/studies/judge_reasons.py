"""Reasons of a judge, every label of which is read by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.labels.rationales import LabelReader, Remarks
from data.record import conversations
from data.record.judgements import first_labels_only
from data.record.studies import Study
from scoring.judge_reasons import JudgeReasons, LabelCounts, ReasonedLabel


def one_by_one(labels: Sequence[ReasonedLabel]) -> JudgeReasons:
    nothing = np.zeros(0, dtype=np.int64)
    return JudgeReasons(
        labels,
        LabelCounts(*[nothing] * 9),
        list(dict.fromkeys(label.conversation for label in labels)),
        list(dict.fromkeys(label.criterion for label in labels)),
    )


def every_label(connection: Connection, study: Study, judge_id: int) -> list[ReasonedLabel]:
    """In the order of the conversations."""
    table, unit = schema.judgement, schema.unit
    rows = connection.execute(
        select(unit.c.conversation_id, table.c.id)
        .join(unit, unit.c.id == table.c.unit_id)
        .where(table.c.judge_id == judge_id, table.c.status == "ok", first_labels_only())
    ).all()
    ids = {
        number: [row.id for row in rows if row.conversation_id == number]
        for number in conversations.ids(connection, study.id)
    }
    remarks = Remarks(connection, study.id, judge_id)
    remarks.units = set(connection.execute(select(unit.c.id)).scalars())  # everybody's labels stand beside
    return list(LabelReader(connection, study, remarks).labels(ids))
