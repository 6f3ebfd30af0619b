"""What is kept of a study says what a look into the store would say, whatever was written since."""

from __future__ import annotations

import random
import shutil
import uuid
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.labels import agreement_material, disagreements, event_dates, work_overview
from data.labels.rating_nuances import rating_nuances
from data.record import conversations, curves, judgements, metrics, target_plans
from data.record.judgements import JudgeIdentity
from data.record.metrics import MetricSubject, MetricValue
from data.record.studies import Study
from data.store.kept_parts import grow_part, keep_part
from data.store.store import Connection, Store, open_store
from tests.studies.small_study import Small
from tests.unit.data.bench import Bench

CRITERIA, LABELS = ("warm", "safe", "deep"), ("YES", "NO", "NA", None)
EXPOSURES = ("blind", "blind", "blind", "revealed", "unknown")
UNITS = 6


def plain(value: Any) -> Any:
    """Arrays and their classes as lists, which can be compared."""
    if isinstance(value, np.ndarray):
        return repr(value.tolist())  # NaN equals none
    if hasattr(value, "__dataclass_fields__"):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def read_all(connection: Connection, study: Study) -> dict[str, Any]:
    judges = judgements.judges(connection, study.id)
    material = agreement_material.read(connection, study, judges[0].id if judges else None)
    return {
        "labels": plain([material.given, material.refused, material.judge, material.units, material.settled]),
        "days": plain(event_dates.read_event_dates(connection, study.id, [judge.id for judge in judges])),
        "between people": plain(disagreements.between_people(connection, study)),
        "with judges": plain(disagreements.with_judges(connection, study)),
        "persons": conversations.shared_persons(connection, study.id),
        "metrics": plain(
            [(m.subject, m.metric, m.value, dict(m.detail)) for m in metrics.present(connection, study.id)]
        ),
        "curves": plain(
            [curves.read(connection, study.id, *kind) for kind in curves.kinds(connection, study.id)]
        ),
        "metrics of judges": plain(
            [(m.subject, m.metric, m.value) for m in metrics.present(connection, study.id, judges=True)]
        ),
        "plans": plain(
            target_plans.linked(connection, study.id, target_plans.versions(connection, study.id))
        ),
        "judged": judgements.judged_conversations(connection, study.id),
        "nuances": plain(rating_nuances(connection, study, material.questions)),
        "raters": plain(work_overview.by_rater(connection, study)),
    }


def same_as_fresh(store: Store, study: Study) -> dict[str, Any]:
    """What the store that keeps parts reads; one that keeps none reads the same."""
    with store.reading() as connection:
        state = read_all(connection, study)
    fresh = open_store(f"sqlite:///{store.path}")
    try:
        with fresh.reading() as connection:
            assert read_all(connection, study) == state
    finally:
        fresh.close()
    return state


def rate(small: Small, chance: random.Random) -> None:
    """One label: given here or from a file that knows its day, blind or not, or changed."""
    label = chance.choice(LABELS)
    day = chance.choice(
        ["2026-03-04T10:00:00.000+00:00", "2026-04-05", "2026-03-09T23:30:00-05:00", "soon", None]
    )
    with small.store.writing("tests", "rate", small.study.id) as (_, entry):
        entry.write(
            schema.rating,
            {
                "event": str(uuid.uuid4()),
                "study_id": small.study.id,
                "rater_id": chance.choice(small.raters),
                "unit_id": small.desk().unit(chance.randint(1, UNITS)).id,
                "criterion": chance.choice(CRITERIA),
                "label": label,
                "cannot_rate": None if label else "other",
                "source": chance.choice(["given", "imported", "rule"]),
                "exposure": chance.choice(EXPOSURES),
                "reveals_before": chance.choice([0, 0, 2]),
                "also": chance.choice(["[]", '["NO"]']),
                "confidence": chance.choice([None, None, "sure"]),
                "evidence": "[]",
                **({"at": day} if day else {}),
            },
        )


