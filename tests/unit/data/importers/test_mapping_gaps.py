"""What a mapping leaves open is asked, for each table anew: givers, speakers, meanings, cells beyond the columns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from openpyxl import Workbook
from sqlalchemy import select

from cli import main
from configs.files.yaml_files import ConfigFileError
from data import schema
from data.importers.file_import import import_file
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.mapping.mapped_rows import mapped_parts
from data.importers.mapping.proposal import propose_mapping
from data.importers.mapping.questions import label_like_left_out, open_questions
from data.importers.mapping.table_mapping import TableMapping, parse_mapping
from data.importers.mapping.table_sample import read_table_sample
from data.importers.mapping.targets import MappingTarget, target_of_study
from data.importers.report import ImportRefused, ImportReport
from data.store.errors import Refused
from tests.studies.small_study import Small
from tests.unit.data.importers.test_mapped_file import PEOPLE, STATED, bring
from tests.unit.data.importers.test_mapped_rows import RUBRIC, read, table

KINDS = "columns: {case: conversation, source: giver, name: rater, CQ1: {role: label, criterion: CQ1}}\n"
SPOKEN = "columns: {case: conversation, who: speaker, said: text}\n"


def open_reasons(path: Path, mapping: TableMapping) -> dict[str, dict[str, Any]]:
    return {
        each.reason: dict(each.facts) for each in open_questions(mapping, read_table_sample(path), RUBRIC)
    }


def test_a_word_for_who_gave_a_label_that_nobody_explained_is_asked(tmp_path: Path) -> None:
    path = table(tmp_path, "case,source,name,CQ1\na,clinician,Ann,YES\na,AI judge,atlas-2,NO\n")
    mapping = parse_mapping(KINDS + "judges: [LLM]\n", "m.yaml")
    assert open_reasons(path, mapping) == {"mapping_without_kind_of_giver": {"cells": "'AI judge'"}}
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).ratings)
    assert [row["rater"] for row in rows] == ["Ann"] and "is 'AI judge' a person or a judge?" in problems[0]
    listed = parse_mapping(KINDS + "judges: [LLM, ai judge]\n", "m.yaml")
    assert open_reasons(path, listed) == {}
    judged = read(mapped_parts(path, listed, RUBRIC).judgements)[0]
    assert [(row["judge"], row["label"]) for row in judged] == [("atlas-2", "NO")]


def test_a_kept_mapping_is_completed_for_the_next_table(tmp_path: Path) -> None:
    path = table(
        tmp_path, "case,source,name,CQ1\na,llm judge,atlas-2,pass mark\na,person,Ann,y\n,person,Ann,y\n"
    )
    kept = parse_mapping(KINDS + 'judges: [LLM]\nrepeats_ids: true\nlabels: {"*": {"y": "NO"}}\n', "m.yaml")
    proposed = MappingTarget(RUBRIC, kept=kept).propose(read_table_sample(path))
    assert proposed.judges == ("LLM", "llm judge") and proposed.labels["*"]["y"] == "NO"
    assert not proposed.repeats_ids  # in this table an empty id is more likely a mistake


def test_a_row_that_names_a_person_and_a_judge_is_an_error(tmp_path: Path) -> None:
    columns = "columns: {case: conversation, p: rater, j: judge, CQ1: {role: label, criterion: CQ1}}\n"
    path = table(tmp_path, "case,p,j,CQ1\na,Ann,gpt-4o,YES\nb,,gpt-4o,NO\n")
    parts = mapped_parts(path, parse_mapping(columns, "m.yaml"), RUBRIC)
    for part in (parts.ratings, parts.judgements):
        rows, problems = read(part)
        assert all(row["conversation_id"] == "b" for row in rows)
        assert "'Ann' and 'gpt-4o' may both have given this label" in problems[0]


@pytest.mark.parametrize(
    ("lists", "roles"),
    [
        ("assistant: [Coach]\n", None),
        ("assistant: [Coach, trainer]\n", ["user", "assistant", "assistant"]),
        ("assistant: [Coach]\nuser: [Trainer]\n", ["user", "user", "assistant"]),
        ('assistant: [Coach]\nuser: ["*"]\n', ["user", "user", "assistant"]),
    ],
)
def test_a_speaker_whom_nobody_names_is_neither_the_user_nor_the_assistant(
    tmp_path: Path, lists: str, roles: list[str] | None
) -> None:
    path = table(tmp_path, "case,who,said\na,Client,Hi\na,Trainer,Hello\na,Coach,Yes\n")
    mapping = parse_mapping(SPOKEN + lists, "m.yaml")
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    if roles is None:
        assert open_reasons(path, mapping) == {"mapping_without_speaker_role": {"speakers": "'Trainer'"}}
        assert rows == [] and "who is 'Trainer'?" in problems[0]
    else:
        messages: Any = rows[0]["messages"]
        assert open_reasons(path, mapping) == {} and [each["role"] for each in messages] == roles


def test_the_second_name_of_an_assistant_is_not_the_user(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,said\na,Client,Hi\na,AI,Hello\na,Coach,Yes\n")
    mapping = parse_mapping(SPOKEN + "assistant: [Coach]\n", "m.yaml")
    assert open_reasons(path, mapping)["mapping_without_speaker_role"] == {"speakers": "'AI'"}


def test_lines_of_a_message_that_look_like_speakers_are_asked_about(tmp_path: Path) -> None:
    text = 'case,talk\na,"Client: Hi\nCoach: Two steps.\nPlan: walk\nPlan: sleep\nClient: Yes"\n'
    path = table(tmp_path, text)
    columns = "columns: {case: conversation, talk: transcript}\nassistant: [Coach]\n"
    assert open_reasons(path, parse_mapping(columns, "m.yaml")) == {
        "mapping_without_speaker_role": {"speakers": "'Plan'"}
    }
    mapping = parse_mapping(columns + "not_speakers: [plan]\n", "m.yaml")
    assert open_reasons(path, mapping) == {}
    messages: Any = read(mapped_parts(path, mapping, RUBRIC).conversations)[0][0]["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant", "user"]
    assert messages[1]["content"] == "Two steps.\nPlan: walk\nPlan: sleep"


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ('{CQ-8: {"YES": "NO"}}', "mapping_of_unknown_criterion"),
        ('{"*": {"1": "3"}}', "mapping_to_unknown_label"),
        ('{CQ1: {"1": "3"}}', "mapping_to_unknown_label"),
        ('{CQ1: {"1": "yes", "2": null, "3": failure}, "*": {"1": "NA"}}', ""),
    ],
)
def test_a_meaning_that_would_be_ignored_is_refused(tmp_path: Path, labels: str, reason: str) -> None:
    path = table(tmp_path, "case,rater,CQ1,CQ8\na,Ann,YES,NO\n")
    columns = "columns: {case: conversation, rater: rater, CQ1: {role: label, criterion: CQ1}}\n"
    assert list(open_reasons(path, parse_mapping(f"{columns}labels: {labels}\n", "m.yaml"))) == [
        reason
    ] * bool(reason)


def test_a_text_without_quotation_marks_is_not_cut_at_its_comma(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,said\na,Client,Hi there, please call 112, now\na,Coach,Yes\n")
    problem = read_table_sample(path).problem
    assert "line 2" in problem and "beyond the last column 'said'" in problem
    rows, problems = read(
        mapped_parts(path, parse_mapping(SPOKEN + "assistant: [Coach]\n", "m.yaml"), RUBRIC).conversations
    )
    assert rows == [] and "beyond the last column 'said'" in problems[0]


def test_two_columns_of_ids_never_make_one_id_of_two(tmp_path: Path) -> None:
    path = table(tmp_path, "client,session,who,said\n1/2,3,Client,Hi\n1,2/3,Client,Hello\n1,3,Client,Yes\n")
    columns = "columns: {client: conversation, session: conversation, who: speaker, said: text}\n"
    _, problems = read(mapped_parts(path, parse_mapping(columns, "m.yaml"), RUBRIC).conversations)
    assert problems[0].startswith("table.csv, line 2: ") and "an id holds “/”" in problems[0]


def test_fields_that_only_later_rows_have_are_read(tmp_path: Path) -> None:
    rows = [
        {"case": "a", "rater": "Ann", "CQ1": "YES"},
        {"case": "b", "rater": "Ann", "CQ1": "NO", "why": "cold"},
    ]
    path = table(tmp_path, "".join(f"{json.dumps(row)}\n" for row in rows), "table.jsonl")
    columns = "columns: {case: conversation, rater: rater, CQ1: {role: label, criterion: CQ1}, why: note}\n"
    labels, problems = read(mapped_parts(path, parse_mapping(columns, "m.yaml"), RUBRIC).ratings)
    assert problems == [] and [row.get("note") for row in labels] == [None, "cold"]


def test_a_table_without_rows_is_an_error(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,said\n")
    _, problems = read(mapped_parts(path, parse_mapping(SPOKEN, "m.yaml"), RUBRIC).conversations)
    assert problems == ["table.csv, line 1: there are no rows below the names of the columns"]


def test_an_empty_reply_is_noticed(tmp_path: Path) -> None:
    path = table(tmp_path, "case,prompt,response\na,Hi,\nb,Hello,Yes\n")
    columns = "columns: {case: conversation, prompt: user, response: assistant}\n"
    _, problems = read(mapped_parts(path, parse_mapping(columns, "m.yaml"), RUBRIC).conversations)
    assert problems == ["table.csv, line 2: response is empty, so the conversation has no such message"]


@pytest.mark.parametrize(
    "reading", ["encoding: nonsense", "encoding: rot13", "separator: ';;'", 'separator: "\\n"']
)
def test_an_impossible_reading_is_an_error_of_the_mapping(reading: str) -> None:
    with pytest.raises(ConfigFileError):
        parse_mapping(f"columns: {{case: conversation}}\nreading: {{{reading}}}\n", "m.yaml")


def test_the_trail_keeps_no_words_of_the_table(small: Small, tmp_path: Path) -> None:
    """An erasure can't reach the trail."""
    cells = '{"*": {"patient Mueller told me": null, "x": "YES", "n": "NO"}}'
    bring(
        small,
        tmp_path,
        "case,rater,warm\nc1,Xu,x\nc2,Xu,patient Mueller told me\n",
        f"{PEOPLE}labels: {cells}\n",
        **STATED,
    )
    with small.store.reading() as connection:
        details = "".join(connection.execute(select(schema.trail.c.detail)).scalars())
        mapping = target_of_study(connection, small.study, ("case", "rater", "warm")).kept
    assert "Mueller" not in details and mapping is not None
    assert mapping.labels == {"*": {"x": "YES", "n": "NO"}} and mapping.columns["rater"].role == "rater"


