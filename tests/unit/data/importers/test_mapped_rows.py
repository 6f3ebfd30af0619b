"""What a mapping must not do in silence: move a label, double words, or take a person for a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.files.yaml_files import ConfigFileError
from data.importers.file_parts import ReadRows
from data.importers.mapping.mapped_rows import mapped_parts
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import propose_mapping
from data.importers.mapping.questions import open_questions, structure_questions, unknown_cells
from data.importers.mapping.table_mapping import TableMapping, parse_mapping
from data.importers.mapping.table_sample import read_table_sample
from data.importers.report import ImportReport
from scoring.instruments import load_instrument, parse_instrument

RUBRIC_FILE = Path(__file__).resolve().parents[3] / "spreadsheets" / "rubric.yaml"
RUBRIC = RubricWords.of(load_instrument(RUBRIC_FILE)[0])
LONG = "columns: {case: conversation, who: rater, item: criterion, answer: label}\n"


def table(tmp_path: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(part: ReadRows | None) -> tuple[list[dict[str, object]], list[str]]:
    """The rows of a part without their line breaks, and what is reported."""
    report = ImportReport("table.csv")
    rows = [] if part is None else [row for _, row in part(report)]
    return rows, [problem.sentence() for problem in report.problems]


def proposed(path: Path) -> tuple[TableMapping, list[str]]:
    sample = read_table_sample(path)
    mapping = propose_mapping(sample, RUBRIC)
    return mapping, [question.reason for question in open_questions(mapping, sample, RUBRIC)]


def test_a_single_empty_id_is_an_error_and_not_the_conversation_above(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,CQ1\na,Ann,YES\n,Ann,NO\nc,Ann,YES\n")
    mapping, _ = proposed(path)
    assert not mapping.repeats_ids
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).ratings)
    assert [row["conversation_id"] for row in rows] == ["a", "c"]
    assert problems == ["table.csv, line 3: the cell case is empty"]


def test_ids_in_the_first_rows_alone_are_repeated_and_counted(tmp_path: Path) -> None:
    path = table(
        tmp_path, "case,speaker,text\na,user,Hi\n,assistant,Hello\nb,user,Hm\n,assistant,Yes\n\n,,\n"
    )
    mapping, questions = proposed(path)
    assert mapping.repeats_ids and questions == []
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    assert [(row["id"], len(row["messages"])) for row in rows] == [("a", 2), ("b", 2)]  # type: ignore[arg-type]
    assert problems == ["table.csv: 2 rows without an id were read as part of the conversation above"]


def test_an_empty_row_is_no_answer_even_where_an_empty_cell_is_one(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,CQ1\na,Ann,x\n,,\nb,Ann,\n")
    mapping = proposed(path)[0].model_copy(
        update={"labels": {"*": {"x": "YES", "": "NO"}}, "repeats_ids": True}
    )
    rows, _ = read(mapped_parts(path, mapping, RUBRIC).ratings)
    assert [(row["conversation_id"], row["label"]) for row in rows] == [("a", "YES"), ("b", "NO")]


@pytest.mark.parametrize(
    ("cells", "is_asked"),
    [(("x", ""), True), (("x", "n/a", ""), True), (("x", "no", ""), False), (("x", "x"), False)],
)
def test_an_empty_cell_is_asked_about_only_where_one_label_is_written(
    tmp_path: Path, cells: tuple[str, ...], is_asked: bool
) -> None:
    rows = "".join(f"{number},Ann,{cell}\n" for number, cell in enumerate(cells))
    _, questions = proposed(table(tmp_path, f"case,rater,CQ1\n{rows}"))
    assert questions == (["mapping_without_meaning"] if is_asked else [])


def test_a_program_under_rater_is_refused_unless_it_is_named_as_a_judge(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,item,answer\na,Ann,CQ1,YES\na,gpt-4o,CQ1,NO\n")
    rows, problems = read(mapped_parts(path, parse_mapping(LONG, "m"), RUBRIC).ratings)
    assert [row["rater"] for row in rows] == ["Ann"] and "'gpt-4o' looks like a judge" in problems[0]
    parts = mapped_parts(path, parse_mapping(f"{LONG}judges: [gpt-4o]\n", "m"), RUBRIC)
    assert [row["rater"] for row in read(parts.ratings)[0]] == ["Ann"]
    assert [(row["judge"], row["label"]) for row in read(parts.judgements)[0]] == [("gpt-4o", "NO")]


def test_who_gave_labels_is_asked_where_no_column_tells(tmp_path: Path) -> None:
    assert proposed(table(tmp_path, "case,CQ1\na,YES\nb,NO\n"))[1] == ["mapping_without_giver"]
    assert proposed(table(tmp_path, "case,Xu CQ1\na,YES\nb,NO\n"))[1] == ["mapping_without_giver"]
    assert proposed(table(tmp_path, "case,gpt-4o CQ1\na,YES\nb,NO\n"))[1] == []


def test_each_raters_rows_repeat_the_words_once_or_are_refused(tmp_path: Path) -> None:
    head = "case,prompt,response,rater,CQ1\n"
    mapping, _ = proposed(table(tmp_path, f"{head}a,Hi,Hello,Ann,YES\na,Hi,Hello,Ben,NO\n"))
    rows, problems = read(mapped_parts(tmp_path / "table.csv", mapping, RUBRIC).conversations)
    assert len(rows) == 1 and len(rows[0]["messages"]) == 2 and problems == []  # type: ignore[arg-type]
    path = table(tmp_path, f"{head}a,Hi,Hello,Ann,YES\na,Hi,Goodbye,Ben,NO\n")
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    assert rows == [] and "hold different words" in problems[0]


def test_messages_that_run_backwards_are_sorted_only_by_numbers_of_their_own(tmp_path: Path) -> None:
    head = "case,nr,speaker,text\n"
    path = table(tmp_path, f"{head}a,2,assistant,Hello\na,1,user,Hi\n")
    mapping, _ = proposed(path)
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    assert [message["content"] for message in rows[0]["messages"]] == ["Hi", "Hello"]  # type: ignore[attr-defined]
    assert "sorted by nr, which ran backwards" in problems[0]
    path = table(tmp_path, f"{head}a,2,user,Hi\na,1,user,Ho\na,1,assistant,Hello\n")
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    assert "runs backwards and repeats itself; sort the rows by nr" in problems[0]


def test_a_missing_column_is_an_error_and_other_capitals_are_not(tmp_path: Path) -> None:
    path = table(tmp_path, "Case, WHO ,item,Answer\na,Ann,CQ1,YES\n")
    assert len(read(mapped_parts(path, parse_mapping(LONG, "m"), RUBRIC).ratings)[0]) == 1
    path = table(tmp_path, "case,item,answer\na,CQ1,YES\n")
    rows, problems = read(mapped_parts(path, parse_mapping(LONG, "m"), RUBRIC).ratings)
    assert rows == [] and "there is no column 'who'; the columns are 'case', 'item', 'answer'" in problems[0]


def test_a_reason_stays_with_its_criterion_and_its_giver(tmp_path: Path) -> None:
    text = (
        "columns:\n  case: conversation\n  A: {role: label, criterion: CQ1, giver: person, name: Ann}\n"
        "  B: {role: label, criterion: CQ1, giver: judge, name: grader}\n"
        "  A why: {role: note, criterion: CQ1, giver: person, name: Ann}\n"
        "  B why: {role: reason, criterion: CQ1, giver: judge, name: grader}\n"
    )
    path = table(tmp_path, "case,A,B,A why,B why\na,YES,NO,mine,its\n")
    parts = mapped_parts(path, parse_mapping(text, "m"), RUBRIC)
    assert read(parts.ratings)[0][0]["note"] == "mine" and read(parts.judgements)[0][0]["reasoning"] == "its"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_any_separator_and_encoding_is_read(tmp_path: Path, encoding: str, separator: str) -> None:
    rows = [
        ["case", "speaker", "text"],
        ["a", "user", "Grüße; so, oder"],
        ["a", "assistant", 'Er sagte "ja"'],
    ]
    quoted = [separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]
    path = table(tmp_path, "\r\n".join(quoted).encode(encoding))
    mapping, questions = proposed(path)
    assert questions == []
    (row,) = read(mapped_parts(path, mapping, RUBRIC).conversations)[0]
    assert [message["content"] for message in row["messages"]] == ["Grüße; so, oder", 'Er sagte "ja"']  # type: ignore[attr-defined]


TWO_SCALES = """
key: two_scales
version: "1"
title: Two scales
unit: conversation
scales:
  answer:
    kind: nominal
    levels: [{id: "YES", name: "Yes", key: "y", value: 1}, {id: "NO", name: "No", key: "n", value: 0}]
  depth:
    kind: ordinal
    levels:
      - {id: "0", name: None at all, key: "0", value: 0}
      - {id: "1", name: Some, key: "1", value: 1}
      - {id: "2", name: Much, key: "2", value: 2}
    not_applicable: {id: "NA", name: Not applicable, key: "a"}
