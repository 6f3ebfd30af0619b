"""Names that a stranger can read: one class a name, and locals that name their thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("configs", "words", "scoring", "data", "services", "runs", "reports", "pages", "cli")
NAMED = (*ROOMS, "bench", "tests")
# Participles and pronouns that say nothing of what they hold.
BANNED = {
    "one",
    "found",
    "made",
    "said",
    "known",
    "told",
    "kept",
    "beside",
    "among",
    "done",
    "there",
    "whose",
    "alike",
    "hinge",
    "way",
}
# Constants that don't say what they limit.
BANNED_CONSTANTS = {
    "AT_ONCE",
    "LISTED",
    "FEWEST",
    "TOLERANCE",
    "MOST",
    "SHOWN",
    "TOO_FEW",
    "ENOUGH",
    "FEW",
    "FAR",
}
SHORT = 10  # lines of a function, without its docstring, in which a local is seen whole


def files_of_rooms() -> Iterator[Path]:
    yield ROOT / "app.py"
    for room in (*ROOMS, "bench"):
        yield from (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def class_names(tree: ast.AST) -> list[str]:
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def banned_locals(tree: ast.AST) -> list[str]:
    """Banned names that a function of more than SHORT lines binds, as "function: name"."""
    names = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = node.body[0] if ast.get_docstring(node) is not None else None
        described = 0 if docstring is None else (docstring.end_lineno or 0) - docstring.lineno + 1
        if (node.end_lineno or node.lineno) - node.lineno - described < SHORT:
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                names.add((node.name, inner.id))
            elif isinstance(inner, ast.arg):
                names.add((node.name, inner.arg))
    return sorted(f"{function}: {name}" for function, name in names if name in BANNED)


def test_no_two_classes_have_one_name() -> None:
    places = defaultdict(list)
    for path in files_of_rooms():
        for name in class_names(ast.parse(path.read_text(encoding="utf-8"))):
            places[name].append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


@pytest.mark.parametrize("folder", NAMED)
def test_no_local_of_a_long_function_has_a_name_that_says_nothing(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts]
    assert files
    names = {
        str(path.relative_to(ROOT)): banned
        for path in files
        if (banned := banned_locals(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert names == {}


def banned_constants(tree: ast.Module) -> list[str]:
    """Banned names that a module binds."""
    bound = {
        node.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return sorted(bound & BANNED_CONSTANTS)


def test_constants_say_what_they_limit() -> None:
    constants = {
        str(path.relative_to(ROOT)): banned
        for path in files_of_rooms()
        if (banned := banned_constants(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert constants == {}


def test_a_banned_constant_is_seen_in_every_kind_of_assignment() -> None:
    assert banned_constants(ast.parse("FEW, MANY = 1, 2\nMOST: int = 3\nclass Kind:\n    FAR = 1")) == [
        "FEW",
        "MOST",
    ]


def test_a_banned_local_is_seen_in_a_long_function_only() -> None:
    body = "\n".join(f"    line_{number} = {number}" for number in range(SHORT))
    assert banned_locals(ast.parse(f"def long(said):\n    found = 1\n{body}")) == [
        "long: found",
        "long: said",
    ]
    assert banned_locals(ast.parse(f"def long():\n    pages = [1 for one in ()]\n{body}")) == ["long: one"]
    assert banned_locals(ast.parse("def short(said):\n    found = 1")) == []
