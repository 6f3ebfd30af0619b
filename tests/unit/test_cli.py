"""The command line: what a study lead does, with sentences for errors and nothing half done."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from data.record import studies
from data.store.store import Store, open_store
from tests.studies.small_study import conversation_lines

Run = Callable[..., Result]
TALKS = conversation_lines(3)


@pytest.fixture
def run(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the store of this test, which is not made yet. Sample studies only where asked for."""
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *arguments, **environment: CliRunner().invoke(
        main, [str(a) for a in arguments], env=environment
    )


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    path = tmp_path / "talks.jsonl"
    path.write_text(TALKS)
    return path


@pytest.fixture
def pilot(run: Run, talks: Path) -> Run:
    """The store with the study "pilot" of three conversations under the coaching rubric."""
    result = run(
        "import",
        "conversations",
        "pilot",
        talks,
        "--new",
        "--instrument",
        "coaching_rubric",
        "--title",
        "Pilot",
        "--rater",
        "Ann",
        "--rater",
        "Ben",
    )
    assert result.exit_code == 0, result.output
    return run


@pytest.fixture
def opened(store_path: Path) -> Iterator[Callable[[], Store]]:
    stores: list[Store] = []

    def open_it() -> Store:
        stores.append(open_store(f"sqlite:///{store_path}"))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content)
    return path


def failed(result: Result, says: str) -> None:
    """A command ended with one sentence on stderr and no traceback."""
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert re.search(says, result.stderr), result.stderr
    assert "Traceback" not in result.output


def test_verify_makes_and_fills_a_missing_store(run: Run, store_path: Path) -> None:
    result = run("verify", SECOND_READER_SAMPLES="yes")
    assert result.exit_code == 0
    assert re.fullmatch(
        r"6 entries and \d,\d{3} rows checked, 0 texts erased\. Head: 6 [0-9a-f]{64}\n", result.stdout
    )
    assert "lend_an_ear\tLend an Ear\t50 units\tdeidentified" in run("studies").stdout


def test_verify_with_the_heads_it_exported_passes(pilot: Run, tmp_path: Path) -> None:
    heads = tmp_path / "heads.txt"
    assert pilot("verify", "--export", heads).exit_code == 0
    assert pilot("add-rater", "pilot", "Cid").exit_code == 0
    assert pilot("verify", "--export", heads, "--heads", heads).exit_code == 0
    assert [line.split()[0] for line in heads.read_text().splitlines()] == ["1", "2"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 " + "0" * 64, "entry 1 is not the one whose hash was exported"),
        ("9 " + "0" * 64, "entry 9, whose hash was exported, is gone"),
    ],
)
def test_verify_with_another_head_fails(pilot: Run, tmp_path: Path, line: str, says: str) -> None:
    result = pilot("verify", "--heads", write(tmp_path, "heads.txt", line))
    failed(result, r"1 problem\(s\)\. The store does not verify")
    assert f"PROBLEM: {says}" in result.stderr


def test_two_heads_for_one_entry_cannot_both_be_right(pilot: Run, tmp_path: Path) -> None:
    heads = tmp_path / "heads.txt"
    pilot("verify", "--export", heads)
    heads.write_text(f"1 {'0' * 64}\n" + heads.read_text())
    failed(pilot("verify", "--heads", heads), "heads.txt, line 2: the hash for entry 1 differs")


@pytest.mark.parametrize("content", ["1", "one " + "0" * 64, "1 abc", "1 2 3", "² " + "0" * 64])
def test_a_file_of_heads_of_another_form_is_named_by_its_line(
    pilot: Run, tmp_path: Path, content: str
) -> None:
    failed(
        pilot("verify", "--heads", write(tmp_path, "heads.txt", f"\n{content}\n")),
        "heads.txt, line 2: expected a number and a hash of 64 characters",
    )


