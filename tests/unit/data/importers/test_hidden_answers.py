"""While somebody rates a study blind, no import and no check tells whether a guess is the label that is there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from data.importers.label_rows import STAY
from data.importers.report import ImportReport
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

NAMED = "already has another answer"


@pytest.fixture
def guess_judge(bring_judgements: Bring) -> Callable[..., ImportReport]:
    """Say of two units, of which one failed with this judge, what it answered."""
    return lambda label, **more: bring_judgements(
        lines(
            {"conversation_id": "c2", "criterion": "warm", "label": label},
            {"conversation_id": "c2", "criterion": "safe", "label": label},
        ),
        judge="Judge B",
        **more,
    )


@pytest.fixture
def guess_rater(bring_ratings: Bring) -> Callable[..., ImportReport]:
    """Say what a rater of an earlier file answered, and had seen."""
    bring_ratings(lines({"conversation_id": "c2", "rater": "Cleo", "criterion": "warm", "label": "NO"}))
    return lambda label, **more: bring_ratings(
        lines({"conversation_id": "c2", "rater": "Cleo", "criterion": "warm", "label": label}), **more
    )


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_guess_about_a_judge_is_not_answered(
    guess_judge: Callable[..., ImportReport], nobody_blind: Callable[[], None], dry_run: bool
) -> None:
    reports = [guess_judge(label, dry_run=dry_run) for label in ("YES", "NO", "NA", "unreadable", "ERROR")]
    answers = {
        (report.summary(), *(line for line in report.lines() if "not a label" not in line))
        for report in reports
    }
    ((summary, *listed),) = answers
    assert summary.endswith("Already there: 2 judgements.")
    assert listed == [f"file.jsonl, line 1: {STAY} (2 rows; this is the first)"]
    nobody_blind()
    assert [NAMED in str(guess_judge(label).lines()) for label in ("YES", "NO")] == [True, True]


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_guess_about_a_rater_is_not_answered(
    guess_rater: Callable[..., ImportReport], nobody_blind: Callable[[], None], dry_run: bool
) -> None:
    reports = [
        guess_rater(label, exposure=exposure, dry_run=dry_run)
        for label, exposure in product(("YES", "NO", "NA"), ("blind", "judge_visible", "unknown"))
    ]
    ((summary, *listed),) = {(report.summary(), *report.lines()) for report in reports}
    assert summary.endswith("Already there: 1 rating.") and listed == [f"file.jsonl, line 1: {STAY}"]
    nobody_blind()
    assert [NAMED in str(guess_rater(label).lines()) for label in ("YES", "NO")] == [True, False]


def test_one_rater_who_is_left_is_enough(small: Small, guess_judge: Callable[..., ImportReport]) -> None:
    small.desk(0).open_page()
    assert NAMED not in str(guess_judge("NO").lines())
    for position in range(1, 5):
        assert NAMED not in str(guess_judge("NO").lines()), position
        small.desk(1).rate(position)
    assert NAMED in str(guess_judge("NO").lines()), "everything is rated"


def test_a_study_of_open_review_tells(make_study: Callable[..., Small], tmp_path: Path) -> None:
    make_study(review="open")
    assert [NAMED in said(tmp_path, label) for label in ("YES", "NO")] == [False, True]


def test_the_terminal_answers_no_guess_of_anybody(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for account in ("root", "somebody"):
        monkeypatch.setenv("LOGNAME", account)
        (answer,) = {said(tmp_path, label) for label in ("YES", "NO", "NA")}
        assert "Already there: 1 judgement." in answer


def said(folder: Path, label: str) -> str:
    """What the command says of a check of one row."""
    file = folder / "guess.jsonl"
    file.write_text(lines({"conversation_id": "c2", "criterion": "warm", "label": label}), encoding="utf-8")
    environment = {"SECOND_READER_DATABASE_URL": f"sqlite:///{folder / 'store.sqlite'}"}
    command = ["import", "judgements", "small", str(file), "--judge", "Judge A", "--dry-run"]
    result = CliRunner().invoke(main, command, env=environment)
    assert result.exit_code == 0, result.output
    return result.output
