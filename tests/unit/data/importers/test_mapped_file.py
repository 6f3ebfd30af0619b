"""The import of a table by its mapping, into a store: what it refuses, and what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.file_import import import_file
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.mapping.table_mapping import parse_mapping
from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.record.studies import StudySpec
from data.store.errors import Refused
from data.store.store import Store
from tests.studies.small_study import Small

STATED = {"exposure": "blind", "source": "the protocol"}
RUBRIC = Path(__file__).resolve().parents[3] / "spreadsheets" / "rubric.yaml"
PEOPLE = "columns: {case: conversation, rater: rater, warm: {role: label, criterion: warm}}\n"
JUDGED = PEOPLE.replace("rater: rater, ", "") + "judge: grader 7\n"


def bring(small: Small, tmp_path: Path, text: str, mapping: str, **answers: Any) -> ImportReport:
    path = tmp_path / "table.csv"
    path.write_text(text)
    given = {"mapping": parse_mapping(mapping, "mapping.yaml"), "same_person": "none", **answers}
    return import_file(small.store, small.study.key, path, "lead", MappedFiles(), given)


def count(store: Store, table: sa.Table, **values: Any) -> int:
    statement = sa.select(sa.func.count()).select_from(table)
    with store.reading() as connection:
        return connection.execute(
            statement.where(*(table.c[name] == value for name, value in values.items()))
        ).scalar_one()


def test_labels_of_people_need_to_say_what_they_had_seen(small: Small, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="exposure_missing"):
        bring(small, tmp_path, "case,rater,warm\nc1,Xu,YES\n", PEOPLE)
    assert bring(small, tmp_path, "case,rater,warm\nc1,Xu,YES\n", PEOPLE, **STATED).added["ratings"] == 1


@pytest.mark.parametrize("cell", ["maybe", "2"])
def test_a_cell_that_nothing_explains_refuses_the_file_of_a_judge_too(
    small: Small, tmp_path: Path, cell: str
) -> None:
    before = count(small.store, schema.judgement)
    text = f"case,warm\nc1,YES\nc2,{cell}\n"
    with pytest.raises(Refused) as refused:
        bring(small, tmp_path, text, JUDGED)
    assert refused.value.facts == {"cells": repr(cell)} and count(small.store, schema.judgement) == before
    explained = f'{JUDGED}labels: {{"*": {{"{cell}": failure}}}}\n'
    report = bring(small, tmp_path, text, explained)
    assert (report.added["judgements"], report.added["failed judge calls"]) == (1, 1)
    assert count(small.store, schema.judgement, status="invalid", label=None) == 1


def test_columns_that_are_left_out_are_named(small: Small, tmp_path: Path) -> None:
    mapping = PEOPLE.replace("case:", "mood: ignored, case:")
    text = "case,rater,warm,mood,page,none\nc1,Xu,YES,good,7,\n"
    report = bring(small, tmp_path, text, mapping, **STATED)
    assert [problem.message for problem in report.problems] == [
        "left out, because the mapping leaves them out: mood, page"
    ]


def test_labels_of_whole_conversations_say_nothing_of_columns_beside_them(
    small: Small, tmp_path: Path
) -> None:
    mapping = PEOPLE.replace("case:", "nr: turn, said: text, who: speaker, case:")
    text = "case,rater,warm,nr,said,who\nn1,Xu,YES,1,Hello,user\nn1,Xu,,2,Hi,assistant\n"
    mapping += 'labels: {"*": {"": null}}\n'
    report = bring(small, tmp_path, text, mapping, **STATED)
    assert report.added == {"conversations": 1, "ratings": 1}
    assert not [problem for problem in report.problems if "not known" in problem.message]


def test_a_study_is_made_of_labels_alone_only_if_the_text_stays_elsewhere(
    small: Small, tmp_path: Path
) -> None:
    with small.store.writing("tests", "new study") as (connection, entry):
        instrument = studies.register_instrument(connection, entry, RUBRIC.read_text(encoding="utf-8"))
        spec = StudySpec("bare", "Bare", instrument)
        key = studies.get(connection, studies.create(connection, entry, spec)).key
    path = tmp_path / "table.csv"
    path.write_text("case,CQ1\nx1,YES\nx2,NO\n")
    answers = {"mapping": parse_mapping(JUDGED.replace("warm", "CQ1"), "mapping.yaml"), "same_person": "none"}
    with pytest.raises(ImportRefused) as refused:
        import_file(small.store, key, path, "lead", MappedFiles(), answers)
    assert "the study has no conversations yet" in refused.value.report.problems[0].message
    report = import_file(small.store, key, path, "lead", MappedFiles(), {**answers, "text": "elsewhere"})
    assert report.added == {"conversations": 2, "judgements": 2}
    path.write_text("case,CQ1\nx1,YES\nx3,NO\n")
    assert import_file(small.store, key, path, "lead", MappedFiles(), answers).added["conversations"] == 1