def commit(small: Small, chance: random.Random) -> None:
    desk, position = small.desk(chance.randrange(len(small.raters))), chance.randint(1, UNITS)
    with small.store.reading() as connection:
        table = schema.commit
        done = connection.execute(
            table.select().where(table.c.rater_id == desk.rater, table.c.unit_id == desk.unit(position).id)
        ).first()
    if done is None:
        desk.draft_all(position, chance.choice(["YES", "NO"]))
        desk.commit(position)


def judge(small: Small, chance: random.Random) -> None:
    """Of one more judge, whose file knows when it answered, or not."""
    rows = [
        {
            "conversation_id": f"c{chance.randint(1, UNITS)}",
            "criterion": chance.choice(CRITERIA[:2]),
            "label": chance.choice(["YES", "NO"]),
            **({"at": f"2026-03-{chance.randint(10, 28)}"} if chance.random() < 0.5 else {}),
        }
    ]
    report = ImportReport("x")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        name = JudgeIdentity(f"Judge {uuid.uuid4()}")
        add_judgements(connection, entry, small.study, enumerate(rows, start=1), report, name, "tests")
        report.raise_if_wrong()


def practise(small: Small, chance: random.Random) -> None:
    """A unit gets a gold label, or is given to somebody to practise on."""
    unit = small.desk().unit(chance.randint(1, UNITS)).id
    with small.store.writing("tests", "practise", small.study.id) as (connection, entry):
        if chance.random() < 0.3:
            row = {"unit_id": unit, "criterion": "warm", "label": "YES", "said_by": "a panel"}
            entry.write(schema.gold_label, row)
            return
        table, rater = schema.assignment, chance.choice(small.raters)
        held = connection.execute(table.select().where(table.c.rater_id == rater)).all()
        if all(row.unit_id != unit for row in held):
            entry.write(
                table,
                {"rater_id": rater, "unit_id": unit, "purpose": "gold", "place": len(held) + 1, "hold": ""},
            )


def settle(small: Small, chance: random.Random) -> None:
    with small.store.writing("tests", "settle", small.study.id) as (_, entry):
        entry.write(
            schema.adjudication,
            {
                "event": str(uuid.uuid4()),
                "study_id": small.study.id,
                "unit_id": small.desk().unit(chance.randint(1, UNITS)).id,
                "criterion": chance.choice(CRITERIA),
                "trigger": "human_human",
                "label": "NO",
                "cause": "rater_slip",
                "judge_seen": 0,
                "rater_id": small.raters[0],
            },
        )


def compute(small: Small, chance: random.Random) -> None:
    with small.store.writing("tests", "score", small.study.id) as (connection, entry):
        ids = conversations.ids(connection, small.study.id)
        value = MetricValue(
            MetricSubject(conversation_id=chance.choice(ids), judge_id=chance.choice([None, *small.judges])),
            "goal_alignment",
            chance.choice(["actions/windowed", "text/windowed"]),
            "1",
            chance.random(),
            None,
            str(uuid.uuid4()),
            {"curve": [None, chance.random()], "local": [chance.random()]},
        )
        metrics.keep(connection, entry, small.study.id, [value])


def erase(small: Small, chance: random.Random) -> None:
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, f"c{chance.randint(1, UNITS)}", "asked to")


def abandon(small: Small, chance: random.Random) -> None:
    """A write that is rolled back after somebody read inside it."""
    with (
        pytest.raises(RuntimeError),
        small.store.writing("tests", "rate", small.study.id) as (connection, entry),
    ):
        row = connection.execute(schema.rating.select().limit(1)).first()
        if row is not None:
            values = {**row._mapping, "event": str(uuid.uuid4()), "label": "NO", "cannot_rate": None}
            entry.write(schema.rating, {name: value for name, value in values.items() if name != "id"})
        read_all(connection, small.study)
        raise RuntimeError


