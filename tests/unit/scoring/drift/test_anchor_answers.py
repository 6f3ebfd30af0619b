"""What judges answered to anchors: shares, rounds, differences."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from scoring.drift.anchor_answers import AnchorAnswer, by_criterion, difference, split_into_rounds


def answer(
    conversation: int,
    label: str | None,
    criterion: str = "safe",
    settled: str = "NO",
    round: int = 0,
    day: int = 100,
) -> AnchorAnswer:
    return AnchorAnswer(conversation, conversation, criterion, settled, round, label, day)


def thrice(conversation: int, labels: str, **more: object) -> list[AnchorAnswer]:
    """NYN: no, yes, no; x: a failed call."""
    return [answer(conversation, {"N": "NO", "Y": "YES"}.get(one), **more) for one in labels]  # type: ignore[arg-type]


def test_right_is_the_share_of_answers_and_labels_count_alike() -> None:
    (one,) = split_into_rounds([*thrice(1, "NNN"), *thrice(2, "NYN"), *thrice(3, "Yxx")])
    assert one.right.value == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert (one.labels, one.failures, one.thin, one.right.n) == (3, 2, 1, 3)


def test_a_label_whose_calls_all_failed_is_no_wrong_answer() -> None:
    (one,) = split_into_rounds([*thrice(1, "NNN"), *thrice(2, "xxx"), *thrice(3, "NNY")])
    assert one.right.value == pytest.approx((1 + 2 / 3) / 2) and (one.labels, one.right.n, one.failures) == (
        3,
        2,
        3,
    )
    (nothing,) = split_into_rounds(thrice(1, "xxx"))
    assert nothing.right.value is None and nothing.right.undefined


def test_rounds_stand_apart_with_the_days_of_their_answers() -> None:
    first, second = split_into_rounds(
        [answer(1, "NO", day=5), answer(2, "NO", day=7), answer(1, "YES", round=1, day=40)]
    )
    assert (first.number, first.days, second.number, second.days) == (0, (5, 7), 1, (40, 40))
    assert split_into_rounds([]) == [] and split_into_rounds([answer(1, "NO", day=-1)])[0].days is None


def test_rounds_stand_in_time_and_the_first_is_what_was_asked_first() -> None:
    # The judge answered a round before it labelled the study: the labels came later, whatever their number.
    labels, early, unknown = (
        [answer(1, "NO", day=50)],
        [answer(1, "YES", round=1, day=10)],
        [answer(1, "YES", round=2, day=-1)],
    )
    assert [anchor_round.number for anchor_round in split_into_rounds([*labels, *early, *unknown])] == [
        2,
        1,
        0,
    ]
    first, since = (anchor_round.since_first for anchor_round in split_into_rounds([*labels, *early]))
    assert first is None and since is not None and since.more.value == 1.0


def test_a_difference_is_over_the_labels_that_both_answered_by_conversation() -> None:
    before = [answer for c in range(1, 9) for answer in thrice(c, "NNN")] + thrice(90, "YYY")
    after = [
        answer for c in range(1, 9) for answer in thrice(c, "YYY" if c <= 6 else "NNN", round=1)
    ] + thrice(91, "NNN", round=1)
    result = difference(before, after)
    assert (result.labels, result.first.value, result.second.value, result.more.value) == (
        8,
        1.0,
        0.25,
        -0.75,
    )
    assert (result.ahead, result.behind) == (0, 6) and result.p == pytest.approx(binomtest(6, 6).pvalue)
    assert (
        result.more.low is not None
        and result.more.high is not None
        and result.more.low < -0.75 < result.more.high < 0
    )


def test_several_labels_of_one_conversation_are_one_piece_of_evidence() -> None:
    before = [one for name in "abcdefgh" for one in thrice(1, "NNN", criterion=name)]
    after = [one for name in "abcdefgh" for one in thrice(1, "YYY", criterion=name)]
    found = difference(before, after)
    assert (found.labels, found.behind, found.p) == (8, 1, 1.0) and found.more.low is None


def test_what_nobody_answered_cannot_be_estimated() -> None:
    found = difference(thrice(1, "NNN"), thrice(2, "NNN"))
    assert found.labels == 0 and found.more.value is None and found.p is None


def test_by_criterion_keeps_their_order_and_leaves_out_what_only_one_answered() -> None:
    one = [
        *thrice(1, "NNN", criterion="b"),
        *thrice(1, "NNN", criterion="a"),
        *thrice(1, "NNN", criterion="c"),
    ]
    assert list(by_criterion(one, one[:6], ["a", "b", "c"])) == ["a", "b"]
