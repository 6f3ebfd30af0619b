"""What units can be told apart by before anybody rates them: labels of judges, facts of conversations, declared strategies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, and_, or_, select

from data import judgements, schema
from data.errors import NotFound, Refused
from data.judgements import first_verdict
from data.studies import Study
from data.work.draw_spec import Certain, Key
from scoring.instruments import Criterion, Strategy
from scoring.rubric import failing_in_gates

MOST_VALUES = 30
NOT_STATED, ERASED, NOT_JUDGED, NO_ANSWER = "not stated", "erased", "not judged", "no answer"
SHOWN = 60  # characters of a fact's value in the name of a stratum


@dataclass(frozen=True)
class Split:
    """`names`: what the units can be; `codes`: (N,) which of them each unit is; `notice`: what the lead should know, or ""."""

    names: list[str]
    codes: NDArray[np.int64]
    notice: str = ""


def keys(connection: Connection, study: Study) -> list[tuple[Key, str]]:
    """Everything that strata of this study can be made of, with words for a select box.

    A fact with more than 30 values, such as a number of the case, is not offered.
    """
    made = [(Key(kind="label", name=criterion.id, judge=judge_id), f"What {name} said on {criterion.name}")
            for judge_id, name in _judge_names(connection, study).items() for criterion in _criteria(connection, study)]
    made += [(Key(kind="declared", name=one.id), f"Whether {one.name} is declared") for one in _declared(connection, study)]
    found: dict[str, set[str]] = {}
    for facts in _facts(connection, study.id).values():
        for name, value in (facts or {}).items():
            values = found.setdefault(name, set())
            text = _as_text(value)
            if text is not None and len(values) <= MOST_VALUES:
                values.add(text)
    return made + [(Key(kind="fact", name=name), f"The conversation's {name}") for name in sorted(found) if 1 <= len(found[name]) <= MOST_VALUES]


def split(connection: Connection, study: Study, key: Key, unit_ids: Sequence[int]) -> Split:
    """Which value of a key each unit has. Raises Refused for a key that the study does not have, or one with too many values."""
    if key.kind == "label":
        return _by_label(connection, study, key, unit_ids)
    return _by_fact(connection, study, key.name, unit_ids) if key.kind == "fact" else _by_strategy(connection, study, key.name, unit_ids)


def _by_label(connection: Connection, study: Study, key: Key, unit_ids: Sequence[int]) -> Split:
    judge = _judge_name(connection, study, key.judge)
    criterion = next((one for one in _criteria(connection, study) if one.id == key.name), None)
    if criterion is None:
        raise Refused(f"{study.instrument.title} has no criterion {key.name!r}. Choose one that it has.")
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.label)
        .where(table.c.study_id == study.id, table.c.judge_id == key.judge, table.c.criterion == key.name, first_verdict()))
    said: dict[int, str | None] = {unit_id: label for unit_id, label in rows}
    names = {level.id: level.name for level in study.instrument.scale_of(criterion).labels()}
    place: dict[str | None, int] = {label: number for number, label in enumerate(names)}
    place[None] = len(place)
    codes = np.array([place[said[unit_id]] if unit_id in said else len(place) for unit_id in unit_ids], dtype=np.int64)
    silent = int((codes == len(place)).sum())
    notice = "" if not silent else (
        f"{silent} of {len(unit_ids)} units were not judged by {judge} on {criterion.name}. Let the judge finish before you draw by its labels: "
        f"if it read only units that were drawn before, the chances are not true.")
    return Split([f"{judge} on {criterion.name}: {name}" for name in (*names.values(), NO_ANSWER, NOT_JUDGED)], codes, notice)


def _by_fact(connection: Connection, study: Study, name: str, unit_ids: Sequence[int]) -> Split:
    values: dict[int, str] = {}
    unknown: dict[int, str] = {}
    stated = False
    for conversation_id, facts in _facts(connection, study.id).items():
        if facts is None:
            unknown[conversation_id] = ERASED
            continue
        stated = stated or name in facts
        text = _as_text(facts.get(name))
        if text is None:
            unknown[conversation_id] = NOT_STATED
        else:
            values[conversation_id] = text
    if not stated:
        raise Refused(f"No conversation states {name!r}. Choose something that the conversations tell.")
    distinct = sorted(set(values.values()))
    if len(distinct) > MOST_VALUES:
        raise Refused(f"{name!r} has {len(distinct)} different values; groups can be made of at most {MOST_VALUES}. Choose something else.")
    place = {text: number for number, text in enumerate(distinct)}
    odd = {NOT_STATED: len(distinct), ERASED: len(distinct) + 1}
    of_conversation = {number: place[text] for number, text in values.items()} | {number: odd[why] for number, why in unknown.items()}
    unit = schema.unit
    conversation: dict[int, int] = dict(connection.execute(
        select(unit.c.id, unit.c.conversation_id).where(unit.c.study_id == study.id)).all())
    shown = [text if len(text) <= SHOWN else f"{text[:SHOWN]}…" for text in distinct]
    return Split([f"{name}: {text}" for text in (*shown, NOT_STATED, ERASED)],
                 np.array([of_conversation[conversation[unit_id]] for unit_id in unit_ids], dtype=np.int64))


def _by_strategy(connection: Connection, study: Study, name: str, unit_ids: Sequence[int]) -> Split:
    strategy = next((one for one in _declared(connection, study) if one.id == name), None)
    if strategy is None:
        raise Refused(f"No unit of the study declares {name!r}. Choose a strategy that is declared.")
    unit = schema.unit
    plans = dict(connection.execute(select(unit.c.id, unit.c.criteria).where(unit.c.study_id == study.id)).all())
    codes = [0 if name in json.loads(plans[unit_id]) else 1 for unit_id in unit_ids]
    return Split([f"{strategy.name} is declared", f"{strategy.name} is not declared"], np.array(codes, dtype=np.int64))


def certain(connection: Connection, study: Study, which: Certain) -> set[int]:
    """Units on which a judge's first verdict is a failing label of a gate category, or no label: blocked, cut off, unreadable."""
    table = schema.judgement
    failing = [and_(table.c.criterion == criterion, table.c.label.in_(labels)) for criterion, labels in failing_in_gates(study.instrument).items()]
    statement = select(table.c.unit_id).where(table.c.study_id == study.id, or_(table.c.status != "ok", *failing), first_verdict()).distinct()
    if which.judge is not None:
        _judge_name(connection, study, which.judge)
        statement = statement.where(table.c.judge_id == which.judge)
    return set(connection.execute(statement).scalars())


