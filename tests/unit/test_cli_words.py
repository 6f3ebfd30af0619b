"""What somebody types that no store or judge can take ends as a sentence, whichever command it is for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from cli import COMMANDS, main

NO_TEXT = "pilot\udcff"  # as Python reads the byte ff of a terminal that does not write UTF-8
Run = Callable[..., Result]


@pytest.fixture
def run(store_path: object, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    return lambda *words: CliRunner().invoke(main, words)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_text_is_refused_by_every_command(run: Run, command: str) -> None:
    for words in ([NO_TEXT], ["--study", NO_TEXT], [f"--judge={NO_TEXT}"]):
        refused = run(command, *words)
        assert refused.exit_code == 2 and isinstance(refused.exception, SystemExit)
        assert r"pilot\udcff is not UTF-8 text" in refused.stderr


@pytest.mark.parametrize("command", [["judge", "--judge", "j", "--share"], ["trials", "--temperature"]])
@pytest.mark.parametrize("number", ["nan", "NaN", "inf", "-inf"])
def test_what_is_no_number_is_refused(run: Run, command: list[str], number: str) -> None:
    refused = run(*command, number, "pilot")
    assert refused.exit_code == 2 and f"Invalid value for '{command[-1]}'" in refused.stderr


def test_twenty_thousand_raters_are_refused_by_number(
    run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    talks = tmp_path_factory.mktemp("talks") / "talks.jsonl"
    talks.write_text('{"id": "c1", "turns": [{"user": "Hello", "assistant": "Hello"}]}\n')
    names = ",".join(f"Rater {number}" for number in range(20_000))
    new = ("--new", "--instrument", "coaching_rubric", "--same-person", "none", "--rater", names)
    refused = run("import", "conversations", "pilot", str(talks), *new)
    assert refused.exit_code == 1 and "At most 1,000 raters can be added at once" in refused.stderr
