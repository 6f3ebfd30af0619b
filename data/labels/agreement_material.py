"""What people and one judge said of a study, read as arrays: a million labels in seconds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import intern

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.labels import settlements
from data.labels.counted import counted_units
from data.labels.label_table import REFUSED, label_names, read_label_table, read_verdicts
from data.record.conversations import find_duplicates, shared_persons
from data.record.fact_names import find_condition
from data.record.judgements import first_labels_only
from data.record.set_aside import raters_set_aside
from data.record.studies import Study, raters
from data.store.batch_sizes import ROWS_PER_FETCH
from data.store.column_texts import joined, numbers, places
from data.store.kept_parts import keep_part
from data.work.draw_record import past_draws
from data.work.draws import chances
from data.work.gate_draws import is_drawn, read_settle_share
from scoring.agreement.labels.label_data import (
    HumanLabels,
    JudgeLabels,
    LabelData,
    Question,
    SettledLabel,
    UnitTable,
    question_of,
)
from scoring.agreement.verdicts.raters import find_raters_left_out
from scoring.arrays import IntArray, kept_column, shrink


def read(
    connection: Connection, study: Study, judge_id: int | None, since: str = "", until: str = ""
) -> LabelData:
    """Everything of a study, beside the first verdicts of one judge or of none.

    `since`, `until`: moments as the store writes them; only ratings given from the one on and before the
    other. Practice, hidden repeats, labels filled in by rule and replaced ones are left out
    (data/labels/counted.py, read by label_table.py), and of a judge all but the verdicts that stand.
    """
    questions = _questions(connection, study)
    units = _units(connection, study)
    index = {question.id: number for number, question in enumerate(questions)}
    unit_ids = set(units.id.tolist())  # what became practice since is settled and counts nowhere
    settled = tuple(
        SettledLabel(
            index[settlement.criterion],
            settlement.unit_id,
            questions[index[settlement.criterion]].domain.index(settlement.label)
            if settlement.label is not None
            else None,
            settlement.trigger == "human_human" and not settlement.judge_seen and not settlement.reopened,
        )
        for settlement in settlements.settled(connection, study.id)
        if settlement.criterion in index and settlement.unit_id in unit_ids
    )
    given, refused = _given(connection, study, questions, units, since, until)
    return LabelData(
        questions,
        units,
        {rater.id: rater.name for rater in raters(connection, study.id)},
        given,
        _verdicts(connection, study, questions, units, judge_id),
        settled,
        refused,
        _gate_draws(connection, study, questions, units),
    )


def _gate_draws(
    connection: Connection, study: Study, questions: Sequence[Question], units: UnitTable
) -> Mapping[int, frozenset[int]]:
    """Question -> the units that are settled if they hold a failure; nothing where all are."""
    share = read_settle_share(connection, study.id)
    if share == 1:
        return {}
    drawn = frozenset(units.id[is_drawn(units.id, study.id, share)].tolist())
    return {number: drawn for number, question in enumerate(questions) if question.gate}


def read_counted(connection: Connection, study: Study, judge_id: int | None) -> LabelData:
    """Return what `read` returns without the raters that no headline counts (`find_raters_left_out`)."""
    material = read(connection, study, judge_id)
    aside, thin = find_raters_left_out(material, raters_set_aside(connection, study.id))
    return material.leave_out(aside.union(thin))


def as_used(connection: Connection, study: Study, material: LabelData, judge_ids: Sequence[int]) -> LabelData:
    """Beside several judges, one after the other in use, instead of one: each label beside the judge that was
    asked about it first.
    """
    table, names = schema.judgement, {question.id: place for place, question in enumerate(material.questions)}
    first: dict[tuple[int, int], int] = {}
    for row in connection.execute(
        select(table.c.criterion, table.c.unit_id, table.c.judge_id)
        .where(table.c.study_id == study.id, table.c.judge_id.in_(judge_ids), first_labels_only())
        .order_by(table.c.id)
    ):
        if row.criterion in names:
            first.setdefault((names[row.criterion], row.unit_id), row.judge_id)
    many = {
        judge_id: _verdicts(connection, study, material.questions, material.units, judge_id)
        for judge_id in judge_ids
    }
    mine = {
        judge_id: judge_labels.where(
            np.array(
                [
                    first[pair] == judge_id
                    for pair in zip(judge_labels.question.tolist(), judge_labels.unit.tolist(), strict=True)
                ],
                dtype=bool,
            )
        )
        for judge_id, judge_labels in many.items()
    }
    nothing = np.zeros(0, dtype=np.int64)
    return replace(
        material,
        judge=JudgeLabels(
            np.concatenate([nothing, *(judge_labels.question for judge_labels in mine.values())]),
            np.concatenate([nothing, *(judge_labels.unit for judge_labels in mine.values())]),
            np.concatenate([nothing, *(judge_labels.code for judge_labels in mine.values())]),
            tuple(
                call
                for judge_id, judge_labels in many.items()
                for call in judge_labels.failed
                if first[call[:2]] == judge_id
            ),
        ),
    )


def _questions(connection: Connection, study: Study) -> tuple[Question, ...]:
    instrument = study.instrument
    criteria = instrument.criteria
    if instrument.criteria_from and study.taxonomy is not None:
        criteria = instrument.criteria_for(study.taxonomy.strategies)
    return tuple(question_of(instrument, criterion) for criterion in criteria)


def _units(connection: Connection, study: Study) -> UnitTable:
    """Units that count: not of practice, not shown a second time."""
    unit, conversation = schema.unit, schema.conversation
    row = connection.execute(
        select(
            joined(unit.c.id),
            joined(unit.c.position),
            joined(unit.c.conversation_id),
            joined(conversation.c.turns),
        )
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .where(unit.c.study_id == study.id, *counted_units())
    ).one()
    ids, position, talk, turns = map(numbers, row)
    order = np.argsort(ids)
    ids, position, talk, turns = ids[order], position[order], talk[order], turns[order]
    conditions = keep_part(
        connection,
        study.id,
        "conditions",
        (conversation, schema.erasure),
        lambda: _read_conditions(connection, study),
    )
    shared = shared_persons(connection, study.id)
    duplicates = len(find_duplicates(connection, study.id))
    named = sorted({name for name in conditions.values()})
    condition = np.array(
        [
            named.index(conditions[conversation_id]) if conversation_id in conditions else -1
            for conversation_id in talk.tolist()
        ],
        dtype=np.int64,
    )
    part = np.array([shared.get(number, number) for number in talk.tolist()], dtype=np.int64)
    weight, drawn = None, any(draw.method != "chosen" for draw in past_draws(connection, study.id))
    if drawn:
        chance_by_unit = {
            unit_id: inclusion.chance
            for unit_id, inclusion in chances(connection, study.id).items()
            if inclusion.chance
        }
        weight = np.array(
            [1 / chance_by_unit[unit_id] if unit_id in chance_by_unit else np.nan for unit_id in ids.tolist()]
        )
        if not np.isnan(weight).any() and len(weight) and np.ptp(weight) == 0:
            weight = None
        elif not np.isnan(weight).all():
            weight = weight / np.nanmean(weight)  # so that n stays about the number of labels
    return UnitTable(ids, position, talk, part, turns, condition, tuple(named), weight, drawn, duplicates)


def _read_conditions(connection: Connection, study: Study) -> dict[int, str]:
    """Conversation -> under which condition it was held, where its facts say so."""
    table, text = schema.conversation, schema.content
    conditions = {}
    for number, facts_text in connection.execute(
        select(table.c.id, text.c.text)
        .join(text, text.c.id == table.c.facts_content)
        .where(table.c.study_id == study.id, text.c.text.is_not(None)),
        execution_options={"yield_per": ROWS_PER_FETCH},
    ):
        condition = find_condition(json.loads(facts_text or "{}"))
        if condition is not None:
            conditions[number] = intern(condition)
    return conditions


def _codes(study: Study, questions: Sequence[Question]) -> IntArray:
    """(criteria, labels): the place of each label of the study in the domain of each question, or -1."""
    names = label_names(study).labels
    return np.array(
        [
            [question.domain.index(name) if name in question.domain else -1 for name in names]
            for question in questions
        ],
        dtype=np.int64,
    ).reshape(len(questions), len(names))


def _given(
    connection: Connection,
    study: Study,
    questions: tuple[Question, ...],
    units: UnitTable,
    since: str,
    until: str,
) -> tuple[HumanLabels, HumanLabels]:
    """What people labelled, and apart from it where their last answer is that it cannot be rated."""
    own = _codes(study, questions)
    labels = read_label_table(connection, study, since=since, until=until)
    asked, label = labels.criterion, labels.label
    code = np.where(label < 0, -1, own[asked, label]) if len(label) else label
    human_labels = HumanLabels(
        kept_column(labels, "criterion"),  # small ones stay small
        kept_column(labels, "unit"),
        kept_column(labels, "rater"),
        shrink(code.astype(np.int64)),
        kept_column(labels, "arm"),
        kept_column(labels, "reveals_before"),
    )
    return human_labels.where(code >= 0), human_labels.where(label == REFUSED)


def _verdicts(
    connection: Connection,
    study: Study,
    questions: tuple[Question, ...],
    units: UnitTable,
    judge_id: int | None,
) -> JudgeLabels:
    nothing = np.zeros(0, dtype=np.int64)
    if judge_id is None:
        return JudgeLabels(nothing, nothing, nothing)
    own = _codes(study, questions)
    verdicts = read_verdicts(connection, study.id, judge_id, label_names(study))
    _, counts = places(units.id, verdicts.unit)
    keep = counts & (verdicts.label >= 0)
    asked, unit, label = verdicts.criterion[keep], verdicts.unit[keep], verdicts.label[keep]
    code = own[asked, label] if len(asked) else asked
    keep = code >= 0
    unit_ids = set(units.id.tolist())
    failed = tuple(failure for failure in verdicts.failed if failure[1] in unit_ids)
    return JudgeLabels(asked[keep], unit[keep], code[keep], failed)
