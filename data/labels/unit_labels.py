"""Everything that was said of one unit, by people and by judges: for those who do not rate."""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, case, select

from data import schema
from data.labels.counted import find_arm
from data.record import studies
from data.record.judgements import first_labels_only
from data.record.known_words import was_unseen
from data.record.rater_identities import rater_identities
from data.record.units import Unit
from data.store import content


@dataclass(frozen=True)
class UnitLabel:
    """One answer. `label` None: cannot rate, or a judge's failure; `status` then says which. `rater`: whose,
    where it is a person's; `judge`: which, where it is a judge's. `blind_answer`: what the person
    answered before anything was shown, as in `earlier`, where the answer that holds was given after.

    `from_file`: given by a person of the study, but
    imported from a file. `outranked`: such a label, where another one of the same person counts instead.
    """

    criterion: str
    who: str
    by_judge: bool
    label: str | None
    status: str
    shown: str
    text: str | None
    by_rule: bool = False
    earlier: tuple[tuple[str | None, str], ...] = ()
    reason: str | None = None
    also: tuple[str, ...] = ()
    confidence: int | None = None
    evidence: tuple[tuple[int, int, int], ...] = ()
    rater: int | None = None
    from_file: bool = False
    outranked: bool = False
    judge: int | None = None
    blind_answer: tuple[str | None, str] | None = None

    @property
    def label_of_blind(self) -> str | None:
        """Return the label that counts next to others: a judge's, or a person's given blind and not by
        rule; else None.
        """
        if self.by_judge:
            return self.label
        if self.by_rule:
            return None
        if self.blind_answer is not None:
            return self.blind_answer[0]
        return self.label if find_arm(self.shown) == "blind" else None

    @property
    def is_changed(self) -> bool:
        """Tell whether another answer than the blind one is in force; False without a blind one."""
        return self.blind_answer not in (None, (self.label, self.status))


def of_unit(connection: Connection, unit: Unit) -> list[UnitLabel]:
    """Return the ratings in force with their notes, then the judges' first verdicts with their reasoning."""
    judgement = schema.judgement
    judged = connection.execute(
        select(judgement, schema.judge.c.name)
        .join(schema.judge, schema.judge.c.id == judgement.c.judge_id)
        .where(judgement.c.unit_id == unit.id, first_labels_only())
        .order_by(judgement.c.judge_id)
    ).all()
    texts = content.get_many(connection, [row.reasoning_content for row in judged])
    return of_people(connection, unit) + [
        UnitLabel(
            row.criterion,
            row.name,
            True,
            row.label,
            row.status,
            "",
            texts.get(row.reasoning_content),
            judge=row.judge_id,
        )
        for row in judged
    ]


def of_people(connection: Connection, unit: Unit, rater_ids: Set[int] | None = None) -> list[UnitLabel]:
    """Return the ratings in force with their notes, of `rater_ids`, or of everybody if None.

    A confirmed imported rater counts as the person, after what the person rated here.
    """
    rating = schema.rating
    chosen = studies.select_rater_ids(unit.study_id) if rater_ids is None else rater_ids
    others = [column for column in rating.c if column is not rating.c.exposure]
    # A label that was kept as blind before it was known that its rater had seen the judge in another study.
    exposure = case((was_unseen(rating), rating.c.exposure), else_="page").label("exposure")
    given = connection.execute(
        select(*others, exposure)
        .where(rating.c.unit_id == unit.id, rating.c.rater_id.in_(chosen))
        .order_by(rating.c.rater_id, rating.c.id)
    ).all()
    latest = {(row.rater_id, row.criterion): row for row in given}
    persons = rater_identities(connection, unit.study_id)

    def person(row: Any) -> Any:
        return persons.get(row.rater_id, row.rater_id)

    # In the order in which they count: what was given here goes before what a file said of the same person.
    counted = sorted(given, key=lambda row: (row.rater_id not in persons, row.id))
    by_place = {
        (person(row), row.criterion, find_arm(row.exposure)): row for row in counted if row.source != "rule"
    }
    names = {rater.id: rater.name for rater in studies.raters(connection, unit.study_id)}
    texts = content.get_many(
        connection, [i for row in latest.values() for i in (row.note_content, row.reason_content)]
    )
    labels = []
    for row in sorted(latest.values(), key=lambda row: row.rater_id in persons):
        arm = find_arm(row.exposure)
        blind = by_place.get((person(row), row.criterion, "blind"))
        instead = by_place.get((person(row), row.criterion, arm))
        labels.append(
            UnitLabel(
                row.criterion,
                names[person(row)],
                False,
                row.label,
                row.cannot_rate or "given",
                row.exposure,
                texts.get(row.note_content),
                row.source == "rule",
                tuple(
                    (before.label, before.cannot_rate or "given")
                    for before in given
                    if (before.rater_id, before.criterion) == (row.rater_id, row.criterion)
                    and before.id != row.id
                ),
                texts.get(row.reason_content),
                tuple(json.loads(row.also)),
                row.confidence,
                tuple((span["message"], span["start"], span["end"]) for span in json.loads(row.evidence)),
                person(row),
                row.rater_id in persons,
                row.rater_id in persons and instead is not None and instead.rater_id != row.rater_id,
                blind_answer=None
                if arm == "blind" or blind is None
                else (blind.label, blind.cannot_rate or "given"),
            )
        )
    return labels