def test_verify_fails_on_an_altered_store_and_exports_no_head(
    pilot: Run, store_path: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        guard = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'rater_no_update'").fetchone()[0]
        raw.execute("DROP TRIGGER rater_no_update")
        raw.execute("UPDATE rater SET name = 'Zoe' WHERE name = 'Ann'")
        raw.execute(guard)
    result = pilot("verify", "--export", tmp_path / "heads.txt")
    failed(result, "does not verify")
    assert "PROBLEM: rater: the rows of entry 1 were altered" in result.stderr
    assert not (tmp_path / "heads.txt").exists()


def test_verify_tells_a_clock_that_was_set_back_and_passes(
    pilot: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.store.trail.now", lambda: "2001-01-01T00:00:00.000+00:00")
    pilot("add-rater", "pilot", "Cid")
    result = pilot("verify", "--export", tmp_path / "heads.txt")
    assert result.exit_code == 0
    assert re.search(r"NOTE: entry 2 is dated [\d.]+ days before the entry that it follows", result.stderr)
    assert (tmp_path / "heads.txt").exists()


def test_verify_names_what_somebody_put_beside_the_tables(pilot: Run, store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        raw.execute('CREATE VIEW "labels \x1b[2J" AS SELECT label FROM rating')
    result = pilot("verify")
    failed(result, r"1 problem\(s\)\. The store does not verify")
    assert "PROBLEM: the view labels \\x1b[2J is not Second Reader's" in result.stderr


def test_no_command_runs_on_a_store_with_a_trigger_of_somebody_else(pilot: Run, store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        raw.execute("CREATE TRIGGER quiet BEFORE INSERT ON rater BEGIN SELECT RAISE(IGNORE); END")
    for command in (("verify",), ("add-rater", "pilot", "Cid"), ("studies",)):
        failed(pilot(*command), "a trigger that is not Second Reader's: quiet on the table rater")


def test_backup_and_restore_bring_back_what_was_there(
    pilot: Run, tmp_path: Path, opened: Callable[[], Store]
) -> None:
    assert (
        pilot("backup", tmp_path / "copy.sqlite").stdout
        == f"Copied {tmp_path / 'store.sqlite'} with 0 ratings to {tmp_path / 'copy.sqlite'}.\n"
    )
    pilot("add-rater", "pilot", "Cid")
    result = pilot("restore", tmp_path / "copy.sqlite")
    assert result.exit_code == 0
    assert re.match(r"Restored\. The previous store is kept as .*before-restore-1\.", result.stdout)
    with opened().reading() as connection:
        assert [r.name for r in studies.raters(connection, 1)] == ["Ann", "Ben"]


def test_a_backup_never_overwrites(pilot: Run, tmp_path: Path) -> None:
    pilot("backup", tmp_path / "copy.sqlite")
    failed(pilot("backup", tmp_path / "copy.sqlite"), "exists already; a backup never overwrites a file")


def test_a_store_in_use_is_not_restored_over(pilot: Run, tmp_path: Path, opened: Callable[[], Store]) -> None:
    pilot("backup", tmp_path / "copy.sqlite")
    opened()
    failed(pilot("restore", tmp_path / "copy.sqlite"), "The store is in use")


def test_a_new_study_is_made_with_its_raters_and_unstated_means_phi(
    pilot: Run, opened: Callable[[], Store]
) -> None:
    assert pilot("studies").stdout == "pilot\tPilot\t3 units\tphi\n"
    with opened().reading() as connection:
        assert [r.name for r in studies.raters(connection, 1)] == ["Ann", "Ben"]


def test_a_study_is_renamed_archived_and_restored(pilot: Run, talks: Path) -> None:
    assert pilot("rename-study", "pilot", " Sleep  study ").stdout == "pilot is now called Sleep study.\n"
    assert "unarchive-study pilot" in pilot("archive-study", "pilot").stdout
    assert pilot("studies").stdout == "pilot\tSleep study\t3 units\tphi\tarchived\n"
    failed(pilot("import", "conversations", "pilot", talks), "“Sleep study” is archived, so nothing can be")
    assert pilot("unarchive-study", "pilot").stdout == "pilot is back in the list.\n"
    assert pilot("import", "conversations", "pilot", talks).exit_code == 0
    failed(pilot("rename-study", "pilot", " "), "Write a title.")
    failed(pilot("archive-study", "none"), "There is no study 'none'")


def test_raters_are_listed_in_one_field_with_semicolons_and_named_by_the_report(
    run: Run, talks: Path, opened: Callable[[], Store]
) -> None:
    new = ("import", "conversations", "x", talks, "--new", "--instrument", "coaching_rubric")
    failed(
        run(*new, "--rater", "Dr A; dr a", "--dry-run"), "Dr A and dr a are the same name written in two ways"
    )
    for more in (("--dry-run",), ()):
        result = run(*new, "--rater", "Dr A, Dr B; Dr C", *more)
        assert "the raters of the new study: Dr A, Dr B, Dr C\n" in result.stdout
    failed(run("add-rater", "x", "Cid; cid"), "Cid and cid are the same name")
    assert run("add-rater", "x", "Cid; Dora").stdout.startswith("Cid, Dora can now be chosen")
    with opened().reading() as connection:
        assert [r.name for r in studies.raters(connection, 1)] == ["Dr A", "Dr B", "Dr C", "Cid", "Dora"]


def test_a_new_study_needs_an_instrument_that_is_there(run: Run, talks: Path) -> None:
    failed(run("import", "conversations", "x", talks, "--new"), "needs --instrument")
    failed(
        run("import", "conversations", "x", talks, "--new", "--instrument", "nothing"),
        "There is no nothing.yaml .* there are coaching_rubric",
    )
    assert run("studies").stdout == ""


def test_conversations_are_imported_once(pilot: Run, talks: Path) -> None:
    assert (
        pilot("import", "conversations", "pilot", talks).stdout
        == "Added nothing from talks.jsonl. Already there: 3 conversations.\n"
    )


def test_a_dry_run_keeps_nothing(run: Run, talks: Path) -> None:
    result = run(
        "import", "conversations", "pilot", talks, "--new", "--instrument", "coaching_rubric", "--dry-run"
    )
    assert (result.exit_code, result.stdout) == (
        0,
        "Would add 3 conversations from talks.jsonl.\n",
    )
    assert run("studies").stdout == ""


def test_a_wrong_file_is_reported_line_by_line_on_stderr_and_ends_with_1(pilot: Run, tmp_path: Path) -> None:
    result = pilot(
        "import",
        "conversations",
        "pilot",
        write(tmp_path, "wrong.jsonl", 'broken\n{"id": "n", "turns": []}\n'),
    )
    failed(result, "Error: Nothing was imported from wrong.jsonl: 1 problem to fix")
    assert result.stderr.startswith("wrong.jsonl, line 1: not valid JSON")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("talks.jsonl", b"", "the file is empty"),
        ("talks.jsonl", b"\n \n\n", "the file is empty"),
        ("talks.jsonl", '{"id": "n"}'.encode("utf-16"), "the file is UTF-16; save it as UTF-8"),
        ("talks.jsonl", b"\x89PNG\r\n", "this is a picture, not text"),
        ("rated.csv", b"\n\n", "the file is empty"),
    ],
    ids=["empty", "blank", "UTF-16", "picture", "blank table"],
)
def test_why_a_file_cannot_be_read_is_told_once(
    pilot: Run, tmp_path: Path, name: str, body: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(body)
    result = pilot("import", "conversations", "pilot", tmp_path / name)
    first, last = result.stderr.splitlines()
    assert first.startswith(f"{name}, line 1: {says}") and last.startswith("Error: Nothing was imported")


def test_judgements_are_imported_under_their_judge(pilot: Run, tmp_path: Path) -> None:
    file = write(tmp_path, "judged.csv", "conversation_id,criterion,label\nc1,CQ1,YES\nc2,CQ1,perhaps\n")
    result = pilot(
        "import",
        "judgements",
        "pilot",
        file,
        "--judge",
        "J",
        "--model",
        "m",
        "--parameters",
        '{"temperature": 0}',
    )
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "Added 1 judgement, 1 failed judge call from judged.csv."
    assert "line 3: 'perhaps' is not a label of CQ1" in result.stdout


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ("warm", "it is not valid JSON"),
        ('{"temperature": NaN}', "it is not valid JSON"),
        ('{"seed": 1, "seed": 2}', "the field 'seed' occurs twice"),
        ("[" * 2_000 + "]" * 2_000, "more than 60 levels deep"),
    ],
    ids=lambda value: value[:20],
)
def test_parameters_of_a_judge_must_be_json(pilot: Run, tmp_path: Path, parameters: str, says: str) -> None:
    file = write(tmp_path, "judged.csv", "conversation_id,criterion,label\nc1,CQ1,YES\n")
    refused = pilot("import", "judgements", "pilot", file, "--judge", "J", "--parameters", parameters)
    failed(refused, "--parameters must be JSON")
    assert says in refused.stderr


def test_ratings_need_their_exposure_and_source(pilot: Run, tmp_path: Path) -> None:
    file = write(tmp_path, "rated.csv", "conversation_id,rater,criterion,label\nc1,Dr. A,CQ1,YES\n")
    for missing in (
        ["--exposure", "blind"],
        ["--source", "a protocol"],
        ["--exposure", "maybe", "--source", "a protocol"],
    ):
        assert pilot("import", "ratings", "pilot", file, *missing).exit_code == 2
    result = pilot("import", "ratings", "pilot", file, "--exposure", "unknown", "--source", "a protocol")
    assert result.stdout == "Added 1 rating from rated.csv.\n"


def test_an_unknown_study_is_named_with_those_there_are(pilot: Run, talks: Path) -> None:
    failed(pilot("import", "conversations", "pilott", talks), "There is no study 'pilott'. There are: pilot")
    failed(pilot("add-rater", "pilott", "Cid"), "There is no study 'pilott'")


def test_a_study_folder_is_imported_once(run: Run) -> None:
    folder = Path(__file__).resolve().parents[2] / "data" / "samples" / "coaching_example"
    assert (
        run("import", "study", folder).stdout
        == "Added 1 conversation, 12 judgements from coaching_example.\n"
    )
    assert run("import", "study", folder).stdout == "The store already has this study; nothing was added.\n"


def test_a_folder_without_a_study_is_a_sentence(run: Run, tmp_path: Path) -> None:
    failed(run("import", "study", tmp_path), r"study\.yaml: there is no such file")


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"SECOND_READER_PROT": "1"}, "There is no setting SECOND_READER_PROT"),
        ({"SECOND_READER_BUSY_SECONDS": "soon"}, "SECOND_READER_BUSY_SECONDS is 'soon'"),
        ({"SECOND_READER_DATABASE_URL": "postgresql://x/y"}, "must name a SQLite file"),
        ({"SECOND_READER_DATABASE_URL": "sqlite:////proc/nowhere/store.sqlite"}, "can't be created"),
    ],
)
def test_a_wrong_setting_is_a_sentence(run: Run, environment: dict[str, str], says: str) -> None:
    for command in ("verify", "studies", "prepare"):
        failed(run(command, **environment), says)


