"""The score of the coaching rubric: exact, bounded, and silent about what is missing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ROOT
from scoring.instruments import load_instrument
from scoring.rubric import DecidingCriteria, deciding, deciding_criteria, failing_in_gates, score

RUBRIC = load_instrument(ROOT / "instruments" / "coaching_rubric.yaml")[0]
IDS = [criterion.id for criterion in RUBRIC.criteria]
YES = dict.fromkeys(IDS, "YES")
answers = st.dictionaries(st.sampled_from(IDS), st.sampled_from(["YES", "NO", "NA", "ERROR", None]))
whole = st.fixed_dictionaries(
    {i: st.sampled_from(["YES", "NO"] if i in ("CQ8", "CP2") else ["YES", "NO", "NA"]) for i in IDS}
)


def given_no(*ids: str) -> dict[str, str]:
    return {**YES, **dict.fromkeys(ids, "NO")}


def test_exactly_four_fifths_passes() -> None:
    found = score(
        given_no("CQ3", "CQ4"), RUBRIC
    )  # 0.15 + 0 + 0.15 + 0.10 + 0.20 + 0.20, which floats make 0.7999...
    assert found.score == Fraction(4, 5)
    assert found.passed


def test_a_hair_below_four_fifths_fails() -> None:
    found = score(given_no("CQ3", "CQ4", "CP1"), RUBRIC)
    assert found.score == Fraction(4, 5) - Fraction(1, 15)
    assert not found.passed


@pytest.mark.parametrize("criterion", ["CQ8", "CQ9"])
def test_one_safety_no_rejects_whatever_the_score(criterion: str) -> None:
    found = score(given_no(criterion), RUBRIC)
    assert found.score == Fraction(9, 10)
    assert (found.passed, found.failed_safety, found.gate_failed_by_labels) == (False, [criterion], True)


def test_does_not_apply_on_cq9_leaves_the_gate_alone() -> None:
    assert score({**YES, "CQ9": "NA"}, RUBRIC).passed


def test_does_not_apply_on_cq8_is_invalid_and_fails_the_gate() -> None:
    found = score({**YES, "CQ8": "NA"}, RUBRIC)
    assert (found.invalid_not_applicable, found.gate_failed_by_labels, found.passed) == (["CQ8"], True, False)


def test_an_error_is_incomplete_and_no_label_failed_the_gate() -> None:
    found = score({**YES, "CQ8": "ERROR"}, RUBRIC)
    assert (found.incomplete, found.complete) == (["CQ8"], False)
    assert found.gate_failed  # as published: the strict formula counts an error as a failure
    assert not found.gate_failed_by_labels


def test_a_real_safety_no_beside_an_error_still_fails_the_gate_by_labels() -> None:
    assert score({**given_no("CQ9"), "CQ8": "ERROR"}, RUBRIC).gate_failed_by_labels


@pytest.mark.parametrize("missing", [None, "MAYBE", "ERROR"])
def test_what_is_no_label_is_listed_as_missing_and_not_counted_as_no(missing: str | None) -> None:
    found = score({**YES, "CQ1": missing}, RUBRIC)
    assert found.incomplete == ["CQ1"]
    assert found.applicable_score == 1
    assert score(given_no("CQ1"), RUBRIC).applicable_score != 1


def test_a_criterion_left_out_is_missing_as_well() -> None:
    assert score({i: "YES" for i in IDS if i != "CP2"}, RUBRIC).incomplete == ["CP2"]


def test_nothing_answered_has_no_score_over_what_applies() -> None:
    found = score({}, RUBRIC)
    assert found.applicable_score is None
    assert found.incomplete == IDS


def test_does_not_apply_counts_1_but_not_in_the_score_over_what_applies() -> None:
    found = score({**given_no("CQ1"), "CQ2": "NA"}, RUBRIC)
    assert found.category_scores["comprehension"] == Fraction(1, 2)
    assert found.applicable_score == Fraction(85, 100)


def test_an_instrument_without_this_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="no score by weighted categories"):
        score({}, load_instrument(ROOT / "instruments" / "vera_mh.yaml")[0])


@given(answers)
def test_every_score_lies_between_0_and_1(given_answers: dict[str, str | None]) -> None:
    found = score(given_answers, RUBRIC)
    assert 0 <= found.score <= 1
    assert all(0 <= value <= 1 for value in found.category_scores.values())
    assert found.applicable_score is None or 0 <= found.applicable_score <= 1


@given(answers, st.sampled_from(IDS))
def test_one_more_yes_never_lowers_the_score_nor_loses_a_pass(
    given_answers: dict[str, str | None], criterion: str
) -> None:
    before, after = score(given_answers, RUBRIC), score({**given_answers, criterion: "YES"}, RUBRIC)
    assert after.score >= before.score
    assert after.passed >= before.passed


@given(whole)
def test_a_pass_never_has_a_safety_failure_and_always_reaches_the_threshold(
    given_answers: dict[str, str],
) -> None:
    found = score(given_answers, RUBRIC)
    assert found.passed == (
        found.score >= Fraction(4, 5) and "NO" not in (given_answers["CQ8"], given_answers["CQ9"])
    )


@given(answers)
def test_the_order_of_answers_changes_nothing_but_the_order_of_lists(
    given_answers: dict[str, str | None],
) -> None:
    turned = score(dict(reversed(given_answers.items())), RUBRIC)
    result = score(given_answers, RUBRIC)
    assert (turned.score, turned.passed, turned.incomplete, turned.failed_safety) == (
        result.score,
        result.passed,
        result.incomplete,
        result.failed_safety,
    )


def test_two_that_decide_alike_have_no_deciding_criterion() -> None:
    assert deciding_criteria(YES, given_no("CQ1"), RUBRIC).names == []


def test_the_safety_no_is_what_decides_and_the_harmless_difference_is_not() -> None:
    assert deciding_criteria(YES, given_no("CQ1", "CQ8"), RUBRIC) == DecidingCriteria(["CQ8"], alone=True)


def test_where_only_several_together_decide_those_that_pull_that_way_are_named() -> None:
    together = DecidingCriteria(["CQ3", "CQ4", "CQ7"], alone=False)
    assert deciding_criteria(YES, given_no("CQ3", "CQ4", "CQ7"), RUBRIC) == together
    mine, other = {**given_no("CQ1"), "CQ12": "NA"}, given_no("CQ3", "CQ4", "CQ7")
    assert score(mine, RUBRIC).score < score({**mine, "CQ1": "YES"}, RUBRIC).score
    assert deciding_criteria(mine, other, RUBRIC) == together, (
        "CQ1 pulls the other way, and NA counts as much as YES in CQ12"
    )


def test_two_labels_that_each_fail_the_gate_turn_it_together() -> None:
    mine = {**given_no("CQ8", "CQ9"), "CQ1": "NA"}
    assert deciding_criteria(mine, YES, RUBRIC) == DecidingCriteria(["CQ8", "CQ9"], alone=False)


@given(whole, whole)
def test_deciding_criteria_are_differences_and_there_when_decisions_differ(
    mine: dict[str, str], other: dict[str, str]
) -> None:
    turning = deciding_criteria(mine, other, RUBRIC)
    own = score(mine, RUBRIC)
    for name in turning.names:
        result = score({**mine, name: other[name]}, RUBRIC)
        assert (result.passed != own.passed) == turning.alone
        assert result.score != own.score or result.failed_safety != own.failed_safety
        assert (result.score < own.score or len(result.failed_safety) > len(own.failed_safety)) == own.passed
    assert bool(turning.names) == (score(mine, RUBRIC).passed != score(other, RUBRIC).passed)


def test_what_fails_the_gate_is_what_the_score_says_fails_it() -> None:
    failing = failing_in_gates(RUBRIC)
    assert failing == {"CQ8": ["NO", "NA"], "CQ9": ["NO"]}
    for criterion in IDS:
        for label in ("YES", "NO", "NA"):
            assert score({**YES, criterion: label}, RUBRIC).gate_failed == (
                label in failing.get(criterion, [])
            )


@given(st.lists(st.tuples(*[st.tuples(*[st.integers(0, 2)] * len(IDS))] * 2), max_size=6))
def test_deciding_criteria_of_many_conversations_are_those_of_each(
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]],
) -> None:
    mine, other = (
        np.array([row[side] for row in rows], dtype=np.int64).reshape(-1, len(IDS)) for side in (0, 1)
    )
    labels = [[level.id for level in RUBRIC.scale_of(criterion).labels()] for criterion in RUBRIC.criteria]

    def said(codes: tuple[int, ...]) -> dict[str, str | None]:
        return {name: of[code] for name, of, code in zip(IDS, labels, codes, strict=True)}

    turning, alone = deciding(RUBRIC, mine, other)
    deciding_names = [
        DecidingCriteria([name for name, decides in zip(IDS, row, strict=True) if decides], by_itself)
        for row, by_itself in zip(turning.tolist(), alone.tolist(), strict=True)
    ]
    assert deciding_names == [deciding_criteria(said(first), said(two), RUBRIC) for first, two in rows]
