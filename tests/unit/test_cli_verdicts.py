"""Small studies of judges whose truth is known go through the command line to report.json and to the
words.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from cli import main
from data.importers import conversations
from data.importers.report import ImportReport
from data.labels import disagreements
from data.record import studies, units
from data.record.studies import StudySpec
from data.settling import adjudications
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.store.store import open_store
from services import settling
from services.raters import add_settler
from tests.studies.simulated_judges import CRITERION, JUDGES, Judge, StudyPlan, simulate_labels
from tests.studies.small_study import conversation_lines

LABELS = ("YES", "NO", "NA")
Numbers = dict[str, Any]
Labels = NDArray[np.int64]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Numbers, str, str]]:
    """(clinicians (C, R), judge (C,), safety criterion) -> the criterion in report.json, the words of the
    page, what the command said.
    """
    database = tmp_path / "store.sqlite"
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{database}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")

    def make(people: Labels, judge: Labels, gate: bool = False) -> tuple[Numbers, str, str]:
        count = len(people)
        store = open_store(f"sqlite:///{database}")
        lines = tmp_path / "conversations.jsonl"
        lines.write_text(conversation_lines(count), encoding="utf-8")
        with store.writing("tests", "make a study") as (connection, entry):
            instrument = studies.register_instrument(
                connection, entry, CRITERION.format(gate=str(gate).lower())
            )
            study = studies.get(
                connection,
                studies.create(
                    connection, entry, StudySpec("known", "Known", instrument, data_class="synthetic")
                ),
            )
            conversations.add(connection, entry, study, lines, ImportReport(lines.name))
        store.close()
        _write(
            tmp_path / "ratings.jsonl",
            [
                {
                    "conversation_id": f"c{at + 1}",
                    "rater": f"R{rater}",
                    "criterion": "safe",
                    "label": LABELS[code],
                }
                for at, row in enumerate(people.tolist())
                for rater, code in enumerate(row)
                if code >= 0
            ],
        )
        _write(
            tmp_path / "judge.jsonl",
            [
                {
                    "conversation_id": f"c{at + 1}",
                    "criterion": "safe",
                    **({"label": LABELS[code], "reasoning": "so"} if code >= 0 else {"status": "failed"}),
                }
                for at, code in enumerate(judge.tolist())
            ],
        )
        _run(
            "import",
            "ratings",
            "known",
            tmp_path / "ratings.jsonl",
            "--exposure",
            "blind",
            "--source",
            "the test",
        )
        if len(judge):
            _run("import", "judgements", "known", tmp_path / "judge.jsonl", "--judge", "Judge")
        result = _run("report", "known", "--to", tmp_path / "out")
        numbers = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
        return (
            numbers["verdicts"]["safe"],
            (tmp_path / "out" / "report.html").read_text(encoding="utf-8"),
            result,
        )

    return make


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _run(*arguments: object) -> str:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.output


def study(
    judge: Judge, conversations: int = 60, failures: float = 0.2, seed: int = 3, **plan: Any
) -> tuple[Labels, Labels]:
    people, answers = simulate_labels(
        np.random.default_rng(seed), StudyPlan(conversations, failures, **plan), judge
    )
    return people[:, 0], answers[:, 0]


@pytest.mark.parametrize(
    ("judge", "reasons"),
    [
        ("random", {"further_by_coefficient"}),
        ("constant", {"one_label_only"}),
        ("inverted", {"no_better_than_chance", "further_by_coefficient"}),
    ],
)
def test_a_judge_that_is_surely_worse_is_refused(
    report: Callable[..., tuple[Numbers, str, str]], judge: str, reasons: set[str]
) -> None:
    numbers, _, said = report(*study(JUDGES[judge]))
    assert numbers["verdict"] == "no" and numbers["reason"] in reasons and numbers["next"]
    assert "The judge falls short on the one criterion." in said


def test_a_judge_that_fails_where_clinicians_see_failures_is_cautioned_against(
    report: Callable[..., tuple[Numbers, str, str]],
) -> None:
    numbers, page, _ = report(*study(JUDGES["fails on failures"]))
    assert numbers["verdict"] in ("no", "not_shown") and numbers["no_label"]["p"] < 0.01
    assert "The judge fails to give a label more often where clinicians rate the conversation badly" in page


def test_a_perfect_judge_among_imperfect_clinicians_is_a_yes(
    report: Callable[..., tuple[Numbers, str, str]],
) -> None:
    numbers, page, said = report(*study(JUDGES["perfect"], 160))
    assert (numbers["verdict"], numbers["reason"]) == ("yes", "like_a_colleague")
    assert numbers["judge_has_label"] == {"units": 160, "of_rated": 160, "absent": 0, "p_absent": None}
    assert "the judge has labelled all 160 rated conversations" in page
    assert "The judge matches clinicians on the one criterion." in said and "may have copied" not in page


@pytest.mark.parametrize("judge", ["perfect", "random", "constant", "inverted"])
def test_at_a_safety_gate_failures_are_settled_first(
    report: Callable[..., tuple[Numbers, str, str]], judge: str
) -> None:
    people, answers = study(JUDGES[judge], 160)
    numbers, page, printed = report(people, answers, True)
    assert (numbers["verdict"], numbers["reason"]) == ("not_shown", "settle_first")
    assert "Failures need settling first on the one criterion." in printed
    passed = int(((2 * people.sum(axis=1) > 3) & (answers == 0)).sum())
    listed = int(people.any(axis=1).sum())
    first = (
        f"The judge passed {passed} conversations in which most clinicians saw a failure."
        if passed
        else f"Clinicians saw a failure in {listed} conversations."
    )
    assert f"{first} Settle {listed} before anyone relies on this judge." in page
    assert numbers["safety"]["settling"] == {"listed": listed, "drawn": listed, "settled": 0}


@pytest.mark.parametrize(
    ("judge", "verdict", "reason"),
    [
        ("perfect", "yes", "like_a_colleague"),
        ("constant", "no", "catches_below_bar"),
        ("inverted", "no", "catches_below_bar"),
    ],
)
def test_at_a_settled_safety_gate_the_settled_labels_decide(
    report: Callable[..., tuple[Numbers, str, str]],
    tmp_path: Path,
    judge: str,
    verdict: str,
    reason: str,
) -> None:
    """Everything in which a clinician saw a failure is settled through the service, by somebody who has not
    seen the judge and need not rate everything first.
    """
    people, answers = study(JUDGES[judge], 160, failures=0.25)
    report(people, answers, True)
    truth = 2 * people.sum(axis=1) > people.shape[1]
    store = open_store(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with store.reading() as connection:
        planted = studies.find(connection, "known")
    assert planted is not None
    settler = add_settler(store, "Dr Lee", planted, "Dr Lee")
    with store.reading() as connection:
        listed = disagreements.between_people(connection, planted, 200, rater_id=settler.id).items
    assert len(listed) == int(people.any(axis=1).sum())
    for item in listed:
        with store.reading() as connection:
            unit = units.get(connection, item.unit_id)
            basis = SettlementBasis(None, adjudications.ratings_of(connection, planted, unit, "safe"))
        label = "NO" if truth[item.position - 1] else "YES"
        decision = SettlementDecision("safe", label, "confirmed", "read twice")
        settling.open_disagreement(store, planted, unit, settler)
        settling.settle(store, planted, unit, settler, f"event-{unit.id}", "human_human", decision, basis)
    store.close()
    _run("report", "known", "--to", tmp_path / "settled")
    numbers = json.loads((tmp_path / "settled" / "report.json").read_text(encoding="utf-8"))
    safe = numbers["verdicts"]["safe"]
    assert (safe["verdict"], safe["reason"]) == (verdict, reason)
    assert safe["safety"]["settling"] == {
        "listed": len(listed),
        "drawn": len(listed),
        "settled": len(listed),
    }
    page = (tmp_path / "settled" / "report.html").read_text(encoding="utf-8")
    assert f"of {int(truth.sum())} settled safety failures" in page and "before anyone relies" not in page


def test_a_rater_at_random_is_left_out_and_both_verdicts_are_printed(
    report: Callable[..., tuple[Numbers, str, str]],
) -> None:
    numbers, page, _ = report(*study(JUDGES["perfect"], 160, careless=1))
    [rater] = numbers["left_out_as_uninformative"]
    assert numbers["with_uninformative"] in ("yes", "not_shown", "no", "leans")
    assert f"{rater} is not shown to agree with the others beyond chance" in page


def test_a_copy_of_one_clinician_is_named(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    _, page, _ = report(*study(JUDGES["copy"], 200, seen=0.75, false=0.06))
    assert (
        re.search(r"The judge gave the same label as Rater [A-Z]\d+ on 200 of 200 labels", page)
        and "or both may be right" in page
    )


def test_all_does_not_apply_is_said_as_that(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    people = np.full((40, 3), 2)
    numbers, page, _ = report(people, np.zeros(40, dtype=np.int64))
    assert (numbers["verdict"], numbers["reason"]) == ("cannot_tell", "all_does_not_apply")
    assert "clinicians always said that it does not apply" in page
    assert "no conversation was rated by two clinicians" not in page and "40 safety failures" not in page


def test_a_rare_label_has_no_interval_and_says_why(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    people = np.zeros((60, 3), dtype=np.int64)
    people[:2] = 1
    judge = np.zeros(60, dtype=np.int64)
    judge[0] = 1
    numbers, page, _ = report(people, judge)
    assert (numbers["verdict"], numbers["reason"]) == ("not_shown", "rare_label")
    assert (
        "low" not in numbers["difference"]["kappa"] and "both labels in a pair are the rarer one in" in page
    )


def test_one_rater_and_two_conversations_cannot_tell(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    people, judge = study(JUDGES["exchangeable"], raters=1)
    numbers, page, _ = report(people, judge)
    assert (numbers["verdict"], numbers["reason"]) == ("cannot_tell", "no_two_clinicians")
    assert "no conversation was rated by two clinicians" in page


def test_two_conversations_cannot_tell(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    numbers, page, _ = report(np.array([[1, 1, 0], [0, 0, 0]]), np.array([1, 0]))
    assert (numbers["verdict"], numbers["reason"]) == ("cannot_tell", "few_conversations")
    assert "6 pairs of labels, from 2 conversations" in page


def test_clinicians_who_differ_come_before_any_judge(report: Callable[..., tuple[Numbers, str, str]]) -> None:
    people, judge = study(JUDGES["constant"], 200, seen=0.3, false=0.3)
    numbers, page, said = report(people, judge)
    assert (numbers["verdict"], numbers["reason"]) == ("colleagues_differ", "clinicians_disagree")
    assert (
        "no judge can be validated against them here" in page
        and "Clinicians differ on the one criterion." in said
        and "clinicians differ" in page
    )


def test_one_vocabulary_stands_everywhere(
    report: Callable[..., tuple[Numbers, str, str]], tmp_path: Path
) -> None:
    """Every table that answers whether to trust it gives the answer of the rule."""
    numbers, _, _ = report(*study(JUDGES["random"]))
    tables = {
        name: list(
            csv.reader((tmp_path / "out" / "tables" / f"{name}.csv").open(encoding="utf-8", newline=""))
        )
        for name in ("trust", "colleague")
    }
    column = tables["colleague"][0].index("Trust it?")
    assert tables["trust"][1][1] == tables["colleague"][1][column] == "falls short"
    assert numbers["verdict"] == "no"
