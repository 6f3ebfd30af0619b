"""What Drift of the raters opens with, of a study that was rated through the real store: one rater moves, none
does, two have only each other, one rates alone.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reports.drift.rater_evidence import rater_evidence
from reports.drift.rater_words import rater_headline
from tests.studies.made_raters import DRIFTS, NAMES, twelve_weeks
from tests.studies.small_study import Small
from tests.unit.reports.drift.test_raters import everyone, own

pytestmark = pytest.mark.slow

Copy = Callable[..., Small]


def test_who_moves_is_the_headline_and_the_first_row(copy_study: Copy) -> None:
    drift = everyone(copy_study(twelve_weeks))
    assert rater_headline(drift) == f"{DRIFTS} drifted to lower levels, compared with the others."
    evidence = rater_evidence(drift)
    first, *others = evidence.rows
    assert (first.name, first.shape, first.verdict) == (DRIFTS, "no", "drifted: lower")
    assert first.estimates[0].high is not None and first.estimates[0].high < 0
    assert {row.shape for row in others} == {"yes"} and {row.verdict for row in others} == {"no clear change"}
    unsteady = next(row for row in others if row.name == "Cleo Marsh")
    assert unsteady.cells[-1] == "calibrate again" and "hidden repeats" in unsteady.notes[1]
    assert evidence.low <= -1 and evidence.high >= 1 and evidence.low == -evidence.high


def test_the_other_way_round_it_is_higher(copy_study: Copy) -> None:
    small = copy_study(twelve_weeks, fall=-2.5)
    assert rater_headline(everyone(small)) == f"{DRIFTS} drifted to higher levels, compared with the others."


def test_where_nobody_moves_only_that_is_said(copy_study: Copy) -> None:
    drift = everyone(copy_study(twelve_weeks, fall=0.0, unsteady=""))
    assert rater_headline(drift) == "No rater's levels clearly drifted compared with the others'."
    assert {row.shape for row in rater_evidence(drift).rows} == {"yes"}


def test_of_two_nobody_can_tell_which_and_neither_is_shown_the_other(copy_study: Copy) -> None:
    small = copy_study(twelve_weeks, names=NAMES[:2])
    lead = everyone(small)
    assert rater_headline(lead).endswith("changed; which of them drifted can't be estimated.")
    assert {row.verdict for row in rater_evidence(lead).rows} == {"difference changed"}
    [row] = rater_evidence(own(small, 1)).rows
    assert (row.name, row.shape, row.verdict) == ("You", "unknown", "not tested")
    assert rater_headline(own(small, 1)) == (
        "Whether you drifted can't be tested, because only one other rater labelled the same conversations, "
        "and a comparison would reveal their labels."
    )
    assert row.estimates[0].value is None and not any(name in str(row) for name in NAMES)


def test_who_rates_alone_cannot_be_compared(copy_study: Copy) -> None:
    drift = everyone(copy_study(twelve_weeks, names=NAMES[:1]))
    assert rater_headline(drift).startswith("Whether a rater drifted can't be tested, because ")
    assert [row.verdict for row in rater_evidence(drift).rows] == ["not tested"]


def test_of_few_conversations_nothing_is_claimed(copy_study: Copy) -> None:
    drift = everyone(copy_study(twelve_weeks, conversations=4))
    assert rater_headline(drift).startswith("Whether a rater drifted can't be tested, because ")
    assert {row.shape for row in rater_evidence(drift).rows} == {"unknown"}
