"""Labels and pairs: what is refused, how units and conversations are numbered, who stands beside whom."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.agreement.labels.labels import Labels, every_number, numbered, places
from scoring.agreement.labels.pairs import pair_raters, pair_with_judge
from scoring.bad_input import BadInput
from tests.unit.scoring.agreement.drawn import Drawn, drawn, labels_of, shuffle, weighing

pytestmark = pytest.mark.filterwarnings("error")
ONE = np.zeros(1, dtype=np.int64)
names = st.lists(st.one_of(st.integers(-3, 30), st.integers(-(2**60), 2**60)), max_size=40)


@given(names)
def test_numbers_close_together_are_numbered_as_by_sorting_them(drawn_names: list[int]) -> None:
    given_names = np.array(drawn_names, dtype=np.int64)
    for some in (given_names, given_names % 7):
        found, place = numbered(some)
        expected, at = np.unique(some, return_inverse=True)
        assert (found.tolist(), place.tolist()) == (expected.tolist(), at.tolist())


@given(names, names)
def test_places_among_numbers_are_those_that_searching_finds(first: list[int], second: list[int]) -> None:
    for some in ([first, second], [[one % 9 for one in first], [one % 7 for one in second]]):
        columns = [np.array(one, dtype=np.int64) for one in some]
        among = every_number(columns)
        assert among.tolist() == sorted({*some[0], *some[1]})
        for column in columns:
            assert places(among, column).tolist() == np.searchsorted(among, column).tolist()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"code": np.array([2])}, "positions on the scale"),
        ({"code": np.array([-1])}, "positions on the scale"),
        ({"unit": np.zeros(2, int)}, "one length"),
        ({"weight": np.array([0.0])}, "above 0"),
        ({"weight": np.array([np.nan])}, "above 0"),
        ({"weight": np.array([np.inf])}, "above 0"),
        ({"weight": np.ones(2)}, "one length"),
        ({"values": (1.0,)}, "one number for each label"),
        ({"values": (1.0, 1.0)}, "one number for each label"),
        ({"values": (0.0, float("nan"))}, "one number for each label"),
    ],
)
def test_labels_that_do_not_fit_together_are_refused(change: dict[str, object], problem: str) -> None:
    fitting: dict[str, object] = {"domain": ("a", "b"), "unit": ONE, "rater": ONE, "part": ONE, "code": ONE}
    Labels(**fitting)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=problem):
        Labels(**(fitting | change))  # type: ignore[arg-type]


@given(drawn())
def test_units_count_who_said_what(sample: Drawn) -> None:
    units, labelled = (
        sample.labels.units,
        [at for at, row in enumerate(sample.rows) if any(label is not None for label in row)],
    )
    assert units.names.tolist() == labelled
    assert units.counts.tolist() == [
        [sample.rows[at].count(label) for label in range(sample.k)] for at in labelled
    ]
    sums = units.by_part(units.counts)
    for part, label in np.ndindex(sums.shape):
        assert sums[part, label] == units.counts[units.part == part, label].sum()


@given(drawn())
def test_pairs_among_people_are_each_two_who_labelled_a_unit_once(sample: Drawn) -> None:
    expected = sorted(
        (at, first, second)
        for at, row in enumerate(sample.rows)
        for first, second in combinations([label for label in row if label is not None], 2)
    )
    for labels in (sample.labels, shuffle(sample.labels, 0)):
        pairs = pair_raters(labels)
        assert (
            sorted(zip(pairs.unit.tolist(), pairs.first.tolist(), pairs.second.tolist(), strict=True))
            == expected
        )
        assert (
            pairs.table().tolist()
            == pairs.by_part().sum(axis=0).tolist()
            == pairs.by_side().tables.sum(axis=0).tolist()
        )


def test_two_raters_are_one_side_whoever_comes_first_in_the_data() -> None:
    labels = labels_of([[0, 1, None], [1, None, 0], [0, 0, 1]], 2)
    tables = pair_raters(labels).by_side()
    assert len(tables.sides) == 3
    assert tables.tables.sum(axis=(1, 2)).tolist() == [
        1,
        1,
        1,
        1,
        1,
    ]  # raters 0 and 1 on two units, 0 and 2 on two, 1 and 2 on one
    assert np.bincount(tables.side).tolist() == [2, 2, 1]


@given(drawn(raters=(2, 4)))
def test_a_judge_stands_beside_every_label_on_the_units_that_it_labelled(sample: Drawn) -> None:
    people, judge = (
        sample.labels.where(chosen) for chosen in (sample.labels.rater > 0, sample.labels.rater == 0)
    )
    pairs = pair_with_judge(people, judge)
    expected = [
        (at, rater, label, row[0])
        for at, row in enumerate(sample.rows)
        if row[0] is not None
        for rater, label in enumerate(row)
        if rater > 0 and label is not None
    ]
    assert (
        list(
            zip(
                pairs.unit.tolist(),
                pairs.side.tolist(),
                pairs.first.tolist(),
                pairs.second.tolist(),
                strict=True,
            )
        )
        == expected
    )
    assert pair_with_judge(people, judge.where(judge.unit < 0)).table().sum() == 0


def test_weights_go_with_the_pairs_and_stay_out_of_the_raw_table() -> None:
    labels = weighing(labels_of([[0, 1], [1, 1]], 2), [3, 5])
    for pairs in (
        pair_raters(labels),
        pair_with_judge(labels.where(labels.rater == 0), labels.where(labels.rater == 1)),
    ):
        assert pairs.table().tolist() == [[0, 1], [0, 1]]
        assert pairs.by_part().tolist() == [[[0, 3], [0, 0]], [[0, 0], [0, 5]]]
        assert pairs.where(pairs.second == pairs.first).by_part().tolist() == [[[0, 0], [0, 5]]]
