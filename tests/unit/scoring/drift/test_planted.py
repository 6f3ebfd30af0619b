"""A planted drift is named rightly, and nothing is named where nothing moves: 200 simulated studies of each
kind, with fixed seeds.
"""

from __future__ import annotations

from functools import cache

import pytest

from scoring.drift.findings import SOURCES
from tests.studies.simulated_studies import PLANTED, simulate

pytestmark = pytest.mark.slow

STUDIES = 200


@cache
def named(kind: str) -> list[list[str]]:
    """Of each study what the family names."""
    return [[one.kind for one in simulate(kind, number).found() if one.named] for number in range(STUDIES)]


@pytest.mark.parametrize("kind", PLANTED)
def test_what_was_planted_is_named_and_no_other_source(kind: str) -> None:
    right = sum([one for one in study if one in SOURCES] == [kind] for study in named(kind))
    assert right >= 0.8 * STUDIES, f"{right} of {STUDIES}"


def test_where_nothing_moves_hardly_anything_speaks() -> None:
    spoke = sum(bool(study) for study in named("none"))
    assert spoke <= 0.08 * STUDIES, f"{spoke} of {STUDIES}"


def test_the_rater_who_moves_is_the_one_who_is_named() -> None:
    right = wrong = 0
    for number in range(STUDIES):
        made = simulate("raters", number)
        found = next(one for one in made.found() if one.kind == "raters")
        if found.named:
            right, wrong = right + (found.who == made.drifting), wrong + (found.who != made.drifting)
            assert found.who != made.drifting or found.direction == -1
    assert wrong <= 0.05 * (right + wrong)
