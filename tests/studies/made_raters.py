"""A study that four people rated over twelve weeks, through the real store at moments of its own: one of them
comes to give lower levels.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.store.store import Connection, Store
from data.store.trail import TrailEntry
from data.work import assignment, calibration, ratings
from data.work.worklist import open_worklist
from tests.studies.planned import plan_for
from tests.studies.small_study import Small, make

NAMES = ("Ada Winter", "Boaz Lindqvist", "Cleo Marsh", "Dov Perlman")
DRIFTS = "Boaz Lindqvist"
BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday
SCALED = """\
key: scaled
version: "1"
title: Scaled rubric
unit: conversation
scales:
  degree:
    kind: ordinal
    levels:
      - {id: "1", name: "Not at all", key: "1", value: 1}
      - {id: "2", name: "A little", key: "2", value: 2}
      - {id: "3", name: "Some", key: "3", value: 3}
      - {id: "4", name: "Much", key: "4", value: 4}
      - {id: "5", name: "Fully", key: "5", value: 5}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
criteria:
  - {id: kind, name: Kind, scale: degree}
  - {id: clear, name: Clear, scale: degree}
"""


def stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def rate(
    small: Small,
    entry: TrailEntry,
    connection: Connection,
    rater: int,
    rng: random.Random,
    given: datetime,
    minutes: float,
    label: Callable[[int, str], str],
) -> bool:
    """Take the next unit at one moment and commit it so many minutes later. `label`: of a conversation and a
    criterion. False where nothing comes.
    """
    entry.at = stamp(given)
    place = assignment.take(connection, entry, small.study, studies.rater(connection, rater), rng)
    if not isinstance(place, int):
        return False
    unit = open_worklist(connection, small.study, rater).at(place)
    assert unit is not None
    entry.at = stamp(given + timedelta(minutes=minutes))
    for criterion in unit.criteria(small.study):
        if small.study.instrument.forced_not_applicable(criterion, unit.turns):
            continue
        ratings.save_draft(
            entry,
            open_worklist(connection, small.study, rater),
            unit,
            str(uuid.uuid4()),
            criterion.id,
            CriterionAnswer(label=label(unit.conversation_id, criterion.id)),
        )
    ratings.commit(entry, open_worklist(connection, small.study, rater), unit, str(uuid.uuid4()))
    return True


def twelve_weeks(
    store: Store,
    folder: Path,
    *,
    key: str = "weeks",
    conversations: int = 48,
    fall: float = 2.5,
    names: Sequence[str] = NAMES,
    repeats: float = 0.2,
    unsteady: str = "Cleo Marsh",
    calibrated: int = 0,
) -> Small:
    """Everybody rates everything, four or five a week, in an order of their own. `fall`: levels that DRIFTS
    loses from the first day to the last.
    `unsteady`: whose answers are drawn anew each time. `calibrated`: units of a calibration round before,
    rated again after its discussion.
    """
    small = make(
        store,
        folder,
        key=key,
        conversation_count=conversations,
        with_judges=False,
        raters=tuple(names),
        instrument=SCALED,
    )
    plan_for(small, each=True, raters=small.raters, repeats=repeats)
    truth = random.Random(7)
    labels_given: dict[tuple[int, str], int] = {}
    chances = [random.Random(100 + number) for number in range(len(names))]

    def one(connection: Connection, entry: TrailEntry, number: int, day: float, turn: int) -> bool:
        rng = chances[number]

        def label(conversation: int, criterion: str) -> str:
            level = labels_given.setdefault((conversation, criterion), truth.choice([3, 4, 5]))
            if names[number] == unsteady:
                return str(rng.choice([2, 3, 4, 5]))
            return str(
                max(
                    1,
                    min(
                        5,
                        round(
                            level - (fall * day / 84 if names[number] == DRIFTS else 0) + rng.gauss(0, 0.2)
                        ),
                    ),
                )
            )

        moment = BEGIN + timedelta(days=day, hours=number, minutes=20 * (turn % 5))
        return rate(
            small, entry, connection, small.raters[number], rng, moment, 3 + number + rng.random(), label
        )

    with store.writing("tests", "rate over twelve weeks", small.study.id) as (connection, entry):
        if calibrated:
            chosen = units.ids(connection, small.study.id)[:calibrated]
            entry.at = stamp(BEGIN - timedelta(days=1))
            round_id = calibration.begin(
                connection, entry, small.study, "Spring round", list(small.raters), chosen
            )
            for steps in (("discussed", "again"), ("closed",)):
                assert all(
                    one(connection, entry, number, 0, turn)
                    for number in range(len(names))
                    for turn in range(calibrated)
                )
                for step in steps:
                    calibration.move_on(connection, entry, small.study, round_id, step)
        for number in range(len(names)):
            for turn in range(3 * conversations):
                if not one(connection, entry, number, 84 * turn // (conversations * 1.2), turn):
                    break
    return small
