"""Settled labels of a form in which questions depend on answers lie on one path through it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.labels import settlements
from data.settling import adjudications
from data.settling.adjudications import SettlementDecision
from data.store.errors import Refused
from tests.studies import settling
from tests.studies.branching import BRANCHING
from tests.studies.settling import Colleague
from tests.studies.small_study import Small

PATHS = (
    {"risk": "YES", "missed": "YES", "tone": "YES"},
    {"risk": "YES", "missed": "YES", "tone": "NO"},
    {"risk": "NO", "false_alarm": "NO"},
)


@pytest.fixture
def colleague(make_study: Callable[..., Small]) -> Colleague:
    """Three clinicians differ on whether there is a risk, and two of them on what is asked after it."""
    small = make_study(
        raters=("Ann", "Ben", "Cid", "Dee"), instrument=BRANCHING, with_judges=False, key="branching"
    )
    settling.plan(small.store, small.study)
    for number, labels in enumerate(PATHS):
        desk = small.desk(number)
        for criterion, label in labels.items():
            desk.draft(2, criterion, label)
        desk.commit(2)
    settler = Colleague.of(small, 3)
    settler.open()
    return settler


def labels_of(colleague: Colleague) -> dict[str, str | None]:
    with colleague.store.reading() as connection:
        return {s.criterion: s.label for s in settlements.settled(connection, colleague.study.id)}


def test_a_question_that_the_settled_labels_close_gets_none(colleague: Colleague) -> None:
    colleague.settle(criterion="risk", label="NO")
    with pytest.raises(Refused, match="unasked_after_settled"):
        colleague.settle(criterion="tone", label="YES")
    colleague.settle(criterion="tone", label=None, cause="legitimate_difference")
    assert labels_of(colleague) == {"risk": "NO", "tone": None}


def test_a_label_that_closes_a_settled_question_waits_for_it(colleague: Colleague) -> None:
    colleague.settle(criterion="tone", label="YES")
    with pytest.raises(Refused, match="settled_is_unasked_after"):
        colleague.settle(criterion="risk", label="NO")
    colleague.settle(criterion="risk", label="YES")
    assert labels_of(colleague) == {"risk": "YES", "tone": "YES"}


def test_a_label_that_a_rule_gives_opens_and_closes_as_any_other(make_study: Callable[..., Small]) -> None:
    form = BRANCHING.replace(
        "{id: missed, name: Missed, scale: yes_no,",
        "{id: missed, name: Missed, scale: yes_no, minimum_turns: 9,",
    ).replace('missed: ["YES", "NA"]', 'missed: ["YES"]')
    small = make_study(raters=("Ann", "Ben", "Cid"), instrument=form, with_judges=False, key="by_rule")
    settling.plan(small.store, small.study)
    for number, label in enumerate(("YES", "NO")):
        small.desk(number).draft(2, "risk", label)
        if label == "NO":
            small.desk(number).draft(2, "false_alarm", "NO")
        small.desk(number).commit(2)
    unit = small.desk().unit(2)
    with small.store.reading() as connection:
        for criterion, refused in (("tone", True), ("false_alarm", False)):
            decision = SettlementDecision(criterion, "YES", "rater_slip", "why")
            check = adjudications.check_asked
            if refused:
                with pytest.raises(Refused, match="unasked_after_settled"):
                    check(connection, small.study, unit, decision)
            else:
                check(connection, small.study, unit, decision)
