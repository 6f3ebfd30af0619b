"""Each source is seen where only it can move, in cases small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kruskal

from scoring.drift.findings import Finding, cannot_tell, family
from scoring.drift.judge_movement import NONE_YET, ONE_DAY, AnchorAnswers, judge_moved
from scoring.drift.rater_movement import NO_DAYS, NOBODY, DriftLevels, raters_moved
from scoring.drift.sources import (
    NO_JUDGE,
    NO_PEOPLE,
    NO_TIME,
    ONE_CONDITION,
    ONE_MOMENT,
    ConversationDates,
    DriftEvidence,
    mix_moved,
    model_moved,
)

DAYS = np.arange(12)


def anchors(levels: list[list[float]], right: bool = True) -> AnchorAnswers:
    """A row a conversation, a column a day; one question."""
    level = np.array(levels, dtype=float)
    talk, day = (
        np.broadcast_to(one, level.shape).ravel()
        for one in (np.arange(len(level))[:, None], np.arange(level.shape[1]) * 10)
    )
    return AnchorAnswers(
        talk, np.zeros(level.size, dtype=np.int64), day, level.ravel(), np.full(level.size, right)
    )


def levels(rows: dict[int, list[float]]) -> DriftLevels:
    """Rater -> the level of each conversation, one unit and question each; NaN where they did not rate it."""
    who, case, level = (
        np.array(column)
        for column in zip(
            *(
                (rater, case, level)
                for rater, row in rows.items()
                for case, level in enumerate(row)
                if level == level
            ),
            strict=True,
        )
    )
    return DriftLevels(who, case, np.zeros(len(who), dtype=np.int64), case, level.astype(float))


def cases(
    condition: list[int] | None = None, person: list[int] | None = None, day: list[float] | None = None
) -> ConversationDates:
    found = np.array(day if day is not None else DAYS, dtype=float)
    return ConversationDates(
        found,
        np.array(condition if condition is not None else [0] * len(found)),
        np.array(person if person is not None else range(len(found))),
    )


def moved(people: DriftLevels, case: ConversationDates) -> Finding:
    return raters_moved(people, case.day[people.case].astype(np.int64), case.person)


def test_risers_against_fallers_among_anchors() -> None:
    found = judge_moved(anchors([[0, 0.5, 1]] * 9 + [[1, 0.5, 0]] + [[0.5, 0.5, 0.5]] * 5))
    # 9 of 10 that moved rose: 2 * (1 + 10) / 1024; being right never moved, and is the other of the two looks
    assert (found.n, found.direction, found.what, found.up, found.down) == (15, 1, "level", 9, 1)
    assert found.p == pytest.approx(2 * 22 / 1024)


def test_a_judge_that_is_right_less_often_is_seen_without_any_order() -> None:
    talk = np.repeat(np.arange(8), 2)
    answers = AnchorAnswers(
        talk, np.zeros(16, dtype=np.int64), np.tile([0, 9], 8), np.full(16, np.nan), np.tile([True, False], 8)
    )
    found = judge_moved(answers)
    assert (found.p, found.direction, found.what) == (2 / 256, -1, "right")


def test_an_answer_that_failed_once_is_no_change() -> None:
    # Two questions, always 0 and 1; the first failed on the second day: the mean of the day rises, the judge
    # does not.
    answers = AnchorAnswers(
        np.zeros(3, dtype=np.int64),
        np.array([0, 1, 1]),
        np.array([0, 0, 5]),
        np.array([0.0, 1, 1]),
        np.array([True] * 3),
    )
    movement = judge_moved(answers)
    assert (movement.p, movement.up, movement.down) == (1.0, 0, 0)


def test_anchors_that_never_moved_say_that_nothing_changed_and_no_anchors_say_nothing() -> None:
    assert judge_moved(anchors([[0.5, 0.5]] * 4)).p == 1
    assert judge_moved(None).untold == NONE_YET
    assert judge_moved(anchors([[0.5], [1]])).untold == ONE_DAY


def test_the_rater_who_moves_is_named_among_three() -> None:
    steady = [0.5] * 12
    found = moved(levels({7: steady, 8: steady, 9: [day / 11 for day in range(12)]}), cases())
    # Everybody's difference moves when one does; in exact numbers all three are as extreme, so the first is
    # told apart by noise in practice.
    assert found.p is not None and found.p < 0.001 and found.n == 12
    noisy = levels({7: [0.4, 0.6] * 6, 8: [0.6, 0.4] * 6, 9: [day / 11 for day in range(12)]})
    named = moved(noisy, cases())
    assert (named.who, named.direction) == (9, 1)


def test_other_colleagues_do_not_make_a_rater_move() -> None:
    # The first rater is steady; beside them first a lenient, then a strict one, whom the others know from all
    # along.
    rng, nan = np.random.default_rng(2), float("nan")
    true = rng.normal(0.5, 0.1, 40)

    def said(strict: float, seen: list[bool]) -> list[float]:
        return [
            case - strict + rng.normal(0, 0.03) if is_seen else nan
            for case, is_seen in zip(true, seen, strict=True)
        ]

    early, every, odd = [case < 20 for case in range(40)], [True] * 40, [case % 2 == 0 for case in range(40)]
    people = levels(
        {
            1: said(0, every),
            2: said(-0.2, early),
            3: said(0.2, [not is_early for is_early in early]),
            4: said(0.0, odd),
        }
    )
    movement = moved(people, cases(day=list(range(40))))
    assert movement.p is not None and movement.p > 0.05


def test_between_two_raters_nobody_is_named() -> None:
    found = moved(levels({1: [0.5] * 12, 2: [day / 11 for day in range(12)]}), cases())
    assert found.p is not None and found.p < 0.001 and found.who is None and found.direction == 0


def test_raters_who_share_nothing_or_whose_days_are_unknown_cannot_be_told() -> None:
    nan = float("nan")
    alone = levels({1: [0.5] * 6 + [nan] * 6, 2: [nan] * 6 + [0.5] * 6})
    assert moved(alone, cases()).untold == NOBODY
    people = levels({1: [0.5] * 12, 2: [0.5] * 12})
    assert raters_moved(people, np.full(24, -1), np.zeros(12, dtype=np.int64)).untold == NO_DAYS


def test_the_mix_is_kruskal_and_wallis_of_days_over_conditions() -> None:
    condition = [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1]
    found, of = mix_moved(cases(condition)), np.array(condition)
    assert found.p == pytest.approx(kruskal(DAYS[of == 0], DAYS[of == 1]).pvalue) and found.n == 12
    assert (found.who, found.direction) in ((0, -1), (1, 1))
    assert mix_moved(cases([0] * 12)).untold == ONE_CONDITION
    assert mix_moved(cases([0, 1] * 6, day=[3.0] * 12)).untold == ONE_MOMENT
    assert mix_moved(cases([0, -1] * 6)).untold == ONE_CONDITION  # not known is no condition


def test_the_model_needs_people_and_judge_to_move_the_same_way() -> None:
    up, down, flat = [day / 11 for day in range(12)], [1 - day / 11 for day in range(12)], [0.4, 0.6] * 6

    def found(people: list[float], judge: list[float]) -> Finding:
        return model_moved(DriftEvidence(cases(), levels({1: people}), DAYS, levels({0: judge})))

    both = found(up, up)
    assert both.p is not None and both.p < 0.001 and both.direction == 1
    assert found(up, down).p == 1
    alone = found(up, flat)
    assert alone.p is not None and alone.p > 0.3
    assert found(up, [0.5] * 12).untold == NO_TIME


def test_cases_that_get_harder_are_not_a_model_that_gets_worse() -> None:
    condition, falling = [0] * 6 + [1] * 6, [1.0, 0.9] * 3 + [0.1, 0.2] * 3
    evidence = DriftEvidence(cases(condition), levels({1: falling}), DAYS, levels({0: falling}))
    found = model_moved(evidence)
    assert found.p is not None and found.p > 0.3
    assert model_moved(DriftEvidence(cases(), levels({1: falling}), DAYS, levels({0: falling}))).p < 0.05  # type: ignore[operator]


def test_conversations_of_one_person_are_compared_among_themselves_only() -> None:
    # Two people, one early and low, one late and high: within neither anything moves one way.
    person, level = [0] * 6 + [1] * 6, [0.1, 0.2] * 3 + [0.9, 0.8] * 3
    found = model_moved(DriftEvidence(cases(person=person), levels({1: level}), DAYS, levels({0: level})))
    assert found.p is not None and found.p > 0.3


def test_without_one_side_the_model_cannot_be_told() -> None:
    none = np.zeros(0, dtype=np.int64)
    nobody = DriftLevels(none, none, none, none, np.zeros(0))
    some = levels({1: [0.5] * 12})
    assert model_moved(DriftEvidence(cases(), some, DAYS, nobody)).untold == NO_JUDGE
    assert model_moved(DriftEvidence(cases(), nobody, DAYS[:0], some)).untold == NO_PEOPLE


def test_what_could_not_be_tested_costs_the_others_nothing() -> None:
    found = family([cannot_tell("judge", "no anchors"), Finding("mix", 0.02, 9), Finding("model", 0.03, 9)])
    assert [one.corrected for one in found] == [None, 0.04, 0.04] and [one.named for one in found] == [
        False,
        True,
        True,
    ]
    with pytest.raises(ValueError, match="either"):
        Finding("mix", None, 3)
