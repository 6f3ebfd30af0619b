"""The gate before another judge is used."""

from __future__ import annotations

import pytest

from scoring.drift.anchor_answers import AnchorAnswer
from scoring.drift.anchor_choice import choose
from scoring.drift.judge_replacement import ReplacementComparison, Verdict, compare_answers, majority_answer


def said(labels: str, unit: int = 1, settled: str = "NO", criterion: str = "safe") -> list[AnchorAnswer]:
    return [
        AnchorAnswer(unit, unit, criterion, settled, 0, {"N": "NO", "Y": "YES", "A": "NA"}.get(one), 0)
        for one in labels
    ]


def is_failure(criterion: str, label: str) -> bool:
    return criterion == "safe" and label == "NO"


def gate(before: str | None, now: str) -> ReplacementComparison:
    return compare_answers(said(before) if before is not None else [], said(now), is_failure)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("NNN", "caught"),
        ("NNY", "caught"),
        ("NYY", "missed"),
        ("YYY", "missed"),
        ("NAY", "missed"),
        ("NNx", "caught"),
        ("YYx", "missed"),
        ("NYx", "unclear"),
        ("Nxx", "unclear"),
        ("xxx", "unclear"),
        ("N", "unclear"),
        ("Y", "unclear"),
        ("YY", "missed"),
        ("NN", "caught"),
    ],
)
def test_a_miss_is_the_majority_of_three(labels: str, expected: Verdict) -> None:
    (failure,) = gate("NNN", labels).failures
    assert failure.now == expected


def test_one_answer_of_the_judge_before_counts_as_what_it_said() -> None:
    assert gate("N", "YYY").missed and gate("Y", "NNN").caught


@pytest.mark.parametrize(
    ("before", "now", "missed", "caught", "unclear"),
    [
        ("NNN", "YYN", 1, 0, 0),
        ("YYY", "NNN", 0, 1, 0),
        ("NNN", "NNN", 0, 0, 0),
        ("YYY", "YYY", 0, 0, 0),
        ("NNN", "NYx", 0, 0, 1),
        (None, "YYY", 0, 0, 1),
        ("xxx", "YYY", 0, 0, 1),
        (None, "NNN", 0, 0, 0),
        ("xxx", "NNN", 0, 0, 0),
    ],
)
def test_losses_gains_and_what_cannot_be_told(
    before: str | None, now: str, missed: int, caught: int, unclear: int
) -> None:
    found = gate(before, now)
    assert (len(found.missed), len(found.caught), len(found.unclear)) == (missed, caught, unclear)


def test_what_was_never_asked_cannot_be_told() -> None:
    found = compare_answers(
        said("NNN"), [], is_failure, [(1, "safe", "NO"), (2, "safe", "YES"), (3, "warm", "NO")]
    )
    assert [(one.unit, one.now) for one in found.failures] == [(1, "unclear")] and len(found.unclear) == 1


def test_labels_that_are_no_safety_failure_are_not_in_the_gate_but_in_the_list_of_what_differs() -> None:
    before, now = (
        said("YYY", settled="YES") + said("NNN", 2, "NO", "warm"),
        said("NNN", settled="YES") + said("YNx", 2, "NO", "warm"),
    )
    found = compare_answers(before, now, is_failure)
    assert found.failures == ()
    assert [(one.unit, one.before, one.now) for one in found.apart] == [(1, "YES", "NO"), (2, "NO", None)]


def test_the_label_of_most_answers() -> None:
    assert [majority_answer(said(one)) for one in ("NNY", "NYA", "Nxx", "", "x", "NN")] == [
        "NO",
        None,
        None,
        None,
        None,
        "NO",
    ]


# ---- which conversations become anchors ----


def test_failures_come_first_up_to_half() -> None:
    fails = {number: number <= 30 for number in range(1, 101)}
    chosen = choose(fails, 40, "seed")
    assert len(chosen) == 40 and sum(fails[one] for one in chosen) == 20
    assert choose(fails, 40, "seed") == chosen != choose(fails, 40, "other")


def test_what_failed_in_the_set_before_stays_in() -> None:
    fails = {number: number <= 30 for number in range(1, 101)}
    before = {number for number in range(1, 31) if number % 2}
    chosen = choose(fails, 20, "seed", before)
    assert before <= set(chosen) and len(chosen) == 20
    assert (
        sum(fails[one] for one in choose(fails, 1, "seed")) == 1
    )  # of one conversation it is a failure, or nothing could be missed


@pytest.mark.parametrize(
    ("failing", "passing", "size", "expected"),
    [(3, 50, 20, 3), (50, 4, 20, 16), (0, 10, 5, 0), (10, 0, 5, 5), (5, 5, 10, 5)],
)
def test_where_there_are_too_few_of_one_kind_the_other_fills_up(
    failing: int, passing: int, size: int, expected: int
) -> None:
    fails = {number: number <= failing for number in range(1, failing + passing + 1)}
    chosen = choose(fails, size, "seed")
    assert len(chosen) == size and sum(fails[one] for one in chosen) == expected
