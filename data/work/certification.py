"""Gold units and certification: a rater meets units whose labels an expert has settled before any real one.

A round is all gold units that the rater has not met. When its last one is committed, the labels that are the
expert's are counted; a "cannot rate" is not the expert's label. Who failed meets the gold units that are
added later as a new round, or is let in by a lead with a reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, exists, select

from data import schema
from data.record import units
from data.record.asked_questions import asked_in_unit
from data.record.studies import Study
from data.record.units import Unit, readable
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.errors import Notice, Refused
from data.store.free_text import check_text, put_text
from data.store.trail import TrailEntry
from data.work import conflicts, open_slots
from data.work import plan as plans


@dataclass(frozen=True)
class CertificationStatus:
    """`tried`: a round was failed. `next_unit`: the gold unit to rate now. `same` of `labels` in the last
    round.

    `let_in`: by a lead, who said `reason` (None where it was erased), whatever the last round was.
    """

    certified: bool
    tried: bool
    next_unit: int | None
    notice: Notice
    same: int | None = None
    labels: int | None = None
    let_in: bool = False
    reason: str | None = None


@dataclass(frozen=True)
class GoldLabel:
    unit_id: int
    criterion: str
    label: str
    said_by: str
    reason: str | None


@dataclass(frozen=True)
class GoldDifference:
    """One gold label beside the rater's answer (None: cannot rate, or not `asked` after their other
    answers).
    """

    gold: GoldLabel
    given: str | None
    asked: bool = True


def put_gold(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    labels: Mapping[str, str],
    said_by: str,
    reason: str,
) -> None:
    """Save an expert's labels of a unit, criterion -> label; a later label of a criterion replaces an
    earlier one.

    From now on the unit is practice and is given to nobody for real.

    Raises:
        Refused: no plan, no name, no label, a label that is not permitted, a question that is not asked, or
            a unit of another study.
    """
    if unit.study_id != study.id or unit.kind != UnitKind.LISTED:
        raise Refused("gold_elsewhere", noun=study.noun)
    if plans.current(connection, study.id) is None:
        raise Refused("save_plan_first")
    if not said_by.strip():
        raise Refused("gold_needs_name")
    check_text("name", said_by)
    criteria = {
        c.id: c for c in unit.criteria(study) if study.instrument.forced_not_applicable(c, unit.turns) is None
    }
    if not labels:
        raise Refused("gold_needs_label")
    for criterion, label in labels.items():
        if criterion not in criteria or label not in {
            level.id for level in study.instrument.permitted(criteria[criterion])
        }:
            raise Refused("gold_label_unknown", label=label, criterion=criterion)
        if criterion not in asked_in_unit(study, unit, labels):
            raise Refused("gold_question_not_asked", criterion=criteria[criterion].name)
    rows = []
    for criterion, label in labels.items():
        reason_content, reason_mac = put_text(connection, "reason", reason, unit.conversation_id)
        rows.append(
            {
                "unit_id": unit.id,
                "criterion": criterion,
                "label": label,
                "said_by": said_by.strip(),
                "reason_content": reason_content,
                "reason_mac": reason_mac,
            }
        )
    entry.write_many(schema.gold_label, rows)
    open_slots.close(connection, [unit.id])


def gold_labels(connection: Connection, study: Study) -> dict[int, dict[str, GoldLabel]]:
    """Return unit -> criterion -> the gold label in force.

    Where questions depend on answers, an earlier label whose question is not asked after the later ones is
    left out.
    """
    table = schema.gold_label
    rows = connection.execute(
        select(table)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(schema.unit.c.study_id == study.id)
        .order_by(table.c.id)
    ).all()
    texts = content.get_many(connection, [row.reason_content for row in rows])
    gold_labels: dict[int, dict[str, GoldLabel]] = {}
    for row in rows:
        gold_labels.setdefault(row.unit_id, {})[row.criterion] = GoldLabel(
            row.unit_id, row.criterion, row.label, row.said_by, texts.get(row.reason_content)
        )
    if study.instrument.conditional:
        for unit in units.by_ids(connection, list(gold_labels)):
            labels = gold_labels[unit.id]
            asked = asked_in_unit(study, unit, {name: gold.label for name, gold in labels.items()})
            gold_labels[unit.id] = {name: gold for name, gold in labels.items() if name in asked}
    return gold_labels


def certification_status(connection: Connection, study: Study, rater_id: int) -> CertificationStatus:
    """Return how far a rater's certification is, with a notice for the rater."""
    last = _last(connection, rater_id)
    if last is not None and last.result == "passed":
        return CertificationStatus(True, True, None, Notice("certified"), last.same, last.labels)
    if last is not None and last.result == "granted":
        tried = _last(connection, rater_id, granted=False)
        same, labels = (tried.same, tried.labels) if tried is not None else (None, None)
        return CertificationStatus(
            True,
            True,
            None,
            Notice("certified_by_lead"),
            same,
            labels,
            True,
            content.get(connection, last.reason_content),
        )
    waiting = _unmet(connection, study.id, rater_id)
    if waiting is not None:
        return CertificationStatus(
            False,
            last is not None,
            waiting,
            Notice("certification_first", noun=study.noun),
        )
    if last is None:
        return CertificationStatus(
            False,
            False,
            None,
            Notice("no_gold_waiting", noun=study.noun),
        )
    return CertificationStatus(
        False,
        True,
        None,
        Notice("not_certified", same=last.same, labels=last.labels),
        last.same,
        last.labels,
    )


