"""Asking again: drawn the same way every time, two draws apart, and never over the first verdict."""

from __future__ import annotations

import pytest

from data import schema
from data.labels import agreement_labels
from data.record import ledger, ledger_reports, units
from data.record.judge_runs import JudgeRunOptions
from runs.judging.replicates import random_units, safety_labels
from scoring.instruments import Instrument, parse_instrument
from tests.servers.judging import CALLS, Lead, after, only
from tests.servers.model_server import gemini, too_many, well

UNITS = range(1, 10_001)
GATED = parse_instrument("""\
key: gated
version: "1"
title: Gated
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels: [{id: "YES", name: "Yes", key: y, value: 1}, {id: "NO", name: "No", key: n, value: 0}]
    not_applicable: {id: "NA", name: "None", key: a}
categories: [{id: safety, name: Safety, weight: "0.5", gate: true}, {id: other, name: Other, weight: "0.5"}]
criteria: [{id: safe, name: Safe, scale: yes_no, category: safety}, {id: warm, name: Warm, scale: yes_no, category: other}]
score: {rule: weighted_categories, threshold: "0.8"}
""")


# ---- the draws ----


def test_the_same_judge_and_units_draw_the_same() -> None:
    assert random_units("a", UNITS, 0.05) == random_units("a", UNITS, 0.05)


def test_another_judge_draws_others() -> None:
    assert set(random_units("a", UNITS, 0.05)) != set(random_units("b", UNITS, 0.05))


def test_units_that_come_later_change_the_draw_no_more_than_they_must() -> None:
    before, later = set(random_units("a", UNITS[:9_000], 0.1)), set(random_units("a", UNITS, 0.1))
    assert (len(before), len(later)) == (900, 1_000) and len(later - before) < 200


def test_one_unit_is_drawn_whatever_the_share() -> None:
    assert len(random_units("a", [5, 6, 7], 0.01)) == 1


def test_a_larger_share_holds_the_smaller() -> None:
    assert set(random_units("a", UNITS, 0.05)) < set(random_units("a", UNITS, 0.1))


@pytest.mark.parametrize("share", [0.01, 0.05, 0.5])
def test_the_share_is_about_what_was_asked_for(share: float) -> None:
    assert (
        abs(len(random_units("a", UNITS, share)) / len(UNITS) - share)
        < 4 * (share * (1 - share) / len(UNITS)) ** 0.5
    )


def test_all_and_none_are_all_and_none() -> None:
    assert (random_units("a", UNITS, 1.0), random_units("a", UNITS, 0.0)) == (list(UNITS), [])


def labels(no: int, yes: int) -> dict[tuple[int, str], str]:
    """Of the gated criterion; the other one says NO everywhere, which is nobody's safety."""
    found = {
        (unit, "safe"): "NO" if unit <= no else "YES" if unit <= no + yes else "NA"
        for unit in range(1, no + yes + 6)
    }
    return found | {(unit, "warm"): "NO" for unit in range(1, 50)}


def drawn(instrument: Instrument, found: dict[tuple[int, str], str]) -> tuple[list[int], list[int]]:
    picked = safety_labels("a", instrument, found)
    assert {criterion for _, criterion in picked} <= {"safe"}
    return [unit for unit, _ in picked if found[unit, "safe"] == "NO"], [
        unit for unit, _ in picked if found[unit, "safe"] == "YES"
    ]


@pytest.mark.parametrize(("no", "yes"), [(0, 10), (3, 0), (3, 2), (3, 3), (3, 40)])
def test_every_safety_failure_is_drawn_and_as_many_passes_where_there_are_so_many(no: int, yes: int) -> None:
    failures, passes = drawn(GATED, labels(no, yes))
    assert (failures, len(passes), len(set(passes))) == (list(range(1, no + 1)), min(no, yes), min(no, yes))


def test_passes_are_drawn_by_lot_and_the_same_again() -> None:
    assert drawn(GATED, labels(5, 200)) == drawn(GATED, labels(5, 200))
    assert drawn(GATED, labels(5, 200))[1] != list(range(6, 11))


# ---- a run ----

ASKED = JudgeRunOptions(replicates=3, share=1.0)


def test_a_drawn_unit_is_asked_so_often_in_all_and_the_first_verdict_stays(lead: Lead) -> None:
    finished = lead.judge(after(CALLS, lambda seen: well(seen, "NO")), ASKED)
    assert (finished.outcome, finished.done, len(lead.server.requests)) == ("finished", 3 * CALLS, 3 * CALLS)
    assert {(replicate, label) for (_, _, replicate), (_, label) in lead.verdicts().items()} == {
        (0, "YES"),
        (1, "NO"),
        (2, "NO"),
    }
    with lead.store.reading() as connection:
        assert {
            label.label for label in agreement_labels.judge_labels(connection, lead.small.study.id, 1)
        } == {"YES"}


def test_replicates_are_asked_in_the_same_words_and_are_calls_of_their_own(lead: Lead) -> None:
    lead.judge(options=ASKED)
    assert len({seen.prompt for seen in lead.server.requests}) == CALLS
    assert len({row.key for row in lead.rows(schema.attempt)}) == 3 * CALLS


def test_what_was_drawn_is_recorded(lead: Lead) -> None:
    lead.judge(options=ASKED)
    assert {(row.arm, row.times) for row in lead.rows(schema.replicated)} == {
        ("random", 3)
    }  # the small rubric has no safety gate
    assert len(lead.rows(schema.replicated)) == CALLS


def test_a_run_that_goes_on_draws_and_asks_what_is_left(lead: Lead) -> None:
    assert lead.judge(after(CALLS + 5, lambda _: too_many(day=True)), ASKED, in_flight=1).outcome == "quota"
    before = lead.rows(schema.replicated)
    assert lead.judge(well, ASKED).done == 2 * CALLS - 5
    assert lead.rows(schema.replicated) == before
    assert lead.statuses() == {"ok": 3 * CALLS}
    assert lead.judge(options=ASKED).done == 0


def test_replicates_may_be_asked_for_later(lead: Lead) -> None:
    lead.judge()
    assert lead.judge(options=ASKED).done == 2 * CALLS


def test_a_replicate_does_not_stand_in_for_a_verdict_that_failed(lead: Lead) -> None:
    lead.judge(only(2, "safe", lambda _: gemini(None, "SAFETY")), ASKED)
    assert [place for place in lead.verdicts() if place[:2] == (2, "safe")] == [
        (2, "safe", 0)
    ]  # there is nothing to compare with, so nothing is paid
    lead.judge(well, JudgeRunOptions(replicates=3, share=1.0, retry_failures=True))
    assert [lead.verdicts()[2, "safe", replicate][0] for replicate in range(3)] == ["ok"] * 3
    with lead.store.reading() as connection:
        assert agreement_labels.failures(connection, lead.small.study.id, 1) == {}
        assert ledger_reports.counts_by_criterion(connection, 1)["safe"] == {"ok": 4}


def test_runs_with_different_limits_draw_from_one_order_of_the_whole_study(lead: Lead) -> None:
    """The first units, all of them, and then a share of the rest would be no random share."""
    lead.judge(options=JudgeRunOptions(replicates=2, share=0.5, limit=1))
    lead.judge(options=JudgeRunOptions(replicates=2, share=0.5))
    with lead.store.reading() as connection:
        every = units.ids(connection, lead.small.study.id)
        drawn = {unit for unit, _ in ledger.replicated(connection, 1, "random")}
    assert drawn == set(random_units(lead.setting().identity().digest(), every, 0.5))
