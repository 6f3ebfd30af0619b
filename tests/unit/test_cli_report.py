"""second-reader report: files, and sentences where there is nothing to write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from data.record import studies
from data.store.store import Store
from reports.agreement.export_files import export_files, request_for
from tests.studies.rater_codes import codes_of

Run = Callable[..., Result]


@pytest.fixture
def run(sample_store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{sample_store.path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments: CliRunner().invoke(main, ["report", *map(str, arguments)])


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_it_writes_what_the_page_gives(run: Run, sample_store: Store, tmp_path: Path) -> None:
    result = run("coaching_demo", "--to", tmp_path / "out")
    assert result.exit_code == 0, result.output
    files = written(tmp_path / "out")
    assert (
        f"{len(files)} files written to {tmp_path / 'out'}. Open {tmp_path / 'out' / 'report.html'} first."
        in result.output
    )
    with sample_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
        assert study is not None
        assert files == export_files(connection, request_for(connection, study, None))


def test_without_a_folder_it_is_named_after_the_study(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("vera_mh").exit_code == 0
    assert (tmp_path / "vera_mh-report" / "report.html").exists()


def test_an_empty_folder_is_taken_and_one_with_anything_in_it_is_not(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("vera_mh", "--to", tmp_path / "empty").exit_code == 0
    before = written(tmp_path / "empty")
    again = run("vera_mh", "--to", tmp_path / "empty")
    assert (
        again.exit_code == 1
        and "already exists and is not empty. Name another folder with --to." in again.output
    )
    assert written(tmp_path / "empty") == before


def test_a_folder_that_is_a_file_is_a_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    made = run("vera_mh", "--to", tmp_path / "file")
    assert made.exit_code == 2 and "is a file" in made.output and (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere",), "nowhere"),
        (
            ("lend_an_ear", "--judge", "Nobody"),
            "This study has no judge 'Nobody'. There are: Gemini 2.5 Pro, GPT-4o, Claude 3.7 Sonnet.",
        ),
        (("vera_mh", "--judge", "Nobody"), "This study has no judge 'Nobody'. There are: none."),
    ],
)
def test_an_unknown_study_or_judge_is_a_sentence_and_nothing_is_written(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    made = run(*arguments, "--to", tmp_path / "out")
    assert made.exit_code == 1 and sentence in made.output and "Traceback" not in made.output
    assert not (tmp_path / "out").exists()


def test_of_one_judge_by_name_or_the_latest(run: Run, tmp_path: Path) -> None:
    for asked, model in (((), "gemini-2.5-pro"), (("--judge", "GPT-4o"), "gpt-4o")):
        folder = tmp_path / model
        assert run("lend_an_ear", *asked, "--to", folder).exit_code == 0
        settings = json.loads((folder / "report.json").read_text(encoding="utf-8"))["settings"]
        assert json.loads(settings["judge_identity"])["model"] == model


def test_raters_by_name_only_where_asked_for(run: Run, sample_store: Store, tmp_path: Path) -> None:
    codes = codes_of(sample_store, "lend_an_ear").values()
    for asked, there in (((), False), (("--names",), True)):
        folder = tmp_path / str(there)
        assert run("lend_an_ear", *asked, "--to", folder).exit_code == 0
        words = [content.decode() for content in written(folder).values()]
        assert any("Expert 1" in one for one in words) == there
        assert any(code in one for one in words for code in codes) != there


def test_the_drift_report_is_written_too(run: Run, tmp_path: Path) -> None:
    result = run("coaching_demo", "--of", "drift", "--to", tmp_path / "drift")
    assert result.exit_code == 0, result.output
    html = (tmp_path / "drift" / "report.html").read_text(encoding="utf-8")
    assert "<h1>Drift: " in html and "<script" not in html
    assert {path.name for path in (tmp_path / "drift").iterdir()} >= {"report.html", "report.json"}


@pytest.mark.parametrize(("kind", "title"), [("metrics", "Metrics: "), ("progress", "Progress: ")])
def test_metrics_and_progress_are_written_into_folders_of_their_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, title: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("plan_demo", "--of", kind)
    assert result.exit_code == 0, result.output
    html = (tmp_path / f"plan_demo-{kind}" / "report.html").read_text(encoding="utf-8")
    assert f"<h1>{title}" in html and "<script" not in html


def test_progress_names_raters_only_where_asked_for(run: Run, tmp_path: Path) -> None:
    for asked, there in (((), False), (("--names",), True)):
        folder = tmp_path / str(there)
        assert run("lend_an_ear", "--of", "progress", *asked, "--to", folder).exit_code == 0
        assert any("Reader 1" in content.decode() for content in written(folder).values()) == there


def test_what_the_judge_wrote_can_be_left_out_and_the_report_says_so(run: Run, tmp_path: Path) -> None:
    sections = {}
    for name, options in (("whole", ()), ("short", ("--without-reasons",))):
        assert run("coaching_demo", *options, "--to", tmp_path / name).exit_code == 0
        document = json.loads((tmp_path / name / "report.json").read_text(encoding="utf-8"))
        sections[name] = {section["key"]: section["blocks"] for section in document["sections"]}
    whole, short = sections["whole"], sections["short"]
    assert any(block["kind"] == "table" for block in whole.pop("reasons"))
    (sentence,) = short.pop("reasons")
    assert sentence["text"].startswith("This was left out when the report was written")
    assert whole == short


@pytest.mark.parametrize("option", [("--judge", "any"), ("--names",), ("--without-reasons",)])
def test_what_belongs_to_agreement_is_refused_for_drift(
    run: Run, tmp_path: Path, option: tuple[str, ...]
) -> None:
    result = run("coaching_demo", "--of", "drift", *option, "--to", tmp_path / "drift")
    assert result.exit_code == 1
    assert f"{option[0]} is not an option for the report of drift, only for: agreement" in result.output
    assert not (tmp_path / "drift").exists()


def test_there_is_no_report_of_the_weather(run: Run) -> None:
    assert run("coaching_demo", "--of", "weather").exit_code == 2
