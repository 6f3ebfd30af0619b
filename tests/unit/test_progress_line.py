"""Work in a terminal says how far it is and how long it takes, and Ctrl+C leaves things whole."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli import main
from cli.importing import STOPPED
from cli.progress_line import INTERRUPTED, ProgressLine, counted, percent_of, progress_line
from data.importers import reading
from data.store.store import open_store
from runs.scoring import run as scoring


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def written(capsys: pytest.CaptureFixture[str], steps: int, seconds: float) -> str:
    clock = Clock()
    line = ProgressLine(counted("reading", "rows"), clock)
    for number in range(1, steps + 1):
        clock.seconds += seconds
        line(number, 100)
    line.end()
    return capsys.readouterr().err


def test_on_a_terminal_one_line_renews_itself_and_is_taken_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = written(capsys, 50, 2.0)
    assert "\n" not in words and words.endswith("\r")
    assert "\rreading: 50 of 100 rows, about 2 min left" in words


def test_elsewhere_a_line_is_written_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    lines = written(capsys, 50, 2.0).splitlines()
    assert 3 <= len(lines) <= 5 and lines[-1].startswith("reading: ") and "left" in lines[-1]
    assert "\r" not in "".join(lines)


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert written(capsys, 5, 0.1) == ""


def test_names_of_files_do_not_steer_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = Clock()
    line = ProgressLine(percent_of("a\x1b[2J\nb"), clock)
    clock.seconds = 5
    line(1, 2)
    assert "\x1b" not in (words := capsys.readouterr().err) and "\n" not in words


def test_ctrl_c_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left, progress_line(percent_of("x"), "Nothing was imported."):
        raise KeyboardInterrupt
    assert left.value.code == INTERRUPTED
    assert capsys.readouterr().err == "Stopped. Nothing was imported.\n"


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def test_an_import_that_is_stopped_keeps_nothing(
    samples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    (tmp_path / "store.sqlite").write_bytes(samples_file.read_bytes())
    file = tmp_path / "talks.jsonl"
    turns = [{"user": "x", "assistant": "y"}]
    file.write_text("".join(json.dumps({"id": f"n{number}", "turns": turns}) + "\n" for number in range(200)))
    command = ["import", "conversations", "coaching_demo", str(file)]
    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "__call__", interrupt)
        stopped = CliRunner().invoke(main, command)
    assert (stopped.exit_code, stopped.output) == (INTERRUPTED, f"Stopped. {STOPPED}\n")
    assert "Added 200 conversations" in CliRunner().invoke(main, command).output
    assert reading.TOLD < 400


def test_computing_that_is_stopped_keeps_what_was_computed(
    samples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    (tmp_path / "store.sqlite").write_bytes(samples_file.read_bytes())
    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "__call__", interrupt)
        stopped = CliRunner().invoke(main, ["score", "vera_mh"])
    assert stopped.exit_code == INTERRUPTED
    assert (
        "Stopped. Everything that was done is kept. The same command continues from there." in stopped.output
    )
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}").reading() as connection:
        from data.record import metrics, studies

        present = metrics.present(connection, studies.get_by_key(connection, "vera_mh").id)
    assert len({value.subject.conversation_id for value in present}) == scoring.BATCH


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        ("session,speaker,text\nn1,user,Hi\n", 0, "second-reader import file STUDY file"),
        ('[{"id": 1, "data": {}, "annotations": []}]', 0, "Recognised: a Label Studio export, 1 record."),
        ('[{"id": 1, "data": {}, "annotations": []}]', 0, "second-reader import tool STUDY file"),
        ('{"resourceSpans": []}', 1, "This seems to be traces of OpenTelemetry"),
    ],
)
def test_the_terminal_recognises_a_file_as_the_page_does(
    tmp_path: Path, content: str, status: int, words: str
) -> None:
    (tmp_path / "file").write_text(content, encoding="utf-8")
    result = CliRunner().invoke(main, ["import", "recognise", str(tmp_path / "file")])
    assert result.exit_code == status and words in result.output


def test_a_file_that_is_refused_says_what_it_seems_to_be(
    samples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    (tmp_path / "store.sqlite").write_bytes(samples_file.read_bytes())
    (tmp_path / "g.jsonl").write_text('{"contents": [{"role": "user", "parts": []}]}\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["import", "conversations", "coaching_demo", str(tmp_path / "g.jsonl")])
    assert (
        result.exit_code == 1
        and "Recognised: requests of the Gemini interface, 1 record. Import it with: second-reader import tool"
        in result.output
    )


def test_a_report_that_is_stopped_leaves_no_folder(
    samples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{tmp_path / 'store.sqlite'}")
    (tmp_path / "store.sqlite").write_bytes(samples_file.read_bytes())
    command = ["report", "coaching_demo", "--to", str(tmp_path / "report")]
    with monkeypatch.context() as patch:
        patch.setattr(ProgressLine, "__call__", interrupt)
        stopped = CliRunner().invoke(main, command)
    assert (stopped.exit_code, stopped.output) == (INTERRUPTED, "Stopped. Nothing was written.\n")
    with monkeypatch.context() as patch:
        patch.setattr("cli.reporting.open_private", interrupt)
        assert CliRunner().invoke(main, command).exit_code == INTERRUPTED
    assert sorted(path.name for path in tmp_path.glob("report*")) == []
    (tmp_path / "report").mkdir()
    assert CliRunner().invoke(main, command).exit_code == 0
    assert (tmp_path / "report" / "report.html").is_file()
