"""Which labels count: every reader says the same, on all samples and on studies in which anything may have
happened; and it is what somebody with a pencil would find.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import Connection, select

from data import schema
from data.exporters.assessments import EXPOSURE_ARMS, read_assessments
from data.labels import agreement_labels, unit_labels
from data.labels.agreement_material import read
from data.labels.counted import ARMS, counted_ratings, counted_units
from data.labels.label_groups import read_label_groups
from data.labels.label_table import label_names
from data.record import studies
from data.record.judgements import judges
from data.record.rater_codes import read_rater_codes
from data.record.rater_identities import confirm_identity, rater_identities
from data.record.studies import Study
from data.record.units import Unit, unit_of_row
from data.settling.anonymous_labels import anonymous_labels
from data.store.errors import Refused
from data.store.store import Store
from data.store.trail import TrailEntry
from data.work.practice import practice_units
from runs.sample_studies import ORDER
from scoring.agreement.labels.label_data import Arm, HumanLabels, LabelData
from tests.studies.small_study import Small

Answer = tuple[str, int, int, str | None]  # criterion, unit, person, label; None: cannot rate
LABELS = ("YES", "NO", "NA", None)
EXPOSURES = ("blind", "blind", "blind", "revealed", "page", "unknown")
STUDIES = 60


class Enough(Exception):
    """Ends a transaction that nothing is to be kept of."""


def by_row(connection: Connection, study: Study, arm: Arm) -> set[Answer]:
    rows = agreement_labels.human_labels(connection, study.id, arm)
    assert len({(row.criterion, row.unit_id, row.who) for row in rows}) == len(rows), "each counts once"
    return {(row.criterion, row.unit_id, row.who, row.label) for row in rows}


def by_array(material: LabelData, arm: Arm) -> set[Answer]:
    def answers(of: HumanLabels) -> list[Answer]:
        of = of.where(of.arm == list(ARMS).index(arm))
        columns = (of.question, of.unit, of.rater, of.code)
        return [
            (material.questions[q].id, unit, rater, material.questions[q].domain[code] if code >= 0 else None)
            for q, unit, rater, code in zip(*(column.tolist() for column in columns), strict=True)
        ]

    assert material.refused is not None
    return {*answers(material.given), *answers(material.refused)}


def by_unit(connection: Connection, study: Study) -> set[tuple[int, str, int, bool]]:
    """(unit, criterion, people, whether their labels differ)."""
    groups, names = read_label_groups(connection, study, None), label_names(study)
    columns = (groups.unit, groups.criterion, groups.raters, groups.differs)
    return {
        (unit, names.criteria[criterion], people, differs)
        for unit, criterion, people, differs in zip(*(c.tolist() for c in columns), strict=True)
    }


def in_files(connection: Connection, study: Study, exposure: str) -> set[Answer]:
    """Without what a rule filled in, which an assessment states as well."""
    persons = {code: rater for rater, code in read_rater_codes(connection, study).items()}
    try:
        givers = read_assessments(connection, study, exposure=exposure).givers
    except Refused:
        return set()
    return {
        (criterion, unit, persons[giver.name], label)
        for giver in givers
        if giver.kind == "rater"
        for unit, given in giver.by_unit.items()
        for criterion, label in [*given.labels.items(), *((name, None) for name in given.cannot_rate)]
    }


def by_rule(connection: Connection, study: Study) -> set[tuple[str, int, int]]:
    table, persons = schema.rating, rater_identities(connection, study.id)
    rows = connection.execute(select(table).where(table.c.study_id == study.id, table.c.source == "rule"))
    return {(row.criterion, row.unit_id, persons.get(row.rater_id, row.rater_id)) for row in rows}


def compare_readers(connection: Connection, study: Study) -> int:
    """How many answers count; all readers found the same."""
    material, filled, total = read(connection, study, None), by_rule(connection, study), 0
    for arm in ARMS:
        answers = by_row(connection, study, arm)
        on_scales = {label for question in material.questions for label in question.domain} | {None}
        assert by_array(material, arm) == {answer for answer in answers if answer[3] in on_scales}
        total += len(answers)
        if study.instrument.unit == "conversation":
            exposure = next(name for name, other in EXPOSURE_ARMS.items() if other == arm)
            stated = in_files(connection, study, exposure)
            assert answers <= stated
            assert {answer[:3] for answer in stated - answers} <= filled
    blind = by_row(connection, study, "blind")
    labels: dict[tuple[int, str], list[str]] = {}
    for criterion, unit_id, _, label in blind:
        if label is not None:
            labels.setdefault((unit_id, criterion), []).append(label)
    assert by_unit(connection, study) == {
        (*place, len(given), len(set(given)) > 1) for place, given in labels.items()
    }
    units = [unit_of_row(row) for row in connection.execute(_units(study))]
    for unit in units[:12]:
        compare_unit(connection, study, unit, {answer for answer in blind if answer[1] == unit.id})
    some = [unit.id for unit in units[::2]]
    ids = set(connection.execute(counted_ratings(study.id, "blind", some)).scalars())
    assert len(ids) == sum(answer[1] in some for answer in blind)
    return total


def compare_unit(connection: Connection, study: Study, unit: Unit, blind: set[Answer]) -> None:
    shown = [(voice.criterion, voice.label) for voice in anonymous_labels(connection, study, unit)]
    assert sorted(map(str, shown)) == sorted(str((answer[0], answer[3])) for answer in blind)
    if not connection.execute(
        select(schema.unit.c.id).where(schema.unit.c.id == unit.id, *counted_units())
    ).all():
        return  # labels of practice are shown, and count nowhere
    assert {
        (voice.criterion, unit.id, voice.rater, voice.label_of_blind)
        for voice in unit_labels.of_people(connection, unit)
        if not voice.outranked and voice.label_of_blind is not None
    } == {answer for answer in blind if answer[3] is not None}


def _units(study: Study) -> Any:
    unit, conversation = schema.unit, schema.conversation
    return (
        select(conversation.c.key, conversation.c.turns, unit)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .where(unit.c.study_id == study.id)
        .order_by(unit.c.id)
    )


@pytest.mark.parametrize("key", ORDER)
def test_every_reader_says_the_same_of_a_sample(sample_store: Store, key: str) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        assert compare_readers(connection, study) > 0 or key == "coaching_example"
        compare_verdicts(connection, study)


def compare_verdicts(connection: Connection, study: Study) -> None:
    units = practice_units(connection, study.id)
    for judge in judges(connection, study.id):
        material = read(connection, study, judge.id)
        counted = agreement_labels.judge_labels(connection, study.id, judge.id)
        assert not units & {row.unit_id for row in counted}
        of = material.judge
        assert {(row.criterion, row.unit_id, row.label) for row in counted} == {
            (material.questions[q].id, unit, material.questions[q].domain[code])
            for q, unit, code in zip(of.question.tolist(), of.unit.tolist(), of.code.tolist(), strict=True)
        }
        failures = agreement_labels.failures(connection, study.id, judge.id)
        assert sum(failures.values()) == len(of.failed)


@dataclass
class Happened:
    """A made study: what the pencil needs to know of it. `ratings`: (id, rater, unit, criterion, label,
    exposure, source), in their order.
    """

    ratings: list[tuple[int, int, int, str, str | None, str, str]] = field(default_factory=list)
    persons: dict[int, int] = field(default_factory=dict)  # imported rater -> person
    practice: set[int] = field(default_factory=set)  # units
    hidden: set[int] = field(default_factory=set)  # units shown again
    seen: set[int] = field(default_factory=set)  # ratings

    def counted(self, arm: Arm) -> set[Answer]:
        last: dict[tuple[str, int, int], tuple[bool, int, str | None]] = {}
        for number, rater, unit, criterion, label, exposure, source in self.ratings:
            if exposure not in ARMS[arm] or source == "rule" or number in self.seen:
                continue
            if unit in self.practice | self.hidden:
                continue
            person = self.persons.get(rater, rater)
            here = rater not in self.persons
            place = (criterion, unit, person)
            if place not in last or (here, number) > last[place][:2]:
                last[place] = (here, number, label)
        return {(*place, label) for place, (_, _, label) in last.items()}


def happen(connection: Connection, entry: TrailEntry, small: Small, chance: random.Random) -> Happened:
    happened, study = Happened(), small.study
    with_imports = [
        *small.raters,
        *(studies.add_rater(connection, entry, study.id, f"File {n}", "imported") for n in range(3)),
    ]
    ann, ben, first, second, third = with_imports
    if chance.random() < 0.7:
        happened.persons = {first: ann, second: ann} if chance.random() < 0.5 else {first: ann, third: ben}
        for rater, person in happened.persons.items():
            confirm_identity(connection, entry, study, rater, person, "lead", "they said so")
    units = [unit_of_row(row) for row in connection.execute(_units(study))]
    again = entry.write(
        schema.unit,
        {
            "study_id": study.id,
            "conversation_id": units[1].conversation_id,
            "message": None,
            "kind": "repeat",
            "position": -1,
            "criteria": "[]",
        },
    )
    entry.write(schema.repeat, {"unit_id": again, "of_unit_id": units[1].id, "why": "repeat"})
    happened.hidden.add(again)
    if chance.random() < 0.5:
        happened.practice.add(units[3].id)
        entry.write(
            schema.gold_label,
            {
                "unit_id": units[3].id,
                "criterion": "warm",
                "label": "YES",
                "said_by": "lead",
                "reason_content": None,
                "reason_mac": None,
            },
        )
    for number in range(chance.randrange(5, 40)):
        criterion, label = chance.choice(("warm", "safe", "deep")), chance.choice(LABELS)
        rater, unit = chance.choice(with_imports), chance.choice([*(u.id for u in units), again])
        exposure = chance.choice(EXPOSURES)
        source = "rule" if (criterion, unit) == ("deep", units[0].id) else "given"
        rating = entry.write(
            schema.rating,
            {
                "event": f"e{number}",
                "study_id": study.id,
                "rater_id": rater,
                "unit_id": unit,
                "criterion": criterion,
                "label": label,
                "cannot_rate": None if label else "other",
                "source": source,
                "exposure": exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
            },
        )
        assert rating is not None
        happened.ratings.append((rating, rater, unit, criterion, label, exposure, source))
        if exposure == "blind" and chance.random() < 0.1:
            happened.seen.add(rating)
            entry.write(schema.seen_elsewhere, {"rating_id": rating, "of_study_id": study.id})
    return happened


@pytest.mark.parametrize("number", range(STUDIES))
def test_of_a_made_study_it_is_what_somebody_with_a_pencil_finds(small: Small, number: int) -> None:
    with pytest.raises(Enough), small.store.writing("tests", "happen", small.study.id) as (connection, entry):
        happened = happen(connection, entry, small, random.Random(number))
        for arm in ARMS:
            assert by_row(connection, small.study, arm) == happened.counted(arm)
        compare_readers(connection, small.study)
        compare_verdicts(connection, small.study)
        raise Enough
