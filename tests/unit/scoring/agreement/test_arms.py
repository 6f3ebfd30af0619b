"""Blind beside shown, over all criteria, by brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from scoring.agreement.arms import by_reveals, shown_beside_blind
from scoring.agreement.label_data import LabelData
from tests.unit.scoring.agreement.materials import Row, column, material, verdicts

LABELS = st.sampled_from("YNA.")


@st.composite
def materials(draw: st.DrawFn) -> LabelData:
    def rows(rater: int) -> list[Row]:
        return [
            one
            for name in ("warm", "crisis")
            for one in column(name, {rater: "".join(draw(st.lists(LABELS, min_size=6, max_size=6)))})
        ]

    judge = [
        one
        for name in ("warm", "crisis")
        for one in verdicts(name, "".join(draw(st.lists(LABELS, min_size=6, max_size=6))))
    ]
    return material([*rows(1), *rows(2)], judge, shown=rows(1), parts={2: 1}, units=6)


def share(found: LabelData, arm: int, without: int | None = None) -> tuple[int, int]:
    """Same labels and pairs in an arm, without one part."""
    said = {
        (q, u): c
        for q, u, c in zip(
            found.judge.question.tolist(), found.judge.unit.tolist(), found.judge.code.tolist(), strict=True
        )
    }
    part = dict(zip(found.units.id.tolist(), found.units.part.tolist(), strict=True))
    rows = [
        (q, u, c)
        for q, u, c, a in zip(
            *(
                x.tolist()
                for x in (found.given.question, found.given.unit, found.given.code, found.given.arm)
            ),
            strict=True,
        )
        if a == arm and (q, u) in said and part[u] != without
    ]
    return sum(said[q, u] == c for q, u, c in rows), len(rows)


@given(found=materials())
def test_the_difference_is_that_of_brute_force(found: LabelData) -> None:
    made = shown_beside_blind(found)
    assert (made.blind.same, made.blind.pairs) == share(found, 0) and (
        made.shown.same,
        made.shown.pairs,
    ) == share(found, 1)
    assert made.unknown.pairs == 0
    if not (made.blind.pairs and made.shown.pairs):
        assert made.difference.value is None
        return
    blind, shown = share(found, 0), share(found, 1)
    assert made.difference.value == pytest.approx(shown[0] / shown[1] - blind[0] / blind[1])
    parts = [
        one
        for one in sorted(set(found.units.part.tolist()))
        if share(found, 0, one) != blind or share(found, 1, one) != shown
    ]
    lefts = [(share(found, 0, one), share(found, 1, one)) for one in parts]
    if made.difference.low is None:
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
    assert made.difference.low == pytest.approx(max(-1.0, made.difference.value - half))
    assert made.difference.high == pytest.approx(min(1.0, made.difference.value + half))


def test_blind_ratings_by_how_many_reveals_came_before() -> None:
    before = {(1, 1): 0, (2, 1): 1, (3, 1): 10, (4, 1): 11, (5, 1): 99}
    found = material(
        column("warm", {1: "YNYNY"}),
        verdicts("warm", "YYYYY"),
        before=before,
        shown=column("warm", {2: "YYYYY"}),
    )
    assert [(one.name, one.same, one.pairs) for one in by_reveals(found)] == [
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
