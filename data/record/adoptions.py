"""Which judge a study uses: decided by a named person, after it was compared on the anchors with the one
before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from data import schema
from data.record import anchors, judgements
from data.record.judgements import Judge
from data.record.studies import Study
from data.store import content
from data.store.errors import Refused
from data.store.free_text import check_text, put_text
from data.store.trail import TrailEntry

NAME_LIMIT = 200


@dataclass(frozen=True)
class AdoptionEvidence:
    """What stood on the page when it was decided. `missed`: safety failures that the judge before had caught
    and this one misses; `caught`: the other way round; both None for the first judge. `unclear`: where the
    answers have no majority or are too few; `untried`: the instrument knows failures and the anchors hold
    none. `labels`: anchor labels that both answered; `right`: share of the answers, over all that this judge
    answered for the first.
    """

    missed: int | None = None
    caught: int | None = None
    unclear: int = 0
    untried: bool = False
    labels: int = 0
    right_before: float | None = None
    right: float | None = None

    @property
    def needs_reason(self) -> bool:
        return bool(self.missed) or self.unclear > 0 or self.untried


@dataclass(frozen=True)
class Adoption:
    id: int
    judge_id: int
    of_judge_id: int | None
    set_number: int
    compared: AdoptionEvidence
    by: str
    reason: str | None
    at: str


def adoption_history(connection: Connection, study_id: int) -> list[Adoption]:
    """Return every adoption of a judge, oldest first; the last one is in force."""
    table, of = schema.adoption, schema.anchor_set
    rows = connection.execute(
        select(table, of.c.number)
        .join(of, of.c.id == table.c.set_id)
        .where(table.c.study_id == study_id)
        .order_by(table.c.id)
    ).all()
    reasons = content.get_many(connection, [row.reason_content for row in rows])
    return [
        Adoption(
            row.id,
            row.judge_id,
            row.of_judge_id,
            row.number,
            AdoptionEvidence(**json.loads(row.compared)),
            row.decided_by,
            reasons.get(row.reason_content),
            row.at,
        )
        for row in rows
    ]


def active_judge(connection: Connection, study_id: int) -> int | None:
    """Return the id of the judge adopted last on the anchors; None if none ever was, and then any judge may
    run.
    """
    table = schema.adoption
    found: int | None = connection.execute(
        select(table.c.judge_id).where(table.c.study_id == study_id).order_by(table.c.id.desc()).limit(1)
    ).scalar()
    return found


def adopt(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    judge_id: int,
    compared: AdoptionEvidence,
    by: str,
    reason: str,
    seen: int | None,
) -> None:
    """Make this judge the one that the study uses, by a decision on the anchors.

    The judge in use again changes nothing.

    Args:
        connection, entry, study: where to write.
        judge_id: the judge.
        compared: what the page showed.
        by: name of the person who decides.
        reason: needed where safety failures would be missed or are unclear.
        seen: the judge in use when the page was read, None for none.

    Raises:
        Refused: no anchors, no name, no reason where one is needed, a judge that answered nothing here, or
            somebody else decided in the meantime.
    """
    before, anchor_set = active_judge(connection, study.id), anchors.newest(connection, study.id)
    if before == judge_id:
        return
    if before != seen:
        raise Refused("judge_decided_meanwhile")
    if anchor_set is None:
        raise Refused("no_anchors_yet")
    if judge_id not in {judge.id for judge in judgements.judges(connection, study.id)}:
        raise Refused("judge_said_nothing")
    if not by.strip():
        raise Refused("name_of_decider")
    if compared.needs_reason and not reason.strip():
        raise Refused("missed_failures_need_reason")
    check_text("name", by, NAME_LIMIT)
    reason_content, reason_mac = put_text(connection, "reason", reason, None)
    entry.write(
        schema.adoption,
        {
            "study_id": study.id,
            "judge_id": judge_id,
            "of_judge_id": before,
            "set_id": anchor_set.id,
            "decided_by": by.strip(),
            "compared": json.dumps(asdict(compared), sort_keys=True),
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )


def may_ask_about_study(connection: Connection, study: Study, judge_id: int | None) -> bool:
    """Tell whether a judge may be asked about the whole study: not where the study has decided on another."""
    return active_judge(connection, study.id) in (None, judge_id)


def choose_judge(
    connection: Connection, entry: TrailEntry, study: Study, judge_id: int, by: str, seen: int | None
) -> None:
    """Show this judge's numbers in the headlines of the study from now on.

    `seen`: the judge in use when the page was read. The judge in use again changes nothing.

    Raises:
        Refused: the study decides on its judge by anchors, somebody else chose in the meantime, no name, or
            a judge without a label here.
    """
    now = judge_in_use(connection, study.id)
    if active_judge(connection, study.id) is not None:
        raise Refused("decided_by_anchors")
    if now != seen:
        raise Refused("judge_chosen_meanwhile")
    if not by.strip():
        raise Refused("name_of_decider")
    if not _has_labels(connection, study.id, judge_id):
        raise Refused("judge_without_label")
    check_text("name", by, NAME_LIMIT)
    chosen = _chosen_judge(connection, study.id)
    if chosen != judge_id:
        entry.write(
            schema.judge_choice, {"study_id": study.id, "judge_id": judge_id, "chosen_by": by.strip()}
        )


def judge_in_use(connection: Connection, study_id: int) -> int | None:
    """Return the judge whose numbers the headlines of a study show; None without any.

    It is the one adopted on the anchors, else the one that a lead chose, else the first that labelled the
    study.
    """
    decided = active_judge(connection, study_id)
    if decided is None:
        decided = _chosen_judge(connection, study_id)
    if decided is not None:
        return decided
    judgement = schema.judgement
    first: int | None = connection.execute(
        select(judgement.c.judge_id)
        .where(judgement.c.study_id == study_id, judgement.c.status == "ok", judgements.of_the_study())
        .order_by(judgement.c.id)
        .limit(1)
    ).scalar()
    return first


def default_judge(connection: Connection, study_id: int, judges: Sequence[Judge]) -> int:
    """Return the index in `judges` of the one that a page shows by default: the judge in use, else 0; -1 if
    empty.
    """
    in_use = judge_in_use(connection, study_id)
    return next((number for number, judge in enumerate(judges) if judge.id == in_use), 0 if judges else -1)


def _chosen_judge(connection: Connection, study_id: int) -> int | None:
    table = schema.judge_choice
    chosen: int | None = connection.execute(
        select(table.c.judge_id).where(table.c.study_id == study_id).order_by(table.c.id.desc()).limit(1)
    ).scalar()
    return chosen


def _has_labels(connection: Connection, study_id: int, judge_id: int) -> bool:
    judgement = schema.judgement
    return (
        connection.execute(
            select(judgement.c.id)
            .where(
                judgement.c.study_id == study_id,
                judgement.c.judge_id == judge_id,
                judgement.c.status == "ok",
                judgements.of_the_study(),
            )
            .limit(1)
        ).first()
        is not None
    )
