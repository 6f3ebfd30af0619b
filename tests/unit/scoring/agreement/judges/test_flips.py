"""How often a judge changes its mind, and how sure that is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.judges.flips import NOTHING, SPREADLESS, RepeatedVerdicts, flips
from tests.unit.scoring.leaving_out import assert_same, leave_each_out


def test_the_rate_is_of_the_later_verdicts_and_a_label_changes_once() -> None:
    flip_rate = flips(
        [RepeatedVerdicts(1, "YES", ("YES", "NO", "NO")), RepeatedVerdicts(2, "NO", ("NO", "NO", "NO"))]
    )
    assert (
        flip_rate.rate.value,
        flip_rate.labels,
        flip_rate.changed,
        flip_rate.asked_again,
        flip_rate.conversations,
    ) == (
        2 / 6,
        2,
        1,
        6,
        2,
    )
    assert flip_rate.none_at_most is None


verdict = st.sampled_from(("YES", "NO", "NA"))


@given(
    st.lists(
        st.builds(
            RepeatedVerdicts, st.integers(0, 5), verdict, st.lists(verdict, min_size=1, max_size=3).map(tuple)
        ),
        min_size=1,
        max_size=12,
    )
)
def test_the_interval_is_that_of_the_share_computed_anew_without_each_conversation(
    asked: list[RepeatedVerdicts],
) -> None:
    by_conversation: dict[int, list[bool]] = {}
    for verdicts in asked:
        flipped = [label != verdicts.first for label in verdicts.later]
        by_conversation.setdefault(verdicts.conversation, []).extend(flipped)

    def share(groups: list[list[bool]]) -> float | None:
        answers = [flipped for group in groups for flipped in group]
        return sum(answers) / len(answers) if answers else None

    flip_rate, expected = flips(asked), leave_each_out(list(by_conversation.values()), share)
    assert flip_rate.asked_again == sum(map(len, by_conversation.values()))
    assert flip_rate.conversations == len(by_conversation)
    if flip_rate.rate.undefined == SPREADLESS:
        assert expected.low == pytest.approx(expected.high, abs=1e-9)
    elif flip_rate.changed:
        assert_same(flip_rate.rate, expected)


def test_labels_that_were_not_asked_again_or_failed_every_time_say_nothing() -> None:
    asked = [RepeatedVerdicts(1, "YES", ("NO",)), RepeatedVerdicts(2, "NO", ("NO",))]
    assert flips([*asked, RepeatedVerdicts(3, "YES", ())]) == flips(asked)


def test_nothing_asked_again_is_no_number() -> None:
    for asked in ([], [RepeatedVerdicts(1, "YES", ())]):
        found = flips(asked)
        assert (found.rate.value, found.rate.low, found.rate.undefined, found.none_at_most) == (
            None,
            None,
            NOTHING,
            None,
        )


def test_no_change_at_all_is_no_certain_zero() -> None:
    """With n conversations and no change, 1 - 0.05^(1/n) is the upper 95 % limit."""
    found = flips([RepeatedVerdicts(n, "YES", ("YES", "YES")) for n in range(10)])
    assert (found.rate.value, found.rate.low, found.rate.high) == (0.0, None, None)
    assert found.none_at_most == pytest.approx(1 - 0.05 ** (1 / 10))


def test_that_limit_counts_conversations_and_not_labels() -> None:
    assert flips([RepeatedVerdicts(1, "YES", ("YES",))] * 50).none_at_most == pytest.approx(0.95)


def test_one_conversation_has_a_rate_but_no_interval() -> None:
    found = flips([RepeatedVerdicts(1, "YES", ("NO",)), RepeatedVerdicts(1, "YES", ("YES",))])
    assert (found.rate.value, found.rate.low, found.rate.high) == (0.5, None, None) and found.rate.undefined


@pytest.mark.parametrize(
    ("later", "rate"), [(("NO",), 1.0), (("YES",) * 11 + ("NO",), 1 / 12), (("NO", "YES", "YES"), 1 / 3)]
)
@pytest.mark.parametrize("count", [2, 7])
def test_a_rate_that_all_conversations_share_is_not_certain(
    later: tuple[str, ...], rate: float, count: int
) -> None:
    found = flips([RepeatedVerdicts(n, "YES", later) for n in range(count)])
    assert (found.rate.low, found.rate.high, found.rate.undefined) == (None, None, SPREADLESS)
    assert found.rate.value == pytest.approx(rate)
    assert found.none_at_most is None


def test_labels_of_one_conversation_that_change_together_make_the_interval_wider() -> None:
    chance = random.Random(4)
    apart = [RepeatedVerdicts(n, "YES", ("NO" if chance.random() < 0.3 else "YES",)) for n in range(200)]
    together = [RepeatedVerdicts(n // 10, "YES", ("NO" if n // 10 % 3 == 0 else "YES",)) for n in range(200)]
    narrow, wide = flips(apart).rate, flips(together).rate
    assert (
        narrow.low is not None and narrow.high is not None and wide.low is not None and wide.high is not None
    )
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    chance, held = random.Random(7), 0
    for _ in range(300):
        asked = []
        for conversation in range(40):
            rate = chance.choice([0.0, 0.1, 0.5])
            asked += [
                RepeatedVerdicts(conversation, "YES", ("NO" if chance.random() < rate else "YES",))
                for _ in range(5)
            ]
        flip_rate = flips(asked).rate
        held += (
            flip_rate.low is not None
            and flip_rate.high is not None
            and flip_rate.low <= 0.2 <= flip_rate.high
        )
    assert 0.90 <= held / 300 <= 0.99
