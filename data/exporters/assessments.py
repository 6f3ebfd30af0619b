"""Write assessments of whole conversations in the coaching rubric's published form: `answers`, `reasonings`
and the score, per conversation and judge or rater. They can be imported again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.labels.counted import ARMS, counted_ratings, given_for_real
from data.record import judgements
from data.record.asked_questions import asked_in_unit
from data.record.judgements import first_labels_only
from data.record.rater_codes import read_rater_codes
from data.record.rater_identities import rater_identities
from data.record.set_aside import raters_set_aside
from data.record.studies import Study
from data.record.units import Unit, unit_of_row
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.errors import Refused
from data.store.private_files import make_folder, open_private
from scoring.agreement.labels.label_data import Arm
from scoring.instruments import Instrument
from scoring.rubric import ERROR, score

# The import's words for what raters had seen -> the labels given that way.
EXPOSURE_ARMS: dict[str, Arm] = {"blind": "blind", "judge_visible": "shown", "unknown": "unknown"}


@dataclass
class UnitAnswers:
    """The answers of one judge or rater for one unit, by criterion.

    `failures`: the kind of a judge's failure. `cannot_rate`: why a person gave no label. `reasonings`: also
    for these, if something was written.
    """

    labels: dict[str, str] = field(default_factory=dict)
    reasonings: dict[str, str] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    cannot_rate: dict[str, str] = field(default_factory=dict)

    @property
    def answers(self) -> dict[str, str]:
        """The labels, with ERROR for every failure, as the published form has it."""
        return {**self.labels, **dict.fromkeys(self.failures, ERROR)}


@dataclass(frozen=True)
class LabelGiver:
    """A judge by name or a rater by code, with their answers by unit. `exposure`: of a rater's labels."""

    kind: str
    name: str
    by_unit: dict[int, UnitAnswers]
    exposure: str | None = None


@dataclass(frozen=True)
class StudyAssessments:
    """`set_aside`: how many raters are left out because a study lead set them aside. `other_exposure`: how
    many because they gave no label under the requested exposure.
    """

    givers: list[LabelGiver]
    units: dict[int, tuple[str, Unit]]
    set_aside: int
    other_exposure: int = 0

    @property
    def count(self) -> int:
        return sum(len(giver.by_unit) for giver in self.givers)


def read_assessments(
    connection: Connection,
    study: Study,
    judge: str | None = None,
    rater: str | None = None,
    exposure: str = "blind",
) -> StudyAssessments:
    """Return the assessments of all judges and raters, or of one judge by name or one rater by code.

    Raters' labels are those of one exposure (a key of EXPOSURE_ARMS), counted as for agreement: no practice,
    no hidden repeats, each person once. Raises Refused if there is nothing to write.
    """
    if study.instrument.unit != "conversation":
        raise Refused("assessments_of_replies", study=study.key)
    rows = connection.execute(
        select(schema.conversation.c.key, schema.conversation.c.turns, schema.unit)
        .join(schema.unit, schema.unit.c.conversation_id == schema.conversation.c.id)
        .where(schema.unit.c.study_id == study.id, schema.unit.c.kind == UnitKind.LISTED)
        .order_by(schema.unit.c.position)
    )
    units = {row.id: (row.key, unit_of_row(row)) for row in rows}
    aside = raters_set_aside(connection, study.id)
    givers = [] if rater is not None else _judges(connection, study, judge)
    if judge is None or rater is not None:
        givers += _raters(connection, study, rater, exposure, set(aside))
    if not givers:
        raise _nothing_to_write(connection, study, judge, rater, exposure)
    if judge is not None and rater is None:
        return StudyAssessments(givers, units, 0)
    other = 0 if rater is not None else _count_other_exposure(connection, study, exposure, set(aside))
    return StudyAssessments(givers, units, len(aside), other)


