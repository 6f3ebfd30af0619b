"""The packages that the docs show, installed and used through the program: a metric, a judge provider and an
importer, exactly as they stand there.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli import main
from configs.settings import Settings
from data import schema
from data.keeping.verify import verify
from data.record.judge_runs import JudgeRunOptions
from runs.judging import configure_run, judge_study
from tests.servers.extension_package import Packages, write_package, write_package_of_docs, yaml_of_docs
from tests.servers.judging import CALLS, Lead
from tests.servers.model_server import ModelServer, valid_text
from tests.studies.small_study import Small
from tests.unit.test_cli import failed, write

pytestmark = pytest.mark.usefixtures("usual_metrics")

Run = Callable[..., Result]
ROOT = Path(__file__).resolve().parents[2]
TALKS = """# c1
U: I cannot sleep.
A: Since when?
U: A week.
A: That is long. What keeps you awake?

# c2
U: I am fine.
A: Good.
"""


@pytest.fixture
def run(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments: CliRunner().invoke(main, [str(a) for a in arguments])


# ---- a metric and an importer ----


def test_the_importer_of_the_docs_brings_conversations_in(
    packages: Packages, run: Run, tmp_path: Path
) -> None:
    packages.add_of_docs("add_importer.md")
    file = write(tmp_path, "talks.log", TALKS)
    command = ("import", "chat-log", "pilot", file, "--new", "--instrument", "coaching_rubric")
    assert run(*command, "--dry-run").stdout == ("Would add 2 conversations from talks.log.\n")
    assert run(*command).stdout == "Added 2 conversations from talks.log.\n"
    assert "Already there: 2 conversations" in run("import", "chat-log", "pilot", file).stdout
    assert "chat-log" in run("import", "--help").stdout
    assert "Import conversations from FILE: a chat log." in run("import", "chat-log", "--help").stdout


def test_its_errors_name_file_and_line_and_nothing_is_kept(
    packages: Packages, run: Run, tmp_path: Path
) -> None:
    packages.add_of_docs("add_importer.md")
    file = write(tmp_path, "broken.log", TALKS.replace("A: Good.", "B: Good."))
    result = run("import", "chat-log", "pilot", file, "--new", "--instrument", "coaching_rubric")
    failed(result, "Nothing was imported from broken.log: 2 problems to fix")
    assert result.stderr.splitlines()[:2] == [
        "broken.log, line 7: the assistant says nothing, so there is nothing to rate",
        'broken.log, line 9: expected "U: " or "A: " and a text, below a line "# id"',
    ]
    failed(run("score", "pilot"), "There is no study 'pilot'")


def test_the_metric_of_the_docs_is_computed_shown_and_exported(
    packages: Packages, run: Run, tmp_path: Path
) -> None:
    packages.add_of_docs("add_importer.md")
    packages.add_of_docs("add_metric.md")
    file = write(tmp_path, "talks.log", TALKS)
    run("import", "chat-log", "pilot", file, "--new", "--instrument", "coaching_rubric")
    first, again = run("score", "pilot"), run("score", "pilot")
    assert first.stdout.splitlines()[-1] == "3 numbers computed, 0 were there already."
    assert again.stdout.splitlines()[-1] == "0 numbers computed, 3 were there already."
    assert run("export", "metrics", "pilot", tmp_path / "metrics.csv").exit_code == 0
    rows = list(csv.DictReader((tmp_path / "metrics.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["metric"], row["conversation"], row["value"]) for row in rows] == [
        ("question_share", "c1", "1.0"),
        ("question_share", "c2", "0.0"),
        ("question_share", "", "0.5"),
    ]


def test_its_number_of_a_study_stands_in_metrics_json(packages: Packages, run: Run, tmp_path: Path) -> None:
    packages.add_of_docs("add_metric.md")
    run_folder = tmp_path / "run"
    (run_folder / "trials").mkdir(parents=True)
    plan = {"plan": "<plan>safety</plan>", "response": "Are you safe?", "strategies": ["safety"]}
    write(run_folder / "trials", "trial_01.json", json.dumps(plan))
    write(run_folder, "frozen_history.json", '{"messages": [{"role": "user", "content": "A monster."}]}')
    parsed = {"safety": {"score": 2, "reasoning": "a question"}}
    trial = {"trial": 1, "raw_output": "", "parsed": parsed, "trial_alignment": 1.0}
    write(run_folder, "judgments.json", json.dumps([trial]))
    assert run("import", "run-folder", "dreams", run_folder, "--taxonomy", "dream_code_7").exit_code == 0
    assert run("score", "dreams").exit_code == 0
    assert run("export", "run-folder", "dreams", tmp_path / "out").exit_code == 0
    written = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert written["more_metrics"] == [
        {
            "metric": "question_share",
            "variant": "product",
            "version": "1",
            "value": 1.0,
            "undefined": None,
        }
    ]
    assert written["alignment_mean"] == 1.0


def test_the_program_finds_a_package_that_lies_on_its_path(tmp_path: Path) -> None:
    """A process of its own, as somebody has it who installed the packages."""
    site, store = tmp_path / "site", tmp_path / "store.sqlite"
    site.mkdir()
    for page in ("add_metric.md", "add_judge_provider.md", "add_importer.md"):
        write_package_of_docs(site, page)
    write_package(
        site, "broken", {"second_reader.metrics": {"odd": "broken:METRIC"}}, {"broken.py": "raise OSError()"}
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(site),
        "SECOND_READER_DATABASE_URL": f"sqlite:///{store}",
        "SECOND_READER_SAMPLES": "no",
    }

    def second_reader(*arguments: object) -> str:
        finished = subprocess.run(
            [sys.executable, "-m", "cli", *map(str, arguments)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return finished.stdout

    assert second_reader("extensions").splitlines() == [
        "metric\tquestion_share\tquestion-share 0.1",
        "judge provider\thouse\thouse-judge 0.1",
        "importer\tchat-log\tchat-log 0.1",
        "The metric 'odd' of the package broken 0.1 could not be loaded: OSError. It is left out.",
    ]
    file = write(tmp_path, "talks.log", TALKS)
    second_reader("import", "chat-log", "pilot", file, "--new", "--instrument", "coaching_rubric")
    *_, left_out, computed = second_reader("score", "pilot").splitlines()
    assert (
        left_out == "The metric 'odd' of the package broken 0.1 could not be loaded: OSError. It is left out."
    )
    assert re.fullmatch(r"\d+ numbers computed, 0 were there already\.", computed)
    second_reader("export", "metrics", "pilot", tmp_path / "metrics.csv")
    rows = list(csv.DictReader((tmp_path / "metrics.csv").read_text(encoding="utf-8").splitlines()))
    assert sum(row["metric"] == "question_share" for row in rows) == 3


def test_without_packages_it_is_said(run: Run) -> None:
    assert run("extensions").stdout == (
        "No installed package adds a metric, a judge provider or an importer.\n"
    )


# ---- a judge provider ----


class House(BaseHTTPRequestHandler):
    """The server that the provider of the docs speaks to. What it was asked stands in `asked`."""

    asked: list[dict[str, Any]]
    status = 200

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append(body)
        answer = {"model": "house-1", "reply": valid_text(body["schema"]), "tokens": {"in": 1000, "out": 10}}
        content = json.dumps(answer).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        return None


@pytest.fixture
def house() -> Iterator[tuple[type[House], str]]:
    handler = type("HouseOfThisTest", (House,), {"asked": []})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield handler, f"http://127.0.0.1:{server.server_port}/judge"
        server.shutdown()
        thread.join()


@pytest.fixture
def house_lead(
    packages: Packages, house: tuple[type[House], str], make_study: Callable[..., Small], tmp_path: Path
) -> Iterator[Lead]:
    packages.add_of_docs("add_judge_provider.md")
    models = yaml_of_docs("add_judge_provider.md").replace("http://127.0.0.1:8080/judge", house[1])
    (tmp_path / "models.yaml").write_text(models, encoding="utf-8")
    small = make_study(data_class="synthetic", with_judges=False)
    lead = Lead(small, ModelServer(), tmp_path, {})
    yield lead
    with lead.store.reading() as connection:
        assert verify(connection).problems == []


def judged(lead: Lead, options: JudgeRunOptions | None = None) -> Any:
    settings = Settings.read({"SECOND_READER_MODELS": str(lead.folder / "models.yaml")})
    setting = configure_run(lead.store, settings, lead.small.study.key, "house")
    return judge_study(setting, options or JudgeRunOptions(), "lead")


def test_the_provider_of_the_docs_judges_a_study_over_the_ledger(
    house_lead: Lead, house: tuple[type[House], str]
) -> None:
    finished = judged(house_lead)
    assert (finished.outcome, finished.done) == ("finished", CALLS), finished.said
    assert house_lead.statuses() == {"ok": CALLS} and house_lead.tries() == {"ok": CALLS}
    assert len(house[0].asked) == CALLS and {body["style"] for body in house[0].asked} == {"strict"}
    (judge,) = house_lead.rows(schema.judge)
    identity = json.loads(judge.identity)
    assert (identity["provider"], identity["model"]) == ("house", "house-1")
    assert identity["parameters"]["options"] == {"style": "strict"}
    assert {row.adapter for row in house_lead.rows(schema.attempt)} == {"house/0.1"}
    assert house_lead.totals(finished.run_id).cost_nano == CALLS * 1_020_000
    assert judged(house_lead).done == 0


def test_it_passes_no_budget(house_lead: Lead) -> None:
    finished = judged(house_lead, JudgeRunOptions(budget_nano=10_000_000))
    assert finished.outcome == "budget"
    assert house_lead.totals(finished.run_id).cost_nano <= 10_000_000


def test_it_is_sent_nothing_of_another_data_class(
    packages: Packages, house: tuple[type[House], str], make_study: Callable[..., Small], tmp_path: Path
) -> None:
    packages.add_of_docs("add_judge_provider.md")
    models = yaml_of_docs("add_judge_provider.md").replace("http://127.0.0.1:8080/judge", house[1])
    (tmp_path / "models.yaml").write_text(models, encoding="utf-8")
    small = make_study(data_class="phi", with_judges=False)
    finished = judged(Lead(small, ModelServer(), tmp_path, {}))
    assert (finished.outcome, house[0].asked) == ("not_sent_policy", [])


def test_another_model_than_the_pinned_one_stops_the_run(
    house_lead: Lead, house: tuple[type[House], str]
) -> None:
    models = house_lead.folder / "models.yaml"
    models.write_text(models.read_text(encoding="utf-8").replace("model: house-1", "model: house-2"))
    finished = judged(house_lead)
    assert (finished.outcome, house_lead.statuses()) == ("unconfirmed", {})


def test_a_status_of_the_server_is_a_failure_and_no_label(
    house_lead: Lead, house: tuple[type[House], str]
) -> None:
    house[0].status = 401
    finished = judged(house_lead)
    assert (finished.outcome, house_lead.statuses()) == ("refused_key", {})
