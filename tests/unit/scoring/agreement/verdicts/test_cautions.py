"""Each warning at its threshold, just below and just above."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.people.severity import Severity
from scoring.agreement.verdicts.cautions import (
    cautions_of_criteria,
    commonest,
    kappa_unreliable,
    rests_on_one_conversation,
    single_rater,
    too_many_errors,
)
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement, compare_with_judge
from tests.unit.scoring.agreement.materials import column, material, number, verdicts

WARM = number("warm")


def beside(people: dict[int, str], judge: str, parts: dict[int, int] | None = None) -> JudgeAgreement:
    return compare_with_judge(material(column("warm", people), verdicts("warm", judge), parts=parts), WARM)


def kinds(agreement: JudgeAgreement) -> set[str]:
    cautions = cautions_of_criteria([agreement])
    assert all(caution.criteria == ("warm",) for caution in cautions)
    return {caution.kind for caution in cautions}


@pytest.mark.parametrize(("pairs", "warned"), [(29, True), (30, False), (31, False)])
def test_fewer_than_30_pairs(pairs: int, warned: bool) -> None:
    assert ("few_pairs" in kinds(beside({1: "YN" * 20}, ("YN" * 20)[:pairs]))) == warned


@pytest.mark.parametrize(("conversations", "warned"), [(9, True), (10, False), (11, False)])
def test_fewer_than_10_conversations(conversations: int, warned: bool) -> None:
    parts = {unit: 1 + unit % conversations for unit in range(1, 41)}
    assert ("few_conversations" in kinds(beside({1: "YN" * 20}, "YN" * 20, parts))) == warned


@pytest.mark.parametrize(("common", "warned"), [(35, False), (36, False), (37, True), (40, True)])
def test_one_label_above_nine_tenths_of_the_clinicians(common: int, warned: bool) -> None:
    agreement = beside({1: "Y" * common + "N" * (40 - common)}, "YN" * 20)
    assert commonest(agreement) == pytest.approx(common / 40) and ("one_label" in kinds(agreement)) == warned


def test_it_is_the_clinicians_labels_that_are_counted_not_the_judges() -> None:
    assert "one_label" not in kinds(beside({1: "YN" * 20}, "Y" * 40))


@pytest.mark.parametrize(("verdict", "warned"), [(19, True), (20, False), (21, False)])
def test_fewer_than_20_verdicts(verdict: int, warned: bool) -> None:
    assert (
        "few_verdicts" in kinds(beside({1: ("YN" * 20)[:verdict] + "A" * (40 - verdict)}, "YN" * 20))
    ) == warned


@pytest.mark.parametrize(("share", "warned"), [(0.5, False), (0.5001, True), (0.4999, False), (None, False)])
def test_more_than_half_of_what_is_uncertain_in_one_conversation(share: float | None, warned: bool) -> None:
    estimate = Estimate(
        0.5,
        9,
        "percent agreement",
        low=0.1,
        high=0.9,
        influential_part=None if share is None else 1,
        influence=share,
    )
    assert rests_on_one_conversation(estimate) == warned
    agreement = replace(beside({1: "YN" * 20}, "YN" * 20), percent=estimate)
    assert ("one_conversation" in kinds(agreement)) == warned


def test_all_disagreement_in_one_conversation_is_warned_of() -> None:
    assert "one_conversation" in kinds(beside({1: "YN" * 20}, "NY" + "YN" * 19, {2: 1}))


def test_without_pairs_there_is_nothing_to_warn_of() -> None:
    assert cautions_of_criteria([beside({1: "Y"}, ".")]) == []
    assert cautions_of_criteria([]) == []


@pytest.mark.parametrize(
    ("kappa", "other", "warned"),
    [(0.5, 0.7, False), (0.5, 0.7001, True), (0.9, 0.5, False), (None, 0.9, False), (0.1, None, False)],
)
def test_kappa_far_below_ac1(kappa: float | None, other: float | None, warned: bool) -> None:
    def estimate(value: float | None) -> Estimate:
        return undefined_estimate("x", 1, "x") if value is None else Estimate(value, 1, "x")

    agreement = replace(
        beside({1: "YYYYN"}, "YYYYN"), coefficients={"kappa": estimate(kappa), "AC1": estimate(other)}
    )
    assert kappa_unreliable(agreement) == warned


def test_a_single_rater_over_all_criteria() -> None:
    assert single_rater([beside({1: "YN"}, "YN")])
    assert not single_rater([beside({1: "YN"}, "YN"), beside({2: "YN"}, "YN")])
    assert not single_rater([beside({1: "YN"}, "..")]) and not single_rater([])
    assert single_rater([beside({1: "YN", 2: ".."}, "YN")])


@pytest.mark.parametrize(
    ("failed", "labelled", "warned"),
    [
        (5, 95, False),
        (6, 94, True),
        (4, 96, False),
        (0, 0, False),
        (1, 0, True),
        (1, 19, False),
        (1, 18, True),
        (7, 133, False),
        (35, 665, False),
    ],
)
def test_more_than_5_in_100_calls_without_a_label(failed: int, labelled: int, warned: bool) -> None:
    assert too_many_errors(failed, labelled) == warned


@pytest.mark.parametrize(
    ("spread", "warned"), [(0.5, False), (0.5 + 1e-12, False), (0.51, True), (0.49, False)]
)
def test_raters_more_than_half_a_level_apart(spread: float, warned: bool) -> None:
    assert Severity({}, Estimate(spread, 9, "spread")).far_apart == warned
    assert not Severity({}, undefined_estimate("nobody", 0, "spread")).far_apart
