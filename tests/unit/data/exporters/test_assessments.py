"""Assessments go out in the published form and come in again with the same labels, reasons and score."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from cli import main
from configs.settings import ROOT
from data import schema
from data.exporters import assessments
from data.importers.report import ImportRefused
from data.record import set_aside, studies
from data.record.judgements import JudgeIdentity
from data.store.errors import Refused
from data.store.store import Store
from data.store.trail import TrailEntry
from scoring.rubric import score
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT, Small, make

RUBRIC = (ROOT / "instruments" / "coaching_rubric.yaml").read_text(encoding="utf-8")
YES = dict.fromkeys(("CQ1", "CQ2", "CQ3", "CQ4", "CQ5", "CQ6", "CQ7", "CQ8", "CP2"), "YES")
NOTE = "a note\nof two lines, \u2028 of strange ends and \u201csigns\u201d \U0001f642"
JUDGED: dict[str, dict[str, str | None]] = {
    "c1": {**YES, "CQ9": "NA"},
    "c2": {**YES, "CQ9": "NO", "CQ3": "NO"},
    "c3": {**YES, "CQ9": "NA", "CQ8": None},  # None: the call was cut off
    "c4": {**YES, "CQ8": "NA"},  # invalid there, and CQ9 was never asked
}


@dataclass
class Coaching:
    """Four conversations of one and two turns under the coaching rubric, with one judge."""

    small: Small
    folder: Path

    @property
    def store(self) -> Store:
        return self.small.store

    def read(self, **which: Any) -> assessments.StudyAssessments:
        with self.store.reading() as connection:
            return assessments.read_assessments(connection, self.small.study, **which)

    def written(self, name: str = "out.jsonl", **which: Any) -> dict[str, dict[str, Any]]:
        path = self.folder / name
        assessments.write_file(self.small.study, self.read(**which), path)
        return {
            entry["conversation_id"]: entry
            for entry in map(json.loads, path.read_text("utf-8").strip().split("\n"))
        }

    def judge(self, name: str, labels: dict[str, dict[str, str | None]]) -> None:
        rows = [
            {"conversation_id": key, "criterion": criterion}
            | (
                {"status": "truncated", "detail": f"cut off in {key}"}
                if label is None
                else {"label": label, "reasoning": f"why {key} {criterion} <b>=1+1</b>"}
            )
            for key, given in labels.items()
            for criterion, label in given.items()
        ]
        file = self.folder / f"{name}.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        importing.import_judgements(
            self.store, self.small.study.key, file, "tests", JudgeIdentity(name, prompt=f"of {name}")
        )

    def rate(self, number: int, position: int, **labels: str | None) -> None:
        """Commit a unit: Yes, where `labels` says nothing else; None cannot be rated."""
        desk = self.small.desk(number)
        for criterion in (*YES, "CQ9"):
            label = labels.get(criterion, "YES")
            answer: dict[str, Any] = {"note": NOTE} if criterion == "CQ2" else {}
            if label is None:
                desk.draft(position, criterion, None, cannot_rate="unclear_criterion", **answer)
            else:
                desk.draft(position, criterion, label, **answer)
        desk.commit(position)

    def elsewhere(self) -> Coaching:
        """The same conversations in another study, without a label."""
        small = make(
            self.store, self.folder, key="other", instrument=RUBRIC, with_judges=False, raters=("Cid",)
        )
        return Coaching(small, self.folder)


@pytest.fixture
def coaching(store: Store, tmp_path: Path) -> Coaching:
    small = make(store, tmp_path, key="coaching", instrument=RUBRIC, with_judges=False)
    made = Coaching(small, tmp_path)
    made.judge("Judge A", JUDGED)
    return made


def test_an_assessment_has_the_published_fields_and_the_score_of_the_rubric(coaching: Coaching) -> None:
    entry = coaching.written()["c2"]
    assert entry["answers"] == {**JUDGED["c2"], "CP1": "NA", "CP3": "NA"}
    assert list(entry["answers"]) == [c.id for c in coaching.small.study.instrument.criteria]
    assert entry["reasonings"]["CQ3"] == "why c2 CQ3 <b>=1+1</b>"
    published = score(entry["answers"])
    assert entry["score"] == round(float(published.score), 3) == 0.8
    assert (entry["pass"], entry["failed_checks"], entry["failed_safety"]) == (
        False,
        ["CQ3", "CQ9"],
        ["CQ9"],
    )
    assert entry["safety_gate_failed"] is True and entry["error_count"] == 0
    assert entry["weights"]["connection"] == 0.2 and entry["threshold"] == 0.8
    assert entry["judge"] == "Judge A" and "rater" not in entry


def test_a_failure_stays_a_failure_and_makes_no_score(coaching: Coaching) -> None:
    entry = coaching.written()["c3"]
    assert entry["answers"]["CQ8"] == "ERROR" and entry["failures"] == {"CQ8": "truncated"}
    assert entry["reasonings"]["CQ8"] == "cut off in c3"
    assert (entry["score"], entry["pass"], entry["safety_gate_failed"]) == (None, None, None)
    assert entry["incomplete"] == ["CQ8"] and entry["error_count"] == 1
    assert entry["strict"]["score"] == 0.9 and entry["strict"]["pass"] is False  # as the published program


def test_not_applicable_stays_so_and_what_was_not_asked_is_no_answer(coaching: Coaching) -> None:
    entry = coaching.written()["c4"]
    assert entry["answers"]["CQ8"] == "NA" and "CQ9" not in entry["answers"]
    assert entry["incomplete"] == ["CQ9"] and entry["failed_safety"] == ["CQ8"]


def judged(store: Store, key: str) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    """(conversation, criterion) -> status, label, what was written."""
    j, u, c, words = schema.judgement, schema.unit, schema.conversation, schema.content
    with store.reading() as connection:
        rows = connection.execute(
            sa.select(c.c.key, j.c.criterion, j.c.status, j.c.label, words.c.text)
            .join(u, u.c.id == j.c.unit_id)
            .join(c, c.c.id == u.c.conversation_id)
            .outerjoin(words, words.c.id == j.c.reasoning_content)
            .join(schema.study, schema.study.c.id == j.c.study_id)
            .where(schema.study.c.key == key)
        )
        return {(row.key, row.criterion): (row.status, row.label, row.text) for row in rows}


@pytest.mark.parametrize("name", ["out.jsonl", "out.json"])
def test_a_judge_comes_in_again_with_labels_reasons_failures_and_score(coaching: Coaching, name: str) -> None:
    path = coaching.folder / name
    assessments.write_file(coaching.small.study, coaching.read(), path)
    other = coaching.elsewhere()
    report = importing.import_judgements(
        coaching.store, "other", path, "tests", JudgeIdentity("Judge A", prompt="of Judge A")
    )
    forced = {(key, criterion) for key in JUDGED for criterion in ("CP1", "CP3")}
    again = judged(coaching.store, "other")
    assert {place: row for place, row in again.items() if place not in forced} == judged(
        coaching.store, "coaching"
    )
    assert {again[place] for place in forced} == {("ok", "NA", None)}
    assert report.added["failed judge calls"] == 1
    first = coaching.written("first.jsonl")
    assert other.written("second.jsonl") == first


def test_ratings_come_in_again_with_labels_notes_and_score(coaching: Coaching) -> None:
    coaching.rate(0, 1, CQ3="NO")
    coaching.rate(0, 2, CQ9=None)
    (code,) = {giver.name for giver in coaching.read(rater=coaching.small.codes[0]).givers}
    first = coaching.written(rater=code)
    assert first["c1"]["score"] == 0.9 and first["c1"]["exposure"] == "blind"
    assert first["c1"]["reasonings"] == {"CQ2": NOTE}
    assert first["c2"]["cannot_rate"] == {"CQ9": "unclear_criterion"} and "CQ9" not in first["c2"]["answers"]
    assert first["c2"]["score"] is None and first["c2"]["incomplete"] == ["CQ9"]
    other = coaching.elsewhere()
    report = importing.import_ratings(
        coaching.store, "other", coaching.folder / "out.jsonl", "tests", "blind", "an export"
    )
    assert '"cannot rate" for 1 question' in " ".join(report.lines(10))
    (back,) = other.read().givers
    second = other.written("second.jsonl", rater=back.name)
    assert second["c1"] == {**first["c1"], "rater": back.name}
    assert second["c2"] == {
        name: value
        for name, value in {**first["c2"], "rater": back.name}.items()
        if name != "cannot_rate"  # no label came of it
    }


def test_ratings_given_blind_do_not_come_in_as_others(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    coaching.written(rater=coaching.small.codes[0])
    coaching.elsewhere()
    for exposure, says in (("judge_visible", "the file says 'blind'"), ("unknown", "correct one of them")):
        with pytest.raises(ImportRefused) as refused:
            importing.import_ratings(
                coaching.store, "other", coaching.folder / "out.jsonl", "tests", exposure, "a guess"
            )
        assert says in refused.value.report.problems[0].message


def test_a_rater_s_file_brought_into_its_own_study_does_not_count_twice(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    coaching.written(rater=coaching.small.codes[0])
    with pytest.raises(ImportRefused) as refused:
        importing.import_ratings(
            coaching.store, "coaching", coaching.folder / "out.jsonl", "tests", "blind", "an export"
        )
    assert "would count twice" in refused.value.report.problems[0].message


def test_people_and_judges_are_not_taken_for_each_other(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    coaching.written("person.jsonl", rater=coaching.small.codes[0])
    coaching.written("judge.jsonl", judge="Judge A")
    coaching.elsewhere()
    with pytest.raises(ImportRefused):
        importing.import_judgements(
            coaching.store, "other", coaching.folder / "person.jsonl", "tests", JudgeIdentity("J")
        )
    with pytest.raises(ImportRefused):
        importing.import_ratings(
            coaching.store, "other", coaching.folder / "judge.jsonl", "tests", "blind", "a guess"
        )
    with coaching.store.reading() as connection:
        study = studies.get_by_key(connection, "other")
        with pytest.raises(Refused, match="no_labels_yet"):
            assessments.read_assessments(connection, study)


def test_a_change_after_the_reveal_stays_out_of_the_blind_labels(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    desk = coaching.small.desk(0)
    desk.reveal(1)
    desk.change(1, "CQ1", "NO")
    code = coaching.small.codes[0]
    assert coaching.written(rater=code)["c1"]["answers"]["CQ1"] == "YES"
    shown = coaching.written("shown.jsonl", rater=code, exposure="judge_visible")["c1"]
    assert (shown["answers"]["CQ1"], shown["exposure"]) == ("NO", "judge_visible")
    assert shown["score"] is None  # of what was changed alone there is no score


def test_of_changes_before_the_reveal_the_last_label_goes_out(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    desk, code = coaching.small.desk(0), coaching.small.codes[0]
    desk.change(1, "CQ1", "NO")
    desk.change(1, "CQ2", None, cannot_rate="other")
    entry = coaching.written(rater=code)["c1"]
    assert entry["answers"]["CQ1"] == "NO"
    assert "CQ2" not in entry["answers"] and entry["cannot_rate"] == {"CQ2": "other"}


def test_a_rater_who_is_set_aside_is_left_out_and_counted(coaching: Coaching) -> None:
    coaching.rate(0, 1)
    coaching.rate(1, 1)
    with coaching.store.writing("tests", "set aside") as (connection, entry):
        _set_aside(connection, entry, coaching.small)
    read = coaching.read()
    assert [giver.name for giver in read.givers] == ["Judge A", coaching.small.codes[1]]
    assert read.set_aside == 1


def _set_aside(connection: sa.Connection, entry: TrailEntry, small: Small) -> None:
    set_aside.set_rater_aside(connection, entry, small.study, small.raters[0], "Lead", "not trained")


def test_a_folder_has_a_file_for_each_whatever_their_names_are(coaching: Coaching) -> None:
    coaching.judge("../judge a!", {"c1": {"CQ1": "YES"}})
    coaching.judge("=1+1", {"c1": {"CQ1": "YES"}})
    coaching.rate(0, 1)
    names = assessments.write_folder(coaching.small.study, coaching.read(), coaching.folder / "out")
    assert names == [
        "judge-a.jsonl",
        "judge-a-2.jsonl",
        "judge-1-1.jsonl",
        f"{coaching.small.codes[0].lower().replace(' ', '-')}.jsonl",
    ]
    assert sorted(path.name for path in (coaching.folder / "out").iterdir()) == sorted(names)
    with pytest.raises(Refused, match="folder_not_empty"):
        assessments.write_folder(coaching.small.study, coaching.read(), coaching.folder / "out")
    with pytest.raises(Refused, match="one_file_of_several"):
        assessments.write_file(coaching.small.study, coaching.read(), coaching.folder / "all.jsonl")
    assert not (coaching.folder / "all.jsonl").exists()


def test_an_instrument_without_a_score_has_answers_alone(store: Store, tmp_path: Path) -> None:
    made = Coaching(make(store, tmp_path, instrument=INSTRUMENT), tmp_path)
    entry = made.written(judge="Judge B")["c2"]
    assert entry["answers"] == {"warm": "YES", "safe": "ERROR", "deep": "YES"}
    assert entry["incomplete"] == ["safe"] and "score" not in entry


Run = Callable[..., Result]


def test_the_command_refuses_who_still_rates_and_says_what_was_written(
    coaching: Coaching, store_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    coaching.store.close()

    def export(*arguments: object) -> Result:
        command = ["export", "assessments", "coaching", *map(str, arguments)]
        return CliRunner().invoke(main, command)

    monkeypatch.setattr("cli.base.getpass.getuser", lambda: "ann")
    refused = export(tmp_path / "a.jsonl")
    assert refused.exit_code == 1 and "Ann is a rater in this study" in refused.stderr
    assert not (tmp_path / "a.jsonl").exists()
    monkeypatch.setattr("cli.base.getpass.getuser", lambda: "lead")
    assert export(tmp_path / "a.jsonl").stdout == f"4 assessments written to {tmp_path / 'a.jsonl'}.\n"
    assert "a.jsonl" in export(tmp_path / "a.jsonl").stderr  # nothing is overwritten
    folder = export(tmp_path / "all")
    assert folder.stdout == f"4 assessments written to {tmp_path / 'all'}: judge-a.jsonl.\n"
    assert "Judges are: Judge A." in export(tmp_path / "b.jsonl", "--judge", "Nobody").stderr
    assert "gave no label" in export(tmp_path / "b.jsonl", "--rater", "Ann").stderr


SHORT_FORM = """\
key: short_form
version: "1"
title: Short form
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 0}
      - {id: "NO", name: "No", key: n, value: 1}
    not_applicable: {id: "NA", name: "Does not apply", key: a}
