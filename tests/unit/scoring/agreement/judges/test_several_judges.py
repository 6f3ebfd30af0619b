"""Three judges and more: Cochran's Q with judges exchanged within conversations, on truth that is known."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.agreement.judges.several_judges import compare_judges
from scoring.agreement.labels.label_data import LabelData
from scoring.agreement.significance_tests.cochran_q import NO_DIFFERENCE
from tests.studies.simulated_judges import PLAIN, to_material

pytestmark = pytest.mark.slow


def judges(
    right: list[float], conversations: int, seed: int, units: int = 1, identical: bool = False
) -> list[LabelData]:
    """Of judges that are right with these chances; `alike`: on all units of a conversation or on none."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, (conversations, units))
    people = np.repeat(truth[..., None], 2, axis=2)
    judge_labels = []
    for chance in right:
        hit = rng.random((conversations, 1 if identical else units)) < chance
        judge_labels.append(to_material(people, np.where(hit, truth, 1 - truth), PLAIN))
    return judge_labels


def test_counts_and_q_are_those_of_cochran() -> None:
    compared = compare_judges(judges([0.9, 0.7, 0.4], 40, 1))
    assert compared.labels == compared.conversations == 40
    right = np.array(compared.right)
    assert right[0] > right[1] > right[2]
    assert compared.test.p is not None and compared.test.p < 0.01 and compared.test.df == 2


def test_judges_that_never_differ_cannot_be_told_apart() -> None:
    same = judges([0.8], 30, 2) * 3
    compared = compare_judges(same)
    assert (
        compared.test.p is None and compared.test.undefined == NO_DIFFERENCE and len(set(compared.right)) == 1
    )


@pytest.mark.parametrize(("units", "alike"), [(1, False), (6, True)])
def test_where_all_are_right_equally_often_few_studies_say_otherwise(units: int, alike: bool) -> None:
    """Also where all labels of a conversation stand or fall together, on which chi2 names a difference in
    more than half of studies.
    """
    named = sum(
        (compare_judges(judges([0.7, 0.7, 0.7], 20, seed, units, alike)).test.p or 1.0) < 0.05
        for seed in range(60)
    )
    assert named <= 8