def test_the_file_of_a_mapping_is_named_from_where_one_stands(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "labels.csv").write_text("case,rater,warm\nc1,Xu,YES\n")
    (tmp_path / "labels.yaml").write_text(PEOPLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{small.store.path}")
    stated = ["--exposure", "blind", "--source", "protocol", "--same-person", "none"]
    result = CliRunner().invoke(
        main, ["import", "file", small.study.key, "labels.csv", "--mapping", "labels.yaml", *stated]
    )
    assert "1 rating" in result.output, result.output
    with pytest.raises(Refused):
        bring(small, tmp_path, "case,rater,warm\nc1,Xu,YES\n", PEOPLE)


def test_a_failed_reply_is_no_label_of_a_person(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,CQ1\na,Ann,error\nb,Ann,YES\n")
    columns = "columns: {case: conversation, rater: rater, CQ1: {role: label, criterion: CQ1}}\n"
    mapping = parse_mapping(f'{columns}labels: {{"*": {{error: failure}}}}\n', "m.yaml")
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).ratings)
    assert [row["conversation_id"] for row in rows] == ["b"]
    assert problems == ["table.csv: 1 cell of people without a label"]


@pytest.mark.parametrize(
    ("header", "criterion", "left_out"),
    [("CQ-3", "CQ3", []), ("cq 3", "CQ3", []), ("Reflects  Feelings", "CQ3", []), ("CQ33", None, ["CQ33"])],
)
def test_a_criterion_spelt_a_little_otherwise_is_proposed_or_named(
    tmp_path: Path, header: str, criterion: str | None, left_out: list[str]
) -> None:
    path = table(tmp_path, f"case,rater,CQ1,{header},Total\na,Ann,YES,NO,1\nb,Ann,NO,YES,1\n")
    sample = read_table_sample(path)
    mapping = propose_mapping(sample, RUBRIC)
    column = mapping.columns[" ".join(header.split())]
    assert (column.criterion or None) == criterion and (column.role == "label") == (criterion is not None)
    assert label_like_left_out(mapping, sample, RUBRIC) == left_out