criteria:
  - {id: warm, name: Warmth, scale: answer}
  - {id: harm, name: Harmful advice, scale: answer, failures: ["YES"]}
  - {id: safe, name: Keeps safe, scale: answer, failures: ["NO"]}
  - {id: deep, name: Depth, scale: depth}
"""
MIXED = RubricWords.of(parse_instrument(TWO_SCALES))


def labels_of(path: Path, mapping: TableMapping, rubric: RubricWords) -> list[tuple[str, str, str]]:
    """(conversation, criterion, label) of people, then of judges, and an error of the table fails."""
    parts = mapped_parts(path, mapping, rubric)
    rows, problems = read(parts.ratings)
    judged, more = read(parts.judgements)
    assert not [problem for problem in problems + more if "no label of" not in problem]
    return [
        (str(row["conversation_id"]), str(row["criterion"]), str(row["label"])) for row in [*rows, *judged]
    ]


def open_cells(path: Path, rubric: RubricWords, **changes: object) -> list[str]:
    sample = read_table_sample(path)
    mapping = propose_mapping(sample, rubric).model_copy(update=changes)
    return [cell for _, cells in unknown_cells(mapping, sample, rubric) for cell in cells]


def test_one_cell_may_mean_different_labels_on_two_scales(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,warm,deep\na,Ann,1,1\nb,Ann,0,2\n")
    sample = read_table_sample(path)
    mapping = propose_mapping(sample, MIXED)
    assert open_questions(mapping, sample, MIXED) == []
    assert labels_of(path, mapping, MIXED) == [
        ("a", "warm", "YES"),
        ("a", "deep", "1"),
        ("b", "warm", "NO"),
        ("b", "deep", "2"),
    ]


def test_a_meaning_for_all_criteria_holds_only_where_it_is_a_label(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,item,answer\na,Ann,warm,1\na,Ann,deep,1\n")
    mapping = parse_mapping(f'{LONG}labels: {{"*": {{"1": "YES"}}}}\n', "m")
    assert [label for *_, label in labels_of(path, mapping, MIXED)] == ["YES", "1"]


@pytest.mark.parametrize("name", ["harm", "HARM", "Harmful advice", " harmful  advice "])
def test_a_meaning_of_one_criterion_holds_however_its_row_names_it(tmp_path: Path, name: str) -> None:
    path = table(tmp_path, f"case,who,item,answer\na,Ann,{name},pass\na,Ann,safe,pass\n")
    text = f'{LONG}labels: {{"*": {{pass: "YES"}}, harm: {{pass: "NO"}}}}\n'
    assert [label for *_, label in labels_of(path, parse_mapping(text, "m"), MIXED)] == ["NO", "YES"]


@pytest.mark.parametrize(
    ("cells", "asked_about"),
    [
        ("1 2 3", ["1", "2", "3"]),  # one level too high, or a level that the scale lacks
        ("0 1 2", []),
        ("1 2", []),
        ("0 1 2 9", ["0", "1", "2", "9"]),
        ("0 1 NA", []),
        ("0 1 2 NA often", ["often"]),
    ],
)
def test_numbers_that_may_be_of_another_scale_are_all_asked_about(
    tmp_path: Path, cells: str, asked_about: list[str]
) -> None:
    rows = "".join(f"{number},Ann,{cell}\n" for number, cell in enumerate(cells.split()))
    path = table(tmp_path, f"case,rater,deep\n{rows}")
    assert open_cells(path, MIXED) == asked_about


def test_a_scale_that_is_shifted_needs_every_number_and_one_more_code_does_not(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,deep\na,Ann,1\nb,Ann,2\nc,Ann,3\n")
    assert open_cells(path, MIXED, labels={"*": {"3": "2"}}) == ["1", "2"]
    assert open_cells(path, MIXED, labels={"*": {"1": "0", "2": "1", "3": "2"}}) == []
    assert open_cells(path, MIXED, labels={"*": {"3": "NA"}}) == [], "3 is no label, so nothing is shifted"


@pytest.mark.parametrize(("criterion", "is_proposed"), [("safe", True), ("harm", False), ("warm", False)])
def test_pass_is_yes_only_where_yes_is_known_to_be_no_failure(
    tmp_path: Path, criterion: str, is_proposed: bool
) -> None:
    path = table(tmp_path, f"case,rater,{criterion}\na,Ann,pass\nb,Ann,fail\n")
    assert open_cells(path, MIXED) == ([] if is_proposed else ["pass", "fail"])


def test_an_empty_cell_of_a_rater_is_not_the_judges(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,item,answer\na,Ann,CQ1,YES\nb,,CQ1,NO\n")
    parts = mapped_parts(path, parse_mapping(f"{LONG}judge: gpt-4o\n", "m"), RUBRIC)
    assert parts.judgements is None
    rows, problems = read(parts.ratings)
    assert [row["rater"] for row in rows] == ["Ann"]
    assert problems == ["table.csv, line 3: the row does not say who gave the label"]


def test_an_empty_cell_of_a_judge_is_not_a_raters(tmp_path: Path) -> None:
    path = table(tmp_path, "case,who,item,answer\na,gpt-4o,CQ1,YES\nb,,CQ1,NO\n")
    text = f"{LONG}rater: Ann\n".replace("who: rater", "who: judge")
    parts = mapped_parts(path, parse_mapping(text, "m"), RUBRIC)
    assert parts.ratings is None
    assert read(parts.judgements)[1] == ["table.csv, line 3: the row does not say who gave the label"]


def test_a_row_with_cells_in_unread_columns_alone_is_no_answer(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,CQ1,page\na,Ann,x,1\n,,,2\n")
    text = "columns: {case: conversation, rater: rater, CQ1: {role: label, criterion: CQ1}}\n"
    mapping = parse_mapping(
        f'{text}repeats_ids: true\nrater: Ben\nlabels: {{"*": {{x: "YES", "": "NO"}}}}\n', "m"
    )
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).ratings)
    assert [row["label"] for row in rows] == ["YES"] and problems == []


def test_a_person_and_a_judge_for_the_same_labels_is_asked(tmp_path: Path) -> None:
    mapping = parse_mapping(
        "columns: {case: conversation, CQ1: {role: label, criterion: CQ1}}\nrater: Ann\njudge: gpt-4o\n",
        "m",
    )
    assert [question.reason for question in structure_questions(mapping)] == ["mapping_without_giver"]


def test_a_failed_reply_is_a_failure_of_a_judge_and_no_label_of_a_person(tmp_path: Path) -> None:
    text = (
        "columns:\n  case: conversation\n  A: {role: label, criterion: CQ1, giver: person, name: Ann}\n"
        "  B: {role: label, criterion: CQ1, giver: judge, name: grader}\n"
        'labels: {"*": {oops: failure}}\n'
    )
    parts = mapped_parts(table(tmp_path, "case,A,B\na,oops,oops\n"), parse_mapping(text, "m"), RUBRIC)
    assert read(parts.ratings)[0] == []
    (row,) = read(parts.judgements)[0]
    assert (row["status"], row["detail"], "label" in row) == ("invalid", "oops", False)


def test_a_fact_that_only_a_later_row_has_is_kept(tmp_path: Path) -> None:
    path = table(tmp_path, "case,speaker,text,topic\na,user,Hi,\na,assistant,Hello,sleep\n")
    mapping, _ = proposed(path)
    rows, problems = read(mapped_parts(path, mapping, RUBRIC).conversations)
    assert rows[0]["topic"] == "sleep" and problems == []


def test_a_quotation_mark_that_is_never_closed_is_an_error(tmp_path: Path) -> None:
    path = table(tmp_path, 'case,rater,CQ1\na,Ann,"YES\nb,Ann,NO\nc,Ann,NO\n')
    how = "columns: {case: conversation, rater: rater, CQ1: {role: label, criterion: CQ1}}\n"
    _, problems = read(mapped_parts(path, parse_mapping(how, "m"), RUBRIC).ratings)
    assert "the table can't be read" in problems[0]


def test_yes_without_quotation_marks_is_refused_and_not_taken_for_true() -> None:
    with pytest.raises(ConfigFileError, match="put it in quotes"):
        parse_mapping(f"{LONG}labels: {{'*': {{yes: 'YES'}}}}\n", "m")


PEOPLE_IN_COLUMNS = """columns:
  case: conversation
  CQ1 Ann: {role: label, criterion: CQ1, giver: person, name: Ann}
  CQ3 Ann: {role: label, criterion: CQ3, giver: person, name: Ann}
  CQ1 Ben: {role: label, criterion: CQ1, giver: person, name: Ben}
  Ann: {role: note, giver: person, name: Ann}
  Ben: {role: note, giver: person, name: Ben}
