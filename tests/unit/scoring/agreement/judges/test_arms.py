"""Blind beside shown, over all criteria, by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from scoring.agreement.judges.arms import by_reveals, shown_beside_blind
from scoring.agreement.labels.label_data import LabelData
from tests.unit.scoring.agreement.materials import Row, column, material, verdicts

LABELS = st.sampled_from("YNA.")


@st.composite
def materials(draw: st.DrawFn) -> LabelData:
    def rows(rater: int) -> list[Row]:
        return [
            row
            for name in ("warm", "crisis")
            for row in column(name, {rater: "".join(draw(st.lists(LABELS, min_size=6, max_size=6)))})
        ]

    judge = [
        row
        for name in ("warm", "crisis")
        for row in verdicts(name, "".join(draw(st.lists(LABELS, min_size=6, max_size=6))))
    ]
    return material([*rows(1), *rows(2)], judge, shown=rows(1), parts={2: 1}, units=6)


def share(label_data: LabelData, arm: int, without: int | None = None) -> tuple[int, int]:
    """Same labels and pairs in an arm, without one part."""
    codes = {
        (q, u): c
        for q, u, c in zip(
            label_data.judge.question.tolist(),
            label_data.judge.unit.tolist(),
            label_data.judge.code.tolist(),
            strict=True,
        )
    }
    part = dict(zip(label_data.units.id.tolist(), label_data.units.part.tolist(), strict=True))
    rows = [
        (q, u, c)
        for q, u, c, a in zip(
            *(
                x.tolist()
                for x in (
                    label_data.given.question,
                    label_data.given.unit,
                    label_data.given.code,
                    label_data.given.arm,
                )
            ),
            strict=True,
        )
        if a == arm and (q, u) in codes and part[u] != without
    ]
    return sum(codes[q, u] == c for q, u, c in rows), len(rows)


@given(label_data=materials())
def test_the_difference_is_that_of_brute_force(label_data: LabelData) -> None:
    comparison = shown_beside_blind(label_data)
    assert (comparison.blind.same, comparison.blind.pairs) == share(label_data, 0) and (
        comparison.shown.same,
        comparison.shown.pairs,
    ) == share(label_data, 1)
    assert comparison.unknown.pairs == 0
    if not (comparison.blind.pairs and comparison.shown.pairs):
        assert comparison.difference.value is None
        return
    blind, shown = share(label_data, 0), share(label_data, 1)
    assert comparison.difference.value == pytest.approx(shown[0] / shown[1] - blind[0] / blind[1])
    parts = [
        part
        for part in sorted(set(label_data.units.part.tolist()))
        if share(label_data, 0, part) != blind or share(label_data, 1, part) != shown
    ]
    lefts = [(share(label_data, 0, part), share(label_data, 1, part)) for part in parts]
    if comparison.difference.low is None:
        assert (
            len(parts) < 2
            or any(not blind[1] or not shown[1] for blind, shown in lefts)
            or np.ptp([s[0] / s[1] - b[0] / b[1] for b, s in lefts]) < 1e-9
        )
        return
    without = np.array([s[0] / s[1] - b[0] / b[1] for b, s in lefts])
    half = t.ppf(0.975, len(parts) - 1) * np.sqrt(
        (len(parts) - 1) / len(parts) * ((without - without.mean()) ** 2).sum()
    )
    assert comparison.difference.low == pytest.approx(max(-1.0, comparison.difference.value - half))
    assert comparison.difference.high == pytest.approx(min(1.0, comparison.difference.value + half))


def test_blind_ratings_by_how_many_reveals_came_before() -> None:
    before = {(1, 1): 0, (2, 1): 1, (3, 1): 10, (4, 1): 11, (5, 1): 99}
    label_data = material(
        column("warm", {1: "YNYNY"}),
        verdicts("warm", "YYYYY"),
        before=before,
        shown=column("warm", {2: "YYYYY"}),
    )
    assert [(arm.name, arm.same, arm.pairs) for arm in by_reveals(label_data)] == [
        ("before any reveal", 1, 1),
        ("after 1 to 10 reveals", 1, 2),
        ("after more than 10 reveals", 1, 2),
    ]


def test_where_a_rule_decides_there_is_no_pair_in_any_arm() -> None:
    found = material(
        column("deep", {1: "YY"}), verdicts("deep", "YY"), shown=column("deep", {2: "YY"}), turns={1: 2}
    )
    made = shown_beside_blind(found)
    assert (made.blind.pairs, made.shown.pairs) == (1, 1) and by_reveals(found)[0].pairs == 1


def test_nothing_at_all_is_no_pair() -> None:
    made = shown_beside_blind(material())
    assert (made.blind.pairs, made.shown.pairs, made.unknown.pairs) == (0, 0, 0)
    assert made.blind.percent.value is None and made.difference.value is None


def test_weights_make_the_share_and_not_the_counts() -> None:
    found = material(column("warm", {1: "YN"}), verdicts("warm", "YY"), weights=[1.5, 0.5], drawn=True)
    assert shown_beside_blind(found).blind.same == 1
    assert shown_beside_blind(found).blind.percent.value == pytest.approx(0.75)
