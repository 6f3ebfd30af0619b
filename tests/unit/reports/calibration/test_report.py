"""The calibration report of rounds whose labels are planted: the shares are those that were written into it,
and of a round that is still rated blind nothing is told.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from data.record import units
from data.store.store import Store
from data.work import calibration
from reports.calibration.report import NO_ROUND
from reports.calibration.round_agreement import STILL_BLIND, round_agreement
from reports.document import Table
from reports.kinds import KINDS, ReportChoices
from tests.studies import small_study
from tests.studies.planned import Worker, plan_for, workers
from tests.studies.small_study import Small

PEOPLE = ("Ann Oakes", "Ben Birch", "Cleo Marsh")
STEPS = ("discussed", "again", "closed")
TITLE = "=1+1 <b>First round</b>"


def begin(small: Small, positions: tuple[int, ...], title: str = TITLE) -> int:
    with small.store.writing("lead", "begin", small.study.id) as (connection, entry):
        ids = units.ids(connection, small.study.id)
        return calibration.begin(
            connection,
            entry,
            small.study,
            title,
            list(small.raters[:2]),
            [ids[position - 1] for position in positions],
        )


def move_to(small: Small, round_id: int, *steps: str) -> None:
    for step in steps:
        with small.store.writing("lead", "move on", small.study.id) as (connection, entry):
            calibration.move_on(connection, entry, small.study, round_id, step)


@pytest.fixture
def rated(store: Store, tmp_path: Path) -> tuple[Small, int]:
    """A round of c2 and c4, which two of three people have rated: alike on c2, and otherwise throughout c4."""
    small = small_study.make(store, tmp_path, conversation_count=6, raters=PEOPLE)
    plan_for(small, overlap=1)
    round_id = begin(small, (2, 4))
    first, second, _ = workers(small)
    for worker, labels in ((first, ("YES", "YES")), (second, ("YES", "NO"))):
        for label in labels:
            worker.rate_next(label)
    return small, round_id


def rate_again(*people: Worker) -> None:
    for worker in people:
        for _ in range(2):
            worker.rate_next("YES")


def written(small: Small) -> dict[str, bytes]:
    with small.store.reading() as connection:
        return KINDS["calibration"].write_files(connection, small.study, ReportChoices())


def rows_of(contents: dict[str, bytes], round_id: int) -> list[list[str]]:
    text = contents[f"tables/round_{round_id}.csv"].decode()
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def sentences_of(contents: dict[str, bytes]) -> list[str]:
    return [
        block["text"]
        for section in json.loads(contents["report.json"])["sections"]
        for block in section["blocks"]
        if block["kind"] == "paragraph"
    ]


def test_of_a_round_that_is_rated_blind_nothing_is_told(rated: tuple[Small, int]) -> None:
    small, _ = rated
    contents = written(small)
    assert set(contents) == {"report.html", "report.json"}
    assert sentences_of(contents) == [STILL_BLIND]
    assert not [name for name, content in contents.items() if b"%" in content.split(b"</style>")[-1]]


def test_after_the_discussion_began_the_first_labels_stand_there(rated: tuple[Small, int]) -> None:
    small, round_id = rated
    move_to(small, round_id, "discussed")
    assert rows_of(written(small), round_id) == [
        ["All criteria", "3 of 6, 50% (0% to 100%)", "not rated again yet", ""],
        *([name, "1 of 2, 50% (0% to 100%)", "not rated again yet", ""] for name in ("Warm", "Safe", "Deep")),
    ]


def test_the_second_labels_of_one_person_are_no_pair(rated: tuple[Small, int]) -> None:
    small, round_id = rated
    move_to(small, round_id, "discussed", "again")
    rate_again(workers(small)[0])
    alone = "cannot be estimated: nothing was labelled by two raters"
    assert rows_of(written(small), round_id)[0] == ["All criteria", "3 of 6, 50% (0% to 100%)", alone, alone]


def test_both_times_stand_beside_each_other_with_the_change(rated: tuple[Small, int]) -> None:
    small, round_id = rated
    move_to(small, round_id, "discussed", "again")
    rate_again(*workers(small)[:2])
    again = written(small)
    assert rows_of(again, round_id)[0] == [
        "All criteria",
        "3 of 6, 50% (0% to 100%)",
        "6 of 6, 100% (16% to 100%)",
        "+50 points (-100 to +100)",
    ]
    move_to(small, round_id, "closed")
    assert written(small) == again


def test_what_may_not_be_shown_the_second_time_is_not(rated: tuple[Small, int]) -> None:
    """As the page asks for it of a rater who has yet to answer again."""
    small, round_id = rated
    move_to(small, round_id, "discussed", "again")
    rate_again(workers(small)[0])
    with small.store.reading() as connection:
        (calibration_round,) = calibration.rounds(connection, small.study.id)
        second = calibration.repeats_shown(connection, calibration_round, small.raters[1])
        table, _ = round_agreement(connection, small.study, calibration_round, second)
    assert not second and isinstance(table, Table)
    assert {row[2:] for row in table.rows} == {("not shown yet", "")}


def test_every_round_has_its_section_the_newest_first(rated: tuple[Small, int]) -> None:
    small, round_id = rated
    move_to(small, round_id, *STEPS)
    newest = begin(small, (1, 3), "Second round")
    contents = written(small)
    sections = json.loads(contents["report.json"])["sections"]
    assert [(section["key"], section["title"]) for section in sections] == [
        (f"calibration_{newest}", "Second round"),
        (f"calibration_{round_id}", TITLE),
    ]
    assert sections[0]["blocks"] == [{"kind": "paragraph", "text": STILL_BLIND, "tone": "plain"}]
    assert b"<b>" not in contents["report.html"]


def test_it_names_neither_raters_nor_judges_and_is_the_same_twice(rated: tuple[Small, int]) -> None:
    small, round_id = rated
    move_to(small, round_id, *STEPS)
    contents = written(small)
    assert contents == written(small)
    assert not [
        name
        for name in (*PEOPLE, "Judge A", "Judge B")
        for content in contents.values()
        if name.encode() in content
    ]


def test_a_study_without_a_round_says_so(store: Store, tmp_path: Path) -> None:
    contents = written(small_study.make(store, tmp_path))
    assert sentences_of(contents) == [NO_ROUND] and set(contents) == {"report.html", "report.json"}
