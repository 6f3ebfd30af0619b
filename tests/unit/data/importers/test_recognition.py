"""What a file is, told by what stands in it: whichever name it has, and whoever wrote it."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import openpyxl
import pandas
import pytest

from data.importers.mapping.table_sample import read_table_sample
from data.importers.recognition import UNKNOWN, Recognition, recognise

TALK = {
    "id": "c1",
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
}
UTTERANCES = "Conversation ID,Speaker,Text\nc1,client,Hi\nc1,therapist,Hello\n"
RATED = "conversation_id,rater,criterion,label\nc1,Dr A,CQ1,Yes\n"
JUDGED = "conversation_id,criterion,label,reasoning\nc1,CQ1,Yes,kind\n"


def of(tmp_path: Path, content: str | bytes, name: str = "file") -> Recognition:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return recognise(path)


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "{}")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "importer"),
    [
        (json.dumps(TALK), "conversations"),
        (json.dumps([TALK, TALK]), "conversations"),
        ('[["Hi", "Hello"]]\n[["Hi", "Hello"]]\n', "conversations"),
        (UTTERANCES, "file"),
        (UTTERANCES.replace(",", ";"), "file"),
        (RATED, "ratings"),
        (RATED.replace("rater", "Clinician"), "file"),
        (json.dumps({"conversation_id": "c1", "rater": "Dr A", "answers": {"CQ1": "YES"}}), "ratings"),
        (JUDGED, "judgements"),
        (json.dumps({"conversation_id": "c1", "answers": {"CQ1": "YES"}}), "judgements"),
        (json.dumps({"trial": 1, "parsed": {}}), "judgements"),
        ("item,human_Empathy,gpt-4o_Empathy\n1,3,4\n", "file"),
        ("conversation_id,step\nc1,ask\n", "gold-steps"),
        (json.dumps({"plans": {"c1": {"plan": "listen"}}}), "target-plans"),
        ("conversation_id,entity\nc1,sertraline\n", "critical-entities"),
        ("run_id,model,jaccard_all\nr1,fox,0.5\n", "run-table"),
        ("id,transcript\nc1,User: Hi\n", "file"),
        ("case,clinician,CQ1,CQ3\nc1,Dr A,Yes,No\n", "file"),
        ("colour,size\nred,4\n", "file"),
        (json.dumps([{"id": 1, "data": {}, "annotations": []}]), "tool"),
        (json.dumps({"run_id": "r", "key": "k", "score": 1, "feedback_source": {}}), "tool"),
        (json.dumps({"data": [{"traceId": "t", "dataType": "CATEGORICAL", "value": 1}]}), "tool"),
        ("record_id,redcap_repeat_instance,cq1\n1,1,1\n", "tool"),
    ],
)
def test_a_file_is_recognised_by_what_stands_in_it(tmp_path: Path, content: str, importer: str) -> None:
    for name in ("file", "file.json", "file.csv"):
        if name == "file.csv" and content[0] in "[{":
            continue
        recognition = of(tmp_path, content, name)
        assert recognition.importer is not None and recognition.importer.name == importer, name
        assert recognition.title.startswith("Recognised: ") and not recognition.problem


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (zipped("word/document.xml"), "a Word document"),
        (zipped("talks.jsonl"), "a zip file"),
        (b"%PDF-1.7", "a PDF file"),
        (json.dumps({"resourceSpans": []}), "traces of OpenTelemetry in its protocol's form"),
        (json.dumps({"prompt": [], "rubrics": []}), "conversations of HealthBench"),
    ],
)
def test_what_cannot_be_read_yet_says_what_it_seems_to_be_and_what_to_do(
    tmp_path: Path, content: str | bytes, name: str
) -> None:
    recognition = of(tmp_path, content)
    assert recognition.importer is None and name in recognition.problem
    assert "JSON: Expecting" not in recognition.problem
    assert any(word in recognition.problem for word in ("Write ", "Save ", "save ", "Unpack ", "not text"))


@pytest.mark.parametrize("content", ["", "hello\nworld\n", "<xml/>", b"\x00\x01\x02\x03", "17"])
def test_what_nobody_knows_is_told_without_a_word_of_a_reader(tmp_path: Path, content: str | bytes) -> None:
    recognition = of(tmp_path, content)
    assert recognition.importer is None
    assert recognition.problem == UNKNOWN or "empty" in recognition.problem
    assert "Expecting" not in recognition.problem


@pytest.mark.parametrize("content", ["", "\n \n", "\ufeff\n", "\n" * 10_000])
@pytest.mark.parametrize("name", ["file.jsonl", "file.csv"])
def test_a_file_of_blank_lines_is_empty(tmp_path: Path, content: str, name: str) -> None:
    assert of(tmp_path, content, name).problem == "The file is empty."


def test_json_that_is_cut_names_its_line(tmp_path: Path) -> None:
    assert "file, line 1: not valid JSON" in of(tmp_path, '{"id": "c1", "messages": [').problem


@pytest.mark.parametrize(("content", "importer"), [(UTTERANCES, "file"), (RATED, "ratings")])
def test_a_workbook_is_read_as_its_csv_would_be(tmp_path: Path, content: str, importer: str) -> None:
    frame = pandas.read_csv(io.StringIO(content))
    frame.to_excel(tmp_path / "talks.xlsx", index=False)
    recognition = recognise(tmp_path / "talks.xlsx")
    assert recognition.importer is not None and recognition.importer.name == importer
    assert recognition.sample.rows == of(tmp_path, content, "talks.csv").sample.rows


def test_parquet_is_read_as_its_jsonl_would_be(tmp_path: Path) -> None:
    pandas.DataFrame([TALK]).to_parquet(tmp_path / "talks.parquet")
    recognition = recognise(tmp_path / "talks.parquet")
    assert recognition.importer is not None and recognition.importer.name == "conversations"
    assert dict(recognition.sample.rows[0]) == TALK


def test_a_long_file_is_read_at_its_beginning_only(tmp_path: Path) -> None:
    recognition = of(tmp_path, RATED + "c1,Dr A,CQ1,Yes\n" * 5_000)
    assert len(recognition.sample.rows) == 200 and recognition.title == (
        "Recognised: people's labels, 200 rows or more."
    )


def test_a_sheet_with_hidden_rows_is_a_table_that_says_so(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (("Talk", "Who", "Words"), (1, "user", "Hi"), (1, "assistant", "Hello"), (2, "user", "No")):
        book.active.append(row)
    book.active.row_dimensions[4].hidden = True
    book.save(tmp_path / "talks.xlsx")
    recognition = recognise(tmp_path / "talks.xlsx")
    assert recognition.importer is not None and recognition.importer.name == "file"
    assert "line 4: this row is hidden" in read_table_sample(tmp_path / "talks.xlsx").problem
