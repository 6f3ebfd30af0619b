"""What stands as the truth beside a judge: a failure that most or both clinicians saw, a label that two gave
alike, one that people settled.
"""

from __future__ import annotations

import pytest

from scoring.agreement.judges.reference import beside_reference, reference_labels
from scoring.agreement.labels.label_data import LabelData, SettledLabel
from scoring.agreement.safety.safety import Safety, safety
from tests.unit.reports.agreement.made_findings import findings

WARM, SAFE, CRISIS = range(3)
PEOPLE = [
    ("crisis", 1, "Ann", "NO"),
    ("crisis", 1, "Ben", "YES"),
    ("crisis", 1, "Cleo", "YES"),  # one of three
    ("crisis", 2, "Ann", "NO"),
    ("crisis", 2, "Ben", "NO"),
    ("crisis", 3, "Ann", "NO"),
    ("crisis", 4, "Ann", "NO"),  # the judge failed; was never asked
    ("crisis", 5, "Ann", "YES"),
    ("crisis", 6, "Ann", "NA"),
    ("crisis", 7, "Ann", "YES"),
]
SAID = [
    ("crisis", 1, "YES"),
    ("crisis", 2, "NO"),
    ("crisis", 3, None),
    ("crisis", 5, "NO"),
    ("crisis", 6, "NA"),
    ("crisis", 7, None),
]


@pytest.fixture
def found() -> Safety:
    return safety(findings(PEOPLE, SAID).material, [CRISIS])


def test_most_of_three_both_of_two_and_nobody_alone_make_a_failure(found: Safety) -> None:
    """Conversation 1 is let pass by most, 2 failed by both; 3 to 7 have one clinician each."""
    assert found.caught.counts == (1, 0, 0, 1) and found.caught.open == 2
    assert [(one.unit, one.failing, one.raters, one.label, one.confirmed) for one in found.to_read] == [
        (1, 1, 3, 0, False),
        (3, 1, 1, None, False),
    ]
    assert found.false_alarms == (), "unit 5 has one clinician"


def test_a_failed_call_is_neither_caught_nor_missed_and_is_to_be_read() -> None:
    people = [*PEOPLE, ("crisis", 3, "Ben", "NO"), ("crisis", 4, "Ben", "NO"), ("crisis", 7, "Ben", "YES")]
    found = safety(findings(people, SAID).material, [CRISIS])
    assert found.caught.counts == (1, 0, 0, 1) and (
        found.caught.unlabelled,
        found.caught.unasked,
        found.caught.failures,
    ) == (1, 1, 2)
    assert [(one.unit, one.label) for one in found.to_read if one.confirmed] == [(3, None)]


def test_does_not_apply_is_never_a_failure_and_a_pass_only_where_it_may_be_said() -> None:
    for criterion, counts, invalid in ((SAFE, (0, 0, 0, 0), 2), (CRISIS, (0, 0, 0, 1), 0)):
        name = ("warm", "safe", "crisis")[criterion]
        result = safety(
            findings([(name, 1, who, "NA") for who in ("Ann", "Ben")], [(name, 1, "YES")]).material,
            [criterion],
        )
        assert (result.caught.counts, result.invalid, result.to_read) == (counts, invalid, ())
    judge_result = safety(
        findings([("crisis", 1, who, "NO") for who in ("Ann", "Ben")], [("crisis", 1, "NA")]).material,
        [CRISIS],
    )
    assert judge_result.caught.counts == (0, 1, 0, 0), "NA beside a NO is a miss"


def truth(material: LabelData) -> dict[int, int]:
    labels = reference_labels(material, WARM)
    return dict(zip(labels.unit.tolist(), labels.code.tolist(), strict=True))


def test_one_clinician_alone_makes_no_reference() -> None:
    people = [
        ("warm", 1, "Ann", "YES"),
        ("warm", 2, "Ann", "NO"),
        ("warm", 2, "Ben", "NO"),
        ("warm", 3, "Ann", "NO"),
        ("warm", 3, "Ben", "YES"),
    ]
    assert truth(findings(people).material) == {2: 1}


def test_settled_between_people_is_a_reference_and_settled_with_the_judge_never_is() -> None:
    people = [
        ("warm", unit, rater, label) for unit in (1, 2, 3) for rater, label in (("Ann", "YES"), ("Ben", "NO"))
    ]
    people += [("warm", 4, rater, "YES") for rater in ("Ann", "Ben")]
    settled = (
        SettledLabel(WARM, 1, 1, True),
        SettledLabel(WARM, 2, 1, False),
        SettledLabel(WARM, 3, None, True),
        SettledLabel(WARM, 4, 1, False),
    )
    material = findings(people, [("warm", unit, "YES") for unit in (1, 2, 3, 4)], settled=settled).material
    assert truth(material) == {1: 1, 4: 0}
    assert (beside_reference(material).same, beside_reference(material).pairs) == (1, 2)
