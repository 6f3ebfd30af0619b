"""Agreement before and after a discussion: counts, the jackknife over conversations, and what cannot be
said.
"""

from __future__ import annotations

import math
import random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from scoring.agreement.people.rounds import NONE, ONE, RoundLabel, change, pairwise, with_others

LABELS = st.lists(
    st.builds(
        RoundLabel,
        st.integers(1, 5),
        st.integers(1, 3),
        st.sampled_from(["a", "b"]),
        st.integers(1, 4),
        st.sampled_from(["Y", "N", None]),
    ),
    max_size=60,
    unique_by=lambda one: (one.conversation, one.unit, one.criterion, one.rater),
)


def unit(conversation: int, *labels: str | None, criterion: str = "a") -> list[RoundLabel]:
    return [
        RoundLabel(conversation, conversation, criterion, rater, label)
        for rater, label in enumerate(labels, start=1)
    ]


def test_pairs_are_counted_within_a_unit_and_criterion() -> None:
    found = pairwise([*unit(1, "Y", "Y", "N"), *unit(2, "Y", "N"), *unit(2, "N", "N", criterion="b")])
    assert (found.same, found.pairs, found.conversations) == (2, 5, 2)
    assert found.value == pytest.approx(0.4)


def test_cannot_rate_and_a_single_rater_make_no_pair() -> None:
    found = pairwise([*unit(1, "Y", None), *unit(2, "N")])
    assert found.value is None and found.undefined == NONE


def test_one_conversation_has_a_value_and_no_interval() -> None:
    found = pairwise(unit(1, "Y", "Y", "N"))
    assert (found.low, found.undefined) == (None, ONE)
    assert found.value == pytest.approx(1 / 3)


def test_the_interval_is_the_jackknife_written_out() -> None:
    counts = [(1, 1), (0, 1), (1, 3), (3, 3)]
    labels = [*unit(1, "Y", "Y"), *unit(2, "Y", "N"), *unit(3, "Y", "Y", "N"), *unit(4, "N", "N", "N")]
    out = [(5 - s) / (8 - p) for s, p in counts]
    half = t.ppf(0.975, 3) * math.sqrt(3 / 4 * sum((one - mean(out)) ** 2 for one in out))
    found = pairwise(labels)
    assert found.value == pytest.approx(5 / 8)
    assert (found.low, found.high) == pytest.approx((max(0.0, 5 / 8 - half), min(1.0, 5 / 8 + half)))


def test_where_everybody_agrees_the_interval_still_has_a_width() -> None:
    found = pairwise([one for c in range(1, 6) for one in unit(c, "Y", "Y")])
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 5))  # Clopper-Pearson, five of five


def test_a_change_compares_the_same_raters_on_the_same_units() -> None:
    before = [*unit(1, "Y", "N"), *unit(2, "Y", "N"), *unit(3, "Y", "Y")]
    after = [*unit(1, "Y", "Y"), *unit(2, "Y", "N"), *unit(3, "Y", "Y"), *unit(4, "N", "Y")]
    found = change(before, after)
    assert (found.same, found.pairs, found.conversations) == (2, 3, 3)
    assert found.value == pytest.approx(1 / 3)
    assert found.value is not None and found.low is not None and found.high is not None
    assert -1 <= found.low < found.value < found.high <= 1


def test_the_interval_of_a_change_is_the_jackknife_written_out() -> None:
    before = [*unit(1, "Y", "N", "N"), *unit(2, "Y", "N"), *unit(3, "Y", "Y"), *unit(4, "Y", "N")]
    after = [*unit(1, "Y", "Y", "N"), *unit(2, "Y", "Y"), *unit(3, "Y", "N"), *unit(4, "N", "N")]
    counts = [(1, 1, 3), (1, 0, 1), (0, 1, 1), (1, 0, 1)]  # agreeing after, agreeing before, pairs

    def difference(some: list[tuple[int, int, int]]) -> float:
        return sum(new - old for new, old, _ in some) / sum(pairs for _, _, pairs in some)

    without = [difference([*counts[:number], *counts[number + 1 :]]) for number in range(4)]
    half = t.ppf(0.975, 3) * math.sqrt(3 / 4 * sum((value - mean(without)) ** 2 for value in without))
    share = change(before, after)
    assert (share.same, share.pairs) == (3, 6)
    assert (share.value, share.low, share.high) == pytest.approx(
        (1 / 6, 1 / 6 - half, min(1.0, 1 / 6 + half))
    )


def test_a_change_that_is_everywhere_the_same_says_that_its_spread_cannot_be_told() -> None:
    found = change([*unit(1, "Y", "N"), *unit(2, "Y", "N")], [*unit(1, "Y", "Y"), *unit(2, "N", "N")])
    assert found.value == 1.0 and found.low is None and found.undefined and "alike" in found.undefined


def test_nothing_in_common_has_no_change() -> None:
    assert change(unit(1, "Y", "N"), unit(2, "Y", "N")).value is None
    assert change([], []).undefined == NONE


@settings(max_examples=200)
@given(labels=LABELS)
def test_whatever_was_said_a_share_is_a_share_or_has_a_reason(labels: list[RoundLabel]) -> None:
    agreement = pairwise(labels)
    assert (agreement.value is None) == (agreement.pairs == 0)
    if agreement.value is not None:
        assert 0 <= agreement.value <= 1 and agreement.same <= agreement.pairs
        assert (agreement.low is None) == (agreement.undefined is not None)
        if agreement.low is not None and agreement.high is not None:
            assert (
                0 <= agreement.low <= agreement.value <= agreement.high <= 1
                and agreement.low < agreement.high
            )
    assert pairwise(reversed(labels)) == agreement
    same = change(labels, labels)
    assert same.value in (0.0, None)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    """Conversations of three units whose raters agree more in some conversations than in others; fixed seed,
    at least 90 of 100.
    """
    rng, truth, inside, studies = random.Random(7), 0.7, 0, 400
    for _ in range(studies):
        labels = []
        for conversation in range(20):
            chance = rng.choice([0.5, 0.9])
            for number in range(3):
                agree = rng.random() < chance
                labels += [
                    RoundLabel(
                        conversation,
                        conversation * 3 + number,
                        "a",
                        rater,
                        "Y" if agree or rater == 1 else "N",
                    )
                    for rater in (1, 2)
                ]
        agreement = pairwise(labels)
        assert agreement.low is not None and agreement.high is not None
        inside += agreement.low <= truth <= agreement.high
    assert 0.90 <= inside / studies <= 0.99


def test_with_the_others_counts_only_the_pairs_that_one_is_in() -> None:
    """1 and 2 agree on all of six, 3 with nobody: 0 of 12 for 3, 6 of 12 for 1."""
    said = [one for conversation in range(1, 7) for one in unit(conversation, "Y", "Y", "N")]
    assert (with_others(said, 3).same, with_others(said, 3).pairs) == (0, 12)
    assert (with_others(said, 1).same, with_others(said, 1).pairs, with_others(said, 1).value) == (6, 12, 0.5)
    assert with_others(said, 4).undefined == NONE
    assert pairwise(said).pairs == 18
