"""A study with a plan of work, three who may rate and one who settles."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests import settling
from tests.settling import Colleague
from tests.small_study import Small

PEOPLE = ("Ann", "Ben", "Cleo", "Dora")


@pytest.fixture
def planned(make_study: Callable[..., Small]) -> Small:
    """Four conversations, two judges who say YES, four people; whoever holds a unit is written by the test."""
    small = make_study(raters=PEOPLE)
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def mixed(make_study: Callable[..., Small]) -> Small:
    """An ordinal, a nominal and a safety criterion; no judge."""
    small = make_study(raters=PEOPLE, instrument=settling.MIXED, with_judges=False, key="mixed")
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def colleague(planned: Small) -> Colleague:
    return Colleague.of(planned)