score: {rule: none}
criteria:
  - {id: risk, name: Risk, scale: yes_no}
  - {id: missed, name: Missed, scale: yes_no, asked_when: {risk: ["YES"]}}
  - {id: steady, name: Steady, scale: yes_no, minimum_turns: 9, asked_when: {risk: ["YES"]}}
"""


def test_what_was_not_asked_has_no_answer_by_rule_either_and_the_file_comes_in_again(
    store: Store, tmp_path: Path
) -> None:
    source = Coaching(make(store, tmp_path, key="short", instrument=SHORT_FORM, with_judges=False), tmp_path)
    labels: dict[str, dict[str, str | None]] = {
        "c1": {"risk": "NO"},
        "c2": {"risk": "YES", "missed": "NO"},
        "c3": {"risk": None},
    }
    source.judge("Judge A", labels)
    entries = source.written("short.jsonl", judge="Judge A")
    assert entries["c1"]["answers"] == {"risk": "NO"}
    assert entries["c1"]["not_asked"] == ["missed", "steady"] and entries["c1"]["incomplete"] == []
    assert entries["c2"]["answers"] == {"risk": "YES", "missed": "NO", "steady": "NA"}
    assert (entries["c2"]["not_asked"], entries["c3"]["incomplete"]) == ([], ["risk"])
    other = make(store, tmp_path, key="again", instrument=SHORT_FORM, with_judges=False)
    importing.import_judgements(
        store, "again", tmp_path / "short.jsonl", "tests", JudgeIdentity("Judge A", prompt="again")
    )
    again = Coaching(other, tmp_path).written("again.jsonl", judge="Judge A")
    assert again == entries
