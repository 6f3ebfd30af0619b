"""Which days are known: of commits, of judge runs, of files that say when; never the day of an import."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection

from data.importers import conversations
from data.importers.conversations import ConversationRow
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.labels import event_dates
from data.record import judge_runs, judgements, ledger
from data.record.judge_runs import JudgeRunOptions
from data.record.judgements import JudgeIdentity
from data.record.ledger import LedgerLabel
from data.record.studies import Study
from data.store.trail import TrailEntry
from scoring.drift.periods import EPOCH, UNKNOWN, day_of
from tests.studies.small_study import Small
from tests.unit.data.conftest import tried

AddRows = Callable[
    [Connection, TrailEntry, Study, Iterable[tuple[int, dict[str, Any]]], ImportReport],
    None,
]


def days(*said: str) -> list[int]:
    return [(date.fromisoformat(one) - EPOCH).days for one in said]


def today() -> int:
    return (datetime.now(UTC).date() - EPOCH).days


def read(small: Small, judge: int | None = None) -> event_dates.EventDates:
    with small.store.reading() as connection:
        return event_dates.read_event_dates(connection, small.study.id, [] if judge is None else [judge])


def import_rows(small: Small, add_rows: AddRows, *rows: dict[str, str]) -> None:
    report = ImportReport("x")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        add_rows(connection, entry, small.study, enumerate(rows, start=1), report)
        report.raise_if_wrong()


def import_judgements(small: Small, judge: str, *rows: dict[str, str]) -> None:
    import_rows(small, partial(add_judgements, identity=JudgeIdentity(judge), file="tests"), *rows)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-03-04", "2026-03-04"),
        (" 2026-03-04T23:30:00 ", "2026-03-04"),
        ("2026-03-04T23:30:00-05:00", "2026-03-05"),
        ("2026-03-04T10:00:00Z", "2026-03-04"),
        ("2026-13-04", None),
        ("4 March 2026", None),
        ("20260304", None),
        ("", None),
        (None, None),
        (1772582400, None),
        ("1969-12-31", None),
    ],
)
def test_only_an_iso_date_is_a_day(said: object, day: str | None) -> None:
    assert day_of(said) == (UNKNOWN if day is None else days(day)[0])


def test_a_commit_has_its_day_and_the_import_of_a_file_is_none(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    import_rows(
        small,
        partial(add_ratings, provenance=RatingProvenance("blind", "tests")),
        {"conversation_id": "c3", "rater": "Cleo", "criterion": "warm", "label": "YES"},
        {
            "conversation_id": "c3",
            "rater": "Dan",
            "criterion": "warm",
            "label": "YES",
            "at": "2026-02-03T10:00:00+00:00",
        },
        {"conversation_id": "c3", "rater": "Dan", "criterion": "safe", "label": "YES", "at": "last Tuesday"},
    )
    who, unit, day = read(small).rated
    assert len(who) == 2 and (who[0], unit[0], day[0]) == (desk.rater, desk.unit(2).id, today())
    assert (unit[1], [day[1]]) == (desk.unit(3).id, days("2026-02-03"))


def test_a_judge_of_a_file_has_the_days_that_the_file_says(small: Small) -> None:
    assert not len(read(small, small.judges[0]).judged[0])  # its file said none
    rows = [
        {
            "conversation_id": f"c{n}",
            "criterion": criterion,
            "label": "YES",
            "judge": "C",
            "at": f"2026-02-0{n}T0{hour}:00:00Z",
        }
        for n in (2, 3)
        for hour, criterion in enumerate(("warm", "safe"), start=1)
    ]
    import_judgements(small, "C", *rows)
    with small.store.reading() as connection:
        judge = judgements.judges(connection, small.study.id)[-1].id
    unit, day = read(small, judge).judged
    assert (unit.tolist(), day.tolist()) == (
        [small.desk().unit(n).id for n in (2, 3)],
        days("2026-02-02", "2026-02-03"),
    )


def test_a_judge_that_was_asked_here_answered_when_it_was_written(small: Small) -> None:
    unit = small.desk().unit(2).id
    with small.store.writing("tests", "run", small.study.id) as (connection, entry):
        judge = judgements.register(connection, entry, small.study.id, JudgeIdentity("asked", parser="1"))
        run = judge_runs.ask(connection, entry, small.study.id, "asked", "page", JudgeRunOptions())
        ledger.write(
            connection,
            entry,
            small.study.id,
            [tried(run, judge, unit)],
            [LedgerLabel(judge, unit, unit, "warm", 0, 0, "ok", "YES", None, ())],
            run,
        )
    assert [days.tolist() for days in read(small, judge).judged] == [[unit], [today()]]


def test_versions_are_told_apart_by_their_first_answers_only_where_these_differ(small: Small) -> None:
    def changes() -> list[tuple[int, str]]:
        with small.store.reading() as connection:
            return event_dates.first_answers(
                connection, small.study.id, judgements.judges(connection, small.study.id)
            )

    assert changes() == []
    row = {"conversation_id": "c2", "criterion": "warm", "label": "YES"}
    import_judgements(small, "C", {**row, "judge": "C", "at": "2026-03-02T00:00:00Z"})
    assert changes() == []  # one alone follows nobody
    import_judgements(small, "D", {**row, "judge": "D", "at": "2026-02-02T00:00:00Z"})
    assert changes() == [(days("2026-02-02")[0], "D"), (days("2026-03-02")[0], "C")]


@pytest.mark.parametrize("name", ["date", "Date", "DATE", "Session date", "Created-At"])
def test_a_date_is_found_in_any_capitals_and_the_import_says_what_it_became(small: Small, name: str) -> None:
    report = ImportReport("x")
    rows = (
        ConversationRow(
            n,
            f"more{n}",
            [("user", f"Words {n}"), ("assistant", "Reply")],
            {name: f"2026-01-0{n}", "Topic": "t"},
        )
        for n in range(1, 7)
    )
    with small.store.writing("tests", "more", small.study.id) as (connection, entry):
        conversations.add_all(connection, entry, small.study, rows, report)
        report.raise_if_wrong()
    dates = read(small)
    assert dates.held_by == name and dates.held.tolist()[4:] == days(*(f"2026-01-0{n}" for n in range(1, 7)))
    assert report.facts_sentence() == f"Facts: {name}: when it was held; Topic: a fact to divide by."
    assert name not in dates.divides()


def test_the_date_of_a_conversation_counts_where_most_have_one(small: Small) -> None:
    assert read(small).held_by is None and read(small).held.tolist() == [UNKNOWN] * 4
    facts = [
        {"held_at": f"2026-01-0{n}T10:00:00", "condition": "a" if n % 2 else "b", "person": f"p{n % 2}"}
        for n in range(1, 7)
    ]
    with small.store.writing("tests", "more", small.study.id) as (connection, entry):
        report = ImportReport("x")
        conversations.add_all(
            connection,
            entry,
            small.study,
            (
                ConversationRow(n, f"more{n}", [("user", "Words"), ("assistant", "Reply")], fact)
                for n, fact in enumerate(facts, start=1)
            ),
            report,
        )
        report.raise_if_wrong()
    dates = read(small)
    assert dates.held_by == "held_at" and dates.held.tolist() == [UNKNOWN] * 4 + days(
        *(f"2026-01-0{n}" for n in range(1, 7))
    )
    assert dates.divides() == ["condition"] and dates.facts["condition"] == (
        None,
        None,
        None,
        None,
        "a",
        "b",
        "a",
        "b",
        "a",
        "b",
    )
