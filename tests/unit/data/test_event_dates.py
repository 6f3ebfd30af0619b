"""Which days are known: of commits, of judge runs, of files that say when; never the day of an import."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from data import event_dates, judge_runs, judgements, ledger
from data.event_dates import day_of
from data.importers import conversations
from data.importers.conversations import ConversationRow
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import add_ratings
from data.importers.report import ImportReport
from data.judge_runs import JudgeRunOptions
from data.judgements import JudgeIdentity
from data.ledger import LedgerLabel
from scoring.drift.periods import EPOCH, UNKNOWN
from tests.small_study import Small
from tests.unit.data.conftest import tried


def days(*said: str) -> list[int]:
    return [(date.fromisoformat(one) - EPOCH).days for one in said]


def today() -> int:
    return (datetime.now(UTC).date() - EPOCH).days


def read(small: Small, judge: int | None = None) -> event_dates.EventDates:
    with small.store.reading() as connection:
        return event_dates.read_event_dates(connection, small.study.id, [] if judge is None else [judge])


def imported(small: Small, what: Callable[..., None], last: Any, *rows: dict[str, str]) -> None:
    report = ImportReport("x")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        what(connection, entry, small.study, enumerate(rows, start=1), report, last, "tests")
        report.raise_if_wrong()


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
    imported(
        small,
        add_ratings,
        "blind",
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
    imported(small, add_judgements, JudgeIdentity("C"), *rows)
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
            run,
            [tried(run, judge, unit)],
            [LedgerLabel(judge, unit, "warm", 0, 0, "ok", "YES", None, ())],
        )
    assert [one.tolist() for one in read(small, judge).judged] == [[unit], [today()]]


def test_versions_are_told_apart_by_their_first_answers_only_where_these_differ(small: Small) -> None:
    def changes() -> list[tuple[int, str]]:
        with small.store.reading() as connection:
            return event_dates.first_answers(
                connection, small.study.id, judgements.judges(connection, small.study.id)
            )

    assert changes() == []
    row = {"conversation_id": "c2", "criterion": "warm", "label": "YES"}
    imported(small, add_judgements, JudgeIdentity("C"), {**row, "judge": "C", "at": "2026-03-02T00:00:00Z"})
    assert changes() == []  # one alone follows nobody
    imported(small, add_judgements, JudgeIdentity("D"), {**row, "judge": "D", "at": "2026-02-02T00:00:00Z"})
    assert changes() == [(days("2026-02-02")[0], "D"), (days("2026-03-02")[0], "C")]


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
                ConversationRow(n, f"more{n}", [("user", "Words"), ("assistant", "Reply")], one)
                for n, one in enumerate(facts, start=1)
            ),
            report,
        )
        report.raise_if_wrong()
    found = read(small)
    assert found.held_by == "held_at" and found.held.tolist() == [UNKNOWN] * 4 + days(
        *(f"2026-01-0{n}" for n in range(1, 7))
    )
    assert found.divides() == ["condition"] and found.facts["condition"] == (
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
