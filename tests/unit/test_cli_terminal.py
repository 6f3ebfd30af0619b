"""What a command prints and writes: nothing from outside steers the terminal, nobody else may read the
files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from cli.terminal import one_line, printable
from tests.studies.small_study import conversation_lines

Run = Callable[..., Result]
ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture
def run(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments: CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def pilot(run: Run, tmp_path: Path) -> Run:
    (tmp_path / "talks.jsonl").write_text(conversation_lines(3))
    assert (
        run(
            "import",
            "conversations",
            "pilot",
            tmp_path / "talks.jsonl",
            "--new",
            "--instrument",
            "coaching_rubric",
            "--title",
            f"Pilot{ESCAPE}\nforged\tline",
        ).exit_code
        == 0
    )
    return run


def steers(text: str) -> bool:
    return any(
        (ord(character) < 32 and character not in "\n\t")
        or 127 <= ord(character) < 160
        or character == "\u202e"
        for character in text
    )


def test_control_characters_are_written_out_and_words_stay() -> None:
    assert (
        printable("a\x1b[2Jb\x00\x7f\x9b\r\u202eé\n\t\udc80")
        == r"a\x1b[2Jb\x00\x7f\x9b\r\u202eé" + "\n\t" + r"\udc80"
    )
    assert one_line("a\n b\tc") == "a b c"
    assert printable("Ελλάδα 中文 😀 “so”") == "Ελλάδα 中文 😀 “so”"


def test_a_title_is_one_line_without_escape_sequences(pilot: Run) -> None:
    listed = pilot("studies").stdout
    assert not steers(listed)
    assert listed.count("\n") == 1 and listed.count("\t") == 3
    assert r"Pilot\x1b]0;owned\x07" in listed


def test_nor_do_file_names_cells_and_errors_steer_the_terminal(pilot: Run, tmp_path: Path) -> None:
    path = tmp_path / "la\x1b[2Jbels.csv"
    path.write_text(f"conversation_id,criterion,label,{ESCAPE}\nc1,CQ1,YES,x\n")
    result = pilot("import", "judgements", "pilot", path, "--judge", "J")
    assert result.exit_code == 1 and "unknown here" in result.stderr and not steers(result.stderr)
    path.write_text(f"conversation_id,criterion,label\nc1{ESCAPE},CQ1,YES\n")
    result = pilot("import", "judgements", "pilot", path, "--judge", "J")
    assert result.exit_code == 1 and "the study has no conversation" in result.stderr
    assert not steers(result.stderr)
    path.write_text(f"conversation_id,criterion,label\nc1,CQ1,YES{ESCAPE}\nc1,CQ2,YES\n")
    result = pilot("import", "judgements", "pilot", path, "--judge", "J")
    assert result.exit_code == 0 and not steers(result.output)
    missing = pilot("add-rater", f"no{ESCAPE}", "Ann")
    assert missing.exit_code == 1 and not steers(missing.stderr)


def test_a_study_file_that_cannot_be_read_does_not_either(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.yaml").write_text(
        'key: x\ntitle: t\ninstrument: coaching_rubric\nconversations: talks.jsonl\nreveal: "a\\e[2J"\n'
    )
    result = run("import", "study", folder)
    assert result.exit_code == 1 and "field reveal" in result.stderr and not steers(result.stderr)


def test_at_most_a_hundred_problems_are_printed_with_the_count_of_the_rest(
    pilot: Run, tmp_path: Path
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("conversation_id,criterion,label\n" + "c9,CQ1,YES\n" * 1500)
    result = pilot("import", "judgements", "pilot", path, "--judge", "J")
    lines = result.stderr.splitlines()
    assert result.exit_code == 1
    assert (len(lines), lines[100][:4]) == (102, "... ")
    assert lines[100] == "... and 1,400 more of the same kind."


def test_one_problem_is_no_longer_than_can_be_read(pilot: Run, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(f"{'x' * 200_000},criterion\nc1,CQ1\n")
    assert len(pilot("import", "judgements", "pilot", path, "--judge", "J").stderr) < 3000


def test_everything_that_a_command_writes_is_for_its_owner_only(
    umask: None, pilot: Run, tmp_path: Path
) -> None:
    to = tmp_path / "out"
    (tmp_path / "ratings.csv").write_text(
        "conversation_id,rater,criterion,label\n"
        + "".join(f"c{n},{who},CQ1,YES\n" for n in (1, 2, 3) for who in "ab")
    )
    (tmp_path / "judged.csv").write_text(
        "conversation_id,criterion,label\n" + "".join(f"c{n},CQ1,YES\n" for n in (1, 2, 3))
    )
    (tmp_path / "plans.json").write_text('{"plans": {"c1": "listen"}}')
    commands = [
        ("import", "ratings", "pilot", tmp_path / "ratings.csv", "--exposure", "blind", "--source", "s"),
        ("import", "judgements", "pilot", tmp_path / "judged.csv", "--judge", "J"),
        ("import", "target-plans", "pilot", tmp_path / "plans.json"),
        ("report", "pilot", "--to", to / "report"),
        ("verify", "--export", tmp_path / "heads.txt"),
        ("backup", tmp_path / "copy.sqlite"),
        ("export", "target-plans", "pilot", tmp_path / "exported.json"),
    ]
    for command in commands:
        result = pilot(*command)
        assert result.exit_code == 0, result.output
    written = [
        to,
        *to.rglob("*"),
        *(tmp_path / name for name in ("heads.txt", "copy.sqlite", "exported.json")),
    ]
    assert len(written) > 10
    assert {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in written} == {
        path.name: oct(0o700 if path.is_dir() else 0o600) for path in written
    }
