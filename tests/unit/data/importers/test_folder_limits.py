"""A study folder reads its own files and no others, and none of them can hold up the program."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from configs.files.yaml_files import ConfigFileError
from data.importers import study_folder
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.store import Store
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT, Small, conversation_lines

Add = Callable[[str], None]
Counts = Callable[[], dict[str, int]]
STUDY = "key: small\ntitle: Small study\ninstrument: small\nconversations: {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "study"
    made.mkdir()
    (made / "small.yaml").write_text(INSTRUMENT)
    (made / "talks.jsonl").write_text(conversation_lines(2))
    (tmp_path / "elsewhere.jsonl").write_text(conversation_lines(2))
    return made


@pytest.fixture
def add(store: Store, folder: Path) -> Add:
    def bring(named: str) -> None:
        (folder / "study.yaml").write_text(STUDY.format(named))
        study_folder.add_study(store, folder, folder, folder, "tests")

    return bring


def test_a_file_of_the_folder_is_read(folder: Path, add: Add, row_counts: Counts) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "more.jsonl").symlink_to("../talks.jsonl")
    add("inner/more.jsonl")
    assert row_counts()["conversation"] == 2


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("../elsewhere.jsonl", r"\.\. leads out of it"),
        ("inner/../../elsewhere.jsonl", r"\.\. leads out of it"),
        ("/dev/zero", "found a path from the root"),
        ("/etc/passwd", "found a path from the root"),
        ("link.jsonl", "a link that leads out of the folder"),
        ("linked/elsewhere.jsonl", "a link that leads out of the folder"),
        ("zeros.jsonl", "a link that leads out of the folder"),
        ("pipe.jsonl", "not a plain file, but a folder, a device or a pipe"),
        ("inner", "not a plain file, but a folder, a device or a pipe"),
        ('"a\\0b"', "expected the name of a file"),
    ],
)
def test_what_lies_elsewhere_is_refused_with_its_line_and_field(
    folder: Path, add: Add, row_counts: Counts, named: str, says: str
) -> None:
    (folder / "inner").mkdir()
    (folder / "link.jsonl").symlink_to(folder.parent / "elsewhere.jsonl")
    (folder / "linked").symlink_to(folder.parent)
    (folder / "zeros.jsonl").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.jsonl")
    before = row_counts()
    with pytest.raises(ConfigFileError, match=rf"^study\.yaml, line 4, field conversations: .*{says}"):
        add(named)
    assert row_counts() == before


@pytest.mark.parametrize(
    "text",
    [
        "judges: [{file: ../x, name: J}]\n",
        "ratings: [{file: ../x, exposure: blind, source: s}]\n",
        "anchors: {file: ../x}\n",
        "gold_steps: ../x\n",
        "target_plans: ../x\n",
        "critical_entities: ../x\n",
        "paired_runs: ../x\n",
        "taxonomy: ../x\n",
    ],
)
def test_every_field_that_names_a_file_is_held_to_it(add: Add, text: str) -> None:
    with pytest.raises(ConfigFileError, match=r"^study\.yaml, line 5, field "):
        add("talks.jsonl\n" + text)


def test_the_study_file_itself_is_no_link_out_and_no_pipe(folder: Path, store: Store) -> None:
    (folder.parent / "study.yaml").write_text(STUDY.format("talks.jsonl"))
    (folder / "study.yaml").symlink_to(folder.parent / "study.yaml")
    with pytest.raises(ConfigFileError, match=r"^study\.yaml: this is a link that leads out of the folder"):
        study_folder.add_study(store, folder, folder, folder, "tests")
    (folder / "study.yaml").unlink()
    os.mkfifo(folder / "study.yaml")
    with pytest.raises(ConfigFileError, match=r"^study\.yaml: it is not a plain file"):
        study_folder.add_study(store, folder, folder, folder, "tests")


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("1" + "0" * 30, "line 5: .*a number has at most 18 digits, with a point at most 30 characters"),
        ("10001", "line 5, field batch_size: expected 10000 or less"),
    ],
)
def test_a_batch_has_an_upper_bound(add: Add, row_counts: Counts, number: str, says: str) -> None:
    before = row_counts()
    with pytest.raises(ConfigFileError, match=says):
        add(f"talks.jsonl\nbatch_size: {number}")
    assert row_counts() == before


def test_so_many_raters_are_refused_before_anything_is_read(add: Add, row_counts: Counts) -> None:
    before = row_counts()
    names = ", ".join(f"Rater {number}" for number in range(20_000))
    with pytest.raises(
        ConfigFileError, match=r"line 5, field raters: expected at most 1,000 entries, found 20,000"
    ):
        add(f"talks.jsonl\nraters: [{names}]")
    assert row_counts() == before


def test_each_rater_of_a_new_study_costs_the_same(folder: Path, store: Store) -> None:
    with store.writing("tests", "make a study") as (connection, entry):
        asked: list[str] = []
        sa.event.listen(
            connection, "before_cursor_execute", lambda *call: asked.append(str(call[2]).split()[0])
        )
        for number, raters in enumerate((10, 1_000)):
            names = tuple(f"Rater {name}" for name in range(raters))
            spec = StudySpec(f"study{number}", "A study", 0)
            NewStudy(spec, "small", None, names, folder, folder).make(connection, entry)
            assert len(studies.raters(connection, entry.study or 0)) == raters
            counted = {word: asked.count(word) for word in ("SELECT", "INSERT")}
            asked.clear()
            assert counted["INSERT"] == raters + (2 if number == 0 else 1), counted
            assert counted["SELECT"] < 10, counted


@pytest.mark.parametrize("name", ["talks.jsonl", "labels.csv"])
def test_a_pipe_or_device_as_a_file_is_a_sentence_and_not_waited_for(
    small: Small, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    with pytest.raises(ImportRefused) as caught:
        importing.import_judgements(small.store, "small", path, "tests", JudgeIdentity("J"))
    assert caught.value.report.lines() == [
        f"{name}: the file can't be read: it is not a plain file, but a folder, a device or a pipe"
    ]