def test_other_sheets_and_forgotten_criteria_are_named(small: Small, tmp_path: Path) -> None:
    book = Workbook()
    for name, cells in (("AP", ("YES", "NO")), ("JY", ("NO", "NO"))):
        sheet = book.create_sheet(name)
        for row in (("case", "warm", "safety"), ("c1", *cells)):
            sheet.append(row)
    book.remove(book.worksheets[0])
    book.save(tmp_path / "round.xlsx")
    columns = "columns: {case: conversation, warm: {role: label, criterion: warm}}\nrater: Xu\n"
    given = {"mapping": parse_mapping(columns, "m.yaml"), "same_person": "none", **STATED}
    report = import_file(small.store, small.study.key, tmp_path / "round.xlsx", "lead", MappedFiles(), given)
    sentences = [problem.sentence() for problem in report.problems]
    assert report.added["ratings"] == 1
    assert "round.xlsx: only the sheet 'AP' is read, and not 'JY'" in sentences
    assert "round.xlsx: the column 'safety' is left out, though its cells could be labels" in sentences


def test_a_line_with_several_labels_needs_fixing_once(small: Small, tmp_path: Path) -> None:
    columns = PEOPLE.replace("}}", "}, safe: {role: label, criterion: safe}}")
    with pytest.raises(ImportRefused) as refused:
        bring(small, tmp_path, "case,rater,warm,safe\nX1,Xu,YES,NO\nX2,Xu,YES,NO\n", columns, **STATED)
    assert refused.value.report.errors == 2


def test_a_label_that_raters_cannot_choose_is_kept_and_named(small: Small, tmp_path: Path) -> None:
    permitted = {
        each.id: [level.id for level in small.study.instrument.permitted(each)]
        for each in small.study.instrument.criteria
    }
    columns = PEOPLE.replace("warm: {role: label, criterion: warm}", "safe: {role: label, criterion: safe}")
    assert "NA" not in permitted["safe"]
    report = bring(small, tmp_path, "case,rater,safe\nc1,Xu,NA\nc2,Xu,NO\n", columns, **STATED)
    assert report.added["ratings"] == 2
    assert [each.message for each in report.problems] == [
        "NA for safe was kept, although raters can't choose it here"
    ]


def test_the_same_line_of_another_file_is_another_error() -> None:
    report = ImportReport("a.csv")
    report.error(2, "empty")
    report.error(2, "empty")
    report.file = "b.csv"
    report.error(2, "empty")
    assert [each.sentence() for each in report.problems] == ["a.csv, line 2: empty", "b.csv, line 2: empty"]
    assert report.errors == 2
