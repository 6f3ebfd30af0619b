"""`pytest tests/vectors --vectors DIR` compares every file of DIR; without it the copies beside this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vectors.comparison import COPIES, vector_files


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors", type=Path, default=COPIES, help="folder of vector files to compare the product with"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector_file" in metafunc.fixturenames:
        try:
            files = vector_files(metafunc.config.getoption("--vectors", default=COPIES))
        except ValueError as error:
            raise pytest.UsageError(str(error)) from error
        metafunc.parametrize("vector_file", files, ids=lambda path: path.stem)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line a file and their sum. The reports carry them, so that they are printed with several workers
    too."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    lines = sorted(
        tuple(value) for report in reports for key, value in report.user_properties if key == "vectors"
    )
    if lines:
        terminalreporter.section("vectors")
        for line, _, _ in lines:
            terminalreporter.line(line)
        values, failures = sum(line[1] for line in lines), sum(line[2] for line in lines)
        terminalreporter.line(f"{len(lines)} files, {values} compared values, {failures} failures")
