"""What a mapping must not do in silence: move a label, double words, or take a person for a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.importers.file_parts import ReadRows
from data.importers.mapping.mapped_rows import mapped_parts
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import propose_mapping, read_table_sample
from data.importers.mapping.questions import open_questions
from data.importers.mapping.table_mapping import TableMapping, parse_mapping
from data.importers.report import ImportReport
from scoring.instruments import load_instrument

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
    rows, problems = read(mapped_parts(path, mapping).ratings)
    assert [row["conversation_id"] for row in rows] == ["a", "c"]
    assert problems == ["table.csv, line 3: the cell case is empty"]


def test_ids_in_the_first_rows_alone_are_repeated_and_counted(tmp_path: Path) -> None:
    path = table(
        tmp_path, "case,speaker,text\na,user,Hi\n,assistant,Hello\nb,user,Hm\n,assistant,Yes\n\n,,\n"
    )
    mapping, questions = proposed(path)
    assert mapping.repeats_ids and questions == []
    rows, problems = read(mapped_parts(path, mapping).conversations)
    assert [(row["id"], len(row["messages"])) for row in rows] == [("a", 2), ("b", 2)]  # type: ignore[arg-type]
    assert problems == ["table.csv: 2 rows without an id were read as part of the conversation above"]


def test_an_empty_row_is_no_answer_even_where_an_empty_cell_is_one(tmp_path: Path) -> None:
    path = table(tmp_path, "case,rater,CQ1\na,Ann,x\n,,\nb,Ann,\n")
    mapping = proposed(path)[0].model_copy(
        update={"labels": {"*": {"x": "YES", "": "NO"}}, "repeats_ids": True}
    )
    rows, _ = read(mapped_parts(path, mapping).ratings)
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
    rows, problems = read(mapped_parts(path, parse_mapping(LONG, "m")).ratings)
    assert [row["rater"] for row in rows] == ["Ann"] and "'gpt-4o' looks like a judge" in problems[0]
    parts = mapped_parts(path, parse_mapping(f"{LONG}judges: [gpt-4o]\n", "m"))
    assert [row["rater"] for row in read(parts.ratings)[0]] == ["Ann"]
    assert [(row["judge"], row["label"]) for row in read(parts.judgements)[0]] == [("gpt-4o", "NO")]


def test_who_gave_labels_is_asked_where_no_column_tells(tmp_path: Path) -> None:
    assert proposed(table(tmp_path, "case,CQ1\na,YES\nb,NO\n"))[1] == ["mapping_without_giver"]
    assert proposed(table(tmp_path, "case,Xu CQ1\na,YES\nb,NO\n"))[1] == ["mapping_without_giver"]
    assert proposed(table(tmp_path, "case,gpt-4o CQ1\na,YES\nb,NO\n"))[1] == []


def test_each_raters_rows_repeat_the_words_once_or_are_refused(tmp_path: Path) -> None:
    head = "case,prompt,response,rater,CQ1\n"
    mapping, _ = proposed(table(tmp_path, f"{head}a,Hi,Hello,Ann,YES\na,Hi,Hello,Ben,NO\n"))
    rows, problems = read(mapped_parts(tmp_path / "table.csv", mapping).conversations)
    assert len(rows) == 1 and len(rows[0]["messages"]) == 2 and problems == []  # type: ignore[arg-type]
    path = table(tmp_path, f"{head}a,Hi,Hello,Ann,YES\na,Hi,Goodbye,Ben,NO\n")
    rows, problems = read(mapped_parts(path, mapping).conversations)
    assert rows == [] and "hold different words" in problems[0]


def test_messages_that_run_backwards_are_sorted_only_by_numbers_of_their_own(tmp_path: Path) -> None:
    head = "case,nr,speaker,text\n"
    path = table(tmp_path, f"{head}a,2,assistant,Hello\na,1,user,Hi\n")
    mapping, _ = proposed(path)
    rows, problems = read(mapped_parts(path, mapping).conversations)
    assert [message["content"] for message in rows[0]["messages"]] == ["Hi", "Hello"]  # type: ignore[attr-defined]
    assert "sorted by nr, which ran backwards" in problems[0]
    path = table(tmp_path, f"{head}a,2,user,Hi\na,1,user,Ho\na,1,assistant,Hello\n")
    rows, problems = read(mapped_parts(path, mapping).conversations)
    assert "runs backwards and repeats itself; sort the rows by nr" in problems[0]


def test_a_missing_column_is_an_error_and_other_capitals_are_not(tmp_path: Path) -> None:
    path = table(tmp_path, "Case, WHO ,item,Answer\na,Ann,CQ1,YES\n")
    assert len(read(mapped_parts(path, parse_mapping(LONG, "m")).ratings)[0]) == 1
    path = table(tmp_path, "case,item,answer\na,CQ1,YES\n")
    rows, problems = read(mapped_parts(path, parse_mapping(LONG, "m")).ratings)
    assert rows == [] and "there is no column 'who'; the columns are 'case', 'item', 'answer'" in problems[0]


def test_a_reason_stays_with_its_criterion_and_its_giver(tmp_path: Path) -> None:
    text = (
        "columns:\n  case: conversation\n  A: {role: label, criterion: CQ1, giver: person, name: Ann}\n"
        "  B: {role: label, criterion: CQ1, giver: judge, name: grader}\n"
        "  A why: {role: note, criterion: CQ1, giver: person, name: Ann}\n"
        "  B why: {role: reason, criterion: CQ1, giver: judge, name: grader}\n"
    )
    path = table(tmp_path, "case,A,B,A why,B why\na,YES,NO,mine,its\n")
    parts = mapped_parts(path, parse_mapping(text, "m"))
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
    (row,) = read(mapped_parts(path, mapping).conversations)[0]
    assert [message["content"] for message in row["messages"]] == ["Grüße; so, oder", 'Er sagte "ja"']  # type: ignore[attr-defined]