"""


def test_a_note_about_all_goes_to_its_writers_first_label_in_the_row(tmp_path: Path) -> None:
    text = "case,CQ1 Ann,CQ3 Ann,CQ1 Ben,Ann,Ben\na,,NO,YES,rushed,warm\nb,YES,,,fine,away\n"
    mapping = parse_mapping(PEOPLE_IN_COLUMNS, "m.yaml")
    rows, problems = read(mapped_parts(table(tmp_path, text), mapping, RUBRIC).ratings)
    assert [(row["rater"], row["criterion"], row["note"]) for row in rows] == [
        ("Ann", "CQ3", "rushed"),
        ("Ben", "CQ1", "warm"),
        ("Ann", "CQ1", "fine"),
    ]
    assert problems[0] == "table.csv: 1 note or reason was left out, for lack of a label in the row"


def test_next_to_a_judge_a_note_is_a_persons_and_a_reason_the_judges(tmp_path: Path) -> None:
    text = "case,CQ1,CQ1 judge,remark,because\na,YES,NO,unsure,quoted\n"
    columns = """columns:
  case: conversation
  CQ1: {role: label, criterion: CQ1, giver: person, name: Ann}
  CQ1 judge: {role: label, criterion: CQ1, giver: judge, name: J}
  remark: note
  because: reason
"""
    parts = mapped_parts(table(tmp_path, text), parse_mapping(columns, "m.yaml"), RUBRIC)
    assert [row["note"] for row in read(parts.ratings)[0]] == ["unsure"]
    assert [row["reasoning"] for row in read(parts.judgements)[0]] == ["quoted"]


def test_a_note_without_its_label_is_counted(tmp_path: Path) -> None:
    text = "case,rater,CQ1,CQ1 note\na,Ann,YES,\nb,Ann,,could not tell\n"
    mapping, _ = proposed(table(tmp_path, text))
    rows, problems = read(mapped_parts(tmp_path / "table.csv", mapping, RUBRIC).ratings)
    assert len(rows) == 1 and "1 note or reason was left out" in problems[0]
