"""Settled labels of a form in which questions depend on answers lie on one path through it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.errors import Refused
from data.work import adjudications
from tests import settling
from tests.branching import BRANCHING
from tests.settling import Colleague
from tests.small_study import Small

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
        return {s.criterion: s.label for s in adjudications.settled(connection, colleague.study.id)}


def test_a_question_that_the_settled_labels_close_gets_none(colleague: Colleague) -> None:
    colleague.settle(criterion="risk", label="NO")
    with pytest.raises(Refused, match="Tone: this question is not asked after the settled labels"):
        colleague.settle(criterion="tone", label="YES")
    colleague.settle(criterion="tone", label=None, cause="legitimate_difference")
    assert labels_of(colleague) == {"risk": "NO", "tone": None}


def test_a_label_that_closes_a_settled_question_waits_for_it(colleague: Colleague) -> None:
    colleague.settle(criterion="tone", label="YES")
    with pytest.raises(Refused, match='After this label "Tone" is not asked, and it has a settled label'):
        colleague.settle(criterion="risk", label="NO")
    colleague.settle(criterion="risk", label="YES")
    assert labels_of(colleague) == {"risk": "YES", "tone": "YES"}
