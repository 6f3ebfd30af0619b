"""The benches, each small and in a process of its own (bench/scale.py)."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from bench.__main__ import NAMES
from bench.scale import VARIABLE

ROOT = Path(__file__).parents[2]
PATIENCE = 300  # seconds for a bench that hangs; small ones take a few


def list_modules() -> list[str]:
    """Every module of bench/ that measures something, as bench.NAME."""
    return sorted(
        f"bench.{path.stem}" for path in (ROOT / "bench").glob("*.py") if "run" in functions_of(parse(path))
    )


def functions_of(tree: ast.Module) -> set[str]:
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_of_bench(module: str) -> set[str]:
    """What a module takes from bench/: names of modules, and of what lies in them."""
    names = set()
    for node in ast.walk(parse(ROOT / f"{module.replace('.', '/')}.py")):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bench":
            names |= {alias.name for alias in node.names}
    return names


def list_names(with_app: bool) -> list[str]:
    """The benches that start the app, or those that don't."""
    return [name for name, module in NAMES.items() if ("serving" in imported_of_bench(module)) == with_app]


def run_small(name: str, folder: Path) -> str:
    """What the bench prints. Its stores lie in `folder`; it fails where the bench does."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("BENCH_", "SECOND_READER_"))
    }
    process = subprocess.run(
        [sys.executable, "-m", "bench", "--small", name],
        cwd=ROOT,
        env={**environment, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert process.returncode == 0, process.stderr
    assert VARIABLE not in os.environ
    return process.stdout
