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

from configs.files import limited_yaml
from configs.files.yaml_files import ConfigFileError, parse_model, read_model

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)


class Anything(BaseModel):
    model_config = {"extra": "allow"}


REFUSED = {
    "repeats itself": ("key: x\nlist: &a [1, *a]\n", "line 2: .*has no end; write it out"),
    "stands for gigabytes": (BOMB, r"line \d+: .*more than 50,000 values, what \* repeats counted each time"),
    "nested in brackets": ("a: " + "[" * 950 + "]" * 950, "line 1: .*more than 60 deep"),
    "nested in fields": (
        "\n".join(" " * level + "a:" for level in range(950)),
        "line 60: .*more than 60 deep",
    ),
    "a long number": (
        "a: 1\nb: " + "9" * 31,
        "line 2: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
    "a number too long for Python": (
        "a: " + "9" * 5000,
        "line 1: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
    "a fraction of many parts": (
        "a: " + ":".join(["59"] * 400) + ".5",
        "line 1: .*a number has at most 18 digits, with a point at most 30 characters",
    ),
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
    with pytest.raises(ConfigFileError, match=r"x\.yaml: .*no plain file"):
        read_model(tmp_path / "x.yaml", Anything)


def test_a_character_in_two_halves_is_one_and_a_half_alone_is_marked() -> None:
    """As JSON writes it. A half cannot be written into any file, and would end every report as a traceback."""
    _, value = limited_yaml.read(r'{"title": "fine \ud83d\ude42", "key\ud83d": "half \ude42 of it"}')
    assert value == {"title": "fine \U0001f642", "key\ufffd": "half \ufffd of it"}
    assert json.dumps(value, ensure_ascii=False).encode()


def test_a_bomb_takes_no_memory() -> None:
    program = (
        "import resource, sys\nfrom configs.files import limited_yaml\nbefore = "
        "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n    limited_yaml.read(sys.stdin.read())\nexcept Exception as error:\n    assert 'many "
        "values' in str(error), error\n"
        "else:\n    raise SystemExit('it was read')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        input=BOMB,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    assert int(process.stdout) < 20_000  # kilobytes