def test_a_head_that_cannot_be_exported_is_a_sentence(pilot: Run, tmp_path: Path) -> None:
    failed(
        pilot("verify", "--export", tmp_path / "nowhere" / "heads.txt"),
        r"nowhere/heads\.txt: No such file or directory",
    )


def test_a_user_without_a_name_can_work(pilot: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert pilot("add-rater", "pilot", "Cid").exit_code == 0


def test_a_command_leaves_one_file_and_no_unfinished_business_beside_it(pilot: Run, store_path: Path) -> None:
    assert sorted(p.name for p in store_path.parent.glob("store.sqlite*")) == [
        "store.sqlite",
        "store.sqlite.lock",
        "store.sqlite.writer",
    ]


def test_a_table_makes_a_study_by_its_mapping(run: Run, tmp_path: Path, opened: Callable[[], Store]) -> None:
    table = write(tmp_path, "wide.csv", "item,human_Empathy,gpt_Empathy\na,4.0,5\nb,0.0,\n")
    mapping = write(
        tmp_path,
        "wide.yaml",
        """columns:
  item: conversation
  human_Empathy: {role: label, criterion: Empathy, giver: person, name: human}
  gpt_Empathy: {role: label, criterion: Empathy, giver: judge, name: gpt}
labels: {"*": {"0": null, "": null}}
""",
    )
    new = ("--new", "--instrument", "mentalalign", "--text", "elsewhere")
    seen = ("--exposure", "blind", "--source", "protocol")
    command = ("import", "file", "align", table, "--mapping", mapping, *new, *seen)
    dry = run(*command, "--dry-run")
    assert dry.exit_code == 0 and "Would add 2 conversations" in dry.output, dry.output
    with opened().reading() as connection:
        assert studies.find(connection, "align") is None
    result = run(*command)
    assert result.exit_code == 0, result.output
    assert "1 rating, 1 judgement from wide.csv" in result.output
    assert "1 cell of people without a label" in result.output and "of judges" in result.output


@pytest.mark.parametrize("command", ["messages", "table"])
def test_an_old_command_says_which_one_does_it_now(run: Run, tmp_path: Path, command: str) -> None:
    refused = run("import", command, "align", write(tmp_path, "wide.csv", "item,human_Empathy\na,4\n"))
    assert refused.exit_code == 1
    assert f"`import {command}` is now `import file`" in refused.output


# ---- runs in numbers ----


def test_a_run_table_is_imported_once_and_a_bad_one_is_refused(pilot: Run, tmp_path: Path) -> None:
    runs = write(tmp_path, "runs.csv", "run_id,model,temperature,jaccard\nr1,fox,0.3,0.75\nr2,fox,0.6,\n")
    assert pilot("import", "run-table", "pilot", runs, "--dry-run").stdout.endswith(
        "Would add 2 runs from runs.csv.\n"
    )
    assert pilot("import", "run-table", "pilot", runs).stdout.endswith("Added 2 runs from runs.csv.\n")
    assert pilot("import", "run-table", "pilot", runs).stdout.endswith(
        "Added nothing from runs.csv. Already there: 2 runs.\n"
    )
    other = pilot(
        "import",
        "run-table",
        "pilot",
        write(tmp_path, "other.csv", "run_id,model,temperature,jaccard\nr1,fox,0.3,0.5\n"),
    )
    assert (
        "other.csv, line 2: the study holds the run 'r1' with jaccard_all 0.75 and keeps it, but the file says 0.5"
        in other.output
    )
    failed(other, "Nothing was imported from other.csv: 1 problem to fix")


def test_average_curves_are_imported(pilot: Run, tmp_path: Path) -> None:
    curves = write(tmp_path, "drift_metrics.json", '[{"model": "fox", "recall_curve": [1.0, null, 0.5]}]')
    assert (
        pilot("import", "run-table", "pilot", curves).stdout
        == "Added 1 average curve from drift_metrics.json.\n"
    )


def test_target_plans_are_taken_out_and_no_file_is_overwritten(pilot: Run, tmp_path: Path) -> None:
    out = tmp_path / "target_plans.json"
    refused = pilot("export", "target-plans", "pilot", out)
    assert (
        refused.exit_code == 1
        and "There is no target plan in pilot yet." in refused.output
        and not out.exists()
    )
    pilot("import", "target-plans", "pilot", write(tmp_path, "plans.csv", "plan\nRest.\n"))
    result = pilot("export", "target-plans", "pilot", out)
    assert (result.exit_code, result.output) == (0, f"1 plan written to {out}.\n")
    assert '"plan": "Rest."' in out.read_text()
    again = pilot("export", "target-plans", "pilot", out)
    assert again.exit_code == 1 and "File exists" in again.output and "Traceback" not in again.output
