"""A whole study from a folder: all of it or nothing, and once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from configs.files.yaml_files import ConfigFileError
from data import schema
from data.importers import study_folder
from data.importers.report import ImportRefused, ImportReport
from data.keeping.verify import verify
from data.labels import agreement_labels
from data.record import judgements, studies
from data.store.errors import Refused
from data.store.store import Store
from tests.studies.small_study import INSTRUMENT, conversation_lines
from tests.unit.data.importers.conftest import lines

STUDY = """\
key: small
title: Small study
data_class: synthetic
reveal: after_unit
instrument: small
raters: [Ann, Ben]
conversations: talks.jsonl
judges:
  - {file: judged.jsonl, name: Judge A, provider: nobody, model: by hand}
ratings:
  - {file: rated.csv, exposure: blind, source: a protocol, names: {a: Dr. A}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study of two conversations with one label of a judge and one of a person."""
    made = tmp_path / "study"
    made.mkdir()
    (made / "study.yaml").write_text(STUDY)
    (made / "small.yaml").write_text(INSTRUMENT)
    (made / "talks.jsonl").write_text(conversation_lines(2))
    (made / "judged.jsonl").write_text(lines({"conversation_id": "c2", "criterion": "warm", "label": "YES"}))
    (made / "rated.csv").write_text("conversation_id,rater,criterion,label\nc2,a,warm,NO\n")
    return made


@pytest.fixture
def add(store: Store, folder: Path) -> Callable[[], ImportReport | None]:
    return lambda: study_folder.add_study(store, folder, folder, folder, "tests")


Add = Callable[[], "ImportReport | None"]
Counts = Callable[[], dict[str, int]]


def test_everything_of_it_is_there(store: Store, add: Add) -> None:
    report = add()
    assert report is not None
    assert report.summary() == "Added 2 conversations, 1 judgement, 1 rating from study."
    with store.reading() as connection:
        study = studies.find(connection, "small")
        assert study is not None
        assert [r.name for r in studies.raters(connection, study.id)] == ["Ann", "Ben", "Dr. A"]
        judge = judgements.judges(connection, study.id)[0]
        assert (judge.name, judge.identity["provider"], judge.identity["instrument"]) == (
            "Judge A",
            "nobody",
            "small 1",
        )
        assert [label.label for label in agreement_labels.human_labels(connection, study.id, "blind")] == [
            "NO"
        ]


def test_it_is_one_entry_of_the_trail(store: Store, add: Add) -> None:
    add()
    with store.reading() as connection:
        found = verify(connection)
    assert (found.entries, found.problems) == (1, [])


def test_the_same_folder_twice_adds_nothing(add: Add, row_counts: Counts) -> None:
    add()
    before = row_counts()
    assert add() is None
    assert row_counts() == before


def test_two_processes_that_add_it_at_once_add_it_once_and_neither_fails(
    add: Add, row_counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process adds the study between this one's look and its turn to write."""
    look, before = studies.find, row_counts()

    def first_look(*arguments: Any) -> Any:
        monkeypatch.setattr(studies, "find", look)
        add()
        return None

    monkeypatch.setattr(studies, "find", first_look)
    assert add() is None
    assert (before["study"], row_counts()["study"], row_counts()["conversation"]) == (0, 1, 2)


WRONG: dict[str, tuple[str, str | bytes, str]] = {
    "a conversation": ("talks.jsonl", "broken", "study/talks.jsonl, line 1: not valid JSON"),
    "a judgement": (
        "judged.jsonl",
        lines({"conversation_id": "c9", "criterion": "warm"}),
        "study/judged.jsonl, line 1: the study has no conversation 'c9'",
    ),
    "a rating": (
        "rated.csv",
        "conversation_id,rater,criterion,label\nc2,a,warm,MAYBE\n",
        "study/rated.csv, line 2: 'MAYBE' is not a label",
    ),
    "an encoding": (
        "rated.csv",
        "conversation_id,rater,criterion,label\nc2,é,warm,NO\n".encode("latin-1"),
        "study/rated.csv, line 2: a letter such as",
    ),
}


@pytest.mark.parametrize(("name", "content", "says"), WRONG.values(), ids=WRONG)
def test_one_wrong_line_in_one_file_is_named_with_its_file_and_nothing_is_kept(
    folder: Path, add: Add, row_counts: Counts, name: str, content: str | bytes, says: str
) -> None:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        add()
    assert caught.value.report.lines()[0].startswith(says)
    assert row_counts() == before


@pytest.mark.parametrize("name", ["talks.jsonl", "judged.jsonl", "rated.csv"])
def test_a_file_that_is_not_there_is_named_and_nothing_is_kept(
    folder: Path, add: Add, row_counts: Counts, name: str
) -> None:
    (folder / name).unlink()
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        add()
    assert caught.value.report.lines() == [f"study/{name}: the file can't be read: No such file or directory"]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("title: Small study\n", "", r"^study\.yaml, line 1, field title: this field is missing"),
        ("reveal: after_unit", "reveal: sometimes", r"^study\.yaml, line 4, field reveal: "),
        ("exposure: blind", "exposure: seen", r"^study\.yaml, line 11, field ratings\.0\.exposure: "),
        (
            ", source: a protocol",
            "",
            r"^study\.yaml, line 11, field ratings\.0\.source: this field is missing",
        ),
        ("instrument: small", "instrument: large", r"There is no large\.yaml in .*; there are small, study"),
    ],
)
def test_a_wrong_study_file_is_named_by_line_and_field(
    folder: Path, add: Add, row_counts: Counts, old: str, new: str, says: str
) -> None:
    assert STUDY.count(old) == 1
    (folder / "study.yaml").write_text(STUDY.replace(old, new))
    before = row_counts()
    with pytest.raises(ConfigFileError, match=says):
        add()
    assert row_counts() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            INSTRUMENT.replace("title: Small rubric\n", "").encode(),
            r"^small\.yaml, line 1, field title: this field is missing",
        ),
        (INSTRUMENT.replace("Small", "Kleine Größe").encode("latin-1"), r"^small\.yaml: not UTF-8 text"),
    ],
)
def test_a_wrong_instrument_is_named_by_its_file(folder: Path, add: Add, content: bytes, says: str) -> None:
    (folder / "small.yaml").write_bytes(content)
    with pytest.raises(ConfigFileError, match=says):
        add()


