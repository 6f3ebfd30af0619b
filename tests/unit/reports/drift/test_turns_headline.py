"""The sentence that Drift over the turns opens with, of planted curves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from data.record.curves import CurveEmbedder
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import COSINE, KNOWN, curve_bounds, curve_words
from reports.drift.turn_words import leaving_sentence, turns_headline
from tests.unit.reports.drift.test_conversation_curves import made

CARE = ("goal_alignment", "actions/windowed")
RISES, FALLS, STAYS = 0.03, -0.03, 0.0


def sentence(
    conditions: Sequence[str | None], slopes: Sequence[float], by: str | None = "model", noise: float = 0.01
) -> str:
    table = made(conditions, list(slopes), noise=noise)
    return turns_headline(ConversationDrift(table, by, "Goal alignment", COSINE), curve_words(CARE))


def planted(**slopes: float) -> str:
    """Twelve conversations a condition."""
    return sentence(
        [name for name in slopes for _ in range(12)], [slope for slope in slopes.values() for _ in range(12)]
    )


def test_where_nothing_moves_no_change_is_said_to_be_clear() -> None:
    assert planted(a=STAYS, b=STAYS) == (
        "With a and b, no change is clear in how similar replies are to the care plan."
    )


def test_the_one_condition_that_moves_is_named_and_which_way() -> None:
    assert planted(a=FALLS, b=STAYS) == (
        "With a, replies become less similar to the care plan turn by turn. With b, no change is clear."
    )
    assert planted(a=RISES, b=STAYS) == (
        "With a, replies become more similar to the care plan turn by turn. With b, no change is clear."
    )


def test_all_that_move_and_either_way() -> None:
    assert (
        planted(a=RISES, b=RISES)
        == "With a and b, replies become more similar to the care plan turn by turn."
    )
    assert planted(a=RISES, b=FALLS) == (
        "With b, replies become less similar to the care plan turn by turn. With a, replies become more similar "
        "to the care plan turn by turn."
    )


def test_what_cannot_be_told_is_said_of_whom() -> None:
    assert sentence(["a"] * 12 + ["b"] * 2, [FALLS] * 14) == (
        "With a, replies become less similar to the care plan turn by turn. With b, it is too early to say."
    )


@pytest.mark.parametrize("conversations", [1, 2, 9])
def test_of_few_conversations_nothing_is_claimed(conversations: int) -> None:
    assert sentence(["a"] * conversations, [RISES] * conversations, by=None) == (
        "It is too early to say whether anything changes turn by turn, because it takes 10 conversations with "
        "numbers at two turns."
    )


def test_of_curves_that_are_all_the_same_nothing_is_claimed() -> None:
    text = sentence(["a"] * 12, [RISES] * 12, by=None, noise=0.0)
    assert text.startswith(
        "It is too early to say whether anything changes turn by turn, because every conversation"
    )


def test_undivided_no_condition_is_named() -> None:
    assert sentence(["a", "b"] * 10, [FALLS] * 20, by=None) == (
        "Replies become less similar to the care plan turn by turn."
    )


@pytest.mark.parametrize("kind", KNOWN)
def test_every_curve_has_words_of_its_own(kind: tuple[str, str]) -> None:
    words = curve_words(kind)
    assert KNOWN[kind][0] not in words.rises and words.rises != words.falls


def test_an_embedder_has_the_words_of_its_counterpart_and_a_strangers_metric_its_name() -> None:
    other = ("goal_alignment", "actions/windowed/other")
    embedders = {other: CurveEmbedder("other", "actions/windowed")}
    assert curve_words(other, embedders) == curve_words(CARE) and curve_bounds(other, embedders) == COSINE
    assert curve_words(("warmth", "1")).rises == "warmth, 1 rises turn by turn"
    assert curve_bounds(("warmth", "1"))[1] == float("inf")


def test_where_care_is_furthest_is_said_only_where_it_rests_on_enough() -> None:
    few, many = (ConversationDrift(made(["a"] * n, [STAYS] * n), None, "It", COSINE) for n in (3, 40))
    assert leaving_sentence(few) == ""
    assert leaving_sentence(many).startswith("The assistant's actions are least similar to the plan at turn ")