ACTIONS: tuple[Callable[[Small, random.Random], None], ...] = (
    *(rate,) * 8,
    commit,
    judge,
    practise,
    settle,
    compute,
    abandon,
    erase,
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_written_since_is_read(make_small: Callable[..., Small], seed: int) -> None:
    small, chance = make_small(UNITS, 4), random.Random(seed)
    small.store.keep_parts()
    seen = [same_as_fresh(small.store, small.study)]
    for _ in range(30):
        chance.choice(ACTIONS)(small, chance)
        seen.append(same_as_fresh(small.store, small.study))
    assert len({str(state) for state in seen}) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_who_began_to_read_before_a_write_reads_what_was_there_then(
    make_small: Callable[..., Small], seed: int
) -> None:
    small, chance = make_small(UNITS, 4), random.Random(seed)
    small.store.keep_parts()
    for _ in range(15):
        chance.choice(ACTIONS)(small, chance)
    for _ in range(4):
        before = same_as_fresh(small.store, small.study)
        with small.store.reading() as connection:
            connection.execute(schema.trail.select().limit(1)).all()  # from here on it sees no write
            for _ in range(3):
                chance.choice(ACTIONS)(small, chance)
                same_as_fresh(small.store, small.study)
            assert read_all(connection, small.study) == before
        same_as_fresh(small.store, small.study)


def test_a_store_that_was_brought_back_and_went_on_differently(
    make_small: Callable[..., Small], tmp_path: Path
) -> None:
    small = make_small(UNITS, 4)
    chance, copy = random.Random(1), tmp_path / "copy.sqlite"
    for _ in range(5):
        rate(small, chance)
    with small.store.reading():
        shutil.copy(small.store.path, copy)
        shutil.copy(f"{small.store.path}-wal", f"{copy}-wal")
    rate(small, chance)
    ahead, behind = small.store, open_store(f"sqlite:///{copy}")
    ahead.keep_parts()
    first = same_as_fresh(ahead, small.study)
    behind._parts = ahead._parts  # as if the file had been put back under the server
    elsewhere = Small(behind, small.study, small.judges, small.raters)
    for _ in range(3):
        rate(elsewhere, chance)
        rate(elsewhere, chance)
        same_as_fresh(behind, small.study)
    assert same_as_fresh(ahead, small.study) == first
    behind.close()


@pytest.mark.parametrize("why", ["gold", "calibration", "identity", "elsewhere"])
def test_labels_that_count_no_more_no_longer_differ(make_small: Callable[..., Small], why: str) -> None:
    """The unit became practice, both labels turned out to be one person's, or one rater had seen the judge of
    the same words elsewhere.
    """
    small = make_small(UNITS, 4)
    small.store.keep_parts()
    for number, label in enumerate(("YES", "NO")):
        small.desk(number).draft_all(2, label)
        small.desk(number).commit(2)
    assert same_as_fresh(small.store, small.study)["between people"][1] == 3
    with small.store.writing("tests", why, small.study.id) as (connection, entry):
        unit = small.desk().unit(2).id
        if why == "gold":
            row = {"unit_id": unit, "criterion": "warm", "label": "YES", "said_by": "a panel"}
            entry.write(schema.gold_label, row)
        elif why == "calibration":
            row = {"study_id": small.study.id, "title": "First", "raters": "[]"}
            number = entry.write(schema.calibration, row)
            entry.write(schema.calibration_unit, {"calibration_id": number, "unit_id": unit})
        elif why == "elsewhere":
            mine = select(schema.rating.c.id).where(schema.rating.c.rater_id == small.raters[1])
            for rating in connection.execute(mine).scalars().all():
                entry.write(schema.seen_elsewhere, {"rating_id": rating, "of_study_id": small.study.id})
        else:
            person, namesake = small.raters[:2]
            entry.write(
                schema.rater_identity, {"rater_id": namesake, "person_id": person, "confirmed_by": "a lead"}
            )
    assert same_as_fresh(small.store, small.study)["between people"][1] == 0


def test_practice_that_went_on_differently_in_a_store_that_was_brought_back(
    make_small: Callable[..., Small], tmp_path: Path
) -> None:
    """The last unit of practice has the same number in both, and is another one's."""
    small, copy = make_small(UNITS, 4), tmp_path / "copy.sqlite"
    for number, label in enumerate(("YES", "NO")):
        small.desk(number).draft_all(2, label)
        small.desk(number).commit(2)
    with small.store.reading():
        shutil.copy(small.store.path, copy)
        shutil.copy(f"{small.store.path}-wal", f"{copy}-wal")
    small.store.keep_parts()
    give_to_practise(small, 1)
    before = same_as_fresh(small.store, small.study)["between people"]
    behind = open_store(f"sqlite:///{copy}")
    behind._parts = small.store._parts  # as if the file had been put back under the server
    elsewhere = Small(behind, small.study, small.judges, small.raters)
    give_to_practise(elsewhere, 2)
    assert same_as_fresh(behind, small.study)["between people"] != before
    behind.close()


def give_to_practise(small: Small, position: int) -> None:
    with small.store.writing("tests", "practise", small.study.id) as (_, entry):
        unit = small.desk().unit(position).id
        row = {"unit_id": unit, "criterion": "warm", "label": "YES", "said_by": "a panel"}
        entry.write(schema.gold_label, row)


def test_what_stayed_as_it_was_is_not_read_again(make_small: Callable[..., Small]) -> None:
    small = make_small(UNITS, 4)
    small.store.keep_parts()
    readings: list[int] = []

    def read_behind(after: int) -> list[int]:
        readings.append(after)
        return [after]

    def read_kept() -> None:
        with small.store.reading() as connection:
            keep_part(connection, small.study.id, "k", (schema.judgement,), lambda: readings.append(-1))
            grow_part(
                connection,
                small.study.id,
                "g",
                schema.rating,
                read_behind,
                lambda before, behind: before + behind,
            )

    read_kept()
    read_kept()
    assert readings == [-1, 0]
    rate(small, random.Random(2))
    read_kept()
    rate(small, random.Random(3))
    read_kept()
    assert readings == [-1, 0, 0, 1]  # behind no row all is read, then what is behind the first
    small.store.forget_parts()
    read_kept()
    assert readings[-2:] == [-1, 0]


def test_a_program_that_serves_no_pages_keeps_nothing(make_small: Callable[..., Small]) -> None:
    small = make_small(UNITS, 4)
    readings: list[int] = []
    for _ in range(2):
        with small.store.reading() as connection:
            keep_part(connection, small.study.id, "k", (schema.judgement,), lambda: readings.append(1))
    assert readings == [1, 1]


def test_what_is_about_to_be_written_is_never_kept(make_small: Callable[..., Small]) -> None:
    small = make_small(UNITS, 4)
    small.store.keep_parts()
    readings: list[int] = []
    for _ in range(2):
        with small.store.writing("tests", "look") as (connection, _):
            keep_part(connection, small.study.id, "k", (schema.judgement,), lambda: readings.append(1))
    assert readings == [1, 1]


def test_words_that_were_erased_are_gone_from_what_is_kept(bench: Callable[..., Bench]) -> None:
    facts = [
        {"held_on": f"2026-03-0{day}", "condition": f"arm {day}", "person": f"P{day // 2}"}
        for day in (1, 2, 3)
    ]
    sites = bench(facts, {"Judge A": [{"conversation_id": "c1", "criterion": "safe", "label": "YES"}]})
    sites.store.keep_parts()
    with sites.store.writing("tests", "score", sites.study.id) as (connection, entry):
        values = [
            MetricValue(
                MetricSubject(conversation_id=number),
                "goal_alignment",
                "actions/windowed",
                "1",
                0.5,
                None,
                f"{number}",
                {"curve": [0.4, 0.6]},
            )
            for number in conversations.ids(connection, sites.study.id)
        ]
        metrics.keep(connection, entry, sites.study.id, values)
    before = same_as_fresh(sites.store, sites.study)
    with sites.store.writing("tests", "erase", sites.study.id) as (connection, entry):
        erase_conversation(connection, entry, sites.study, "c2", "asked to")
    after = same_as_fresh(sites.store, sites.study)
    assert "arm 2" in str(before) and "arm 2" not in str(after)
    changed = {name for name in before if before[name] != after[name]}
    assert changed >= {"labels", "days", "persons", "curves", "plans"}