def test_an_instrument_changed_under_its_old_version_is_refused(
    folder: Path, add: Add, row_counts: Counts
) -> None:
    add()
    (folder / "study.yaml").write_text(STUDY.replace("key: small", "key: second"))
    (folder / "small.yaml").write_text(INSTRUMENT.replace("name: Warm", "name: Warm and kind"))
    before = row_counts()
    with pytest.raises(
        Refused,
        match="version_unchanged",
    ):
        add()
    assert row_counts() == before


def test_labels_that_stand_inside_the_conversations_are_read_for_those_who_are_named(
    store: Store, folder: Path, add: Add
) -> None:
    talks = [json.loads(line) for line in conversation_lines(2).splitlines()]
    talks[1]["ratings"] = {"e1": {"warm": "YES", "safe": None}, "gpt": {"warm": "NO"}, "crowd": {"warm": 3.5}}
    (folder / "talks.jsonl").write_text(lines(*talks))
    (folder / "study.yaml").write_text(
        STUDY[: STUDY.index("judges:")]
        + (
            "judges:\n  - {file: talks.jsonl, who: gpt, name: GPT}\n"
            "ratings:\n  - {file: talks.jsonl, embedded: true, names: {e1: Expert 1}, exposure: blind, "
            "source: a protocol}\n"
        )
    )
    add()
    with store.reading() as connection:
        assert connection.execute(sa.select(schema.rating.c.criterion, schema.rating.c.label)).all() == [
            ("warm", "YES")
        ]
        assert connection.execute(
            sa.select(schema.judgement.c.criterion, schema.judgement.c.label)
        ).all() == [("warm", "NO")]