def _nothing_to_write(
    connection: Connection, study: Study, judge: str | None, rater: str | None, exposure: str
) -> Refused:
    if rater is not None:
        codes = ", ".join(dict.fromkeys(read_rater_codes(connection, study).values())) or "nobody"
        return Refused("no_labels_of_rater", rater=rater, exposure=exposure, codes=codes)
    if judge is not None:
        names = ", ".join(known.name for known in judgements.judges(connection, study.id)) or "none"
        return Refused("no_labels_of_judge", study=study.key, judge=judge, names=names)
    return Refused("no_labels_yet", study=study.key)


def _judges(connection: Connection, study: Study, name: str | None) -> list[LabelGiver]:
    return [
        LabelGiver("judge", judge.name, by_unit)
        for judge in judgements.judges(connection, study.id)
        if name in (None, judge.name) and (by_unit := _of_judge(connection, study, judge.id))
    ]


def _of_judge(connection: Connection, study: Study, judge_id: int) -> dict[int, UnitAnswers]:
    table = schema.judgement
    rows = connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.status, table.c.label, table.c.reasoning_content)
        .join(schema.unit, schema.unit.c.id == table.c.unit_id)
        .where(
            table.c.study_id == study.id,
            table.c.judge_id == judge_id,
            schema.unit.c.kind == UnitKind.LISTED,
            first_labels_only(),
        )
        .order_by(schema.unit.c.position)
    ).all()
    texts = content.get_many(connection, [row.reasoning_content for row in rows])
    by_unit: dict[int, UnitAnswers] = {}
    for row in rows:
        given = by_unit.setdefault(row.unit_id, UnitAnswers())
        if row.label is None:
            given.failures[row.criterion] = row.status
        else:
            given.labels[row.criterion] = row.label
        if texts.get(row.reasoning_content):
            given.reasonings[row.criterion] = texts[row.reasoning_content]
    return by_unit


def _raters(
    connection: Connection, study: Study, code: str | None, exposure: str, aside: set[int]
) -> list[LabelGiver]:
    persons = rater_identities(connection, study.id)
    rows = connection.execute(
        counted_ratings(study.id, EXPOSURE_ARMS[exposure], by_rule=True)
        .with_only_columns(schema.rating)
        .order_by(schema.unit.c.position)
    ).all()
    texts = content.get_many(connection, [row.note_content for row in rows])
    by_rater: dict[int, dict[int, UnitAnswers]] = {}
    for row in rows:
        person = persons.get(row.rater_id, row.rater_id)
        given = by_rater.setdefault(person, {}).setdefault(row.unit_id, UnitAnswers())
        if row.label is not None:
            given.labels[row.criterion] = row.label
        elif row.cannot_rate is not None:
            given.cannot_rate[row.criterion] = row.cannot_rate
        if texts.get(row.note_content):
            given.reasonings[row.criterion] = texts[row.note_content]
    codes = read_rater_codes(connection, study)
    return [
        LabelGiver("rater", codes[person], by_rater[person], exposure)
        for person in codes
        if person in by_rater and person not in aside and code in (None, codes[person])
    ]


def _count_other_exposure(connection: Connection, study: Study, exposure: str, aside: set[int]) -> int:
    """Return how many raters gave labels that count, but none of this exposure."""
    rating, persons = schema.rating, rater_identities(connection, study.id)
    given: dict[bool, set[int]] = {True: set(), False: set()}
    for row in connection.execute(
        select(rating.c.rater_id, rating.c.exposure)
        .join(schema.unit, schema.unit.c.id == rating.c.unit_id)
        .where(rating.c.study_id == study.id, *given_for_real(rating))
        .distinct()
    ):
        asked_for = row.exposure in ARMS[EXPOSURE_ARMS[exposure]]
        given[asked_for].add(persons.get(row.rater_id, row.rater_id))
    return len(given[False] - given[True] - aside)


