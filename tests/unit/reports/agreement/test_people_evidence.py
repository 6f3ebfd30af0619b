"""Without a judge: how far clinicians agree, counted as in the report, and never a number that is none."""

from __future__ import annotations

import pytest

from data.record import studies
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import request_for
from reports.agreement.findings import Findings
from reports.agreement.people_evidence import NO_LABELS, headline_of_people, people_evidence
from reports.wording import number_with_limits
from tests.studies.small_study import Small
from tests.unit.reports.agreement.test_criterion_details import made


def findings_of(store: Store, key: str) -> Findings:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return gather_findings(connection, request_for(connection, study, None))


@pytest.mark.parametrize(
    ("labels", "note"),
    [
        ("AA", "cannot be estimated"),
        (
            "A1",
            "cannot be estimated from the labels that say the criterion applies; -0.90 (",
        ),
        (
            "13",
            ") for the labels that say the criterion applies; -0.90 (",
        ),
    ],
)
def test_a_number_that_leaves_out_what_does_not_apply_is_said_with_the_one_that_does_not(
    labels: str, note: str
) -> None:
    [row] = people_evidence(made({unit: labels for unit in range(1, 11)}, {})).rows
    assert note in row.page_notes[1]
    assert (row.page_notes[1] == "cannot be estimated") == (note == "cannot be estimated")


@pytest.mark.slow
def test_vera_mh_in_a_sentence_and_a_line_a_criterion(sample_store: Store) -> None:
    findings = findings_of(sample_store, "vera_mh")
    assert headline_of_people(findings) == (
        "This study has no judge yet. Clinicians gave the same label in 1,121 of 1,350 pairs (83%)."
    )
    evidence = people_evidence(findings)
    counts = [row.cells[1].split(" of ") for row in evidence.rows]
    assert [int(of) for _, of in counts] == [270] * 5
    assert sum(int(of) - int(differ) for differ, of in counts) == 1121
    lines = {row.name: row for row in evidence.rows}
    rare = lines["Supportive conversation"]
    assert "84% of the labels are" in rare.notes[3] and "alpha is low" in rare.notes[3]
    unordered = "agreement beyond chance (ignoring the order of levels) is"
    assert rare.page_notes[3] == rare.notes[3].replace("alpha is", unordered)
    assert (rare.page_notes[0], rare.page_notes[2]) == (rare.notes[0], rare.notes[2])
    for human_agreement, row in zip(findings.people, evidence.rows, strict=True):
        whole = number_with_limits(human_agreement.coefficients["alpha, nominal"])
        assert row.page_notes[1] == (
            f"{row.notes[1].removeprefix('alpha ')} for the labels that say the criterion applies; {whole} for "
            "all labels, counting “Not Relevant” as one more label and ignoring the order of levels"
        )
        assert not whole.startswith(row.notes[1].removeprefix("alpha ")[:5]), "they are two numbers"
    assert evidence.page_head(evidence.axis).name.startswith("Agreement beyond chance")
    assert evidence.page_head("AC1").term == "Gwet's AC1."
    assert rare.estimates[0].low is None and rare.estimates[0].value is not None
    assert lines["Confirms risk"].notes[3] == ""
    assert all(low >= evidence.low for row in evidence.rows if (low := row.estimates[0].value) is not None)


def test_where_no_two_clinicians_rated_the_same_there_is_no_number(small: Small) -> None:
    small.desk(0).rate(1, "YES")
    small.desk(1).rate(2, "NO")
    findings = findings_of(small.store, small.study.key)
    assert headline_of_people(findings) == NO_LABELS
    for row in people_evidence(findings).rows:
        assert row.cells == ("", "no pairs yet") and row.amounts == (None, None)
        assert row.estimates[0].value is None and row.estimates[0].undefined
