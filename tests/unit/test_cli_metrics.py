"""The command line around metrics: what is brought in, computed and written out, and how it ends when
something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from tests.studies.small_study import conversation_lines
from tests.unit.test_cli import failed, write

pytestmark = pytest.mark.usefixtures("usual_metrics")

Run = Callable[..., Result]


@pytest.fixture
def run(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments, **environment: CliRunner().invoke(
        main, [str(a) for a in arguments], env=environment
    )


@pytest.fixture
def pilot(run: Run, tmp_path: Path) -> Run:
    """The study "pilot" of three conversations under the coaching rubric."""
    result = run(
        "import",
        "conversations",
        "pilot",
        write(tmp_path, "talks.jsonl", conversation_lines(3)),
        "--new",
        "--instrument",
        "coaching_rubric",
    )
    assert result.exit_code == 0, result.output
    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder of two trials, the second failed."""
    trials = tmp_path / "run" / "trials"
    trials.mkdir(parents=True)
    for number in (1, 2):
        write(
            trials,
            f"trial_0{number}.json",
            json.dumps(
                {
                    "plan": "<plan>safety</plan>",
                    "response": f"A wall rises, {number}.",
                    "strategies": ["safety"],
                }
            ),
        )
    write(
        tmp_path / "run",
        "frozen_history.json",
        json.dumps({"messages": [{"role": "user", "content": "A monster."}]}),
    )
    write(
        tmp_path / "run",
        "judgments.json",
        json.dumps(
            [
                {
                    "trial": 1,
                    "raw_output": "",
                    "parsed": {"safety": {"score": 2, "reasoning": "a wall"}},
                    "trial_alignment": 1.0,
                },
                {"trial": 2, "error": "429"},
            ]
        ),
    )
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("command", "name", "content", "says"),
    [
        ("gold-steps", "g.csv", "conversation_id,step\nc1,She asks.\n", "Added 1 gold step from g.csv.\n"),
        ("target-plans", "p.json", '{"c1": "Rest."}', "Added 1 target plan from p.json.\n"),
        (
            "critical-entities",
            "e.jsonl",
            '{"conversation_id": "c1", "critical_entities": ["GP"]}',
            "Added 1 critical entity from e.jsonl.\n",
        ),
        (
            "paired-runs",
            "r.csv",
            "id,mode,model_name,output_text,gold_label\na,cot,m,x,y\n",
            "Added 1 paired answer from r.csv.\n",
        ),
    ],
)
def test_what_numbers_rest_on_is_imported_once_and_checked_without_keeping(
    pilot: Run, tmp_path: Path, command: str, name: str, content: str, says: str
) -> None:
    file = write(tmp_path, name, content)
    assert pilot("import", command, "pilot", file, "--dry-run").stdout == says.replace("Added", "Would add")
    assert pilot("import", command, "pilot", file).stdout == says
    assert "Already there: 1 " in pilot("import", command, "pilot", file).stdout


@pytest.mark.parametrize("command", ["gold-steps", "target-plans", "critical-entities", "paired-runs"])
def test_a_wrong_file_ends_with_1_and_its_line_on_stderr(pilot: Run, tmp_path: Path, command: str) -> None:
    result = pilot("import", command, "pilot", write(tmp_path, "wrong.jsonl", "broken"))
    failed(result, "Error: Nothing was imported from wrong.jsonl: 1 problem to fix")
    assert result.stderr.startswith("wrong.jsonl, line 1: not valid JSON")


def test_score_says_what_it_did_and_does_it_once(pilot: Run, tmp_path: Path) -> None:
    pilot("import", "critical-entities", "pilot", write(tmp_path, "e.csv", "entity\nReply\n"))
    first, second = pilot("score", "pilot"), pilot("score", "pilot")
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout.splitlines()[-1] == "7 numbers computed, 0 were there already."
    assert second.stdout.splitlines()[-1] == "0 numbers computed, 7 were there already."


def test_score_says_why_there_is_nothing_to_compute(pilot: Run) -> None:
    result = pilot("score", "pilot")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-2:] == [
        "0 numbers computed, 0 were there already.",
        "No metric applies to this study, so there is nothing to compute: it has no gold steps, target "
        "plans, critical entities, reasoning that the assistant marked as such, declared plans, paired runs or "
        "judge labels that its instrument turns into a score. Help, under Metrics, explains what each "
        "number needs.",
    ]


def test_score_says_that_a_conversation_was_erased(pilot: Run, tmp_path: Path) -> None:
    pilot("import", "critical-entities", "pilot", write(tmp_path, "e.csv", "entity\nReply\n"))
    assert pilot("erase", "pilot", "c2", "--reason", "asked for", "--yes").exit_code == 0
    result = pilot("score", "pilot")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-2:] == [
        "1 conversation has no words any more: erased.",
        "5 numbers computed, 0 were there already.",
    ]


def test_score_of_an_unknown_study_or_lexicon_is_a_sentence(pilot: Run) -> None:
    failed(pilot("score", "pilott"), "There is no study 'pilott'. There are: pilot")
    failed(pilot("score", "pilot", "--lexicon", "nothing"), "nothing")


def test_a_run_folder_comes_in_and_goes_out(run: Run, folder: Path, tmp_path: Path) -> None:
    result = run("import", "run-folder", "dreams", folder, "--taxonomy", "dream_code_7")
    assert (
        result.stdout
        == "Added 2 conversations, 2 replies to rate, 1 judgement, 1 failed judge call from run.\n"
    )
    assert (
        run("export", "run-folder", "dreams", tmp_path / "out").stdout
        == f"2 trials written to {tmp_path / 'out'}.\n"
    )
    out = json.loads((tmp_path / "out" / "judgments.json").read_text())
    assert [entry.get("error") for entry in out] == [None, "429"]
    failed(run("export", "run-folder", "dreams", tmp_path / "out"), "is not empty")


def test_with_several_judges_one_is_named(run: Run, folder: Path, tmp_path: Path) -> None:
    run("import", "run-folder", "dreams", folder, "--taxonomy", "dream_code_7", "--judge", "A")
    run("import", "run-folder", "dreams", folder, "--judge", "B")
    failed(run("export", "run-folder", "dreams", tmp_path / "out"), "Name one judge with --judge: A, B")
    assert run("export", "run-folder", "dreams", tmp_path / "out", "--judge", "B").exit_code == 0


def test_a_study_without_a_judge_or_plans_is_no_run(pilot: Run, tmp_path: Path) -> None:
    failed(pilot("export", "run-folder", "pilot", tmp_path / "out"), "This study has no judge")
    pilot(
        "import",
        "judgements",
        "pilot",
        write(tmp_path, "j.csv", "conversation_id,criterion,label\nc1,CQ1,YES\n"),
        "--judge",
        "J",
    )
    failed(pilot("export", "run-folder", "pilot", tmp_path / "out"), "has no declared plans")


def test_a_folder_that_is_no_run_is_a_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("import", "run-folder", "dreams", tmp_path / "empty", "--taxonomy", "dream_code_7")
    failed(result, "Nothing was imported from empty")
    failed(run("import", "run-folder", "nothing", tmp_path / "empty"), "There is no study 'nothing'")
