"""How a judge run stands: a sign of life, the time since, and who would go on with it decide."""

from __future__ import annotations

import pytest

from data.record import judge_runs
from data.record.judge_runs import From, JudgeRun, JudgeRunOptions, JudgeRunProgress
from data.store.trail import now
from tests.studies.small_study import Small


def begun(small: Small, asked_from: From, *, sign: bool = True) -> JudgeRun:
    with small.store.writing("lead", "ask", small.study.id) as (connection, entry):
        number = judge_runs.ask(connection, entry, small.study.id, "cloud", asked_from, JudgeRunOptions())
        judge_runs.note(connection, entry, number, "started", small.judges[0])
        if sign:
            judge_runs.put_progress(connection, number, JudgeRunProgress(1, now(), 7, 11, 2, 8, ""))
    with small.store.reading() as connection:
        return judge_runs.get(connection, number)


@pytest.mark.parametrize("asked_from", ["page", "command line"])
@pytest.mark.parametrize("sign", [True, False])
def test_a_run_that_has_just_begun_is_running(small: Small, asked_from: From, sign: bool) -> None:
    assert begun(small, asked_from, sign=sign).state == "running"


def test_a_run_of_a_page_without_a_sign_of_life_waits_for_the_worker(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_runs, "STALE", 0.0)
    run = begun(small, "page")
    assert (run.state, run.outcome, run.said) == ("interrupted", None, None)
    with small.store.reading() as connection:
        assert judge_runs.find_waiting(connection) == run


@pytest.mark.parametrize(("sign", "counts"), [(True, (7, 11)), (False, (0, 0))])
def test_a_run_of_the_command_line_without_a_sign_of_life_is_over(
    small: Small, monkeypatch: pytest.MonkeyPatch, sign: bool, counts: tuple[int, int]
) -> None:
    monkeypatch.setattr(judge_runs, "STALE", 0.0)
    run = begun(small, "command line", sign=sign)
    assert (run.state, run.outcome, run.said) == (
        "ended",
        "interrupted",
        "Broken off. The same command goes on with what is pending.",
    )
    assert (run.done, run.total) == counts
    with small.store.reading() as connection:
        assert judge_runs.find_waiting(connection) is None


def test_what_a_run_said_at_its_end_stays_its_end(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_runs, "STALE", 0.0)
    run = begun(small, "command line")
    with small.store.writing("lead", "end", small.study.id) as (connection, entry):
        judge_runs.note(
            connection,
            entry,
            run.id,
            "ended",
            run.judge_id,
            outcome="finished",
            said="Done.",
            done=11,
            failed=0,
            total=11,
        )
    with small.store.reading() as connection:
        run = judge_runs.get(connection, run.id)
    assert (run.state, run.outcome, run.said, run.done) == ("ended", "finished", "Done.", 11)
