"""A YAML file has limits: each ends as a sentence that names the line, and none takes memory or a
traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from configs.files.limited_yaml import CHARACTERS, DEPTH, read_yaml, write_yaml
from configs.files.yaml_files import ConfigFileError, parse_model, read_model

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)


class Anything(BaseModel):
    model_config = {"extra": "allow"}


BEGINS_WITH_MARK = "a text that begins with ! means something else in YAML; put it in quotes"
REFUSED = {
    "repeats itself": ("key: x\nlist: &a [1, *a]\n", "line 2: .*never ends; write it out"),
    "stands for gigabytes": (
        BOMB,
        r"line \d+: .*more than 50,000 values, counting what \* repeats each time",
    ),
    "nested in brackets": ("a: " + "[" * 950 + "]" * 950, "line 1: .*more than 60 levels deep"),
    "nested in fields": (
        "\n".join(" " * level + "a:" for level in range(950)),
        "line 60: .*more than 60 levels deep",
    ),
    "a long number": (
        "a: 1\nb: " + "9" * 31,
        "line 2: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
    "a number too long for Python": (
        "a: " + "9" * 5000,
        "line 1: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
    "a long fraction": (
        "a: 0." + "5" * 400,
        "line 1: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
    "one text behind many aliases": (
        f"a: &a {'x' * 100_000}\nb: [{'*a,' * 40_000}]\n",
        r"line 2: .*more than 1,000,000 characters, counting what \* repeats each time",
    ),
    "nested in aliases": (
        "a0: &a0 [[x]]\n" + "".join(f"a{level}: &a{level} [[*a{level - 1}]]\n" for level in range(1, DEPTH)),
        "line 30: .*more than 60 levels deep",
    ),
    "a hundred thousand brackets": ("a: " + "[" * 100_000, "line 1: .*more than 60 levels deep"),
    "a hundred thousand names": (
        "".join(f"k{number}: 0\n" for number in range(100_000)),
        "line 25000: .*more than 50,000 values",
    ),
    "a program": ("a: 1\nb: !!python/object/apply:os.system [x]\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "a set": ("a: 1\nb: !!set {x, y}\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "an ordered list": ("a: 1\nb: !!omap [x: 1]\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "a list of pairs": ("a: 1\nb: !!pairs [x: 1]\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "a moment": ("a: 1\nb: !!timestamp 2001-01-01\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "bytes": ("a: 1\nb: !!binary aGVsbG8=\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "a number that is none": ("a: 1\nb: !!int x\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "no digit at all": ("a: 1\nb: !!int ''\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "neither yes nor no": ("a: 1\nb: !!bool x\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "fields that are called a text": ("a: 1\nb: !!str {x: y}\n", f"line 2: .*{BEGINS_WITH_MARK}"),
    "a list for a name": ("a: 1\n? [b, c]\n: d\n", "line 2: .*the name of a field must be a text"),
    "fields for a name": ("a: 1\n? {b: c}\n: d\n", "line 2: .*the name of a field must be a text"),
    "a number beyond all": ("a: 1\nb: 1.0e+999\n", "line 2: .*the number is too large"),
    "a character beyond all": ('a: 1\nb: "\\UFFFFFFFF"\n', "line 2: .*a character that is not text"),
    "a character beyond most": ('a: 1\nb: "\\U00110000"\n', "line 2: .*a character that is not text"),
    "a version of many digits": (f"%YAML 1.{'9' * 5000}\n---\na: 1\n", "line 1: .*can't be read"),
    "a zero byte": ("a: 1\nb: \0\n", "line 2: .*a character that is not text"),
    "half a character": ("a: 1\nb: \ud800\n", "line 2: .*a character that is not text"),
    "a tab": ("a: 1\nb:\t\tc: 1\n", "line 2: .*can't be read"),
    "one name twice": ("a: 1\nb: {c: 1, c: 2}\n", "line 2, field c: this field occurs twice"),
    "one number twice": ("a: 1\nb: {1: x, 1.0: y}\n", "line 2, field 1.0: this field occurs twice"),
    "one answer twice": ("a: 1\nb: {yes: x, true: y}\n", "line 2, field true: this field occurs twice"),
    "repeats no fields": ("a: 1\nb: {<<: [3]}\n", "line 2: .*<< must be followed by fields"),
    "large": ("a: |\n" + " x\n" * 400_000, "the file is larger than 1 MB"),
}


@pytest.mark.parametrize(("text", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_over_a_limit_is_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ConfigFileError, match=says):
        parse_model(text, Anything, "x.yaml")


def test_what_the_shipped_files_use_is_within_the_limits() -> None:
    text = (
        "a: &price {in: 0.75, out: 3.75}\nb: *price\nc: [1, 2, [3]]\nd: 123456789012345678\ne: " + "x" * 5000
    )
    read = parse_model(text, Anything, "x.yaml").model_dump()
    assert (read["b"], read["c"], read["d"]) == ({"in": 0.75, "out": 3.75}, [1, 2, [3]], 123456789012345678)


@pytest.mark.parametrize("number", [0.1 / 3600, -2.2250738585072014e-308, 1 / 3])
def test_every_fraction_that_python_writes_is_read(number: float) -> None:
    assert parse_model(f"a: {number!r}", Anything, "x.yaml").model_dump()["a"] == number


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000_000)  # takes no place on the disk
    with pytest.raises(ConfigFileError, match=r"x\.yaml: larger than 1 MB"):
        read_model(path, Anything)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.yaml")
    with pytest.raises(ConfigFileError, match=r"x\.yaml: .*not a plain file"):
        read_model(tmp_path / "x.yaml", Anything)


def test_a_character_in_two_halves_is_one_and_a_half_alone_is_marked() -> None:
    """As JSON writes it. A half cannot be written into any file, and would end every report as a traceback."""
    value = read_yaml(r'{"title": "fine \ud83d\ude42", "key\ud83d": "half \ude42 of it"}').value
    assert value == {"title": "fine \U0001f642", "key\ufffd": "half \ufffd of it"}
    assert json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12),
        ("-1_000", -1000),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.0e-05", 1e-05),
        ("yes", True),
        ("Off", False),
        ("~", None),
        ("", None),
        ("!!str 12", "12"),
        ("!!int 12", 12),
        ("2026-11-01", "2026-11-01"),
        ("2026-13-45", "2026-13-45"),
        ("12:30", "12:30"),
        ("12:30.5", "12:30.5"),
        ("010", "010"),
        ("0x1F", "0x1F"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("=", "="),
    ],
)
def test_a_value_is_one_that_json_has_and_no_date_or_time(written: str, value: object) -> None:
    read = read_yaml(f"a: {written}\n").value["a"]
    assert (read, type(read)) == (value, type(value))


def test_fields_are_repeated_and_their_own_ones_go_before() -> None:
    text = "a: &a {x: 1, y: [2]}\nb: &b {<<: *a, x: 3}\nc: {<<: [*b, {x: 4, z: 5}], w: 6}\nd: [*a, *a]\n"
    read = read_yaml(text).value
    assert read["b"] == {"x": 3, "y": [2]} and read["c"] == {"x": 3, "y": [2], "z": 5, "w": 6}
    assert read["d"][0] == read["d"][1] and read["d"][0]["y"] is not read["d"][1]["y"]


def test_a_text_of_the_largest_size_is_read() -> None:
    assert len(read_yaml(f"'{'x' * (CHARACTERS - 2)}'").value) == CHARACTERS - 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_file_of_any_line_ends_with_a_byte_order_mark_is_read(tmp_path: Path, end: str) -> None:
    (tmp_path / "x.yaml").write_bytes(f"\ufeffa: 1{end}b:{end}  - c{end}".encode())
    assert read_model(tmp_path / "x.yaml", Anything)[0].model_dump() == {"a": 1, "b": ["c"]}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_a_file_in_another_encoding_is_a_sentence(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "x.yaml").write_bytes("a: Zoë\n".encode(encoding))
    with pytest.raises(ConfigFileError, match=r"x\.yaml(: not UTF-8 text|, line 1: .*no text; delete it)"):
        read_model(tmp_path / "x.yaml", Anything)


class Strict(BaseModel):
    model_config = {"extra": "forbid"}


def test_every_wrong_field_has_its_line_where_there_are_thousands() -> None:
    text = "".join(f"k{number}: 0\n" for number in range(20_000))
    with pytest.raises(ConfigFileError) as refused:
        parse_model(text, Strict, "x.yaml")
    assert len(refused.value.problems) == 20_000
    assert refused.value.problems[-1].startswith("x.yaml, line 20000, field k19999: ")


def test_what_is_written_is_read_again() -> None:
    document = {
        "b": None,
        "a": ["2026-11-01", "010", "yes", "12:30", "", "~", "<<", "=", "Zoë", " x ", "a: b", "1e5", ".nan"],
        "c": {"x": 1.5, "y": [True, -3], "z": "two\nlines\u2028 \U0001f642"},
    }
    read = read_yaml(write_yaml(document)).value
    assert read == document and list(read) == list(document)


MANY = f"a: &a {'x' * 900}\nb:\n" + "".join(" - [" + "*a," * 40 + "]\n" for _ in range(1000))


@pytest.mark.parametrize(("text", "says"), [(BOMB, "many values"), (MANY, "many characters")])
def test_a_bomb_takes_no_memory(text: str, says: str) -> None:
    program = (
        "import resource, sys\nfrom configs.files.limited_yaml import YamlProblem, read_yaml\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n    read_yaml(sys.stdin.read())\nexcept YamlProblem as error:\n"
        f"    assert {says!r} in error.problem, error\n"
        "else:\n    raise SystemExit('it was read')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        input=text,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    assert int(process.stdout) < 20_000  # kilobytes