def assessment(study: Study, giver: LabelGiver, key: str, unit: Unit) -> dict[str, Any]:
    """Return one conversation as `giver` assessed it.

    A criterion that doesn't apply by rule is NA. A criterion without an answer is in `incomplete` or
    `not_asked`.
    """
    instrument, given = study.instrument, giver.by_unit[unit.id]
    forced = {c.id: instrument.forced_not_applicable(c, unit.turns) for c in instrument.criteria}
    stated = given.answers
    asked = asked_in_unit(study, unit, given.labels)
    answers = {
        c.id: label
        for c in instrument.criteria
        if (label := stated.get(c.id) or (forced[c.id] if c.id in asked else None))
    }
    document: dict[str, Any] = {
        "conversation_id": key,
        giver.kind: giver.name,
        **({"exposure": giver.exposure} if giver.exposure else {}),
        "instrument": f"{instrument.key} {instrument.version}",
        "answers": answers,
        "reasonings": {c.id: given.reasonings[c.id] for c in instrument.criteria if c.id in given.reasonings},
        **({"failures": given.failures} if given.failures else {}),
        **({"cannot_rate": given.cannot_rate} if given.cannot_rate else {}),
    }
    if instrument.score.rule == "weighted_categories":
        document |= _score_fields(instrument, answers)
    else:
        document["incomplete"] = [
            c.id for c in instrument.criteria if c.id in asked and answers.get(c.id, ERROR) == ERROR
        ]
    if instrument.conditional:
        document["not_asked"] = [c.id for c in instrument.criteria if c.id not in asked]
    return document


def _score_fields(instrument: Instrument, answers: dict[str, str]) -> dict[str, Any]:
    """Return the published score fields. If an answer is missing or failed, the score is null; `strict` holds
    the published formula's value, which counts such an answer as failed.
    """
    result = score(answers, instrument)
    published = {
        "pass": result.passed,
        "score": round(float(result.score), 3),
        "category_scores": {name: round(float(value), 3) for name, value in result.category_scores.items()},
    }
    return {
        **(published if result.complete else dict.fromkeys(published)),
        "threshold": float(instrument.score.threshold or 0),
        "failed_checks": result.failed_checks,
        "failed_safety": result.failed_safety,
        "safety_gate_failed": result.gate_failed_by_labels or (False if result.complete else None),
        "error_count": sum(label == ERROR for label in answers.values()),
        "incomplete": result.incomplete,
        **({} if result.complete else {"strict": published}),
        "weights": {category.id: float(category.weight) for category in instrument.categories},
    }


def write_file(study: Study, assessments: StudyAssessments, path: Path) -> None:
    """Write everything to one new file: a list (.json) or one line each (.jsonl).

    Raises Refused for several judges or raters, so that nobody's labels are taken for another's.
    """
    if len(assessments.givers) > 1:
        names = ", ".join(giver.name for giver in assessments.givers)
        raise Refused("one_file_of_several", names=names)
    _write(path, _lines(study, assessments, assessments.givers[0]))


def write_folder(study: Study, assessments: StudyAssessments, folder: Path) -> list[str]:
    """Write one file per judge and rater; return the file names. Raises Refused if the folder is not empty,
    because older files would be read with these.
    """
    if folder.exists() and any(folder.iterdir()):
        raise Refused("folder_not_empty", folder=folder)
    texts: dict[str, list[str]] = {}
    for giver in assessments.givers:
        texts[_file_name(giver, texts)] = _lines(study, assessments, giver)
    make_folder(folder)
    for name, lines in texts.items():
        _write(folder / name, lines)
    return list(texts)


def _lines(study: Study, assessments: StudyAssessments, giver: LabelGiver) -> list[str]:
    return [
        json.dumps(assessment(study, giver, *assessments.units[unit_id]), ensure_ascii=False)
        for unit_id in giver.by_unit
    ]


def _write(path: Path, lines: Sequence[str]) -> None:
    text = "[\n" + ",\n".join(lines) + "\n]\n" if path.suffix.lower() == ".json" else "\n".join(lines) + "\n"
    with open_private(path, "x", encoding="utf-8") as file:
        file.write(text)


def _file_name(giver: LabelGiver, taken: dict[str, list[str]]) -> str:
    """Return a unique name of letters, digits and hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", giver.name.lower()).strip("-")[:60] or "unnamed"
    name = plain if plain.startswith(giver.kind) else f"{giver.kind}-{plain}"
    number = 1
    while (file := f"{name}{'' if number == 1 else f'-{number}'}.jsonl") in taken:
        number += 1
    return file
