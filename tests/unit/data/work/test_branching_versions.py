"""A new version of a form in which questions depend on answers: which units are rated again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.work import successors
from tests.studies.branching import BRANCHING
from tests.studies.small_study import Small

NEW = BRANCHING.replace('version: "1"', 'version: "2"')


@pytest.fixture
def small(make_study: Callable[..., Small]) -> Small:
    """Of the first unit tone was asked, of the second it was not."""
    small = make_study(instrument=BRANCHING, with_judges=False, key="branching")
    paths = ({"risk": "YES", "missed": "YES", "tone": "NO"}, {"risk": "NO", "false_alarm": "NO"})
    for position, labels in enumerate(paths, start=1):
        for criterion, label in labels.items():
            small.desk().draft(position, criterion, label)
        small.desk().commit(position)
    return small


@pytest.mark.parametrize(
    ("old", "new", "positions"),
    [
        (
            'asked_when: {missed: ["YES", "NA"], ',
            'asked_when: {false_alarm: ["NO"], missed: ["YES", "NA"], ',
            (1, 2),
        ),
        (', asked_when: {risk: ["NO"]}', "", (1, 2)),
        ("{id: tone, name: Tone,", "{id: tone, name: Tone, checks_for: kind words,", (1,)),
    ],
)
def test_a_question_that_is_asked_elsewhere_now_concerns_every_rated_unit(
    small: Small, old: str, new: str, positions: tuple[int, ...]
) -> None:
    assert old in NEW
    with small.store.reading() as connection:
        proposal = successors.propose(connection, small.study, NEW.replace(old, new, 1))
    assert proposal.positions == positions
