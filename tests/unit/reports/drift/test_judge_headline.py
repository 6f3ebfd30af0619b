"""The sentence that Drift of the judge opens with, of planted answers to frozen conversations."""

from __future__ import annotations

from typing import Any, cast

import pytest

from data.record.anchors import AnchorSet
from data.record.judgements import Judge
from reports.drift.anchor_rounds import judge_headline, lines
from scoring.drift.anchor_answers import ANSWERS, AnchorAnswer
from services.anchors import AnchorDrift

CONVERSATIONS = 30
FROZEN = AnchorSet(1, 1, "2026-01-01", 1, {})


def answers(*rounds: int) -> list[AnchorAnswer]:
    """Of one judge: in each round it gives the settled label in so many conversations, the first ones."""
    return [
        AnchorAnswer(
            conversation,
            conversation,
            "warm",
            "YES",
            number,
            "YES" if conversation <= right else "NO",
            number,
        )
        for number, right in enumerate(rounds, start=1)
        for conversation in range(1, CONVERSATIONS + 1)
        for _ in range(ANSWERS)
    ]


def sentence(*judges: list[AnchorAnswer], frozen: AnchorSet | None = FROZEN, name: str = "J{}") -> str:
    given = {number: some for number, some in enumerate(judges, start=1) if some}
    drift = AnchorDrift(
        study=cast(Any, None),
        newest=frozen,
        judges=[Judge(number, name.format(number), {}) for number in range(1, len(judges) + 1)],
        answers=given,
        history=[],
        settled={},
        position={},
        conversation={},
        questions=(),
    )
    return judge_headline(drift, lines(given))


def test_a_judge_that_moves_is_told_with_the_round_and_the_way() -> None:
    assert sentence(answers(28, 28, 10)) == (
        "J1 has changed: in the last round (round 3), it gives the settled label less often than when "
        "first asked in 18 of 30 conversations in the locked set, and more often in 0."
    )
    assert "more often than when first asked in 20 of 30 conversations in the locked set" in sentence(
        answers(8, 28)
    )


def test_judges_of_one_name_are_told_apart_by_number() -> None:
    assert sentence(answers(28, 5), answers(20, 20), name="J").startswith("J (judge 1) has changed: ")


def test_the_round_that_shows_it_is_not_told_as_when_it_changed() -> None:
    assert "has changed: in the last round (round 3), it" in sentence(answers(28, 10, 10)), (
        "it fell in round 2"
    )
    assert "has changed: in round 2, it" in sentence(answers(28, 5, 28)), "and in round 3 it was back"


def test_where_nothing_moves_only_that_is_said() -> None:
    assert sentence(answers(20, 21, 20)) == (
        "J1 is not shown to change on the same conversations, asked 3 times."
    )
    assert sentence(answers(20, 20), answers(15, 15)) == (
        "No judge is shown to change on the same conversations, asked 2 times."
    )
    assert sentence(answers(20, 21, 20, 21, 20), answers(15, 15)).endswith(", asked 2 to 5 times.")


def test_of_several_only_the_one_that_moved_is_named() -> None:
    assert sentence(answers(20, 20), answers(28, 5)).startswith("J2 has changed: in the last round (round 2)")
    three = sentence(answers(28, 5), answers(28, 5), answers(5, 28))
    assert three.count("changed: ") == 2 and three.endswith("1 other judge changed too.")


def test_a_change_that_one_of_many_rounds_might_show_by_chance_is_not_named() -> None:
    alone, among = answers(20, 14), [answers(20, *[20 if n % 2 else 21 for n in range(9)]) for _ in range(3)]
    assert "changed" in sentence(alone)
    assert "No judge is shown to change" in sentence(alone, *among)


@pytest.mark.parametrize(
    ("judges", "frozen", "why"),
    [
        ((), None, "No set is locked yet, so"),
        (([],), FROZEN, "has not answered the locked set, so"),
        ((answers(20),), FROZEN, "no judge was asked a second time"),
    ],
)
def test_what_is_missing_is_said(
    judges: tuple[list[AnchorAnswer], ...], frozen: AnchorSet | None, why: str
) -> None:
    assert why in sentence(*judges, frozen=frozen)


def test_of_a_judge_that_was_asked_once_it_cannot_be_told() -> None:
    assert sentence(answers(20, 20), answers(25)) == (
        "J1 is not shown to change on the same conversations, asked 2 times; J2 could not be tested."
    )


def test_of_one_conversation_nothing_is_claimed() -> None:
    one = [answer for answer in answers(1, 0) if answer.conversation == 1]
    assert sentence(one) == (
        "It is too early to say whether the judge changed: 6 conversations must be answered twice."
    )
