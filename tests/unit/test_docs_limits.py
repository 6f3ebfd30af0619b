"""The page of limits states what the code has."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference_limits.md"
ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<limit>[\d.]+) [^|]+ \| [^|]+ \| `(?P<constant>[\w.]+)` \|$", re.MULTILINE
)
ROWS = [(row["constant"], row["limit"]) for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))]


def test_every_row_of_the_table_is_read() -> None:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - 1 >= 20


@pytest.mark.parametrize(("constant", "limit"), ROWS)
def test_a_limit_is_that_of_the_code(constant: str, limit: str) -> None:
    module, _, name = constant.rpartition(".")
    assert getattr(importlib.import_module(module), name) == float(limit)
