"""Labels as tables: CSV in its usual dialects, JSONL, one array; all of them mean the same."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.importers.reading import table_rows
from data.importers.report import ImportReport

ROWS = [
    {"conversation_id": "c1", "criterion": "warm", "label": "YES"},
    {"conversation_id": "c2", "criterion": "safe", "label": "NO"},
]
cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), max_size=20)


def table(delimiter: str, end: str = "\n") -> str:
    return (
        end.join(
            delimiter.join(row)
            for row in (["conversation_id", "criterion", "label"], *(r.values() for r in ROWS))
        )
        + end
    )


FILES = {
    "comma": ("x.csv", table(",").encode()),
    "semicolon": ("x.csv", table(";").encode()),
    "tab": ("x.tsv", table("\t").encode()),
    "tab as text": ("x.txt", table("\t").encode()),
    "line ends of old Excel for Macintosh": ("x.csv", table(",", "\r").encode()),
    "mixed line ends": ("x.csv", b"conversation_id,criterion,label\rc1,warm,YES\r\nc2,safe,NO\n"),
    "blank lines between": ("x.csv", table(",", "\n\n").encode()),
    "Windows line ends": ("x.csv", table(",", "\r\n").encode()),
    "one object a line": ("x.jsonl", "\n".join(json.dumps(row) for row in ROWS).encode()),
    "one array": ("x.json", json.dumps(ROWS).encode()),
}


def read(tmp_path: Path, name: str, content: bytes) -> tuple[list[tuple[int, dict[str, object]]], list[str]]:
    path, report = tmp_path / name, ImportReport(name)
    path.write_bytes(content)
    return list(table_rows(path, report)), report.lines()


@pytest.mark.parametrize(("name", "content"), FILES.values(), ids=FILES)
def test_every_dialect_gives_the_same_rows(tmp_path: Path, name: str, content: bytes) -> None:
    found, said = read(tmp_path, name, content)
    assert ([row for _, row in found], said) == (ROWS, [])


def test_rows_have_the_numbers_of_their_lines_also_after_a_note_of_several_lines(tmp_path: Path) -> None:
    content = b'conversation_id,note\nc1,"first\nsecond\nthird"\nc2,x\n'
    assert [number for number, _ in read(tmp_path, "x.csv", content)[0]] == [2, 5]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_numbers_are_those_of_the_file_whatever_ends_a_line(tmp_path: Path, end: str) -> None:
    content = end.join(
        ["conversation_id,note", "c1,x", "", 'c2,"first', "", 'third"', "c3,x,too many", "c4,x", ""]
    )
    found, said = read(tmp_path, "x.csv", content.encode())
    assert [(number, row["note"]) for number, row in found] == [(2, "x"), (4, "first\n\nthird"), (8, "x")]
    assert said == ["x.csv, line 7: this row has more cells than the header has names"]
    wrong = read(tmp_path, "x.csv", content.encode() + b"c5,\xfc" + end.encode())[1]
    assert wrong[-1].startswith("x.csv, line 9: a letter such as é or ü is not stored as UTF-8")


def test_a_cell_may_be_longer_than_131072_characters_also_in_the_header(tmp_path: Path) -> None:
    long = "x" * 300_000
    found, said = read(tmp_path, "x.csv", f"conversation_id,{long}\nc1,{long}\n".encode())
    assert (found, said) == ([(2, {"conversation_id": "c1", long: long})], [])


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("x.jsonl", '{"id": 1, "a": {"b": 1}}\n{"id": 2, "a": {"label": 1, "label": 2}}\n', 2),
        ("x.jsonl", '{"label": 1, "label": 2}\n{"id": 2}\n', 1),
        ("x.json", '[{"id": 1, "label": "a, {"},\n {"label": 1,\n "label": 2}]', 2),
        (
            "x.json",
            '{"id": 1,\n "a": [{"label": "\\"label\\": }"}, {"label": 1}],\n "label": 3,\n "l\\u0061bel": 4}',
            4,
        ),
    ],
)
def test_a_key_that_stands_twice_is_named_with_its_line(
    tmp_path: Path, name: str, content: str, line: int
) -> None:
    said = read(tmp_path, name, content.encode())[1]
    assert len(said) == 1
    assert said[0].startswith(f"{name}, line {line}: ")
    assert said[0].endswith(
        "the field 'label' occurs twice in the same object; only the second would be read"
    )


def test_the_byte_order_mark_of_a_spreadsheet_is_left_out_and_named(tmp_path: Path) -> None:
    found, said = read(tmp_path, "x.csv", b"\xef\xbb\xbf" + table(";").encode())
    assert [row for _, row in found] == ROWS
    assert said == ["x.csv, line 1: the file begins with a byte-order mark; it was left out"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.csv", b"", "x.csv, line 1: the file is empty or has no header"),
        ("x.jsonl", b"", "x.jsonl, line 1: the file is empty"),
        (
            "x.csv",
            "conversation_id,note\nc1,ok\nc2,grün\n".encode("latin-1"),
            "x.csv, line 3: a letter such as é or ü is not stored as UTF-8",
        ),
        ("x.csv", table(",").encode("utf-16"), "x.csv, line 1: the file is UTF-16; save it as UTF-8"),
        (
            "x.csv",
            b"conversation_id,label\nc1,YES,NO\n",
            "x.csv, line 2: this row has more cells than the header has names",
        ),
        (
            "x.csv",
            b"conversation_id,label,label\nc1,YES,NO\n",
            "x.csv, line 1: two columns have the name 'label'; only the last would be read",
        ),
        ("x.jsonl", b"[1, 2]\n", "x.jsonl, line 1: expected an object with fields, found a list"),
        ("x.json", b'[{"a": 1}, "b"]', "x.json, line 2: expected an object with fields, found a text"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_by_its_line(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    assert any(line.startswith(says) for line in read(tmp_path, name, content)[1])


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=6), delimiter=st.sampled_from(",;\t"))
def test_whatever_a_spreadsheet_quotes_comes_back_as_it_was(
    tmp_path: Path, rows: list[tuple[str, str]], delimiter: str
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([("first", "second"), *rows])
    found, said = read(tmp_path, "x.csv", out.getvalue().encode())
    assert [tuple(row.values()) for _, row in found] == rows
    assert said == []
