"""Drafts, commits and changes: what a rater gives. Each is a row of its own that nothing ever changes; only
where the rater stands in the list, and how many units they have committed, is kept anew
(data/record/units.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from data import schema
from data.record import asked_questions, units
from data.record.answers import CriterionAnswer, Span, check
from data.record.asked_questions import asked_in_unit
from data.record.evidence import check_evidence
from data.record.studies import Study
from data.record.units import Unit
from data.store import content, event_ids
from data.store.errors import NotFound, Refused
from data.store.free_text import put_text
from data.store.trail import TrailEntry
from data.work import assignment, exposures
from data.work.worklist import Worklist
from scoring.instruments import Criterion


@dataclass(frozen=True)
class Rating:
    """One rating as kept. `exposure` says what had been shown when it was given."""

    id: int
    criterion: str
    answer: CriterionAnswer
    source: str
    exposure: str
    at: str
    reason: str | None = None


def save_draft(
    entry: TrailEntry,
    worklist: Worklist,
    unit: Unit,
    event: str,
    criterion_id: str,
    answer: CriterionAnswer,
    late: bool = False,
    before: CriterionAnswer | None = None,
) -> bool:
    """Save one state of a criterion before the rater commits the unit; return whether something was saved.

    The same event again changes nothing. Where questions depend on answers, drafts of questions that are
    not asked any more lose their labels. `late`: left behind by a closed tab, so it counts only where
    nothing is saved, or what is saved is still what the tab showed (`before`).

    Raises:
        Refused: after the commit, for a label that is not permitted or whose question is not asked, for
            evidence that is no place in the conversation, and for an event saved with another answer.
        NotFound: the unit has no such criterion.
    """
    connection, study, rater_id = worklist.connection, worklist.study, worklist.rater_id
    subject = {"rater_id": rater_id, "unit_id": unit.id, "criterion": criterion_id}
    if event_ids.is_kept(
        connection, schema.draft, event, {**subject, **_columns(answer)}, {"note": answer.note}
    ):
        return False
    if committed_at(connection, rater_id, unit.id):
        raise Refused("committed_already")
    assignment.keep(entry, worklist, unit.id)
    criterion = _criterion(study, unit, criterion_id)
    check(answer, criterion, study.instrument, unit.turns)
    if answer.answered and study.instrument.conditional:
        asked_questions.check_asked(study, unit, criterion, _latest_drafts(connection, rater_id, unit.id))
    saved = drafts(connection, rater_id, unit.id).get(criterion_id) if answer.evidence or late else None
    if answer.evidence:
        check_evidence(connection, unit, answer.evidence, saved.evidence if saved else ())
    if late and saved is not None and saved != before:
        event_ids.refuse_late_words(criterion.name, "" if answer.note == saved.note else answer.note)
    note_content, note_mac = content.put(connection, answer.note, unit.conversation_id)
    entry.write(
        schema.draft,
        {
            "event": event,
            **subject,
            **_columns(answer),
            "note_content": note_content,
            "note_mac": note_mac,
        },
    )
    if study.instrument.conditional:
        asked_questions.drop_answers(
            entry, study, unit, rater_id, event, _latest_drafts(connection, rater_id, unit.id)
        )
    state = units.state(connection, rater_id, unit.id)
    if state == "skipped":
        units.reopen(connection, rater_id, unit)
    if state != "begun":
        units.set_state(connection, rater_id, unit, "begun")
    return True


def drafts(connection: Connection, rater_id: int, unit_id: int) -> dict[str, CriterionAnswer]:
    """Return criterion -> its latest draft."""
    return {
        criterion: _answer(connection, row)
        for criterion, row in _latest_drafts(connection, rater_id, unit_id).items()
    }


def commit(
    entry: TrailEntry,
    worklist: Worklist,
    unit: Unit,
    event: str,
    shown: Mapping[str, str | None] | None = None,
) -> int:
    """Turn the drafts of a unit into ratings; return how many units the rater has committed.

    Committing the same again changes nothing.

    Raises:
        Refused: a criterion has no answer yet; a draft, or what was committed before, differs from the
            screen (`shown`: criterion -> label or "cannot rate" reason); or the event is that of another
            commit.
    """
    connection, study, rater_id = worklist.connection, worklist.study, worklist.rater_id
    subject = {"rater_id": rater_id, "unit_id": unit.id}
    if event_ids.is_kept(connection, schema.commit, event, subject) or committed_at(
        connection, rater_id, unit.id
    ):
        _check_committed(connection, study, unit, rater_id, shown or {})
        return units.rater_progress(connection, rater_id).committed
    assignment.keep(entry, worklist, unit.id)
    drafts_of_unit = _drafts_of_unit(connection, study, unit, rater_id)
    _check_complete(drafts_of_unit)
    _check_shown(drafts_of_unit, shown or {})
    asked_questions.check_shown(study, unit, {draft.criterion.id for draft in drafts_of_unit}, shown or {})
    shared_columns = {
        "study_id": study.id,
        **subject,
        "exposure": exposures.exposure_now(connection, study, unit, rater_id),
        "reveals_before": units.rater_progress(connection, rater_id).reveals,
    }
    # In an open review the judge was seen before the commit, so nothing is left to compare.
    units.set_state(
        connection,
        rater_id,
        unit,
        "compared" if exposures.revealed(connection, rater_id, unit.id) else "committed",
    )
    ordinal = units.count_commit(connection, study.id, rater_id)
    entry.write(schema.commit, {"event": event, "rater_id": rater_id, "unit_id": unit.id, "ordinal": ordinal})
    ratings = [
        {**shared_columns, **draft.rating_columns, "event": f"{event}:{draft.criterion.id}"}
        for draft in drafts_of_unit
    ]
    entry.write_many(schema.rating, ratings)
    assignment.note_commit(connection, entry, study, unit.id, rater_id)
    return ordinal


def change(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    criterion_id: str,
    answer: CriterionAnswer,
    reason: str,
) -> int | None:
    """Replace a committed rating by a new one; return the new rating's id.

    None for the same event again: the same label (or reason why it can't be rated) and reason.

    Raises:
        Refused: before the commit, without reason or answer, for an event saved with others, and for an
            answer after which other questions would be asked.
        NotFound: the criterion has no rating to change.
    """
    subject = {"rater_id": rater_id, "unit_id": unit.id, "criterion": criterion_id}
    label = {"label": answer.label, "cannot_rate": answer.cannot_rate}
    if event_ids.is_kept(connection, schema.rating, event, {**subject, **label}, {"reason": reason.strip()}):
        return None
    if not committed_at(connection, rater_id, unit.id):
        raise Refused("change_before_commit")
    if not reason.strip():
        raise Refused("change_needs_reason")
    if not answer.answered:
        raise Refused("change_needs_label")
    check(answer, _criterion(study, unit, criterion_id), study.instrument, unit.turns)
    ratings_now = current(connection, rater_id, unit.id)
    before = ratings_now.get(criterion_id)
    if before is None:
        raise NotFound("no_rating_to_change")
    labels = {name: rating.answer.label for name, rating in ratings_now.items()}
    if asked_in_unit(study, unit, labels) != asked_in_unit(
        study, unit, {**labels, criterion_id: answer.label}
    ):
        raise Refused("change_asks_other_questions")
    check_evidence(connection, unit, answer.evidence, before.answer.evidence)
    note_content, note_mac = content.put(connection, answer.note, unit.conversation_id)
    reason_content, reason_mac = put_text(connection, "reason", reason, unit.conversation_id)
    return entry.write(
        schema.rating,
        {
            "event": event,
            "study_id": study.id,
            "rater_id": rater_id,
            "unit_id": unit.id,
            "criterion": criterion_id,
            **_columns(answer),
            "source": "given",
            "exposure": exposures.exposure_now(connection, study, unit, rater_id),
            "reveals_before": units.rater_progress(connection, rater_id).reveals,
            "note_content": note_content,
            "note_mac": note_mac,
            "replaces": before.id,
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )


@dataclass(frozen=True)
class _CriterionDraft:
    """One criterion of a unit that is to be committed. `row`: its latest draft, None without any. `forced`:
    the label that the rule of the criterion gives, whatever the draft says.
    """

    criterion: Criterion
    row: Mapping[str, Any] | None
    forced: str | None

    @property
    def answered(self) -> bool:
        return bool(self.forced) or (
            self.row is not None and (self.row["label"] is not None or self.row["cannot_rate"] is not None)
        )

    @property
    def rating_columns(self) -> dict[str, Any]:
        """What of a rating comes from the draft and the rule."""
        names = ("cannot_rate", "also", "confidence", "evidence", "note_content", "note_mac")
        return {
            **({name: self.row[name] for name in names} if self.row else {"also": "[]", "evidence": "[]"}),
            "criterion": self.criterion.id,
            "label": self.forced or (self.row["label"] if self.row else None),
            "source": "rule" if self.forced else "given",
        }


def _drafts_of_unit(connection: Connection, study: Study, unit: Unit, rater_id: int) -> list[_CriterionDraft]:
    """Of the criteria that are asked."""
    latest = _latest_drafts(connection, rater_id, unit.id)
    asked = asked_in_unit(study, unit, {name: row["label"] for name, row in latest.items()})
    return [
        _CriterionDraft(
            criterion,
            latest.get(criterion.id),
            study.instrument.forced_not_applicable(criterion, unit.turns),
        )
        for criterion in unit.criteria(study)
        if criterion.id in asked
    ]


def _check_complete(drafts_of_unit: Sequence[_CriterionDraft]) -> None:
    """Raises Refused where a criterion has no answer."""
    names = [draft.criterion.name for draft in drafts_of_unit if not draft.answered]
    if names:
        raise Refused("left_to_rate_here", count=len(names), first=names[0])


def _check_shown(drafts_of_unit: Sequence[_CriterionDraft], shown: Mapping[str, str | None]) -> None:
    """Raises Refused where a draft is not what stood on the screen."""
    for draft in drafts_of_unit:
        criterion, row = draft.criterion, draft.row
        if row and criterion.id in shown and shown[criterion.id] != (row["label"] or row["cannot_rate"]):
            raise Refused("draft_differs_from_screen", criterion=criterion.name)


def _check_committed(
    connection: Connection, study: Study, unit: Unit, rater_id: int, shown: Mapping[str, str | None]
) -> None:
    """Raises Refused unless what stood on the screen is what was committed."""
    ratings = first(connection, rater_id, unit.id) if shown else {}
    for criterion_id, answer in shown.items():
        name = _criterion(study, unit, criterion_id).name
        rating = ratings.get(criterion_id)
        if rating is None and answer is None:
            continue  # not asked
        if rating is None or answer != (rating.answer.label or rating.answer.cannot_rate):
            raise Refused("committed_otherwise", name=name)


def skip(entry: TrailEntry, worklist: Worklist, unit: Unit) -> None:
    """Leave a unit for later; its drafts stay. A committed unit is not changed."""
    connection, study, rater_id = worklist.connection, worklist.study, worklist.rater_id
    if not committed_at(connection, rater_id, unit.id):
        units.set_state(connection, rater_id, unit, "skipped")
        assignment.note_skip(connection, entry, study, unit.id, rater_id)


def committed_at(connection: Connection, rater_id: int, unit_id: int) -> str | None:
    """Return when the rater committed the unit (ISO, UTC); None if they have not."""
    found: str | None = connection.execute(
        select(schema.commit.c.at).where(
            schema.commit.c.rater_id == rater_id, schema.commit.c.unit_id == unit_id
        )
    ).scalar()
    return found


def current(connection: Connection, rater_id: int, unit_id: int) -> dict[str, Rating]:
    """Return criterion -> the rating in force, the last of its changes."""
    rows = connection.execute(
        select(schema.rating)
        .where(schema.rating.c.rater_id == rater_id, schema.rating.c.unit_id == unit_id)
        .order_by(schema.rating.c.id)
    )
    return {row.criterion: _given(connection, dict(row._mapping)) for row in rows}


def first(connection: Connection, rater_id: int, unit_id: int) -> dict[str, Rating]:
    """Return criterion -> the rating as committed, before any change."""
    rows = connection.execute(
        select(schema.rating)
        .where(
            schema.rating.c.rater_id == rater_id,
            schema.rating.c.unit_id == unit_id,
            schema.rating.c.replaces.is_(None),
        )
        .order_by(schema.rating.c.id)
    )
    return {row.criterion: _given(connection, dict(row._mapping)) for row in rows}


def _latest_drafts(connection: Connection, rater_id: int, unit_id: int) -> dict[str, Mapping[str, Any]]:
    newest = (
        select(func.max(schema.draft.c.id))
        .where(schema.draft.c.rater_id == rater_id, schema.draft.c.unit_id == unit_id)
        .group_by(schema.draft.c.criterion)
    )
    rows = connection.execute(select(schema.draft).where(schema.draft.c.id.in_(newest)))
    return {row.criterion: dict(row._mapping) for row in rows}


def _criterion(study: Study, unit: Unit, criterion_id: str) -> Criterion:
    criterion = next((c for c in unit.criteria(study) if c.id == criterion_id), None)
    if criterion is None:
        raise NotFound("no_criterion", noun=study.noun, criterion=criterion_id)
    return criterion


def _columns(answer: CriterionAnswer) -> dict[str, Any]:
    return {
        "label": answer.label,
        "cannot_rate": answer.cannot_rate,
        "also": json.dumps(answer.also),
        "confidence": answer.confidence,
        "evidence": json.dumps([span.model_dump() for span in answer.evidence]),
    }


def _answer(connection: Connection, row: Mapping[str, Any]) -> CriterionAnswer:
    return CriterionAnswer(
        label=row["label"],
        cannot_rate=row["cannot_rate"],
        also=json.loads(row["also"]),
        confidence=row["confidence"],
        note=content.get(connection, row["note_content"]) or "",
        evidence=[Span(**span) for span in json.loads(row["evidence"])],
    )


def _given(connection: Connection, row: Mapping[str, Any]) -> Rating:
    return Rating(
        row["id"],
        row["criterion"],
        _answer(connection, row),
        row["source"],
        row["exposure"],
        row["at"],
        content.get(connection, row["reason_content"]),
    )