def _last(connection: Connection, rater_id: int, granted: bool = True) -> Row[Any] | None:
    """The last result; without `granted` that of the last round that was rated."""
    table = schema.certification
    results = ("passed", "failed", "granted") if granted else ("passed", "failed")
    return connection.execute(
        select(table)
        .where(table.c.rater_id == rater_id, table.c.result.in_(results))
        .order_by(table.c.id.desc())
        .limit(1)
    ).first()


def _unmet(connection: Connection, study_id: int, rater_id: int) -> int | None:
    """The first gold unit that this rater has not committed. Skipped ones come last, and come again: a round
    is whole.

    Not part of it: what was given to them for real before it became gold, what they must not rate, and what
    was erased.
    """
    unit, met, commit, progress = schema.unit, schema.assignment, schema.commit, schema.progress
    skipped = exists().where(
        progress.c.rater_id == rater_id, progress.c.unit_id == unit.c.id, progress.c.state == "skipped"
    )
    gold_unit_ids = (
        connection.execute(
            select(unit.c.id)
            .where(
                readable(unit.c.id),
                unit.c.study_id == study_id,
                exists().where(schema.gold_label.c.unit_id == unit.c.id),
                ~exists().where(commit.c.rater_id == rater_id, commit.c.unit_id == unit.c.id),
                ~exists().where(
                    met.c.rater_id == rater_id, met.c.unit_id == unit.c.id, met.c.purpose != "gold"
                ),
            )
            .order_by(skipped, unit.c.position)
        )
        .scalars()
        .all()
    )
    return next(
        (
            unit_id
            for unit_id in gold_unit_ids
            if not conflicts.bars_conversation(connection, rater_id, unit_id)
        ),
        None,
    )


def differences(connection: Connection, study: Study, rater_id: int, since: int = 0) -> list[GoldDifference]:
    """Return the gold labels of the gold units that this rater committed, next to their first answers.

    `since`: only units given after this entry of the trail. Equal answers are included.
    """
    assigned, rating = schema.assignment, schema.rating
    rows = connection.execute(
        select(rating.c.unit_id, rating.c.criterion, rating.c.label)
        .join(assigned, (assigned.c.unit_id == rating.c.unit_id) & (assigned.c.rater_id == rating.c.rater_id))
        .where(
            rating.c.rater_id == rater_id,
            assigned.c.purpose == "gold",
            assigned.c.trail > since,
            rating.c.replaces.is_(None),
        )
    ).all()
    given = {(row.unit_id, row.criterion): row.label for row in rows}
    rated = {row.unit_id for row in rows}
    return [
        GoldDifference(gold_label, given.get((unit_id, criterion)), (unit_id, criterion) in given)
        for unit_id, labels in gold_labels(connection, study).items()
        if unit_id in rated
        for criterion, gold_label in labels.items()
    ]


def note_round_end(
    connection: Connection, entry: TrailEntry, study: Study, rater_id: int, pass_mark: float
) -> bool | None:
    """Record the result of a certification round if its last gold unit was just committed.

    Returns:
        True passed, False failed, None not over yet (or certified before).
    """
    last = _last(connection, rater_id)
    if _unmet(connection, study.id, rater_id) is not None or (
        last is not None and last.result in ("passed", "granted")
    ):
        return None
    unmet = differences(connection, study, rater_id, last.trail if last is not None else 0)
    if not unmet:
        return None
    same = sum(difference.given == difference.gold.label for difference in unmet)
    passed = same >= pass_mark * len(unmet) - 1e-9
    entry.write(
        schema.certification,
        {
            "rater_id": rater_id,
            "result": "passed" if passed else "failed",
            "same": same,
            "labels": len(unmet),
        },
    )
    return passed


def grant(connection: Connection, entry: TrailEntry, rater_id: int, reason: str) -> None:
    """Certify a rater without a test, by a lead; a certified rater stays as they are.

    Raise Refused ("let_in_needs_reason") for a blank reason.
    """
    if not reason.strip():
        raise Refused("let_in_needs_reason")
    last = _last(connection, rater_id)
    if last is not None and last.result in ("passed", "granted"):
        return
    reason_content, reason_mac = put_text(connection, "reason", reason, None)
    entry.write(
        schema.certification,
        {
            "rater_id": rater_id,
            "result": "granted",
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )
