"""Every bench runs, small: one that nobody starts for months would be found broken when its figure is
needed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.__main__ import NAMES, main
from bench.scale import VARIABLE, sized, some
from tests.servers.small_bench import imported_of_bench, list_modules, list_names, run_small

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", list_names(with_app=False))
def test_a_bench_runs(name: str, tmp_path: Path) -> None:
    assert f"({name} took " in run_small(name, tmp_path)


def test_every_bench_has_a_name() -> None:
    assert sorted(NAMES.values()) == list_modules()


@pytest.mark.parametrize("module", list_modules())
def test_every_bench_has_a_small_form(module: str) -> None:
    assert imported_of_bench(module) & {"sized", "some"}


def test_sizes_are_whole_unless_benches_are_to_run_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert (sized(1000, 2), some("abcd")) == (1000, ["a", "b", "c", "d"])
    monkeypatch.setenv(VARIABLE, "yes")
    assert (sized(1000, 2), some("abcd")) == (2, ["a", "b"])


def test_a_bench_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "There is no bench nothing." in capsys.readouterr().err
