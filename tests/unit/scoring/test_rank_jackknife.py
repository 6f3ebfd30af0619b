"""Leaving out every cluster at once gives what ranking the rest anew for each gives, number by number."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.arrays import IntArray
from scoring.dominance import Codes, DominanceCounts
from scoring.rank_jackknife import PAIR, mean_ranks, number_clusters, spearman_without_each


def ranked_anew(x: Codes, y: Codes, clusters: Sequence[Hashable]) -> list[float]:
    rhos = []
    for left_out in dict.fromkeys(clusters):
        remaining = np.array([cluster != left_out for cluster in clusters])
        if remaining.sum() < 2:
            rhos.append(math.nan)
            continue
        a, b = (mean_ranks(np.unique(codes[remaining], return_inverse=True)[1]) for codes in (x, y))
        a, b = a - a.mean(), b - b.mean()
        size = math.sqrt(float(a @ a) * float(b @ b))
        rhos.append(float(a @ b) / size if size else math.nan)
    return rhos


def places(values: Sequence[int]) -> Codes:
    codes: Codes = np.unique(np.array(values), return_inverse=True)[1]
    return codes


def same(left: Sequence[float], right: Sequence[float]) -> bool:
    return bool(np.allclose(left, right, rtol=0, atol=1e-12, equal_nan=True))


few = st.integers(0, 3)
point = st.tuples(few | st.integers(0, 40), few | st.integers(0, 40), few | st.integers(0, 12))


@given(st.lists(point, min_size=2, max_size=40))
def test_any_points_with_any_ties_in_any_clusters(points: list[tuple[int, int, int]]) -> None:
    x, y, clusters = (list(values) for values in zip(*points, strict=True))
    found = spearman_without_each(places(x), places(y), number_clusters(clusters))
    assert same(found.tolist(), ranked_anew(places(x), places(y), clusters))


@pytest.mark.parametrize("levels", [2, 5, 600])
def test_small_clusters_beside_large_ones(levels: int) -> None:
    """Both ways are taken: by pairs, and by ranking anew."""
    chance = np.random.default_rng(5)
    clusters = [*([0] * 200), *([1] * 30), *range(2, 372)]
    assert PAIR * 200**2 > len(clusters) >= PAIR
    x, y = places(chance.permutation(600).tolist()), places(chance.integers(0, levels, 600).tolist())
    chance.shuffle(clusters)
    found = spearman_without_each(x, y, number_clusters(clusters))
    assert same(found.tolist(), ranked_anew(x, y, clusters))


@pytest.mark.parametrize("clusters", [["b", "b", "c", "a", "a", "a"], np.array([7, 7, 9, 1, 1, 1])])
def test_the_clusters_come_in_the_order_of_their_first_points(clusters: list[str] | IntArray) -> None:
    x, y = places([1, 2, 3, 4, 5, 6]), places([1, 2, 3, 4, 6, 5])
    assert number_clusters(clusters).tolist() == [0, 0, 1, 2, 2, 2]
    found = spearman_without_each(x, y, number_clusters(clusters))
    assert same(found.tolist(), [0.8, 0.9, 1.0])


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.data())
def test_points_below_are_counted(codes: list[int], data: st.DataObject) -> None:
    first = data.draw(st.lists(st.integers(0, len(codes)), min_size=1, max_size=20))
    code = data.draw(st.lists(st.integers(0, 70), min_size=len(first), max_size=len(first)))
    counts = DominanceCounts(np.array(codes)).below(np.array(first), np.array(code))
    assert counts.tolist() == [
        sum(c < limit for c in codes[:count]) for count, limit in zip(first, code, strict=True)
    ]
