"""What units can be told apart by before anybody rates them: labels of judges, facts of conversations,
declared strategies.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, and_, case, func, or_, select

from data import schema
from data.record import judgements
from data.record.judgements import first_labels_only
from data.record.studies import Study
from data.schema.vocabulary import UnitKind
from data.store.column_texts import joined, numbers, places
from data.store.errors import NotFound, Notice, Refused
from data.work.draw_spec import CertainUnits, StratumKey
from scoring.arrays import IntArray
from scoring.instruments import Criterion, Strategy
from scoring.rubric import failing_in_gates

MOST_VALUES = 30
NOT_STATED, ERASED, NOT_JUDGED, NO_ANSWER = "not stated", "erased", "not judged", "no answer"
ERASED_VALUE = object()  # no text of a file is it
MAX_VALUE_CHARACTERS = 60  # characters of a fact's value in the name of a stratum


@dataclass(frozen=True)
class StrataSplit:
    """`names`: what the units can be; `codes`: (N,) which of them each unit is, as the ids are given;
    `notice`: what the lead should know, if anything.
    """

    names: list[str]
    codes: IntArray
    notice: Notice | None = None


def keys(connection: Connection, study: Study) -> list[tuple[StratumKey, str]]:
    """Return everything that strata of this study can be made of, with words for a select box.

    A fact with more than 30 values, such as a case number, is not offered.
    """
    stratum_keys = [
        (StratumKey(kind="label", name=criterion.id, judge=judge_id), f"What {name} said on {criterion.name}")
        for judge_id, name in _judge_names(connection, study).items()
        for criterion in _criteria(connection, study)
    ]
    stratum_keys += [
        (StratumKey(kind="declared", name=strategy.id), f"Whether {strategy.name} is declared")
        for strategy in _declared(connection, study)
    ]
    values_by_fact: dict[str, set[str]] = {}
    for facts in _facts(connection, study.id)[0]:
        for name, value in (facts or {}).items():
            values = values_by_fact.setdefault(name, set())
            text = _as_text(value)
            if text is not None and len(values) <= MOST_VALUES:
                values.add(text)
    return stratum_keys + [
        (StratumKey(kind="fact", name=name), f"The conversation's {name}")
        for name in sorted(values_by_fact)
        if 1 <= len(values_by_fact[name]) <= MOST_VALUES
    ]


def splits(
    connection: Connection, study: Study, asked: Sequence[StratumKey], ids: IntArray
) -> list[StrataSplit]:
    """Return which value of each key in `asked` each unit in `ids` has, in the order of `asked`.

    Raise NotFound for a judge without labels in this study; Refused for a criterion, fact or strategy that
    the study does not have, and for a fact with more than 30 values.
    """
    facts = _facts(connection, study.id) if any(key.kind == "fact" for key in asked) else ([], ids)
    split_of_kind = {
        "label": lambda key: _by_label(connection, study, key, ids),
        "fact": lambda key: _by_fact(key.name, *facts, ids),
        "declared": lambda key: _by_strategy(connection, study, key.name, ids),
    }
    return [split_of_kind[key.kind](key) for key in asked]


def _by_label(connection: Connection, study: Study, key: StratumKey, ids: IntArray) -> StrataSplit:
    judge = _judge_name(connection, study, key.judge)
    criterion = next(
        (criterion_ for criterion_ in _criteria(connection, study) if criterion_.id == key.name), None
    )
    if criterion is None:
        raise Refused("stratum_criterion_unknown", title=study.instrument.title, name=key.name)
    table = schema.judgement
    rows = connection.execute(
        select(table.c.label, joined(table.c.unit_id))
        .where(
            table.c.study_id == study.id,
            table.c.judge_id == key.judge,
            table.c.criterion == key.name,
            first_labels_only(),
        )
        .group_by(table.c.label)
    )
    names = {level.id: level.name for level in study.instrument.scale_of(criterion).labels()}
    place: dict[str | None, int] = {label: number for number, label in enumerate(names)}
    place[None] = len(place)
    codes = np.full(len(ids), len(place))
    for label, unit_ids in rows:
        codes[places(ids, numbers(unit_ids))[0]] = place[label]
    silent = int((codes == len(place)).sum())
    notice = Notice(
        "judge_not_finished",
        silent=silent,
        count=len(ids),
        noun=study.noun,
        judge=judge,
        criterion=criterion.name,
    )
    return StrataSplit(
        [f"{judge} on {criterion.name}: {name}" for name in (*names.values(), NO_ANSWER, NOT_JUDGED)],
        codes,
        notice if silent else None,
    )


def _by_fact(
    name: str, facts: Sequence[dict[str, Any] | None], of_units: IntArray, ids: IntArray
) -> StrataSplit:
    if not any(facts_of_unit and name in facts_of_unit for facts_of_unit in facts):
        raise Refused("fact_unstated", name=name)
    texts = [
        ERASED_VALUE if facts_of_unit is None else _as_text(facts_of_unit.get(name))
        for facts_of_unit in facts
    ]
    distinct = sorted({text for text in texts if isinstance(text, str)})
    if len(distinct) > MOST_VALUES:
        raise Refused("too_many_values", name=name, count=len(distinct), most=MOST_VALUES)
    place: dict[object, int] = {text: number for number, text in enumerate([*distinct, None, ERASED_VALUE])}
    positions, inside = places(ids, of_units)
    codes = np.full(len(ids), place[None])
    codes[positions] = np.array([place[text] for text in texts], dtype=np.int64)[inside]
    return StrataSplit([_fact_name(name, text) for text in (*distinct, NOT_STATED, ERASED)], codes)


def _fact_name(name: str, text: str) -> str:
    return f"{name}: {text if len(text) <= MAX_VALUE_CHARACTERS else f'{text[:MAX_VALUE_CHARACTERS]}…'}"


def names_told_only_by(connection: Connection, conversation_ids: Collection[int]) -> set[int]:
    """Return the ids of stored texts whose stratum names quote a fact that only these conversations state.

    Compared are all conversations of the study that are not erased.
    """
    table, text, draw = schema.conversation, schema.content, schema.draw
    studies = select(table.c.study_id).where(table.c.id.in_(conversation_ids))
    bodies = connection.execute(
        select(draw.c.study_id, text.c.id, text.c.text)
        .join(text, text.c.id == draw.c.body_content)
        .where(draw.c.study_id.in_(studies), text.c.text.is_not(None))
    ).all()
    asked = [
        (row, draw_body, [key["name"] for key in draw_body["spec"]["keys"] if key["kind"] == "fact"])
        for row in bodies
        if (draw_body := json.loads(row.text))
    ]
    if not any(names for *_, names in asked):
        return set()
    stated = [
        (row.study_id, row.id in conversation_ids, json.loads(row.text))
        for row in connection.execute(
            select(table.c.id, table.c.study_id, text.c.text)
            .join(text, text.c.id == table.c.facts_content)
            .where(table.c.study_id.in_(studies), text.c.text.is_not(None))
        )
    ]
    draw_ids = set()
    for row, draw_body, names in asked:
        for name in names:
            theirs, others = (
                {
                    _as_text(facts.get(name))
                    for study_id, here, facts in stated
                    if study_id == row.study_id and here == which
                }
                for which in (True, False)
            )
            if any(
                _fact_name(name, value) in shown
                for value in theirs - others
                if value is not None
                for shown in draw_body["names"]
            ):
                draw_ids.add(row.id)
    return draw_ids


def _by_strategy(connection: Connection, study: Study, name: str, ids: IntArray) -> StrataSplit:
    strategy = next((strategy_ for strategy_ in _declared(connection, study) if strategy_.id == name), None)
    if strategy is None:
        raise Refused("strategy_undeclared", noun=study.noun, name=name)
    unit = schema.unit
    codes = np.ones(len(ids), dtype=np.int64)
    for plan, unit_ids in connection.execute(
        select(unit.c.criteria, joined(unit.c.id))
        .where(unit.c.study_id == study.id)
        .group_by(unit.c.criteria)
    ):
        if name in json.loads(plan):
            codes[places(ids, numbers(unit_ids))[0]] = 0
    return StrataSplit([f"{strategy.name} is declared", f"{strategy.name} is not declared"], codes)


def certain(connection: Connection, study: Study, which: CertainUnits) -> set[int]:
    """Return the units on which a judge's first verdict fails a gate category or is no label.

    `which.judge` None means any judge. Raise NotFound for a judge without labels in this study.
    """
    table = schema.judgement
    failing = [
        and_(table.c.criterion == criterion, table.c.label.in_(labels))
        for criterion, labels in failing_in_gates(study.instrument).items()
    ]
    statement = (
        select(table.c.unit_id)
        .where(table.c.study_id == study.id, or_(table.c.status != "ok", *failing), first_labels_only())
        .distinct()
    )
    if which.judge is not None:
        _judge_name(connection, study, which.judge)
        statement = statement.where(table.c.judge_id == which.judge)
    return set(connection.execute(statement).scalars())


def certain_words(connection: Connection, study: Study, which: CertainUnits) -> str:
    """Return the name of the stratum of the units of `certain`: "JUDGE failed it on safety or gave no
    answer".

    "A judge" if `which` names none; "JUDGE gave no answer" without a safety gate.
    """
    who = "A judge" if which.judge is None else _judge_name(connection, study, which.judge)
    return (
        f"{who} failed it on safety or gave no answer"
        if failing_in_gates(study.instrument)
        else f"{who} gave no answer"
    )


def _criteria(connection: Connection, study: Study) -> list[Criterion]:
    return list(study.instrument.criteria_for(tuple(_declared(connection, study))))


def _declared(connection: Connection, study: Study) -> list[Strategy]:
    """The strategies that units of the study declare, in the order of the taxonomy; none where criteria are
    the instrument's own.
    """
    if not study.instrument.criteria_from or study.taxonomy is None:
        return []
    plans = connection.execute(
        select(schema.unit.c.criteria).where(schema.unit.c.study_id == study.id).distinct()
    ).scalars()
    named = {name for plan in plans for name in json.loads(plan)}
    return [strategy for strategy in study.taxonomy.strategies if strategy.id in named]


def _judge_names(connection: Connection, study: Study) -> dict[int, str]:
    """Two judges of one name are told apart by the beginning of their key."""
    table = schema.judge
    keys = dict(connection.execute(select(table.c.id, table.c.key).where(table.c.study_id == study.id)).all())
    judges = judgements.judges(connection, study.id)
    names = [judge.name for judge in judges]
    return {
        judge.id: judge.name if names.count(judge.name) == 1 else f"{judge.name} ({keys[judge.id][:6]})"
        for judge in judges
    }


def _judge_name(connection: Connection, study: Study, judge_id: int | None) -> str:
    found = _judge_names(connection, study).get(judge_id or 0)
    if found is None:
        raise NotFound("judge_said_nothing_here")
    return found


def _facts(connection: Connection, study_id: int) -> tuple[list[dict[str, Any] | None], IntArray]:
    """The facts of the conversation of every unit, None where they were erased, and the ids of the units."""
    unit, table, text = schema.unit, schema.conversation, schema.content
    # Erased facts have no text; the importer always keeps some, if only {}.
    facts_text = case((table.c.facts_content.is_(None), "{}"), else_=func.coalesce(text.c.text, "null"))
    row = connection.execute(
        select(joined(unit.c.id), joined(facts_text))
        .select_from(unit)
        .join(table, table.c.id == unit.c.conversation_id)
        .outerjoin(text, text.c.id == table.c.facts_content)
        .where(unit.c.study_id == study_id, unit.c.kind == UnitKind.LISTED)
    ).one()
    return json.loads(f"[{row[1] or ''}]"), numbers(row[0])


def _as_text(value: Any) -> str | None:
    """A fact's value as text; None where it says nothing."""
    if isinstance(value, str):
        return value.strip() or None
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False, sort_keys=True)
