"""Batch jobs: kept before they are waited for, taken back whole or in part, and never mixed up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import select

from configs.settings import ROOT, Settings
from data import schema
from data.keeping.verify import verify
from data.record import judge_runs
from data.record.judge_runs import JudgeRunOptions
from runs.asking.engine import Engine
from runs.judging import RunOutcome, batch, configure_run, judge_study
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.catalogue import JudgeUnusable
from tests.servers.batch_server import Batches, Items
from tests.servers.model_server import Reply, Seen, error, gemini, serving, too_many
from tests.studies.small_study import Small

BATCH = JudgeRunOptions(batch=True)
CALLS = 11  # four conversations, three questions; one does not apply by rule
IN_JOB = CALLS - 1  # one is asked online before the first job: the server answers it NO, and all in a job YES


@contextmanager
def judged_by(
    small: Small, folder: Path, batches: Batches, monkeypatch: pytest.MonkeyPatch, **entry: Any
) -> Iterator[RunConfiguration]:
    monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
    with serving(batches) as server:
        models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
        judge_entry = {
            **models["judges"]["gemini-3.8-flash"],
            "base_url": server.url,
            "batch_look_seconds": 0.01,
            "data_classes": ["synthetic", "phi"],
            **entry,
        }
        (folder / "models.yaml").write_text(
            yaml.safe_dump({"judges": {"gemini-3.8-flash": judge_entry}}), encoding="utf-8"
        )
        yield configure_run(
            small.store,
            Settings.read({"SECOND_READER_MODELS": str(folder / "models.yaml")}),
            "small",
            "gemini-3.8-flash",
        )


def labels(small: Small) -> list[str]:
    with small.store.reading() as connection:
        return list(
            connection.execute(
                select(schema.judgement.c.label).where(schema.judgement.c.origin == "run")
            ).scalars()
        )


def costs(small: Small) -> list[int]:
    with small.store.reading() as connection:
        return list(
            connection.execute(
                select(schema.attempt.c.cost_nano).where(schema.attempt.c.status == "ok")
            ).scalars()
        )


@pytest.fixture
def bare(make_study: Any) -> Small:
    found: Small = make_study(with_judges=False)
    return found


def run(setting: RunConfiguration, options: JudgeRunOptions = BATCH) -> RunOutcome:
    return judge_study(setting, options, "tests")


def test_everything_is_answered_by_the_job_at_the_lower_price(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=2)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["NO"] + ["YES"] * IN_JOB, 1, 1)
    # 1,000 tokens sent and 150 written, thinking included, at half the price.
    assert costs(bare) == [1000 * 750 + 150 * 3750] + [(1000 * 750 + 150 * 3750) // 2] * IN_JOB
    with bare.store.reading() as connection:
        table = schema.attempt
        sent = connection.execute(select(table.c.batched, table.c.replayed).order_by(table.c.id)).all()
    assert sent == [(0, 0), *[(1, 0)] * IN_JOB]


def test_answers_in_another_order_go_where_they_belong(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(spoil=lambda items: items[::-1])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        run(setting)
    assert (labels(bare), batches.online) == (["NO"] + ["YES"] * IN_JOB, 1)


def test_an_answer_under_a_wrong_key_is_not_taken_and_its_call_is_asked_anew(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap(items: Items) -> Items:
        first, second, *rest = items
        return [{**first, "metadata": second["metadata"]}, {**second, "metadata": first["metadata"]}, *rest]

    batches = Batches(spoil=swap)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (sorted(labels(bare)), batches.online) == (["NO"] * 3 + ["YES"] * (CALLS - 3), 3)
    with bare.store.reading() as connection:
        wrong = (
            connection.execute(select(schema.attempt.c.detail).where(schema.attempt.c.status == "invalid"))
            .scalars()
            .all()
        )
    assert wrong == ["the answer belongs to another request"] * 2


@pytest.mark.parametrize(
    "end",
    ["BATCH_STATE_FAILED", "BATCH_STATE_EXPIRED", "JOB_STATE_PARTIALLY_SUCCEEDED", "BATCH_STATE_CANCELLED"],
)
def test_what_a_job_answers_in_part_is_taken_and_the_rest_is_asked_one_by_one(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    batches = Batches(end=end, spoil=lambda items: items[:4])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (sorted(labels(bare)), batches.online) == (["NO"] * (CALLS - 4) + ["YES"] * 4, CALLS - 4)


def test_an_error_of_one_request_is_a_try_and_not_a_label(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(
        spoil=lambda items: [
            {"metadata": items[0]["metadata"], "error": {"code": 8, "message": "later"}},
            *items[1:],
        ]
    )
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        run(setting)
    assert (sorted(labels(bare)), batches.online) == (["NO"] * 2 + ["YES"] * (CALLS - 2), 2)


def test_a_blocked_answer_of_a_job_is_a_failure_that_stands(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = json.loads(gemini(None, "PROHIBITED_CONTENT").body)
    batches = Batches(spoil=lambda items: [{**items[0], "response": blocked}, *items[1:]])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).failed == 1
    assert (labels(bare).count(None), batches.online) == (1, 1)  # type: ignore[arg-type]


def test_a_job_is_known_before_it_is_waited_for_and_the_next_run_takes_it_back(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=10**6)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        monkeypatch.setattr(judge_runs, "cancelled", lambda connection, run_id: "job1" in batches.looked)
        assert run(setting).outcome == "cancelled"
        monkeypatch.undo()
        monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
        batches.looks = 0
        assert run(setting, JudgeRunOptions()).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["NO"] + ["YES"] * IN_JOB, 1, 1)


def test_a_job_that_is_too_late_is_called_off_and_the_rest_is_asked_one_by_one(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=10**6, spoil=lambda items: items[:3])
    with judged_by(bare, tmp_path, batches, monkeypatch, batch_hours=0.1 / 3600) as setting:
        assert run(setting).outcome == "finished"
    assert (batches.called_off, batches.online) == (["job1"], CALLS - 3)


def test_where_no_job_is_taken_nothing_is_asked_at_the_full_price(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "SPELL", 0.01)
    batches = Batches(refuse=error(503, "UNAVAILABLE"))
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        finished = run(setting)
        assert finished.outcome == "no_batch" and "Start again later, or without a batch" in finished.said
        assert (labels(bare), batches.online) == (["NO"], 1)
        batches.refuse = None
        assert run(setting).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["NO"] + ["YES"] * IN_JOB, 1, 1)


def test_a_job_whose_reply_was_lost_is_found_by_its_label(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "SPELL", 0.01)
    batches = Batches(refuse=error(504, "DEADLINE_EXCEEDED"), lose_reply=True)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["NO"] + ["YES"] * IN_JOB, 1, 1)


def test_a_job_whose_name_was_never_kept_is_found_by_the_next_run(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches()
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        before = judge_runs.note

        def broken(connection: Any, entry: Any, run_id: int, kind: str, *more: Any, **detail: Any) -> None:
            if kind == "batch_name":
                raise OSError("the power fails")
            before(connection, entry, run_id, kind, *more, **detail)

        monkeypatch.setattr(judge_runs, "note", broken)
        with pytest.raises(OSError):
            run(setting)
        monkeypatch.setattr(judge_runs, "note", before)
        assert run(setting, JudgeRunOptions()).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["NO"] + ["YES"] * IN_JOB, 1, 1)


def test_a_job_is_taken_back_whole_whatever_the_run_was_asked_for(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=10**6)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        monkeypatch.setattr(judge_runs, "cancelled", lambda connection, run_id: "job1" in batches.looked)
        run(setting)
        monkeypatch.undo()
        monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
        batches.looks = 0
        assert run(setting, JudgeRunOptions(limit=1)).outcome == "finished"
    assert (sorted(labels(bare)), batches.online) == (["NO"] + ["YES"] * IN_JOB, 1)


def test_the_last_answers_of_a_job_that_was_called_off_are_waited_for(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=10**6, late_answers=3)
    with judged_by(bare, tmp_path, batches, monkeypatch, batch_hours=0.1 / 3600) as setting:
        assert run(setting).outcome == "finished"
    assert (batches.called_off, batches.online) == (["job1"], 1)


def test_several_jobs_pass_no_budget_together(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MOST_CALLS", 4)
    batches = Batches()
    cost = 1000 * 750 + 150 * 3750
    budget = 4 * cost
    with judged_by(bare, tmp_path, batches, monkeypatch, max_output_tokens=256) as setting:
        finished = run(setting, JudgeRunOptions(batch=True, budget_nano=budget))
    assert finished.outcome == "budget" and 1 <= len(batches.jobs) < 3
    assert sum(costs(bare)) <= budget


def test_what_jobs_cost_counts_against_the_budget_of_the_calls_after_them(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(spoil=lambda items: items[:5])
    one = 1000 * 750 + 150 * 3750
    budget = one + 5 * one // 2 + one  # the first call, what the job answers, and one more
    with judged_by(bare, tmp_path, batches, monkeypatch, max_output_tokens=256) as setting:
        monkeypatch.setattr(Engine, "set_aside", lambda self, calls: 0)
        finished = run(setting, JudgeRunOptions(batch=True, budget_nano=budget))
    assert finished.outcome == "budget" and sum(costs(bare)) <= budget


def test_a_cancel_that_fails_ends_neither_the_run_nor_the_program(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(looks=10**6, refuse_cancel=2)
    with judged_by(bare, tmp_path, batches, monkeypatch, batch_hours=0.1 / 3600) as setting:
        assert run(setting).outcome == "finished"
    assert batches.called_off == ["job1"]


def test_a_field_that_stands_twice_says_nothing_in_a_job_either(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twice(items: Items) -> Items:
        part = items[0]["response"]["candidates"][0]["content"]["parts"][0]
        part["text"] = part["text"].replace('"label": "YES"', '"label": "YES", "label": "NO"')
        assert part["text"].count('"label"') == 2
        return items

    batches = Batches(spoil=twice)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert batches.online == 2  # asked anew


def test_strategies_in_one_call_make_no_job(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with judged_by(bare, tmp_path, Batches(), monkeypatch, batching="trial") as setting:
        instrument = setting.study.instrument.model_copy(update={"criteria_from": "plan"})
        with pytest.raises(JudgeUnusable, match="as lines, which a batch job can't hold"):
            run(replace(setting, study=replace(setting.study, instrument=instrument)))


def test_a_wrong_key_stops_the_run_before_anything_is_asked(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches(refuse=error(403, "PERMISSION_DENIED"))
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "refused_key"
    assert (labels(bare), batches.online) == (["NO"], 1)


def test_another_model_than_the_pinned_one_is_not_taken_from_a_job_either(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(items: Items) -> Items:
        return [
            {**item, "response": {**item["response"], "modelVersion": "gemini-9-flash"}} for item in items
        ]

    batches = Batches(spoil=other)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        for _ in range(2):  # the job stays open, and nothing is handed over a second time
            finished = run(setting)
            assert (finished.outcome, finished.served, labels(bare), batches.online) == (
                "drift",
                "gemini-9-flash",
                ["NO"],
                1,
            )
    assert len(batches.jobs) == 1


def test_a_study_that_may_not_be_sent_is_not_handed_over(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches()
    with judged_by(bare, tmp_path, batches, monkeypatch, data_classes=["synthetic"]) as setting:
        assert bare.study.data_class == "phi"
        assert run(setting).outcome == "not_sent_policy"
        lying = replace(
            setting, entry=setting.entry.model_copy(update={"data_classes": ("synthetic", "phi")})
        )
        assert run(lying).outcome == "not_sent_policy"  # the judge itself asks models.yaml, whoever calls it
    assert (batches.jobs, batches.online) == ({}, 0)


def test_a_budget_is_not_passed_by_a_job(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = Batches()
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting, JudgeRunOptions(batch=True, budget_nano=1_000_000)).outcome == "budget"
    assert (batches.jobs, labels(bare)) == ({}, [])


def test_the_trail_holds_after_a_job(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with judged_by(bare, tmp_path, Batches(), monkeypatch) as setting:
        run(setting)
    with bare.store.reading() as connection:
        assert verify(connection).problems == []


def test_what_a_job_answers_unreadably_is_asked_once_more_and_that_is_all(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whichever run: here the first one only takes the job's answers."""

    def spoil(items: Items) -> Items:
        for item in items:
            item["response"]["candidates"][0]["content"]["parts"] = [{"text": "I cannot say."}]
        return items

    class Unreadable(Batches):
        def __call__(self, seen: Seen) -> Reply:
            reply = super().__call__(seen)
            return gemini("I cannot say.") if seen.path.endswith(":generateContent") and self.jobs else reply

    batches = Unreadable(spoil=spoil)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        for _ in range(3):
            run(setting)
    with bare.store.reading() as connection:
        table = schema.attempt
        tries = connection.execute(select(table.c.key, table.c.batched, table.c.repair)).all()
    by_key: dict[str, list[tuple[int, int]]] = {}
    for key, batched, repair in tries:
        by_key.setdefault(key, []).append((batched, repair))
    assert sorted(by_key.values()) == [[(0, 0)], *[[(1, 0), (0, 1)]] * IN_JOB]
    assert len(batches.jobs) == 1


def test_a_call_that_was_asked_once_unreadably_goes_into_no_job(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class LateQuota(Batches):
        def __call__(self, seen: Seen) -> Reply:
            reply = super().__call__(seen)
            if seen.path.endswith(":generateContent") and not self.jobs and self.online > 1:
                return gemini("I cannot say.") if self.online == 2 else too_many(day=True)
            return reply

    batches = LateQuota()
    with judged_by(bare, tmp_path, batches, monkeypatch, in_flight=1) as setting:
        assert run(setting, JudgeRunOptions()).outcome == "quota"
        batches.online = 0
        assert run(setting).outcome == "finished"
    assert [len(items) for items in batches.jobs.values()] == [CALLS - 2]
    assert (len(labels(bare)), batches.online) == (CALLS, 1)
