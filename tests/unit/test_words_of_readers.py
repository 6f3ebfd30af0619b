"""What a clinician or a study lead reads says conversation or reply, by words/unit_nouns.py, where the code and
the files say unit; and sends nobody who rates or reads a drift to a terminal.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("pages", "services", "reports", "runs", "data")
KEEPING = ROOT / "data" / "keeping"
# What `verify` finds is for administrators, who know the tables.
FOR_ADMINISTRATORS = set(KEEPING.glob("*.py")) - {KEEPING / "backup.py", KEEPING / "erase.py"}
FILES = sorted(
    path
    for room in ROOMS
    for path in (ROOT / room).rglob("*.py")
    if path not in FOR_ADMINISTRATORS and "migrations" not in path.parts  # SQL, which nobody reads there
)
WITHOUT_TERMINAL = ("pages/widgets/workbench", "pages/widgets/drift", "reports/drift")
IN_A_SENTENCE = re.compile(r"[a-z,] units?\b|\bunits? [a-z]|^units?$", re.IGNORECASE)
IN_A_SCRIPT = re.compile(r"""["`][^"`\n]*(?:[a-z] units?\b|\bunits? [a-z])[^"`\n]*["`]""", re.IGNORECASE)
COUNTED = {"count", "inflect"}
NOT_READ = {  # in the trail, or the name of a part that is kept
    "take a unit",
    "draw units",
    "imported units",
}


def sentences(node: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text) of every text in a module; what an f-string puts in is an x."""
    skipped = {id(line.value) for line in ast.walk(node) if isinstance(line, ast.Expr)}  # docstrings
    skipped |= {
        id(part) for whole in ast.walk(node) if isinstance(whole, ast.JoinedStr) for part in whole.values
    }
    for text in ast.walk(node):
        if isinstance(text, ast.JoinedStr):
            shown = (str(part.value) if isinstance(part, ast.Constant) else "x" for part in text.values)
            yield text.lineno, "".join(shown)
        elif isinstance(text, ast.Constant) and isinstance(text.value, str) and id(text) not in skipped:
            yield text.lineno, text.value


def counted(node: ast.AST) -> set[str]:
    """Words that are given a number by hand: "unit" and "units" of count(n, "unit", "units")."""
    return {
        str(word.value)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) in COUNTED
        for word in call.args
        if isinstance(word, ast.Constant)
    }


def complaints(path: str, node: ast.AST) -> list[str]:
    names = {"unit", "units"} - counted(node)  # a field, a column or a parameter, unless it is counted
    return [
        f"{path}:{line}: {text}"
        for line, text in sentences(node)
        if IN_A_SENTENCE.search(text) and text not in NOT_READ | names and "SELECT " not in text
    ]


@pytest.mark.parametrize(
    "said",
    [
        '"This unit is committed."',
        '"Units were drawn."',
        'f"{n} units left"',
        'f"of {n} units"',
        '"Too few units"',
        '("Criterion", "Units")',
        'count(n, "unit", "units")',
        'inflect(n, "unit has", "units have")',
    ],
)
def test_a_sentence_that_says_unit_is_seen(said: str) -> None:
    assert complaints("a.py", ast.parse(f"words = {said}"))


@pytest.mark.parametrize(
    "said",
    [
        '"SELECT unit FROM unit"',
        '"""Every unit of a study."""',
        'row["unit"]',
        '"unit-names"',
        'f"review?unit={n}"',
        '"unit_id"',
    ],
)
def test_a_field_and_a_docstring_are_no_sentences(said: str) -> None:
    assert not complaints("a.py", ast.parse(said))


def test_nobody_reads_of_units() -> None:
    assert len(FILES) > 300
    assert [
        line
        for path in FILES
        for line in complaints(str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8")))
    ] == []


def test_no_script_of_a_page_tells_of_units() -> None:
    scripts = sorted((ROOT / "pages").rglob("*.js"))
    assert len(scripts) > 20 and IN_A_SCRIPT.search('text: "A unit takes"')
    assert [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in scripts
        for match in IN_A_SCRIPT.finditer(path.read_text(encoding="utf-8"))
    ] == []


def test_who_rates_or_reads_a_drift_is_sent_to_no_terminal() -> None:
    files = [path for folder in WITHOUT_TERMINAL for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 30
    assert [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in files
        for line, text in sentences(ast.parse(path.read_text(encoding="utf-8")))
        if "second-reader " in text
    ] == []
