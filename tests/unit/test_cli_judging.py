"""second-reader judge, judges, export recordings: what a lead sees in a terminal."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from sqlalchemy import select

from cli import main
from configs.settings import ROOT
from data import schema
from data.record import judgements, studies
from data.store.store import Store
from tests.servers.model_server import ModelServer, Reply, Seen, gemini, serving, valid_text, well

FLASH = "gemini-3.8-flash"
Call = Callable[..., Result]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


@pytest.fixture
def call(sample_store: Store, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Call:
    """A command on a copy of the sample studies, with the Gemini judges pointed at loopback."""
    models = yaml.safe_load((ROOT / "models.yaml").read_text(encoding="utf-8"))
    models["judges"][FLASH]["base_url"] = server.url
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(models, sort_keys=False), encoding="utf-8")
    shutil.copytree(ROOT / "recordings", tmp_path / "recordings")
    for name, value in {
        "DATABASE_URL": f"sqlite:///{sample_store.path}",
        "MODELS": str(tmp_path / "models.yaml"),
        "SAMPLES": "no",
    }.items():
        monkeypatch.setenv(f"SECOND_READER_{name}", value)
    monkeypatch.setenv("GEMINI_API_KEY", "not a real key")
    return lambda *words: CliRunner().invoke(main, list(words))


def judge(call: Call, *words: str, study: str = "coaching_demo", name: str = FLASH) -> Result:
    return call("judge", study, "--judge", name, *words)


def test_with_a_key_a_sample_study_needs_nothing_else(
    call: Call, sample_store: Store, server: ModelServer
) -> None:
    result = judge(call)
    assert (result.exit_code, "155 of 155 calls, no failures." in result.output, len(server.requests)) == (
        0,
        True,
        155,
    )
    with sample_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        assert [judge.name for judge in judgements.judges(connection, study.id)] == [
            "Demonstration judge",
            FLASH,
        ]


def test_the_same_command_again_asks_nothing_and_resume_says_so_aloud(
    call: Call, server: ModelServer
) -> None:
    judge(call)
    result = judge(call, "--resume")
    assert "Continuing with pending units." in result.output
    assert "Everything that this judge may be asked has an answer" in result.output
    assert len(server.requests) == 155


def test_a_dry_run_asks_nothing(call: Call, server: ModelServer) -> None:
    result = judge(call, "--dry-run")
    assert (result.exit_code, server.requests) == (0, [])
    assert "155 calls, about 160," in result.output
    assert "USD by the price list of 2026-11-01" in result.output


def test_the_limit_is_in_units(call: Call, server: ModelServer) -> None:
    judge(call, "--limit", "2")
    assert (
        len(server.requests) == 11 + 10
    )  # CP3 does not apply to the first, CP1 and CP3 not to the second: they are too short


def test_a_budget_stops_the_run_and_the_rest_stays_pending(call: Call, server: ModelServer) -> None:
    result = judge(call, "--budget", "0.02")
    assert (result.exit_code, 0 < len(server.requests) < 155) == (1, True)
    assert "The next call would exceed the budget of this run:" in result.output
    assert "The same command continues" in result.output
    assert judge(call).exit_code == 0


@pytest.mark.parametrize("budget", ["0", "-1", "much", "1/0", "", "1e999999999", "9" * 5000])
def test_a_budget_that_is_no_amount_is_refused(call: Call, budget: str, server: ModelServer) -> None:
    result = judge(call, "--budget", budget)
    assert (result.exit_code, server.requests) == (2, [])
    assert "must be an amount above 0" in result.output


def test_a_budget_without_prices_is_refused(call: Call) -> None:
    result = judge(call, "--budget", "1", name="local")
    assert "A budget needs prices, and models.yaml has none for local." in result.output


def test_without_a_key_the_variable_is_named(
    call: Call, monkeypatch: pytest.MonkeyPatch, server: ModelServer
) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    result = judge(call)
    assert (result.exit_code, server.requests) == (1, [])
    assert "Set the environment variable GEMINI_API_KEY to the key of gemini-3.8-flash" in result.output


def test_another_name_of_the_model_is_confirmed_by_name(call: Call, server: ModelServer) -> None:
    def other(seen: Seen) -> Reply:
        return gemini(valid_text(seen.schema), model="gemini-3.8-flash-b")

    server.behave = other
    result = judge(call, "--limit", "1")
    assert result.exit_code == 1
    assert (
        "To confirm it: second-reader judge coaching_demo --judge gemini-3.8-flash --served "
        "gemini-3.8-flash-b\n" in result.output
    )
    assert len(server.requests) == 1
    assert judge(call, "--limit", "1", "--served", "gemini-3.8-flash-b").exit_code == 0
    assert judge(call, "--limit", "2").exit_code == 0  # confirmed once, for good


def test_the_name_of_a_model_cannot_be_a_command(call: Call, server: ModelServer) -> None:
    server.behave = lambda seen: gemini(valid_text(seen.schema), model="m'; touch /tmp/x; '")
    printed = judge(call, "--limit", "1").output.partition("To confirm it: ")[2].splitlines()[0]
    assert shlex.split(printed) == [
        "second-reader",
        "judge",
        "coaching_demo",
        "--judge",
        FLASH,
        "--served",
        "m???touch?/tmp/x???",
    ]
    assert "'m???touch?/tmp/x???'" in printed  # a shell would take a bare ? for any letter
    assert judge(call, "--limit", "1", "--served", "m???touch?/tmp/x???").exit_code == 0


def test_failures_are_asked_again_only_when_that_is_said(call: Call, server: ModelServer) -> None:
    server.behave = lambda seen: gemini(None, "SAFETY") if "CQ9:" in seen.prompt else well(seen)
    assert "3 failures" in judge(call, "--limit", "3").output
    server.behave = well
    before = len(server.requests)
    assert judge(call, "--limit", "3").exit_code == 0
    assert len(server.requests) == before
    assert "3 of 3 calls, no failures." in judge(call, "--limit", "3", "--retry-failures").output


def test_a_study_or_judge_that_is_not_there_is_a_sentence(call: Call) -> None:
    assert "There is no study 'nothing'" in judge(call, study="nothing").output
    assert (
        "There is no judge 'nobody' in models.yaml. There are: gemini-3.8-flash,"
        in judge(call, name="nobody").output
    )


def test_the_judges_are_listed_with_what_is_missing(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GEMINI_API_KEY")
    lines = {line.split("\t")[0]: line for line in call("judges").output.splitlines()}
    assert lines["local"].endswith("\tready")
    assert "GEMINI_API_KEY" in lines[FLASH]
    assert lines["recorded-demonstration"].endswith("\tready")


@pytest.mark.parametrize(("study", "count", "failures"), [("coaching_demo", 155, 4), ("plan_demo", 23, 3)])
def test_the_shipped_recordings_fit_the_demonstrations(
    call: Call, server: ModelServer, study: str, count: int, failures: int
) -> None:
    """Where this fails after a change of prompts: second-reader export recordings writes them anew
    (docs/reference_judges.md).
    """
    result = judge(call, study=study, name="recorded-demonstration")
    assert f"{count} of {count} calls, {failures} failures." in result.output
    assert server.requests == []


def test_recordings_of_a_judge_can_be_replayed(call: Call, tmp_path: Path, sample_store: Store) -> None:
    judge(call, "--limit", "2")
    (tmp_path / "recordings" / "demonstration.jsonl").unlink()
    result = call(
        "export",
        "recordings",
        "coaching_demo",
        str(tmp_path / "recordings" / "demonstration.jsonl"),
        "--judge",
        FLASH,
        "--as",
        FLASH,
    )
    assert "21 recordings added" in result.output
    assert "21 of 21 calls, no failures." in judge(call, "--limit", "2", name="recorded-demonstration").output
    with sample_store.reading() as connection:
        table = schema.attempt
        replayed = connection.execute(select(table.c.replayed).order_by(table.c.id)).scalars().all()
    assert replayed == [0] * 21 + [1] * 21
    again = call(
        "export",
        "recordings",
        "coaching_demo",
        str(tmp_path / "recordings" / "demonstration.jsonl"),
        "--judge",
        FLASH,
        "--as",
        FLASH,
    )
    assert "0 recordings added" in again.output


def test_a_judge_that_is_asked_everything_in_one_call_makes_no_recordings(call: Call, tmp_path: Path) -> None:
    models = yaml.safe_load((tmp_path / "models.yaml").read_text(encoding="utf-8"))
    models["judges"][FLASH]["batching"] = "trial"
    (tmp_path / "models.yaml").write_text(yaml.safe_dump(models, sort_keys=False), encoding="utf-8")
    before = (tmp_path / "recordings" / "demonstration.jsonl").read_bytes()
    result = call(
        "export",
        "recordings",
        "coaching_demo",
        str(tmp_path / "recordings" / "demonstration.jsonl"),
        "--as",
        FLASH,
    )
    assert (
        result.exit_code == 1
        and "batching: trial" in result.output
        and "Name another judge with --as" in result.output
    )
    assert (tmp_path / "recordings" / "demonstration.jsonl").read_bytes() == before


def test_a_study_without_recordings_is_not_filled_with_failures(call: Call, sample_store: Store) -> None:
    result = judge(call, study="lend_an_ear", name="recorded-demonstration")
    assert result.exit_code == 1
    assert "Nothing is recorded for these requests" in result.output
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        judge_id = judgements.judges(connection, study.id)[-1].id
        assert judgements.first_labels(connection, study.id, [1, 2, 3]).get(1, {}).get(judge_id) is None
