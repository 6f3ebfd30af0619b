"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("configs", "words", "scoring", "data", "services", "runs", "reports", "pages", "cli", "bench")
ENTRIES = ("app.py",)
TEXT = {".py", ".js", ".css", ".html", ".sql", ".yaml", ".yml", ".toml", ".md", ".txt", ".json", ""}
SOURCES = sorted(
    [*(path for room in ROOMS for path in (ROOT / room).rglob("*.py")), *(ROOT / name for name in ENTRIES)]
)
FILE_NAME = re.compile(r"(?<![\w./*{-])[a-z0-9_/]+\.(?:py|js)\b(?!\.)")
PAGES = sorted(path for path in (ROOT / "pages").glob("*.py") if path.name != "__init__.py")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def ours() -> list[Path]:
    """Every text file that belongs to the product: no tests, no sample data, no licences, nothing made by
    tools, no words of pictures.
    """
    tops = [path for path in ROOT.iterdir() if path.name in {*ROOMS, "docs", ".ci"}]
    paths = [path for path in ROOT.iterdir() if path.is_file() and not path.name.startswith(".")]
    paths += [
        path for top in tops for path in top.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    return [
        path
        for path in paths
        if path.suffix in TEXT
        and "LICENSE" not in path.name
        and ROOT / "data" / "samples" not in path.parents
        and ROOT / "docs" / "images" not in path.parents
    ]


def called_on_streamlit(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "st"
        for part in ast.walk(node)
    )


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room(path: Path) -> str:
    """The folder at the top; the file itself where it lies there."""
    return path.relative_to(ROOT).parts[0]


@cache
def imported(path: Path) -> frozenset[str]:
    """The first names of the modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return frozenset(names)


def test_there_are_pages_and_sources_to_look_at() -> None:
    assert len(PAGES) >= 4
    assert len(SOURCES) >= 50
    assert {named(path) for path in ours()} >= {
        "app.py",
        "README.md",
        "data/schema/base.py",
        "configs/instruments/coaching_rubric.yaml",
    }


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_does_nothing_when_it_is_imported(path: Path) -> None:
    body = tree(path).body
    assert ast.get_docstring(tree(path))
    for node in body[1:]:
        assert isinstance(
            node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign | ast.FunctionDef | ast.ClassDef
        ), ast.unparse(node)
        assert not (isinstance(node, ast.Assign | ast.AnnAssign) and called_on_streamlit(node)), ast.unparse(
            node
        )


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_a_page_has_one_function_to_show_it(path: Path) -> None:
    functions = [node.name for node in tree(path).body if isinstance(node, ast.FunctionDef)]
    assert [name for name in functions if not name.startswith("_")] == ["render"]


def test_no_text_is_let_through_as_html() -> None:
    assert [named(path) for path in SOURCES if "unsafe_allow_html" in path.read_text(encoding="utf-8")] == []


def test_a_download_does_not_draw_the_page_anew() -> None:
    buttons = [
        node
        for path in SOURCES
        if room(path) == "pages"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "download_button"
    ]
    assert buttons
    for button in buttons:
        settings = {keyword.arg: ast.unparse(keyword.value) for keyword in button.keywords}
        assert settings.get("on_click") == "'ignore'", ast.unparse(button)


def test_nothing_imports_the_entry_points() -> None:
    assert {
        named(path): entries
        for path in SOURCES
        if (entries := imported(path) & ({"app"} if room(path) == "cli" else {"app", "cli"}))
    } == {}


def test_nothing_that_ships_imports_the_tests() -> None:
    assert [named(path) for path in SOURCES if room(path) != "bench" and "tests" in imported(path)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tests" / "browser").glob("test_*.py")), ids=named)
def test_a_browser_test_acts_on_a_page_that_stands_still(path: Path) -> None:
    """Through tests/browser/actions.py; only on the workbench, which keeps its elements, a click may come at
    any time.
    """
    text = path.read_text(encoding="utf-8")
    assert (
        re.findall(
            r"get_by_\w+\(.*\)\.(?:click|dblclick|fill|press|focus)\(|wait_for_timeout|browser\.new_(?:page|context)",
            text,
        )
        == []
    )


def test_every_package_is_named_for_installation() -> None:
    named = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    )
    rooms = {name.split(".")[0] for name in named} - {"docs"}  # texts, which the Help page shows
    assert named - {"docs"} == {
        ".".join(path.parent.relative_to(ROOT).parts)
        for room in rooms
        for path in (ROOT / room).rglob("__init__.py")
    }


def test_no_file_is_too_long_to_read_in_one_go() -> None:
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in ours()}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_a_file_that_is_named_is_there() -> None:
    """In comments, docstrings and docs; but for those guides whose reader makes files of their own."""
    texts = [path for path in ours() if path.suffix in (".py", ".md") and not path.name.startswith("add_")]
    existing_names = {
        f"/{named(path)}"
        for path in (*ours(), *ROOT.glob("tests/**/*.*"), *ROOT.glob("data/samples/**/*.py"))
    }
    missing = [
        f"{named(path)}: {name}"
        for path in texts
        for name in FILE_NAME.findall(path.read_text(encoding="utf-8"))
        if not any(other.endswith(f"/{name}") for other in existing_names)
    ]
    assert missing == [] and len(texts) > 400


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [
        named(path)
        for path in ours()
        if path.name in ("utils.py", "helpers.py") or path.stem.endswith("_manager")
    ] == []


def test_the_composition_root_stays_small() -> None:
    assert len((ROOT / "app.py").read_text(encoding="utf-8").splitlines()) < 60


def loaded_by(imports: str) -> set[str]:
    """The modules that are loaded in a fresh Python after these imports."""
    program = f"import sys\nimport {imports}\nprint(*sorted(sys.modules))"
    return set(
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_importing_the_app_loads_no_model_library() -> None:
    modules = [
        named(p).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for p in SOURCES
        if p.parts[len(ROOT.parts)] != "bench"
    ]
    wanted = [
        name
        for name in modules
        if name not in ENTRIES and not name.startswith(("data.store.migrations", "app"))
    ]
    loaded_modules = loaded_by(", ".join(wanted))
    assert {"pages.review", "runs.serve", "cli", "streamlit"} <= loaded_modules
    assert loaded_modules.isdisjoint({"torch", "sentence_transformers", "transformers", "bert_score"})


def test_the_command_line_starts_without_streamlit() -> None:
    loaded_modules = loaded_by("cli")
    assert "cli" in loaded_modules
    assert "streamlit" not in loaded_modules


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.parts[-2] == "cli" and path.name != "terminal.py"], ids=named
)
def test_a_command_prints_through_the_one_function_that_lets_no_text_steer_the_terminal(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert (
        "click.echo" not in text
        and "click.secho" not in text
        and "print(" not in re.sub(r"\w+print\(", "", text)
    )


def test_what_a_person_does_is_done_by_services() -> None:
    """Pages, commands and reports show and ask; what is written is written by a use case that all can call."""
    writing = [
        named(path)
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] in {"pages", "cli", "reports"}
        and any(
            isinstance(node, ast.Attribute)
            and node.attr in {"writing", "write", "write_many"}
            and ast.unparse(node.value).split(".")[-1].removesuffix("()") in {"store", "entry"}
            for node in ast.walk(tree(path))
        )
    ]
    assert writing == []


def is_plural_by_hand(node: ast.AST) -> bool:
    """One of two words by whether something is 1: words/plurals.py is for that."""
    return (
        isinstance(node, ast.IfExp)
        and isinstance(node.test, ast.Compare)
        and any(
            isinstance(side, ast.Constant) and side.value in (1, "1")
            for side in (node.test.left, *node.test.comparators)
        )
        and all(
            isinstance(words, ast.Constant) and isinstance(words.value, str)
            for words in (node.body, node.orelse)
        )
    )


def test_a_plural_by_hand_is_seen() -> None:
    plurals = (
        '"unit" if count == 1 else "units"',
        '"s" if len(units) != 1 else ""',
        '"s" if 1 < count else ""',
    )
    assert all(is_plural_by_hand(ast.parse(text, mode="eval").body) for text in plurals)
    assert not is_plural_by_hand(ast.parse('"unit" if single else "units"', mode="eval").body)


def test_the_form_of_words_that_goes_with_a_number_is_not_chosen_by_hand() -> None:
    assert {
        named(path): plurals
        for path in SOURCES
        if (plurals := [ast.unparse(node) for node in ast.walk(tree(path)) if is_plural_by_hand(node)])
    } == {}


def test_yaml_is_read_and_written_in_one_place() -> None:
    readers = [named(path) for path in SOURCES if imported(path) & {"yaml", "ruamel", "pydantic_yaml"}]
    assert readers == ["configs/files/limited_yaml.py"]
