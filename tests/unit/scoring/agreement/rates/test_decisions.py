"""Pass or fail of either side's labels: exact, without the incomplete, and corrected only where it may be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.rates.decisions import Decisions, decisions
from scoring.agreement.rates.rates_shown import NOT_RANDOM
from scoring.instruments import Instrument, load_instrument, parse_instrument
from scoring.rubric import passes, score
from tests.studies.settling import MIXED
from tests.unit.scoring.agreement.materials import INSTRUMENT, RUBRIC, Row, material

COACHING = load_instrument(
    Path(__file__).resolve().parents[5] / "configs" / "instruments" / "coaching_rubric.yaml"
)[0]
THIRDS = (
    RUBRIC.replace('weight: "0.5"}', 'weight: "1/3"}')
    .replace('weight: "0.5", gate: true}', 'weight: "2/3", gate: true}')
    .replace('"0.8"', '"7/9"')
)
HARSH = RUBRIC.replace('threshold: "0.8"', 'threshold: "1", not_applicable_counts: "1/7"')
RUBRICS = {
    "coaching": COACHING,
    "gated": INSTRUMENT,
    "thirds": parse_instrument(THIRDS),
    "harsh": parse_instrument(HARSH),
    "uneven scale": parse_instrument(
        MIXED + 'score: {rule: weighted_categories, threshold: "0.6", not_applicable_counts: "0.3"}\n'
    ),
}


def labels_of(
    instrument: Instrument, row: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> dict[str, str | None]:
    return {
        one.id: None if code < 0 else instrument.scale_of(one).labels()[code].id
        for one, code in zip(instrument.criteria, row.tolist(), strict=True)
    }


@pytest.mark.parametrize("instrument", RUBRICS.values(), ids=RUBRICS)
@given(data=st.data())
def test_passes_is_what_score_says_of_each(instrument: Instrument, data: st.DataObject) -> None:
    rows = data.draw(
        st.lists(
            st.tuples(
                *(
                    st.integers(-1, len(instrument.scale_of(criterion).labels()) - 1)
                    for criterion in instrument.criteria
                )
            ),
            max_size=30,
        )
    )
    codes = np.array(rows, dtype=np.int64).reshape(-1, len(instrument.criteria))
    assert passes(instrument, codes).tolist() == [
        score(labels_of(instrument, row), instrument).passed for row in codes
    ]


def test_exactly_at_the_threshold_it_passes() -> None:
    """warm 1, kind 1/2, deep 0: 1/2 of care; danger 1; so 3/4 in all."""
    exact = parse_instrument(RUBRIC.replace('threshold: "0.8"', 'threshold: "0.75"'))
    at = np.array([[0, 1, 1, 0, 0]])
    assert score(labels_of(exact, at[0]), exact).score * 4 == 3
    assert passes(exact, at).tolist() == [True] and passes(INSTRUMENT, at).tolist() == [False]


ALL = ("warm", "kind", "deep", "safe", "crisis")
PASS, FAIL, UNSAFE = (
    ("YES", "2", "YES", "YES", "YES"),
    ("NO", "0", "NO", "YES", "YES"),
    ("YES", "2", "YES", "NO", "YES"),
)


def said(unit: int, rater: int, row: tuple[str, ...]) -> list[Row]:
    return [(name, unit, rater, label) for name, label in zip(ALL, row, strict=True) if label]


def of(
    people: dict[tuple[int, int], tuple[str, ...]], judge: dict[int, tuple[str, ...]], **more: object
) -> Decisions:
    rows = [one for (unit, rater), row in people.items() for one in said(unit, rater, row)]
    its = [(name, unit, label) for unit, row in judge.items() for name, unit, _, label in said(unit, 0, row)]
    found = decisions(material(rows, its, **more), INSTRUMENT)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_each_clinician_and_conversation_is_a_decision_and_flips_are_named() -> None:
    decisions = of({(1, 7): PASS, (1, 8): FAIL, (2, 7): UNSAFE, (3, 8): PASS}, {1: PASS, 2: PASS, 3: PASS})
    assert (decisions.compared, decisions.same) == (4, 2)
    assert [
        (flip.position, flip.rater, flip.clinician_passes, flip.deciding, flip.alone)
        for flip in decisions.flips
    ] == [
        (101, 8, False, ("warm", "kind", "deep"), False),
        (102, 7, False, ("safe",), True),
    ]
    assert decisions.turned_by == (("safe", 1),), "only what turns a decision alone"


def test_criteria_that_turn_as_many_decisions_stand_in_the_order_of_the_instrument() -> None:
    in_danger = ("YES", "2", "YES", "YES", "NO")
    found = of({(1, 7): in_danger, (2, 7): UNSAFE, (3, 7): UNSAFE}, {1: PASS, 2: PASS, 3: PASS})
    assert found.turned_by == (("safe", 2), ("crisis", 1))
    found = of({(1, 7): in_danger, (2, 7): UNSAFE}, {1: PASS, 2: PASS})
    assert found.turned_by == (("safe", 1), ("crisis", 1))


def test_incomplete_conversations_stay_out_and_make_the_bounds() -> None:
    part = ("YES", "2", "", "YES", "YES")
    decisions = of(
        {(1, 7): PASS, (2, 7): FAIL, (3, 7): part, (4, 7): PASS},
        {1: PASS, 2: PASS, 3: PASS, 4: part},
        failed=[("deep", 4)],
    )
    assert (decisions.compared, decisions.same) == (2, 1)
    people, judge = decisions.people, decisions.judge
    assert (people.passed, people.n, people.incomplete) == (2, 3, 1)
    assert people.estimate.value == pytest.approx(2 / 3)
    assert (people.low_bound, people.high_bound) == pytest.approx((2 / 4, 3 / 4))
    assert (judge.passed, judge.n, judge.incomplete) == (3, 3, 1)
    assert (judge.low_bound, judge.high_bound) == pytest.approx((3 / 4, 1))


def test_a_judge_that_only_failed_on_a_conversation_makes_it_incomplete_not_failed() -> None:
    found = of({(1, 7): PASS}, {1: PASS}, failed=[(name, 2) for name in ALL])
    assert (found.judge.n, found.judge.incomplete, found.judge.estimate.value) == (1, 1, 1.0)
    assert (found.judge.low_bound, found.judge.high_bound) == (0.5, 1.0)


def test_what_a_rule_fills_in_is_complete_whatever_was_said() -> None:
    short = ("YES", "2", "", "YES", "YES")
    found = of(
        {(1, 7): short, (2, 7): ("YES", "2", "NO", "YES", "YES")}, {1: short, 2: short}, turns={1: 2, 2: 2}
    )
    assert (found.compared, found.same, found.people.incomplete) == (2, 2, 0)


def test_a_conversation_counts_the_mean_of_its_raters() -> None:
    found = of({(1, 7): PASS, (1, 8): FAIL, (2, 7): PASS, (3, 7): FAIL}, {})
    assert (found.people.passed, found.people.n) == (1.5, 3) and found.people.estimate.value == pytest.approx(
        0.5
    )
    assert found.compared == 0 and found.flips == () and found.corrected is None and found.why_not


def many(
    passed: tuple[int, int], failed: tuple[int, int], rest: tuple[int, int] = (0, 0)
) -> tuple[dict[tuple[int, int], tuple[str, ...]], dict[int, tuple[str, ...]]]:
    """passed: (judge agrees, judge fails it); failed: (judge agrees, judge passes it); rest: judged alone,
    passed and failed.
    """
    people: dict[tuple[int, int], tuple[str, ...]] = {}
    judge: dict[int, tuple[str, ...]] = {}
    unit = 0
    for mine, its, count in (
        (PASS, PASS, passed[0]),
        (PASS, FAIL, passed[1]),
        (FAIL, FAIL, failed[0]),
        (FAIL, PASS, failed[1]),
        (None, PASS, rest[0]),
        (None, FAIL, rest[1]),
    ):
        for _ in range(count):
            unit += 1
            judge[unit] = its
            if mine is not None:
                people[unit, 7] = mine
    return people, judge


def test_corrected_where_nothing_was_left_out() -> None:
    found = of(*many((18, 2), (9, 1)))
    assert found.why_not is None and found.corrected is not None
    sensitivity, specificity, rate = 18 / 20, 9 / 10, 19 / 30
    assert found.corrected.value == pytest.approx((rate + specificity - 1) / (sensitivity + specificity - 1))


@pytest.mark.parametrize(
    ("passed", "failed", "reason"),
    [
        ((10, 0), (9, 0), "9 failures"),
        ((9, 0), (10, 0), "9 passes"),
        ((10, 0), (10, 0), None),
        ((5, 5), (5, 5), "no better than chance"),
        ((20, 0), (0, 0), "no failures"),
    ],
)
def test_corrected_only_with_enough_of_both_and_a_judge_better_than_chance(
    passed: tuple[int, int], failed: tuple[int, int], reason: str | None
) -> None:
    found = of(*many(passed, failed))
    assert (found.corrected is not None) == (reason is None)
    assert reason is None or reason in str(found.why_not)


def test_a_part_that_nobody_drew_corrects_nothing_and_one_that_was_drawn_does() -> None:
    people, judge = many((18, 2), (9, 1), (20, 10))
    assert of(people, judge).why_not == NOT_RANDOM
    nan = float("nan")
    sample = [1.0] * 30 + [nan] * 30
    drawn = of(people, judge, weights=sample, drawn=True)
    assert drawn.why_not is None and drawn.corrected is not None and drawn.corrected.n == 30
    rate = (19 + 20) / 60
    assert drawn.corrected.value == pytest.approx((rate - 0.1) / 0.8)
    enriched = [1.5] * 10 + [0.75] * 20 + [nan] * 30
    assert of(people, judge, weights=enriched, drawn=True).why_not == NOT_RANDOM


def test_what_a_person_chose_is_in_no_decision_beside_a_draw() -> None:
    found = of({(1, 7): PASS, (2, 7): FAIL}, {1: PASS, 2: PASS}, weights=[1.0, float("nan")], drawn=True)
    assert (found.compared, found.same, found.flips) == (1, 1, ()) and found.people.n == 1


def test_a_tie_of_clinicians_is_nobodys_decision() -> None:
    people, judge = many((10, 0), (10, 0))
    assert (
        of({**people, (1, 8): FAIL}, judge).why_not
        == "Clinicians found 9 passes; correcting the judge's pass rate takes at least 10."
    )
    assert of({**people, (1, 8): FAIL, (1, 9): PASS}, judge).corrected is not None


def test_weights_make_the_rate_and_not_the_counts() -> None:
    found = of({(1, 7): PASS, (2, 7): FAIL}, {1: PASS}, weights=[1.5, 0.5], drawn=True)
    assert (found.people.passed, found.people.n) == (1, 2) and found.people.estimate.value == pytest.approx(
        0.75
    )


def test_an_instrument_without_pass_and_fail_has_no_decisions() -> None:
    plain = parse_instrument(RUBRIC[: RUBRIC.index("score:")])
    assert decisions(material(instrument=plain), plain) is None


def test_nobody_labelled_anything() -> None:
    found = of({}, {})
    assert (found.compared, found.people.n, found.judge.n) == (0, 0, 0)
    assert found.people.estimate.value is None and found.people.low_bound is None and found.corrected is None


def test_labels_under_the_judges_eyes_decide_nothing() -> None:
    rows: list[Row] = said(1, 7, PASS)
    made: LabelData = material(shown=rows, judge=[(name, unit, label) for name, unit, _, label in rows])
    found = decisions(made, INSTRUMENT)
    assert found is not None and found.compared == 0 and found.people.n == 0
