"""The benches that start the app run, small; the others are tried in tests/unit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.servers.small_bench import list_names, run_small

pytestmark = pytest.mark.slow


WIRE = "fifty"


@pytest.mark.parametrize("name", [name for name in list_names(with_app=True) if name != WIRE])
def test_a_bench_runs(name: str, tmp_path: Path) -> None:
    assert f"({name} took " in run_small(name, tmp_path)


def test_raters_of_the_bench_without_a_browser_are_let_in_and_heard(tmp_path: Path) -> None:
    figures = run_small(WIRE, tmp_path)
    drafts, commits = re.findall(r"(\d+) drafts, (\d+) commits", figures)[0]
    assert int(drafts) > 10 and int(commits) > 0
    assert re.search(r"^errors +0 ", figures, re.M)
    assert re.search(r"^acknowledged and not in the database +0 ", figures, re.M)
