"""The progress report: as of the last entry of the trail whatever the clock says, raters under codes, and
nothing cut.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from sqlalchemy import distinct, func, select

from data import schema
from data.labels import work_overview
from data.record import studies
from data.record.rater_identities import confirm_identity
from data.store import trail
from data.store.store import Store
from data.work import assignment
from reports.document import Table, UnitLink
from reports.kinds import KINDS, ReportChoices
from reports.progress.findings import gather_progress
from reports.progress.tables import open_tables
from tests.studies.made_raters import NAMES, twelve_weeks
from tests.studies.planned import plan_for, workers
from tests.studies.small_study import Small

FAR_AHEAD = "2031-01-01T00:00:00.000+00:00"


def written(small: Small, names: bool = False) -> dict[str, bytes]:
    with small.store.reading() as connection:
        return KINDS["progress"].write_files(connection, small.study, ReportChoices(names=names))


def rows_of(contents: dict[str, bytes], name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(contents[f"tables/{name}.csv"].decode(), newline="")))


@pytest.fixture
def planned(small: Small) -> Small:
    """Of four units Ann rated one, skipped another, and let a third run out."""
    plan_for(small, overlap=1)
    ann = workers(small)[0]
    ann.rate_next()
    place = ann.take()
    assert isinstance(place, int)
    ann.draft(place)
    ann.skip(place)
    assert isinstance(ann.take(), int)
    with small.store.writing("tests", "time goes by", small.study.id) as (connection, entry):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(assignment, "now", lambda: FAR_AHEAD)
            assert assignment.run_out(connection, entry, small.study) == 1
    return small


def test_the_clock_changes_nothing_in_the_file(planned: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = written(planned)
    with planned.store.reading() as connection:
        at = trail.last_moment(connection)
        week = [row.this_week for row in gather_progress(connection, planned.study).raters]
        monkeypatch.setattr(work_overview, "now", lambda: FAR_AHEAD)
        later = [row.this_week for row in gather_progress(connection, planned.study).raters]
    assert (sorted(week), later) == ([0, 1], [0, 0]), "the page goes by the clock"
    assert written(planned) == contents
    document = json.loads(contents["report.json"])
    assert at is not None and document["settings"]["as_of"] == at
    assert document["header"] == [
        f"This is the state of {at[:10]} {at[11:19]} (UTC), when the store was last written to. The last 7 "
        "days are the days before that moment."
    ]
    assert sorted(row[2] for row in rows_of(contents, "raters")[1:]) == ["0", "1"]


def test_the_week_is_the_one_before_the_last_entry(copy_study: Callable[..., Small], store: Store) -> None:
    """Twelve weeks of ratings, each person's two or three a week."""
    small = copy_study(twelve_weeks, conversations=24)
    with store.reading() as connection:
        last = max(row.last or "" for row in gather_progress(connection, small.study).raters)
        at_the_end = gather_progress(connection, small.study, at=last)
        assert all(row.committed == 24 for row in at_the_end.raters)
        assert 0 < max(row.this_week for row in at_the_end.raters) < 5


def test_totals_what_ran_out_and_what_nobody_took(planned: Small) -> None:
    contents = written(planned)
    document = json.loads(contents["report.json"])
    assert [section["key"] for section in document["sections"]] == ["totals", "raters", "criteria", "open"]
    assert document["sections"][0]["blocks"][0]["text"] == (
        "1 of 4 conversations has all its raters, 0 have some. 1 of 4 ratings have been made (25%)."
    )
    header, *untouched = rows_of(contents, "nobody_took")
    assert header == ["Conversation", "Conversation id", "Raters still needed", "Skipped", "Time ran out"]
    assert sorted(row[3:] for row in untouched) == [["0", "0"], ["0", "1"], ["1", "0"]]
    (ran_out,) = rows_of(contents, "ran_out")[1:]
    assert ran_out[1] in {row[0] for row in rows_of(contents, "raters")[1:]}


def test_without_a_plan_it_says_so(small: Small) -> None:
    sections = json.loads(written(small)["report.json"])["sections"]
    assert sections[0]["blocks"][0]["text"].startswith("This study has no plan yet")
    assert [section["key"] for section in sections] == ["totals", "raters"]


def test_raters_stand_under_the_codes_of_the_page_unless_names_are_asked_for(
    copy_study: Callable[..., Small], store: Store
) -> None:
    small = copy_study(twelve_weeks, conversations=6)
    with store.reading() as connection:
        codes = [row.code for row in work_overview.by_rater(connection, small.study)]
    for names, people in ((False, codes), (True, list(NAMES))):
        contents = written(small, names)
        assert sorted(row[0] for row in rows_of(contents, "raters")[1:]) == sorted(people)
        everything = b"".join(contents.values()).decode()
        assert [name for name in NAMES if name in everything] == (list(NAMES) if names else [])


def test_labels_from_a_file_are_told_beside_what_was_rated_here(sample_store: Store) -> None:
    """Of somebody who is confirmed to be two raters of files each unit counts once."""
    with sample_store.writing("tests", "join") as (connection, entry):
        study = studies.find(connection, "vera_mh")
        assert study is not None
        ids = {rater.name: rater.id for rater in studies.raters(connection, study.id)}
        person = studies.add_rater(connection, entry, study.id, "Ann Oakes")
        for name in ("Expert A", "Expert B"):
            confirm_identity(connection, entry, study, ids[name], person, "Lea", "she said so")
        imported_units = connection.execute(
            select(func.count(distinct(schema.rating.c.unit_id))).where(
                schema.rating.c.rater_id.in_([ids["Expert A"], ids["Expert B"]])
            )
        ).scalar_one()
        contents = KINDS["progress"].write_files(connection, study, ReportChoices(names=True))
    rows = {row[0]: row for row in rows_of(contents, "raters")}
    assert rows["Ann Oakes"][rows["Rater"].index("Rated")] == "0"
    assert rows["Ann Oakes"][-1] == f"{imported_units:,} conversations from a file" and imported_units > 1
    assert {row[-1] for name, row in rows.items() if name not in ("Rater", "Ann Oakes")} == {""}


def test_a_page_lists_the_first_and_the_file_all(planned: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    with planned.store.reading() as connection:
        everything = gather_progress(connection, planned.study)
        monkeypatch.setattr(work_overview, "MAX_IDS_PER_QUERY", 1)
        assert gather_progress(connection, planned.study).open_units == everything.open_units
        first = gather_progress(connection, planned.study, most=2)
    whole, *_ = open_tables(everything, named=False)
    cut, *_ = open_tables(first, named=False)
    assert isinstance(whole, Table) and isinstance(cut, Table)
    assert (whole.caption, len(whole.rows)) == ("3 that nobody has taken yet", 3)
    assert cut.caption == "3 that nobody has taken yet, the first 2 in the order of the selection"
    assert list(cut.rows) == list(whole.rows)[:2]
    assert isinstance(cut.rows[0][0], UnitLink)
