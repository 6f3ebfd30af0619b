"""What findings keep when a page is drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from reports.agreement.findings import Findings
from reports.agreement.report import report
from scoring.agreement.labels.label_data import LabelData
from tests.unit.reports.agreement.made_findings import findings

CRITERIA = ("warm", "safe", "crisis")
PEOPLE = [
    (criterion, unit, rater, "YES" if (unit + number) % 3 else "NO")
    for criterion in CRITERIA
    for number, rater in enumerate(("Ann", "Ben"))
    for unit in range(1, 31)
]
JUDGE = [(criterion, unit, "YES" if unit % 4 else "NO") for criterion in CRITERIA for unit in range(1, 31)]


def steps_of(labels: LabelData) -> set[str]:
    return {name for name in vars(labels) if isinstance(vars(LabelData).get(name), cached_property)}


def make_findings() -> Findings:
    return findings(PEOPLE, JUDGE)


def test_what_was_found_stays_and_what_it_was_made_of_goes() -> None:
    drawn = make_findings()
    report(drawn)
    assert {"_pairs", "_labels_without_rule", "_judge_labels"} <= steps_of(drawn.material)
    verdicts = drawn.verdicts
    drawn.forget_steps()
    assert steps_of(drawn.material) <= {"raters"}
    assert drawn.verdicts is verdicts


def test_a_page_that_is_drawn_again_says_the_same() -> None:
    drawn = make_findings()
    drawn.forget_steps()
    first = report(drawn)
    drawn.forget_steps()
    assert report(drawn) == first == report(make_findings())


def test_forgetting_makes_nothing_that_was_not_asked_for() -> None:
    drawn = replace(make_findings(), thin={2: 1})
    assert drawn.verdicts
    before = set(vars(drawn))
    drawn.forget_steps()
    assert set(vars(drawn)) == before, "no second copy of the labels"


def test_labels_with_those_set_aside_are_forgotten_too() -> None:
    drawn = replace(make_findings(), thin={2: 1}, aside={1: "no clinician"})
    verdicts = drawn.verdicts
    drawn.forget_steps()
    assert "_with_aside" not in vars(drawn)
    again = replace(drawn).verdicts
    assert [judged.with_aside for judged in again] == [judged.with_aside for judged in verdicts]
