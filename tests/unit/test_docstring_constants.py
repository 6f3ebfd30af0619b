"""A number behind a constant's name in a docstring, such as MIN_PAIRS (30), is the value of the constant."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("configs", "words", "scoring", "data", "services", "runs", "reports", "pages", "cli")
STATED = re.compile(r"\b([A-Z][A-Z0-9_]{2,}) \((-?[\d,.]+\d|-?\d)\)")


def stated_numbers(path: Path) -> set[tuple[str, str]]:
    """Return (name, number as written) of all constants that the docstrings of a file state."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = [ast.get_docstring(node) or "" for node in nodes if isinstance(node, kinds)]
    return {match for text in texts for match in STATED.findall(" ".join(text.split()))}


FILES = {
    path: stated
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
    if (stated := stated_numbers(path))
}


def test_docstrings_state_numbers() -> None:
    assert len(FILES) > 30


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_stated_number_is_the_value_of_its_constant(path: Path) -> None:
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    found = {name: float(getattr(module, name)) for name, _ in FILES[path] if hasattr(module, name)}
    assert found == {name: float(number.replace(",", "")) for name, number in FILES[path]}
