"""Ten studies with nothing, or next to nothing, to compute from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from data.work import successors
from tests.studies import small_study
from tests.studies.small_study import INSTRUMENT, Small

LONG = "a label that goes on and on " * 72  # 2,016 characters
HUGE = INSTRUMENT.replace('name: "Yes"', f'name: "{LONG}"').replace("name: Warm", f'name: "{LONG.upper()}"')
SECOND = INSTRUMENT.replace('version: "1"', 'version: "2"').replace(
    "name: Warm,", "name: Warmth of the coach,"
)
TALKS = ("c1", "c2", "c3", "c4")
CRITERIA = ("warm", "safe", "deep")


def say(small: Small, identity: JudgeIdentity, rows: list[dict[str, Any]]) -> None:
    report = ImportReport("x")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(connection, entry, small.study, enumerate(rows, start=1), report, identity, "tests")
    report.raise_if_wrong()


def every(**row: Any) -> list[dict[str, Any]]:
    return [{"conversation_id": talk, "criterion": name, **row} for talk in TALKS for name in CRITERIA]


def rated(
    small: Small, label: str, exposure: str = "blind", raters: tuple[str, ...] = ("Eve", "Fay")
) -> None:
    report = ImportReport("x")
    rows = [{**row, "rater": rater} for rater in raters for row in every(label=label)]
    with small.store.writing("tests", "ratings", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            enumerate(rows, start=1),
            report,
            RatingProvenance(exposure, "tests"),
        )
    report.raise_if_wrong()


def no_ratings(store: Store, folder: Path) -> Small:
    return small_study.make(store, folder)


def one_rater(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder)
    for position, label in enumerate(("YES", "NO", "YES", "NO"), start=1):
        small.desk().rate(position, label)
    return small


def one_conversation(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, conversation_count=1)
    small.desk(0).rate(1, "NO")
    small.desk(1).rate(1)
    return small


def one_category(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder)
    for rater in (0, 1):
        for position in range(1, 5):
            small.desk(rater).rate(position)
    return small


def all_revealed(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, review="open")
    for position in range(1, 5):
        small.desk().rate(position, "NO")
    return small


def all_not_applicable(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, with_judges=False)
    say(small, JudgeIdentity("Judge N"), every(label="NA"))
    rated(small, "NA")
    return small


def all_failures(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, with_judges=False)
    say(small, JudgeIdentity("Judge F"), every(status="blocked_prompt"))
    for position in range(1, 5):
        small.desk().rate(position)
    return small


def one_judge_twice(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, with_judges=False)
    say(small, JudgeIdentity("Same name", model="first-model"), every(label="YES"))
    say(small, JudgeIdentity("Same name", model="second-model"), every(label="NO"))
    for rater in (0, 1):
        for position in range(1, 5):
            small.desk(rater).rate(position)
    return small


def huge_label(store: Store, folder: Path) -> Small:
    small = small_study.make(store, folder, instrument=HUGE)
    for rater in (0, 1):
        for position in range(1, 5):
            small.desk(rater).rate(position, "NO" if position == rater + 2 else "YES")
    return small


def mixed_instruments(store: Store, folder: Path) -> Small:
    """The second of two studies: of the first, all said NO; of this one, two labels were given."""
    first = small_study.make(store, folder)
    for rater in (0, 1):
        for position in range(1, 5):
            first.desk(rater).rate(position, "NO")
    with store.writing("lead", "go on", first.study.id) as (connection, entry):
        successors.begin(
            connection,
            entry,
            first.study,
            SECOND,
            "small-2",
            "Small study, second wording",
            "warm was read in two ways",
        )
    with store.reading() as connection:
        study = studies.find(connection, "small-2")
        assert study is not None
        raters = tuple(rater.id for rater in studies.raters(connection, study.id))
        count = len(
            connection.execute(select(schema.unit.c.id).where(schema.unit.c.study_id == study.id)).all()
        )
    second = Small(store, study, (), raters)
    say(
        second,
        JudgeIdentity("Judge S"),
        [{"conversation_id": talk, "criterion": "warm", "label": "YES"} for talk in TALKS[:count]],
    )
    rows = [
        {"conversation_id": talk, "criterion": "warm", "label": label, "rater": "Eve"}
        for talk, label in (("c1", "YES"), ("c2", "NO"))
    ]
    with store.writing("tests", "ratings", study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            study,
            enumerate(rows, start=1),
            ImportReport("x"),
            RatingProvenance("blind", "tests"),
        )
    return second


STUDIES: dict[str, Callable[[Store, Path], Small]] = {
    make.__name__: make
    for make in (
        no_ratings,
        one_rater,
        one_conversation,
        one_category,
        all_revealed,
        all_not_applicable,
        all_failures,
        one_judge_twice,
        huge_label,
        mixed_instruments,
    )
}
