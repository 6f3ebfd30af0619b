"""Which judge a study uses: decided by a named person, after it was compared on the anchors with the one
before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from data import anchors, content, judgements, schema
from data.anchors import NONE_YET
from data.errors import Refused
from data.free_text import check_text, put_text
from data.judgements import Judge
from data.studies import Study
from data.trail import TrailEntry

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
    """The oldest first; the last one holds."""
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
    """The id of the judge that the study uses; None where none was ever decided on, and then any judge may be
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
    """From now on the study uses this judge. `seen`: the judge in use when the page was read.

    Raises Refused, with a sentence, without anchors, without a name, without a reason where safety failures
    would be missed or cannot be told, for a judge of another study, and where somebody else decided in the
    meantime. The judge in use again changes nothing.
    """
    before, anchor_set = active_judge(connection, study.id), anchors.newest(connection, study.id)
    if before == judge_id:
        return
    if before != seen:
        raise Refused("Somebody else decided which judge is used while you read. Look at it as it is now.")
    if anchor_set is None:
        raise Refused(NONE_YET)
    if judge_id not in {judge.id for judge in judgements.judges(connection, study.id)}:
        raise Refused("This judge has said nothing in this study.")
    if not by.strip():
        raise Refused("Write your name: a person decides which judge a study uses.")
    if compared.needs_reason and not reason.strip():
        raise Refused(
            "Give a reason: it misses safety failures that the judge before had caught, or it cannot be "
            "told whether it does."
        )
    check_text("name", by, NAME_LIMIT)
    reason_content, reason_mac = put_text(connection, "reason", reason)
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


def refused_to_run(connection: Connection, study: Study, judge_id: int | None, name: str) -> str:
    """Why a judge may not be asked about the whole study, or "". Only where the study has decided on a judge,
    and it is another.
    """
    now = active_judge(connection, study.id)
    if now is None or now == judge_id:
        return ""
    return (
        f"{name} is not the judge that {study.title} uses. Ask it about the fixed conversations "
        'first ("Only the fixed conversations", or --anchors); '
        'then a study lead compares the two on the Drift page, under "The judge", and decides.'
    )


def default_judge(connection: Connection, study_id: int, judges: Sequence[Judge]) -> int:
    """Which of these judges a page shows unless asked for another: the one in use, else the newest that has
    labelled the study and not only its anchors, else the newest; -1 without any.
    """
    now, last, judgement = active_judge(connection, study_id), len(judges) - 1, schema.judgement
    if now is not None:
        return next((number for number, judge in enumerate(judges) if judge.id == now), last)
    return next(
        (
            number
            for number, judge in reversed([*enumerate(judges)])
            if connection.execute(
                select(judgement.c.id)
                .where(
                    judgement.c.study_id == study_id,
                    judgement.c.judge_id == judge.id,
                    judgements.of_the_study(),
                )
                .limit(1)
            ).first()
        ),
        last,
    )
