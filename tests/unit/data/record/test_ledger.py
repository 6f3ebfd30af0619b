"""The ledger: every try is a row, a label is kept once, and only a readable answer stands for a call."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.record import judge_runs, ledger, ledger_reports, ledger_totals
from data.record.judge_runs import JudgeRunOptions
from data.record.ledger import Attempt, LedgerLabel
from data.record.ledger_totals import AttemptTotals
from data.store import content
from data.store.errors import StoreError
from scoring.judges.statuses import FAILURES, OK
from tests.studies.small_study import Small
from tests.unit.data.conftest import tried

UNIT, JUDGE = 2, 1


@pytest.fixture
def run(small: Small) -> int:
    with small.store.writing("lead", "ask", small.study.id) as (connection, entry):
        return judge_runs.ask(connection, entry, small.study.id, "cloud", "command line", JudgeRunOptions())


def said(criterion: str = "more", label: str | None = "NO", replicate: int = 0, **more: Any) -> LedgerLabel:
    values = {
        "judge_id": JUDGE,
        "conversation_id": UNIT,
        "unit_id": UNIT,
        "status": "ok" if label else "invalid",
        "reasoning": "because",
        "cited": (1,),
        **more,
    }
    return LedgerLabel(criterion=criterion, label=label, anchor_round=0, replicate=replicate, **values)


def write(small: Small, attempts: list[Attempt], labels: list[LedgerLabel]) -> None:
    with small.store.writing("lead", "judge", small.study.id) as (connection, entry):
        ledger.write(connection, entry, small.study.id, attempts, labels, 1)


def verdicts(small: Small) -> dict[tuple[int, str, int], tuple[str, str | None]]:
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        return {
            place: found
            for place, found in ledger.verdicts(connection, JUDGE, [UNIT]).items()
            if place[1] == "more"
        }


def test_a_try_and_its_label_are_kept_together(small: Small, run: int) -> None:
    write(small, [tried(run, JUDGE, UNIT, reply="{}")], [said()])
    assert verdicts(small) == {(UNIT, "more", 0): ("ok", "NO")}
    with small.store.reading() as connection:
        [attempt] = ledger_reports.tries(connection, JUDGE, UNIT)
        assert (attempt.status, attempt.reply, attempt.tokens_in, attempt.cost_nano, attempt.latency_ms) == (
            "ok",
            "{}",
            1000,
            1_312_500,
            240,
        )


def test_a_label_is_kept_once_and_nothing_is_said_over_it(small: Small, run: int) -> None:
    write(small, [], [said(label="NO")])
    write(small, [], [said(label="YES"), said(label=None)])
    assert verdicts(small) == {(UNIT, "more", 0): ("ok", "NO")}


def test_a_failure_may_be_followed_by_an_answer_but_not_the_other_way_round(small: Small, run: int) -> None:
    for label in (None, "NO", None):
        write(small, [], [said(label=label)])
    assert verdicts(small) == {(UNIT, "more", 0): ("ok", "NO")}


def test_replicates_stand_beside_the_first_verdict(small: Small, run: int) -> None:
    write(small, [], [said(label="NO"), said(label="YES", replicate=1), said(label=None, replicate=2)])
    assert verdicts(small) == {
        (UNIT, "more", 0): ("ok", "NO"),
        (UNIT, "more", 1): ("ok", "YES"),
        (UNIT, "more", 2): ("invalid", None),
    }


def test_the_database_itself_refuses_two_labels_for_one_question(small: Small) -> None:
    with small.store.reading() as connection:
        row = (
            connection.execute(sa.select(schema.judgement).where(schema.judgement.c.status == "ok").limit(1))
            .one()
            ._asdict()
        )
    with (
        pytest.raises(StoreError, match="change_refused"),
        small.store.writing("tests", "attack") as (_, entry),
    ):
        entry.write(schema.judgement, row)
    with (
        pytest.raises(StoreError, match="change_refused"),
        small.store.writing("tests", "attack") as (_, entry),
    ):
        entry.write(schema.judgement, {**row, "label": "NO"})
    with small.store.writing("tests", "a replicate") as (_, entry):
        entry.write(schema.judgement, {**row, "replicate": 1})


def test_only_a_readable_answer_of_the_same_judge_stands_for_a_call(small: Small, run: int) -> None:
    write(
        small,
        [
            tried(run, JUDGE, UNIT, key="a", reply="A"),
            tried(run, JUDGE, UNIT, key="a", reply="later"),
            tried(run, JUDGE, UNIT, key="b", status="invalid"),
            tried(run, 2, UNIT, key="c"),
            tried(run, JUDGE, UNIT, key="d", status="transport", reply=None),
        ],
        [],
    )
    with small.store.reading() as connection:
        of_judge, keys = ledger.is_of_judge(JUDGE), ["a", "b", "c", "d", "e"]
        assert ledger.find_replies(connection, of_judge, keys, newest=True) == {"a": (2, "later")}
        assert ledger.find_replies(connection, of_judge, keys, newest=False) == {"a": (1, "A")}


def test_an_erased_reply_stands_for_nothing(small: Small, run: int) -> None:
    write(small, [tried(run, JUDGE, UNIT, key="a")], [])
    with small.store.writing("lead", "erase") as (connection, entry):
        content.erase(
            entry,
            connection,
            connection.execute(sa.select(schema.attempt.c.reply_content)).scalar_one(),
            "asked for",
        )
    with small.store.reading() as connection:
        assert ledger.find_replies(connection, ledger.is_of_judge(JUDGE), ["a"], newest=True) == {}
        assert ledger_reports.tries(connection, JUDGE, UNIT)[0].reply is None
        assert verify(connection).problems == []


def test_what_was_tried_is_added_up(small: Small, run: int) -> None:
    write(
        small,
        [
            tried(run, JUDGE, UNIT),
            tried(
                run,
                JUDGE,
                UNIT,
                cost_nano=None,
                status="transport",
                tokens_in=None,
                tokens_out=None,
                tokens_thought=None,
                tokens_cached=None,
            ),
            tried(run, JUDGE, UNIT, cost_nano=None, status="quota"),
        ],
        [],
    )
    with small.store.reading() as connection:
        assert ledger_totals.totals(connection, run_id=run) == AttemptTotals(
            3, 2000, 300, 200, 0, {"USD": 1_312_500}, 1
        )
        assert ledger_totals.totals(connection, judge_id=2) == AttemptTotals(0, 0, 0, 0, 0, {}, 0)
        assert ledger_reports.tries_by_kind(connection, run) == {
            ("transport", "warm"): 1,
            ("quota", "warm"): 1,
        }


def test_two_currencies_are_never_added_up(small: Small, run: int) -> None:
    prices = [
        ("2026-11-01", "USD", 5),
        ("2026-12-01", "USD", 6),
        ("2026-11-01", "EUR", 7),
        (None, None, None),
    ]
    write(
        small,
        [
            tried(run, JUDGE, UNIT, price_date=day, currency=currency, cost_nano=cost)
            for day, currency, cost in prices
        ],
        [],
    )
    with small.store.reading() as connection:
        totals = ledger_totals.totals(connection, run_id=run)
    assert (totals.costs, totals.attempts, totals.tokens_in, totals.unpriced) == (
        {"USD": 11, "EUR": 7},
        4,
        4000,
        1,
    )


def test_what_was_recorded_costs_nothing(small: Small, run: int) -> None:
    write(
        small,
        [
            tried(
                run,
                JUDGE,
                UNIT,
                price_date=None,
                currency=None,
                cost_nano=None,
                adapter="replay 1",
                replayed=True,
            )
        ],
        [],
    )
    with small.store.reading() as connection:
        totals = ledger_totals.totals(connection, run_id=run)
    assert (totals.costs, totals.unpriced) == ({}, 0)


def test_failures_that_stand_are_listed_and_those_that_were_answered_are_not(small: Small, run: int) -> None:
    write(small, [], [said("more", None, reasoning="safety"), said("other", None)])
    write(small, [], [said("other", "YES")])
    with small.store.reading() as connection:
        assert [
            (one.unit_id, one.position, one.criterion, one.status, one.detail)
            for one in ledger_reports.standing_failures(connection, JUDGE)
        ] == [(UNIT, 2, "more", "invalid", "safety")]
        counts = ledger_reports.counts_by_criterion(connection, JUDGE)
    assert (counts["more"], counts["other"], counts["warm"]) == ({"invalid": 1}, {"ok": 1}, {"ok": 4})


def test_a_prompt_is_kept_once_and_found_by_the_beginning_of_its_hash(small: Small) -> None:
    with small.store.writing("lead", "keep") as (connection, entry):
        for _ in range(2):
            ledger.keep_prompt(connection, entry, "rubric_judge", "1", "the body", "abcdef")
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.judge_prompt)).scalar() == 1
        assert (ledger.prompt_body(connection, "abc"), ledger.prompt_body(connection, "b")) == (
            "the body",
            None,
        )


def test_a_draw_is_recorded_once(small: Small) -> None:
    with small.store.writing("lead", "draw") as (connection, entry):
        ledger.keep_replicated(connection, entry, JUDGE, "random", 3, [(2, "warm")])
        ledger.keep_replicated(connection, entry, JUDGE, "random", 3, [(2, "warm"), (3, "warm")])
        ledger.keep_replicated(connection, entry, JUDGE, "safety", 3, [(2, "warm")])
        assert (
            ledger.replicated(connection, JUDGE, "random"),
            ledger.replicated(connection, JUDGE, "safety"),
        ) == ([(2, "warm"), (3, "warm")], [(2, "warm")])


@pytest.mark.parametrize(
    ("tries", "asked_once"),
    [
        ([], False),
        ([("invalid", False)], True),
        ([("truncated", False)], True),
        ([("invalid", False), ("transport", False)], True),
        ([("invalid", False), ("invalid", True)], False),
        ([("invalid", False), ("ok", True)], False),
        ([("invalid", False), ("blocked_output", True)], False),
        ([("invalid", False), ("invalid", True), ("invalid", False)], True),
        ([("ok", False), ("invalid", False)], True),
        ([("transport", False)], False),
        ([("blocked_prompt", False)], False),
    ],
)
def test_a_call_whose_reply_was_unreadable_may_be_asked_once_more_and_not_twice(
    small: Small, run: int, tries: list[tuple[str, bool]], asked_once: bool
) -> None:
    write(
        small,
        [tried(run, JUDGE, UNIT, key="k" * 64, status=status, repair=repair) for status, repair in tries],
        [],
    )
    with small.store.reading() as connection:
        keys = ledger.find_asked_once(connection, ledger.is_of_judge(JUDGE), ["k" * 64, "l" * 64])
        assert keys == ({"k" * 64} if asked_once else set())
        assert not ledger.find_asked_once(connection, ledger.is_of_judge(JUDGE + 1), ["k" * 64])


@pytest.mark.parametrize("status", [OK, *FAILURES])
@pytest.mark.parametrize("repair", [False, True])
def test_what_settles_a_call_is_one_rule(small: Small, run: int, status: str, repair: bool) -> None:
    write(small, [tried(run, JUDGE, UNIT, key="k" * 64, status=status, repair=repair)], [])
    with small.store.reading() as connection:
        settled = connection.execute(
            sa.select(schema.attempt.c.id).where(schema.attempt.c.key == "k" * 64, ledger.settles_call())
        ).all()
    assert bool(settled) == (status == OK or ledger.is_final_failure(status, repair))
    assert ledger.is_final_failure(status, repair) == (
        status in ("blocked_prompt", "blocked_output") or (status in ("truncated", "invalid") and repair)
    )
