"""What more ratings would give, word by word."""

from __future__ import annotations

import pytest

from reports.progress.precision_words import gate_sentence, precision_sentence, ratings_needed_sentence
from scoring.bad_input import BadInput
from scoring.precision import LabelsSoFar, units_needed


def test_both_ways_say_the_same() -> None:
    state = LabelsSoFar(60, 45, 400)
    more = units_needed(state, 0.06)
    assert more is not None
    assert (
        ratings_needed_sentence("CQ4", state, 0.06)
        == precision_sentence("CQ4", state, more)
        == f"{more} more ratings of CQ4 give an interval of ±6 points (now ±10.7)."
    )


def test_the_sentences() -> None:
    assert (
        precision_sentence("CQ4", LabelsSoFar(60, 45, 400), 1)
        == "1 more rating of CQ4 gives an interval of ±10.6 points (now ±10.7)."
    )
    assert (
        precision_sentence("CQ4", LabelsSoFar(60, 45, 400, overlap=2), 80)
        == "80 more ratings of CQ4 (40 conversations, 2 ratings each) give an interval of ±8.4 points (now ±10.7)."
    )
    assert (
        ratings_needed_sentence("CQ4", LabelsSoFar(0, 0, 400), 0.1)
        == "93 ratings of CQ4 give an interval of ±10 points at worst (none yet)."
    )
    assert (
        ratings_needed_sentence("CQ4", LabelsSoFar(100, 80, 400), 0.1)
        == "CQ4 already has an interval of ±7.8 points."
    )
    assert (
        ratings_needed_sentence("CQ4", LabelsSoFar(20, 10, 30), 0.05)
        == "Even all 50 conversations give an interval of ±13.4 points."
    )
    assert (
        ratings_needed_sentence("CQ4", LabelsSoFar(0, 0, 1), 0.05)
        == "Even the only conversation gives an interval of ±44.5 points at worst."
    )
    assert ratings_needed_sentence("CQ4", LabelsSoFar(0, 0, 0), 0.05) == "For CQ4, there is nothing to rate."
    assert (
        precision_sentence("CQ4", LabelsSoFar(20, 10, 30), 31)
        == "At most 30 more ratings can be given. Even all 50 conversations give an interval of ±13.4 points."
    )
    assert precision_sentence("CQ4", LabelsSoFar(20, 10, 0), 5) == "For CQ4, nothing is left to rate."
    assert (
        precision_sentence("CQ4", LabelsSoFar(20, 10, 30, overlap=3), 2)
        == "Each conversation takes 3 ratings: with 2 none is complete."
    )


def test_of_no_ratings_nothing_is_told() -> None:
    with pytest.raises(BadInput):
        precision_sentence("x", LabelsSoFar(5, 1, 5), 0)


def test_a_study_says_whether_it_holds_enough_failures_for_its_gate() -> None:
    rule = (
        'Settled failures decide this safety gate: "matches clinicians" takes 17 without a miss or 26 with one, '
        '"falls short" 3 without a catch.'
    )
    few = "This study has at most about 4, too few for a yes: it takes about 850 conversations or more, or"
    assert gate_sentence(2, LabelsSoFar(100, 2, 100), 0.8).startswith(
        f"{rule} {few} conversations that are more likely"
    )
    assert gate_sentence(20, LabelsSoFar(100, 20, 100), 0.8) == (f"{rule} This study has at most about 40.")
    assert gate_sentence(0, LabelsSoFar(100, 0, 100), 0.8).startswith(f"{rule} No clinician has seen one")
    assert "has until some are labelled" in gate_sentence(0, LabelsSoFar(0, 0, 100), 0.8)
    assert "takes 29 without a miss" in gate_sentence(2, LabelsSoFar(100, 2, 100), 0.88)