def certain_words(connection: Connection, study: Study, which: Certain) -> str:
    """The name of the stratum of those units."""
    who = "A judge" if which.judge is None else _judge_name(connection, study, which.judge)
    return f"{who} failed it on safety or gave no answer" if failing_in_gates(study.instrument) else f"{who} gave no answer"


def practice(connection: Connection, study_id: int) -> set[int]:
    """Units with gold labels and units of a calibration round: they are rated to learn, and no draw takes them."""
    unit, gold, calibrated = schema.unit, schema.gold_label, schema.calibration_unit
    with_gold = select(gold.c.unit_id).join(unit, unit.c.id == gold.c.unit_id).where(unit.c.study_id == study_id)
    in_a_round = select(calibrated.c.unit_id).join(unit, unit.c.id == calibrated.c.unit_id).where(unit.c.study_id == study_id)
    return set(connection.execute(with_gold.union(in_a_round)).scalars())


def _criteria(connection: Connection, study: Study) -> list[Criterion]:
    return list(study.instrument.criteria_for(tuple(_declared(connection, study))))


def _declared(connection: Connection, study: Study) -> list[Strategy]:
    """The strategies that units of the study declare, in the order of the taxonomy; none where criteria are the instrument's own."""
    if not study.instrument.criteria_from or study.taxonomy is None:
        return []
    plans = connection.execute(select(schema.unit.c.criteria).where(schema.unit.c.study_id == study.id).distinct()).scalars()
    named = {name for plan in plans for name in json.loads(plan)}
    return [one for one in study.taxonomy.strategies if one.id in named]


def _judge_names(connection: Connection, study: Study) -> dict[int, str]:
    """Two judges of one name are told apart by the beginning of their key."""
    table = schema.judge
    keys = dict(connection.execute(select(table.c.id, table.c.key).where(table.c.study_id == study.id)).all())
    found = judgements.judges(connection, study.id)
    names = [one.name for one in found]
    return {one.id: one.name if names.count(one.name) == 1 else f"{one.name} ({keys[one.id][:6]})" for one in found}


def _judge_name(connection: Connection, study: Study, judge_id: int | None) -> str:
    found = _judge_names(connection, study).get(judge_id or 0)
    if found is None:
        raise NotFound("This judge said nothing in this study. Choose one of its judges.")
    return found


def _facts(connection: Connection, study_id: int) -> dict[int, dict[str, Any] | None]:
    """Conversation -> its facts; None where they were erased."""
    table, text = schema.conversation, schema.content
    rows = connection.execute(
        select(table.c.id, table.c.facts_content, text.c.text).outerjoin(text, text.c.id == table.c.facts_content).where(table.c.study_id == study_id))
    return {number: json.loads(kept) if kept is not None else None if content_id is not None else {} for number, content_id, kept in rows}


def _as_text(value: Any) -> str | None:
    """A fact's value as text; None where it says nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value.strip() if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text or None
