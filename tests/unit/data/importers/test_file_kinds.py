"""Files that were brought in at the wrong place, and files that are no text: one sentence says so."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from data.importers import conversations
from data.importers.reading import table_rows
from data.importers.report import ImportReport
from tests.unit.data.importers.conftest import Bring, lines, talk

Refuse = Callable[..., list[str]]
JUDGED = [
    {"conversation_id": f"c{n}", "criterion": "warm", "label": "YES", "reasoning": "kind"} for n in (1, 2)
]
RATED = [{"conversation_id": f"c{n}", "criterion": "warm", "label": "YES", "rater": "Dr A"} for n in (1, 2)]


def as_csv(rows: list[dict[str, str]]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)]) + "\n"


@pytest.mark.parametrize("name", ["file.csv", "file.jsonl"])
def test_a_judges_labels_are_no_ratings(bring_ratings: Bring, refused: Refuse, name: str) -> None:
    content = as_csv(JUDGED) if name.endswith("csv") else lines(*JUDGED)
    report = refused(bring_ratings, content, name)
    assert (
        len(report) == 1 and "these look like a judge's labels. Import them as a judge's labels" in report[0]
    )


@pytest.mark.parametrize("kind", ["bring_ratings", "bring_judgements"])
def test_conversations_are_no_labels(request: pytest.FixtureRequest, refused: Refuse, kind: str) -> None:
    assert refused(request.getfixturevalue(kind), lines(talk("a"), talk("b"))) == [
        "file.jsonl, line 1: this looks like conversations: it has turns and no criterion. Import it as such: on the Import page under “Conversations”, in a terminal with second-reader import conversations"
    ]


@pytest.mark.parametrize(
    ("rows", "belongs"),
    [
        (JUDGED, "“A judge's labels”, in a terminal with second-reader import judgements"),
        (RATED, "“People's labels”, in a terminal with second-reader import ratings"),
    ],
)
@pytest.mark.parametrize("name", ["file.csv", "file.jsonl", "a table.jsonl"])
def test_labels_are_no_conversations(
    bring_conversations: Bring, refused: Refuse, rows: list[dict[str, str]], belongs: str, name: str
) -> None:
    report = refused(bring_conversations, lines(*rows) if name == "file.jsonl" else as_csv(rows), name)
    assert len(report) == 1 and report[0].startswith(f"{name}, line 1: this looks like ")
    assert belongs in report[0]


def test_labels_of_which_nobody_knows_who_gave_them_are_not_called_a_judges(
    bring_conversations: Bring, refused: Refuse
) -> None:
    content = "conversation_id,criterion,label\nc1,warm,YES\n"
    assert refused(bring_conversations, content, "file.csv") == [
        "file.csv, line 1: this looks like labels: it has criterion and a label, and no messages. Import it as a judge's labels or as people's labels"
    ]


@pytest.mark.parametrize("name", ["file.csv", "file.jsonl"])
def test_another_table_is_no_conversation(bring_conversations: Bring, refused: Refuse, name: str) -> None:
    report = refused(bring_conversations, "id,user,assistant\na,hello,hi\n", name)
    assert len(report) == 1 and "this looks like a table (CSV). Conversations must be JSONL" in report[0]


def test_conversations_with_a_name_of_a_table_are_still_read(tmp_path: Path) -> None:
    path, report = tmp_path / "talks.txt", ImportReport("talks.txt")
    path.write_text(lines(talk("a")))
    assert [row.key for row in conversations.read(path, report)] == ["a"] and not report.errors


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
        (b"PK\x03\x04", "a zip or Excel file"),
        (b"%PDF-1.7", "a PDF file"),
    ],
)
@pytest.mark.parametrize("name", ["file.jsonl", "file.csv"])
def test_a_file_that_is_no_text_is_one_problem(tmp_path: Path, start: bytes, kind: str, name: str) -> None:
    path, report = tmp_path / name, ImportReport(name)
    path.write_bytes(start + b"\n\xff\xfe\xfd\n" * 200)
    assert list(table_rows(path, report)) == [] and report.errors == 1
    assert report.lines()[0].startswith(f"{name}, line 1: this is {kind}, not text")


def test_a_picture_among_conversations_is_one_problem(bring_conversations: Bring, refused: Refuse) -> None:
    assert refused(bring_conversations, b"\x89PNG\r\n\x1a\n" + b"\n\xff\xfe\n" * 200) == [
        "file.jsonl, line 1: this is a picture, not text"
    ]


@pytest.mark.parametrize("byte_order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["file.jsonl", "file.csv"])
def test_utf_16_is_named_in_a_table_as_in_jsonl(tmp_path: Path, byte_order: str, name: str) -> None:
    path, report = tmp_path / name, ImportReport(name)
    mark = codecs.BOM_UTF16_LE if byte_order.endswith("le") else codecs.BOM_UTF16_BE
    path.write_bytes(mark + as_csv(RATED).encode(byte_order))
    assert list(table_rows(path, report)) == []
    assert report.lines() == [f"{name}, line 1: the file is UTF-16; save it as UTF-8 and import it again"]


@pytest.mark.parametrize("content", ['{"id": "a', '[{"id": "a", "turns": [["b'])
def test_what_json_lacks_is_told_without_a_doubled_word(tmp_path: Path, content: str) -> None:
    path, report = tmp_path / "file.jsonl", ImportReport("file.jsonl")
    path.write_text(content)
    list(conversations.read(path, report))
    assert "Unterminated string starting" in report.lines()[0]
    assert "at at" not in report.lines()[0] and not report.lines()[0].endswith(" at")


def test_a_good_file_of_each_kind_still_comes_in(
    bring_ratings: Bring, bring_judgements: Bring, bring_conversations: Bring
) -> None:
    assert bring_ratings(as_csv(RATED), "r.csv").added["ratings"] == 2
    assert bring_judgements(as_csv(JUDGED), "j.csv").added["judgements"] == 2
    assert bring_conversations(json.dumps([talk("a"), talk("b")])).added["conversations"] == 2
