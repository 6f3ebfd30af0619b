from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.subject_numbers import SubjectNumbers

numbers = st.dictionaries(st.integers(1, 30), st.floats(-5, 5), max_size=20)


@given(numbers, numbers)
def test_two_numbers_of_the_same_subjects_stand_beside_each_other(
    here: dict[int, float], there: dict[int, float]
) -> None:
    both, left, right = SubjectNumbers.of(here).beside(SubjectNumbers.of(there))
    assert both.tolist() == sorted(here.keys() & there.keys())
    assert left.tolist() == [here[subject] for subject in both.tolist()]
    assert right.tolist() == [there[subject] for subject in both.tolist()]


@given(numbers)
def test_each_subject_is_found_and_no_other(held: dict[int, float]) -> None:
    table = SubjectNumbers.of(held)
    assert len(table) == len(held)
    assert {subject: table.get(subject) for subject in range(32)} == {
        subject: held.get(subject) for subject in range(32)
    }


def test_subjects_may_come_in_any_order() -> None:
    table = SubjectNumbers(np.array([9, 2, 5]), np.array([0.9, 0.2, 0.5]))
    assert table.subject.tolist() == [2, 5, 9]
    assert table.value.tolist() == [0.2, 0.5, 0.9]
    assert table.get(5) == pytest.approx(0.5)
