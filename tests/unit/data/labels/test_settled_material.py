"""Settled labels as the report counts them."""

from __future__ import annotations

import pytest

from data.labels.agreement_material import read
from data.labels.settlements import BOTH_STAND
from scoring.agreement.judges.reference import reference_labels
from scoring.agreement.labels.label_data import LabelData
from tests.studies import settling
from tests.studies.settling import Colleague
from tests.studies.small_study import Small
from tests.unit.data.bench import Bench


@pytest.fixture
def settled(planned: Small) -> Small:
    settling.disputed(planned, 2)
    settling.disputed(planned, 3)
    colleague = Colleague.of(planned)
    for position, label, cause in ((2, "NO", "rater_slip"), (3, None, BOTH_STAND)):
        colleague.open(position)
        colleague.settle(position, label=label, cause=cause)
    return planned


def material(small: Small) -> LabelData:
    with small.store.reading() as connection:
        return read(connection, small.study, small.judges[0])


def test_that_both_readings_stand_is_said_between_people_and_makes_no_truth(settled: Small) -> None:
    found = material(settled)
    assert [(one.code, one.reference) for one in found.settled] == [(1, True), (None, True)]
    units = {settled.desk().unit(position).id for position in (2, 3)}
    assert units & set(reference_labels(found, 0).unit.tolist()) == {settled.desk().unit(2).id}


def test_what_was_settled_and_became_practice_is_in_no_number(settled: Small) -> None:
    settling.disputed(settled, 4)
    Colleague.of(settled).open(4)
    Colleague.of(settled).settle(4)
    assert len(material(settled).settled) == 3
    Bench(settled.store, settled.study, {}).gold(4)
    found = material(settled)
    assert [one.unit for one in found.settled] == [settled.desk().unit(position).id for position in (2, 3)]
    assert found.narrow_to(condition=0).settled == ()
