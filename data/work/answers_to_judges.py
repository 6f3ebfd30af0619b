"""What the judge said of a unit, for a rater to whom it was revealed, and what the rater answers to it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection, select

from data import schema
from data.record.judgements import Judgement, first_labels_only
from data.record.units import Unit
from data.store import content, event_ids
from data.store.errors import NotFound, Refused
from data.store.trail import TrailEntry
from data.work import exposures

REASONING = {
    "supported": "supported",
    "partly": "partly supported",
    "unsupported": "unsupported",
    "contradicted": "contradicted by the transcript",
}


def read_shown(connection: Connection, unit: Unit, rater_id: int) -> list[Judgement]:
    """Return the judges' first verdicts on a unit for a rater to whom they were revealed.

    Ordered by judge and criterion, failures included; judges not yet seen are left out. Raise Refused
    ("judge_not_revealed") for anyone else. This is the only way in which a judgement reaches the review
    page.
    """
    if not exposures.revealed(connection, rater_id, unit.id):
        raise Refused("judge_not_revealed")
    unseen = exposures.unseen_judges(connection, unit, rater_id)
    rows = connection.execute(
        select(schema.judgement)
        .where(
            schema.judgement.c.unit_id == unit.id,
            schema.judgement.c.judge_id.not_in(unseen),
            first_labels_only(),
        )
        .order_by(schema.judgement.c.judge_id, schema.judgement.c.criterion, schema.judgement.c.replicate)
    ).all()
    texts = content.get_many(connection, [row.reasoning_content for row in rows])
    return [
        Judgement(
            row.judge_id,
            row.criterion,
            row.status,
            row.label,
            texts.get(row.reasoning_content),
            tuple(json.loads(row.cited)),
            row.replicate,
            row.reasoning_content is not None and row.reasoning_content not in texts,
        )
        for row in rows
    ]


def respond(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    judge_id: int,
    criterion: str,
    kind: str,
    value: str | None = None,
) -> None:
    """Save a rater's answer to a judgement: keep, change, or how far its reasoning is supported.

    The same event again changes nothing.

    Raises:
        Refused: before the reveal, a reasoning answer without a known `value`, or an event saved with
            another answer.
        NotFound: the judge did not label the criterion.
    """
    answer = {
        "rater_id": rater_id,
        "unit_id": unit.id,
        "judge_id": judge_id,
        "criterion": criterion,
        "kind": kind,
        "value": value,
    }
    if event_ids.is_kept(connection, schema.response, event, answer):
        return
    if not exposures.revealed(connection, rater_id, unit.id):
        raise Refused("judge_not_revealed")
    if kind == "reasoning" and value not in REASONING:
        raise Refused("say_kind_of_reasoning", offered=", ".join(REASONING))
    response = connection.execute(
        select(schema.judgement.c.id).where(
            schema.judgement.c.unit_id == unit.id,
            schema.judgement.c.judge_id == judge_id,
            schema.judgement.c.criterion == criterion,
        )
    ).first()
    if response is None:
        raise NotFound("judge_silent_on_criterion")
    entry.write(schema.response, {"event": event, **answer})


def decide(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    judge_ids: Iterable[int],
    criterion: str,
    kind: str,
) -> None:
    """Save that a rater kept or changed a label next to what these judges gave, one response per judge.

    The same event again changes nothing. Raise as `respond` does, and Refused for an event that was about
    other judges.
    """
    table, judges_by_event = schema.response, {f"{event}:{judge_id}": judge_id for judge_id in judge_ids}
    earlier_events = set(
        connection.execute(
            select(table.c.event).where(table.c.event > f"{event}:", table.c.event < f"{event};")
        ).scalars()
    )  # ";" follows ":"
    if earlier_events and earlier_events != set(judges_by_event):
        raise Refused(event_ids.REUSED)
    for name, judge_id in judges_by_event.items():
        respond(connection, entry, unit, rater_id, name, judge_id, criterion, kind)


def responses(connection: Connection, rater_id: int, unit_id: int) -> dict[tuple[int, str, str], str | None]:
    """Return (judge, criterion, "decision" or "reasoning") -> the rater's latest answer.

    A decision's answer is "keep" or "change", a reasoning's is the value chosen.
    """
    rows = connection.execute(
        select(schema.response)
        .where(schema.response.c.rater_id == rater_id, schema.response.c.unit_id == unit_id)
        .order_by(schema.response.c.id)
    )
    return {
        (row.judge_id, row.criterion, "reasoning" if row.kind == "reasoning" else "decision"): row.value
        if row.kind == "reasoning"
        else row.kind
        for row in rows
    }
