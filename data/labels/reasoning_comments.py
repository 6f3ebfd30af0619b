"""What raters write of a judge's reasoning once it was shown to them. Nothing here is ever updated: the last
row counts."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from data import schema
from data.record.units import Unit
from data.schema.vocabulary import UnitKind
from data.store import content, event_ids
from data.store.errors import NotFound, Refused
from data.store.free_text import put_text
from data.store.trail import TrailEntry
from data.work import exposures
from scoring.judge_reasons import ReasoningComment


@dataclass(frozen=True)
class StoredComment:
    """`text` is empty where the comment was taken back, None where its words were erased."""

    id: int
    text: str | None


def write(
    connection: Connection,
    entry: TrailEntry,
    unit: Unit,
    rater_id: int,
    event: str,
    judge_id: int,
    criterion: str,
    text: str,
    late: bool = False,
    shown: str | None = None,
) -> bool:
    """Save what a rater writes about a judge's reasoning; an empty text withdraws it.

    The same event, or the same words, change nothing.

    Args:
        connection, entry: the store and the trail entry to write under.
        unit, rater_id, judge_id, criterion: what the comment is about.
        event: the browser's id of this change.
        text: the comment; outer blanks are removed.
        late: left behind by a closed tab, so it counts only where nothing is saved, or what is saved is
            still what the tab showed.
        shown: what that tab showed.

    Returns:
        Whether something was saved.

    Raises:
        Refused: before the reveal, for a text that can't be stored, and for an event saved with another
            text.
        NotFound: the judge gave no reasoning for this criterion.
    """
    table = schema.reasoning_comment
    text = text.strip()
    subject = {"rater_id": rater_id, "unit_id": unit.id, "judge_id": judge_id, "criterion": criterion}
    if event_ids.is_kept(connection, table, event, subject, {"comment": text}):
        return False
    if not exposures.revealed(connection, rater_id, unit.id):
        raise Refused("judge_not_revealed")
    judgement = schema.judgement
    if (
        connection.execute(
            select(judgement.c.id)
            .where(
                judgement.c.unit_id == unit.id,
                judgement.c.judge_id == judge_id,
                judgement.c.criterion == criterion,
                judgement.c.status == "ok",
                judgement.c.reasoning_content.is_not(None),
            )
            .limit(1)
        ).first()
        is None
    ):
        raise NotFound("no_reasoning")
    before = current(connection, rater_id, unit.id).get((judge_id, criterion))
    if text == (before.text if before else ""):
        return False
    if late and before and before.text and before.text != (shown or "").strip():
        event_ids.refuse_late_words("Comment", text)
    comment_content, comment_mac = put_text(connection, "comment", text, unit.conversation_id)
    entry.write(
        table,
        {
            "event": event,
            **subject,
            "comment_content": comment_content,
            "comment_mac": comment_mac,
            "replaces": before.id if before else None,
        },
    )
    return True


def current(connection: Connection, rater_id: int, unit_id: int) -> dict[tuple[int, str], StoredComment]:
    """Return (judge, criterion) -> the rater's last comment on the reasoning of this unit."""
    table = schema.reasoning_comment
    rows = connection.execute(
        select(table).where(table.c.rater_id == rater_id, table.c.unit_id == unit_id).order_by(table.c.id)
    ).all()
    last = {(row.judge_id, row.criterion): row for row in rows}
    texts = content.get_many(connection, [row.comment_content for row in last.values()])
    return {
        key: StoredComment(row.id, "" if row.comment_content is None else texts.get(row.comment_content))
        for key, row in last.items()
    }


def of_judge(connection: Connection, study_id: int, judge_id: int) -> list[ReasoningComment]:
    """Return every rater's last comment on each reasoning of this judge, by unit position, then by age.

    Withdrawn and erased comments and hidden repeats are left out.
    """
    table, unit, text = schema.reasoning_comment, schema.unit, schema.content
    newest = (
        select(func.max(table.c.id))
        .where(table.c.judge_id == judge_id)
        .group_by(table.c.rater_id, table.c.unit_id, table.c.criterion)
    )
    rows = connection.execute(
        select(table.c.rater_id, table.c.unit_id, unit.c.position, table.c.criterion, text.c.text)
        .join(unit, unit.c.id == table.c.unit_id)
        .join(text, text.c.id == table.c.comment_content)
        .where(table.c.id.in_(newest), unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED)
        .order_by(unit.c.position, table.c.id)
    ).all()
    called = verdicts_on_reasoning(connection, study_id, judge_id)
    return [
        ReasoningComment(
            row.rater_id,
            row.unit_id,
            row.position,
            row.criterion,
            called.get((row.rater_id, (row.unit_id, row.criterion))),
            row.text,
        )
        for row in rows
    ]


def verdicts_on_reasoning(
    connection: Connection, study_id: int, judge_id: int
) -> dict[tuple[int, tuple[int, str]], str | None]:
    """Return (rater, (unit, criterion)) -> how far the rater last called this judge's reasons supported."""
    table = schema.response
    rows = connection.execute(
        select(table.c.rater_id, table.c.unit_id, table.c.criterion, table.c.value)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(schema.unit.c.study_id == study_id, table.c.judge_id == judge_id, table.c.kind == "reasoning")
        .order_by(table.c.id)
    )
    return {(row.rater_id, (row.unit_id, row.criterion)): row.value for row in rows}
