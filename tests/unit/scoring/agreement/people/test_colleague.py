"""The judge beside colleagues: value, error and limits against brute force, with the two imagined
conversations written out label by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.agreement.coefficients.kappa import cohen
from scoring.agreement.coefficients.percent import PERCENT
from scoring.agreement.intervals.jackknife import Statistic
from scoring.agreement.labels.identical_clusters import collapse_identical
from scoring.agreement.labels.labels import Labels
from scoring.agreement.labels.pairs import answers
from scoring.agreement.labels.rarity import (
    MIN_CARRYING,
    MIN_RARER,
    too_few,
    too_few_carrying,
)
from scoring.agreement.people.colleague import ColleagueComparison, compare_with_colleagues, shared_pairs
from tests.unit.scoring.agreement.by_hand import jackknife_error, symmetric

NAMES = ("percent", "kappa", "quadratic kappa")
Rows = Sequence[Sequence[int]]  # units; each clinician's label, and the judge's last


@dataclass(frozen=True)
class Study:
    """Every clinician and the judge labelled every unit."""

    rows: Rows
    parts: Sequence[int]
    k: int = 3

    @property
    def raters(self) -> int:
        return len(self.rows[0]) - 1

    def labels(self) -> tuple[Labels, Labels]:
        codes, part = np.array(self.rows, dtype=np.int64), np.array(self.parts, dtype=np.int64)
        units = np.arange(len(codes))
        domain = tuple(map(str, range(self.k)))
        people = Labels(
            domain,
            np.repeat(units, self.raters),
            np.tile(np.arange(1, self.raters + 1), len(codes)),
            np.repeat(part, self.raters),
            codes[:, :-1].reshape(-1),
        )
        return people, Labels(domain, units, np.zeros(len(codes), dtype=np.int64), part, codes[:, -1])

    def statistic(self, name: str) -> Statistic:
        return PERCENT if name == "percent" else cohen("none" if name == "kappa" else "quadratic", self.k)

    def comparison(self, statistic: Statistic) -> ColleagueComparison:
        return compare_with_colleagues(statistic, shared_pairs(*self.labels()))


def drawn_by_chance(seed: int, k: int, raters: int) -> Study:
    """25 to 40 conversations of one to three units; everybody gives the true label in 3 of 4."""
    rng = np.random.default_rng(seed)
    parts = np.repeat(np.arange(rng.integers(25, 40)), 1 + rng.integers(0, 3))
    truth = rng.choice(k, size=len(parts), p=[0.7, 0.3] if k == 2 else [0.6, 0.3, 0.1])
    noise = rng.integers(0, k, (len(parts), raters + 1))
    return Study(np.where(rng.random(noise.shape) < 0.75, truth[:, None], noise).tolist(), parts.tolist(), k)


@st.composite
def small_studies(draw: st.DrawFn) -> Study:
    k, raters = draw(st.integers(2, 3)), draw(st.integers(2, 4))
    rows = draw(
        st.lists(
            st.lists(st.integers(0, k - 1), min_size=raters + 1, max_size=raters + 1), min_size=2, max_size=14
        )
    )
    return Study(rows, draw(st.lists(st.integers(0, 7), min_size=len(rows), max_size=len(rows))), k)


studies = st.one_of(
    small_studies(), st.builds(drawn_by_chance, st.integers(0, 10**6), st.integers(2, 3), st.integers(2, 4))
)
Tables = dict[tuple[int, int], np.ndarray]  # of each two who labelled, the judge is 0


def tables_of(rows: Rows, weights: Sequence[float] | None, k: int) -> Tables:
    """The judge stands in columns."""
    made: Tables = {}
    for row, weight in zip(rows, weights or [1.0] * len(rows), strict=True):
        people = list(enumerate(row[:-1], start=1))
        pairs = [((one, 0), code, row[-1]) for one, code in people]
        pairs += [((one, other), code, label) for (one, code), (other, label) in combinations(people, 2)]
        for names, code, label in pairs:
            made.setdefault(names, np.zeros((k, k)))[code, label] += weight
    return made


def difference(statistic: Statistic, tables: Tables) -> float:
    """The mean of the judge's pairs less that of the people's: of those with two pairs or more and a value,
    each as often as it has pairs."""
    means = []
    for judge in (True, False):
        chosen = [table for names, table in tables.items() if (names[1] == 0) == judge and table.sum() >= 2]
        values = [(float(statistic.of(table)), table.sum()) for table in chosen]
        valued_pairs = [(value, pairs) for value, pairs in values if not np.isnan(value)]
        means.append(
            np.average([value for value, _ in valued_pairs], weights=[pairs for _, pairs in valued_pairs])
            if valued_pairs
            else float("nan")
        )
    return float(means[0] - means[1])


def imagined(labels: tuple[int, int], raters: int) -> list[tuple[list[list[int]], list[float]]]:
    """Two conversations of one unit, each counted two thirds: in one the judge stands alone, in the other one
    clinician, whoever; either way round."""
    judge = [[[label] * raters + [other] for label, other in permutations(labels)]]
    person = [
        [
            [other if at == alone else label for at in range(raters)] + [label]
            for alone in range(raters)
            for label, other in permutations(labels)
        ]
    ]
    return [(rows, [2 / 3 / len(rows)] * len(rows)) for rows in (*judge, *person)]


def commonest(study: Study) -> tuple[int, int] | None:
    """The two commonest labels, each pair of labels counted; None where a tie leaves it open."""
    counts = np.zeros(study.k)
    for row in study.rows:
        for label in row[:-1]:
            counts[label] += len(row) - 1  # beside every colleague and the judge
        counts[row[-1]] += len(row) - 1
    order = np.argsort(-counts, kind="stable")
    tie = counts[order[0]] == counts[order[1]] or (study.k > 2 and counts[order[1]] == counts[order[2]] > 0)
    return None if tie else (int(order[0]), int(order[1]))


def shared_among_people(study: Study) -> int | None:
    counts = np.bincount(np.array([row[:-1] for row in study.rows]).reshape(-1), minlength=study.k)
    rarer = int(counts.argmax())
    if sorted(counts)[-2] == counts.max():
        return None
    return len(
        {
            part
            for row, part in zip(study.rows, study.parts, strict=True)
            if sum(label != rarer for label in row[:-1]) > 1
        }
    )


def carrying(study: Study, label: int) -> int:
    return len(
        {
            part
            for row, part in zip(study.rows, study.parts, strict=True)
            if any(code != label for code in row)
        }
    )


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(study=studies)
def test_value_error_and_limits_are_those_of_brute_force(name: str, study: Study) -> None:
    statistic = study.statistic(name)
    comparison, labels, shared = study.comparison(statistic), commonest(study), shared_among_people(study)
    plain = difference(statistic, tables_of(study.rows, None, study.k))
    assert comparison.difference.value == (None if np.isnan(plain) else pytest.approx(plain))
    if np.isnan(plain) or labels is None or shared is None:
        return
    assert comparison.carrying == carrying(study, labels[0]) and comparison.difference.conversations == len(
        set(study.parts)
    )
    if comparison.difference.low is None:
        return
    assert shared >= MIN_RARER or (statistic is PERCENT and comparison.carrying >= MIN_CARRYING)
    every = [
        tables_of(
            [row for row, own in zip(study.rows, study.parts, strict=True) if own == part], None, study.k
        )
        for part in sorted(set(study.parts))
    ]
    every += [tables_of(rows, weights, study.k) for rows, weights in imagined(labels, study.raters)]

    def of(chosen: list[Tables]) -> float:
        return difference(
            statistic,
            {
                names: sum((tables[names] for tables in chosen), np.zeros((study.k, study.k)))
                for names in chosen[0]
            },
        )

    error = jackknife_error([of(every[:at] + every[at + 1 :]) for at in range(len(every))])
    low, high = symmetric(of(every), error, len(every) - 1)
    assert comparison.difference.error == pytest.approx(error)
    assert comparison.difference.low == pytest.approx(
        min(plain, max(-2.0, low))
    ) and comparison.difference.high == pytest.approx(max(plain, min(2.0, high)))


def large(people: Sequence[str], judge: str, k: int = 2) -> Study:
    """One unit a conversation; a string of labels for each clinician."""
    rows = [[int(label) for label in row] for row in zip(*people, judge, strict=True)]
    return Study(rows, range(len(rows)), k)


NO, YES = "1" * 20, "0" * 40


def test_the_intervals_that_brute_force_holds_are_there() -> None:
    """Of the drawn studies above few have one: here each statistic has."""
    study = large([NO + YES, "0" + NO[1:] + YES], NO[:-2] + "00" + YES, 3)
    for name in NAMES:
        found = study.comparison(study.statistic(name)).difference
        assert (
            found.low is not None and found.high is not None and found.low < (found.value or 0.0) < found.high
        )


def test_a_judge_that_is_never_alone_in_this_sample_is_not_surely_as_good() -> None:
    """Everybody always agrees: the plain error would be 0, and the difference surely 0. With 60 conversations
    it may still be some points."""
    for statistic in (PERCENT, cohen("none", 2)):
        difference = large([NO + YES, NO + YES], NO + YES).comparison(statistic).difference
        assert difference.value == 0 and difference.low is not None and difference.high is not None
        assert difference.low < -0.01 and difference.high > 0.01 and difference.influential_part is None, (
            "no imagined conversation is named as what it rests on"
        )
        wider = large([NO[:10] + YES[:20]] * 2, NO[:10] + YES[:20]).comparison(statistic).difference
        assert wider.low is None or wider.low < difference.low


def test_a_judge_that_is_one_of_them_is_not_told_from_a_colleague() -> None:
    """Ann's labels again: with Ann always the same, with Ben as often as Ann is. It reads closer, and
    raters.py warns of the copy."""
    ann, ben = NO[:16] + "0" * 4 + YES, NO + "1" * 4 + YES[4:]
    found = large([ann, ben], ann).comparison(PERCENT)
    assert found.people.value == pytest.approx(52 / 60) and found.judge.value == pytest.approx(
        (60 + 52) / 120
    )
    assert found.difference.value == pytest.approx(4 / 60)


def test_five_careless_labels_hardly_move_the_ceiling() -> None:
    """Ann and Ben on 60 units alike but for two; Cleo on 5 of them, never as they. Were raters counted alike,
    two of three
    means would be 0 for hers: 0.32 among people in the place of 0.83."""
    study = large([NO + YES, "00" + NO[2:] + YES], NO + YES)
    people, judge = study.labels()
    careless = Labels(
        people.domain,
        np.concatenate([people.unit, np.arange(30, 35)]),
        np.concatenate([people.rater, np.full(5, 3)]),
        np.concatenate([people.part, np.arange(30, 35)]),
        np.concatenate([people.code, np.full(5, 1)]),
    )
    comparison = compare_with_colleagues(PERCENT, shared_pairs(careless, judge))
    assert comparison.people.value == pytest.approx(
        (58 + 0 + 0) / 70
    ) and comparison.judge.value == pytest.approx((60 + 58 + 0) / 125)
    assert comparison.difference.value == pytest.approx(118 / 125 - 58 / 70)


@pytest.mark.parametrize("shared", range(MIN_RARER + 2))
def test_the_difference_of_a_coefficient_rests_on_what_clinicians_both_called_the_rarer_label(
    shared: int,
) -> None:
    """The judge gives the rarer label everywhere where one of them does; that alone says nothing of how close
    they are."""
    both, apart, rest = "1" * shared, "1" * 12, "0" * 60
    difference = (
        large([both + apart + rest, both + "0" * 12 + rest], both + apart + rest)
        .comparison(cohen("none", 2))
        .difference
    )
    assert difference.value is not None
    assert difference.no_interval == (too_few(shared) if shared < MIN_RARER else None) and (
        difference.low is None
    ) == (shared < MIN_RARER)


@pytest.mark.parametrize("number", [0, 1, 2, MIN_CARRYING - 1, MIN_CARRYING, MIN_CARRYING + 1])
def test_the_difference_of_the_same_label_needs_conversations_with_the_rarer_one(number: int) -> None:
    """Nowhere did two clinicians give it."""
    some, none, rest = "1" * number, "0" * number, "0" * 90
    study = large([none + rest, none + rest], some + rest)
    found = study.comparison(PERCENT)
    assert found.carrying == number and found.difference.value == pytest.approx(-number / (90 + number))
    expected = too_few_carrying(number) if number < MIN_CARRYING else None
    assert found.difference.no_interval == expected and (found.difference.low is None) == (
        expected is not None
    )


def test_where_clinicians_share_the_rarer_label_the_same_label_does_with_fewer_such_conversations() -> None:
    rest = "0" * 90
    for shared in (MIN_RARER - 1, MIN_RARER):
        row = "1" * shared + rest
        found = large([row, row], row).comparison(PERCENT)
        assert found.carrying == shared < MIN_CARRYING
        assert found.difference.no_interval == (None if shared == MIN_RARER else too_few_carrying(shared))


def test_only_units_that_two_people_and_the_judge_labelled_stand_in_it() -> None:
    people, judge = large([NO + YES, NO + YES], NO + YES).labels()
    alone = Labels(
        people.domain,
        np.array([100, 101, 102]),
        np.array([1, 2, 1]),
        np.array([100, 101, 102]),
        np.array([0, 1, 1]),
    )
    more = Labels(
        people.domain,
        np.array([100, 101, 103]),
        np.array([0, 0, 0]),
        np.array([100, 101, 103]),
        np.array([1, 0, 1]),
    )

    def joined(first: Labels, second: Labels) -> Labels:
        return Labels(
            first.domain,
            np.concatenate([first.unit, second.unit]),
            np.concatenate([first.rater, second.rater]),
            np.concatenate([first.part, second.part]),
            np.concatenate([first.code, second.code]),
        )

    for statistic in (PERCENT, cohen("none", 2)):
        assert compare_with_colleagues(
            statistic, shared_pairs(joined(people, alone), joined(judge, more))
        ) == compare_with_colleagues(statistic, shared_pairs(people, judge))


def test_without_a_shared_unit_all_three_say_why() -> None:
    people, judge = large(["01", "10"], "01").labels()
    found = compare_with_colleagues(PERCENT, shared_pairs(people.where(people.rater == 1), judge))
    assert (found.people.value, found.judge.value, found.difference.value, found.carrying) == (
        None,
        None,
        None,
        0,
    )
    assert found.people.undefined and found.judge.undefined and found.difference.undefined


@settings(max_examples=40)
@given(studies, st.integers(2, 4))
def test_conversations_that_are_alike_may_stand_for_each_other(study: Study, times: int) -> None:
    """Each as often as `times`, in one study as they are and in another one collapsed."""
    most = max(study.parts) + 1
    people, judge = Study(
        [*study.rows] * times,
        [part + again * most for again in range(times) for part in study.parts],
        study.k,
    ).labels()
    few = collapse_identical(people, answers(people, judge))
    for statistic in map(study.statistic, NAMES):
        first, other = (
            compare_with_colleagues(statistic, shared_pairs(some, judge)) for some in (few, people)
        )
        assert first.carrying == other.carrying
        for name in ("people", "judge", "difference"):
            mine, whole = getattr(first, name), getattr(other, name)
            assert (mine.n, mine.method, mine.undefined, mine.no_interval, mine.conversations) == (
                whole.n,
                whole.method,
                whole.undefined,
                whole.no_interval,
                whole.conversations,
            )
            for end in ("value", "low", "high", "error", "influence"):
                assert getattr(mine, end) == pytest.approx(getattr(whole, end), abs=1e-9), (name, end)
