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
from data import judge_runs, schema
from data.judge_runs import Options
from data.verify import verify
from runs.judging import Finished, judge_study, settle
from runs.judging.setting import Setting
from tests.batch_server import Batches, Items
from tests.model_server import error, gemini, serving
from tests.small_study import Small

BATCH = Options(batch=True)
CALLS = 11  # four conversations, three questions; one does not apply by rule


@contextmanager
def judged_by(small: Small, folder: Path, batches: Batches, monkeypatch: pytest.MonkeyPatch, **entry: Any) -> Iterator[Setting]:
    monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
    with serving(batches) as server:
        models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
        found = {**models["judges"]["gemini-3.8-flash"], "base_url": server.url, "batch_look_seconds": 0.01, "data_classes": ["synthetic", "phi"], **entry}
        (folder / "models.yaml").write_text(yaml.safe_dump({"judges": {"gemini-3.8-flash": found}}), encoding="utf-8")
        yield settle(small.store, Settings.read({"SECOND_READER_MODELS": str(folder / "models.yaml")}), "small", "gemini-3.8-flash")


def labels(small: Small) -> list[str]:
    with small.store.reading() as connection:
        return list(connection.execute(select(schema.judgement.c.label).where(schema.judgement.c.source.like("run %"))).scalars())


def costs(small: Small) -> list[int]:
    with small.store.reading() as connection:
        return list(connection.execute(select(schema.judge_attempt.c.cost_nano).where(schema.judge_attempt.c.status == "ok")).scalars())


@pytest.fixture
def bare(make_study: Any) -> Small:
    found: Small = make_study(with_judges=False)
    return found


def run(setting: Setting, options: Options = BATCH) -> Finished:
    return judge_study(setting, options, "tests")


def test_everything_is_answered_by_the_job_at_the_lower_price(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(looks=2)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["YES"] * CALLS, 0, 1)
    # 1,000 tokens sent and 150 written, thinking included, at half the price.
    assert costs(bare) == [(1000 * 750 + 150 * 3750) // 2] * CALLS


def test_answers_in_another_order_go_where_they_belong(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(spoil=lambda items: items[::-1])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        run(setting)
    assert (labels(bare), batches.online) == (["YES"] * CALLS, 0)


def test_an_answer_under_a_wrong_key_is_not_taken_and_its_call_is_asked_anew(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def swap(items: Items) -> Items:
        first, second, *rest = items
        return [{**first, "metadata": second["metadata"]}, {**second, "metadata": first["metadata"]}, *rest]

    batches = Batches(spoil=swap)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (sorted(labels(bare)), batches.online) == (["NO"] * 2 + ["YES"] * (CALLS - 2), 2)
    with bare.store.reading() as connection:
        wrong = connection.execute(select(schema.judge_attempt.c.detail).where(schema.judge_attempt.c.status == "invalid")).scalars().all()
    assert wrong == ["the answer belongs to another request"] * 2


@pytest.mark.parametrize("end", ["BATCH_STATE_FAILED", "BATCH_STATE_EXPIRED", "JOB_STATE_PARTIALLY_SUCCEEDED", "BATCH_STATE_CANCELLED"])
def test_what_a_job_answers_in_part_is_taken_and_the_rest_is_asked_one_by_one(
    bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    batches = Batches(end=end, spoil=lambda items: items[:4])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (sorted(labels(bare)), batches.online) == (["NO"] * (CALLS - 4) + ["YES"] * 4, CALLS - 4)


def test_an_error_of_one_request_is_a_try_and_not_a_label(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(spoil=lambda items: [{"metadata": items[0]["metadata"], "error": {"code": 8, "message": "later"}}, *items[1:]])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        run(setting)
    assert (sorted(labels(bare)), batches.online) == (["NO"] + ["YES"] * (CALLS - 1), 1)


def test_a_blocked_answer_of_a_job_is_a_failure_that_stands(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = json.loads(gemini(None, "PROHIBITED_CONTENT").body)
    batches = Batches(spoil=lambda items: [{**items[0], "response": blocked}, *items[1:]])
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).failed == 1
    assert (labels(bare).count(None), batches.online) == (1, 0)  # type: ignore[arg-type]


def test_a_job_is_known_before_it_is_waited_for_and_the_next_run_takes_it_back(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(looks=10 ** 6)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        monkeypatch.setattr(judge_runs, "cancelled", lambda connection, run_id: "job1" in batches.looked)
        assert run(setting).outcome == "cancelled"
        monkeypatch.undo()
        monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
        batches.looks = 0
        assert run(setting, Options()).outcome == "finished"
    assert (labels(bare), batches.online, len(batches.jobs)) == (["YES"] * CALLS, 0, 1)


def test_a_job_that_is_too_late_is_called_off_and_the_rest_is_asked_one_by_one(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(looks=10 ** 6, spoil=lambda items: items[:3])
    with judged_by(bare, tmp_path, batches, monkeypatch, batch_hours=0.1 / 3600) as setting:
        assert run(setting).outcome == "finished"
    assert (batches.called_off, batches.online) == (["job1"], CALLS - 3)


def test_where_no_job_is_taken_everything_is_asked_one_by_one(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(refuse=error(503, "UNAVAILABLE"))
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "finished"
    assert (labels(bare), batches.online) == (["NO"] * CALLS, CALLS)


def test_a_wrong_key_stops_the_run_before_anything_is_asked(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(refuse=error(403, "PERMISSION_DENIED"))
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting).outcome == "refused_key"
    assert (labels(bare), batches.online) == ([], 0)


def test_another_model_than_the_pinned_one_is_not_taken_from_a_job_either(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(items: Items) -> Items:
        return [{**one, "response": {**one["response"], "modelVersion": "gemini-9-flash"}} for one in items]

    batches = Batches(spoil=other)
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        finished = run(setting)
    assert (finished.outcome, finished.served, labels(bare), batches.online) == ("unconfirmed", "gemini-9-flash", [], 0)


def test_a_study_that_may_not_be_sent_is_not_handed_over(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches()
    with judged_by(bare, tmp_path, batches, monkeypatch, data_classes=["synthetic"]) as setting:
        assert bare.study.data_class == "phi"
        assert run(setting).outcome == "not_sent_policy"
        lying = replace(setting, entry=setting.entry.model_copy(update={"data_classes": ("synthetic", "phi")}))
        assert run(lying).outcome == "not_sent_policy"  # the judge itself asks models.yaml, whoever calls it
    assert (batches.jobs, batches.online) == ({}, 0)


def test_a_budget_is_not_passed_by_a_job(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches()
    with judged_by(bare, tmp_path, batches, monkeypatch) as setting:
        assert run(setting, Options(batch=True, budget_nano=1_000_000)).outcome == "budget"
    assert (batches.jobs, labels(bare)) == ({}, [])


def test_the_trail_holds_after_a_job(bare: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with judged_by(bare, tmp_path, Batches(), monkeypatch) as setting:
        run(setting)
    with bare.store.reading() as connection:
        assert verify(connection).problems == []
