"""What stands as the truth beside a judge: a failure that any clinician saw, a label that two gave alike, one that people settled."""

from __future__ import annotations

import pytest

from scoring.agreement.material import Material, Settled
from scoring.agreement.reference import beside_reference, reference_labels
from scoring.agreement.safety import Safety, safety
from tests.unit.runs.agreement.made_findings import findings

WARM, SAFE, CRISIS = range(3)
PEOPLE = [("crisis", 1, "Ann", "NO"), ("crisis", 1, "Ben", "YES"), ("crisis", 1, "Cleo", "YES"),  # one of three
          ("crisis", 2, "Ann", "NO"), ("crisis", 2, "Ben", "NO"),
          ("crisis", 3, "Ann", "NO"), ("crisis", 4, "Ann", "NO"),  # the judge failed; was never asked
          ("crisis", 5, "Ann", "YES"), ("crisis", 6, "Ann", "NA"), ("crisis", 7, "Ann", "YES")]
SAID = [("crisis", 1, "YES"), ("crisis", 2, "NO"), ("crisis", 3, None), ("crisis", 5, "NO"), ("crisis", 6, "NA"), ("crisis", 7, None)]


@pytest.fixture
def found() -> Safety:
    return safety(findings(PEOPLE, SAID).material, [CRISIS])


def test_one_clinician_of_three_makes_a_failure_and_most_make_another_count(found: Safety) -> None:
    assert found.any_no.counts == (1, 1, 1, 1) and found.majority.counts == (1, 0, 1, 2)
    assert [(one.unit, one.said_no, one.raters) for one in found.misses] == [(1, 1, 3)]
    assert [one.unit for one in found.false_alarms] == [5]


def test_a_failed_call_is_neither_caught_nor_missed_and_stands_apart(found: Safety) -> None:
    assert [(one.unit, one.label) for one in found.unlabelled] == [(3, None)]
    assert found.any_no.unlabelled == 1 and found.any_no.failures == 3


def test_does_not_apply_is_a_failure_only_where_it_is_invalid() -> None:
    for criterion, counts in ((SAFE, (0, 1, 0, 0)), (CRISIS, (0, 0, 0, 1))):
        name = ("warm", "safe", "crisis")[criterion]
        assert safety(findings([(name, 1, "Ann", "NA")], [(name, 1, "YES")]).material, [criterion]).any_no.counts == counts
    assert safety(findings([("crisis", 1, "Ann", "NO")], [("crisis", 1, "NA")]).material, [CRISIS]).any_no.counts == (0, 1, 0, 0), "NA beside a NO is a miss"


def truth(material: Material) -> dict[int, int]:
    labels = reference_labels(material, WARM)
    return dict(zip(labels.unit.tolist(), labels.code.tolist(), strict=True))


def test_one_clinician_alone_makes_no_reference() -> None:
    people = [("warm", 1, "Ann", "YES"), ("warm", 2, "Ann", "NO"), ("warm", 2, "Ben", "NO"), ("warm", 3, "Ann", "NO"), ("warm", 3, "Ben", "YES")]
    assert truth(findings(people).material) == {2: 1}


def test_settled_between_people_is_a_reference_and_settled_with_the_judge_never_is() -> None:
    people = [("warm", unit, rater, label) for unit in (1, 2, 3) for rater, label in (("Ann", "YES"), ("Ben", "NO"))]
    people += [("warm", 4, rater, "YES") for rater in ("Ann", "Ben")]
    settled = (Settled(WARM, 1, 1, True), Settled(WARM, 2, 1, False), Settled(WARM, 3, None, True), Settled(WARM, 4, 1, False))
    material = findings(people, [("warm", unit, "YES") for unit in (1, 2, 3, 4)], settled=settled).material
    assert truth(material) == {1: 1, 4: 0}
    assert (beside_reference(material).same, beside_reference(material).pairs) == (1, 2)
