"""From rubric.tsv and a folder of the VERA-MH programs to a study, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from tests.unit.data.importers.test_vera_mh import RUBRIC, rubric, written
from tests.unit.test_cli import failed


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def _settings(store_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "instruments").mkdir()
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    monkeypatch.setenv("SECOND_READER_INSTRUMENTS", str(tmp_path / "instruments"))


def test_a_form_and_its_answers_come_in(tmp_path: Path) -> None:
    file = tmp_path / "instruments" / "vera_mh_questions.yaml"
    converted = run("import", "vera-mh-rubric", rubric(tmp_path), file, "--version", "2")
    assert converted.stdout == (
        f"7 questions written to {file}.\nLeft out, because only one answer is possible: 5, 7, 8 and 9.\n"
    )
    folder = written(tmp_path)
    command = ("import", "vera-mh", "vera", folder, "--new", "--instrument", "vera_mh_questions")
    assert "Would add 3 conversations" in run(*command, "--dry-run").stdout
    result = run(*command, "--data-class", "synthetic", "--rater", "Ann")
    assert result.exit_code == 0 and "12 judgements" in result.stdout
    again = run("import", "vera-mh", "vera", folder)
    assert "Already there" in again.stdout and again.exit_code == 0
    assert run("verify").exit_code == 0


def test_a_form_that_leads_nowhere_leaves_no_file(tmp_path: Path) -> None:
    broken = rubric(tmp_path, RUBRIC.replace("Yes\t5", "Yes\t50", 1))
    result = run("import", "vera-mh-rubric", broken, tmp_path / "out.yaml", "--version", "2")
    failed(result, "rubric.tsv, line 5: GOTO '50' leads nowhere")
    assert not (tmp_path / "out.yaml").exists()
    good = rubric(tmp_path)
    failed(run("import", "vera-mh-rubric", good, tmp_path / "out.txt", "--version", "2"), "must end in .yaml")
    assert not (tmp_path / "out.txt").exists()
    assert run("import", "vera-mh-rubric", good, tmp_path / "out.yaml", "--version", "2").exit_code == 0
    failed(run("import", "vera-mh-rubric", good, tmp_path / "out.yaml", "--version", "2"), "already exists")
