"""Which way a judge errs: lenient lets pass what a clinician does not, however the scale is listed."""

from __future__ import annotations

import pytest

from reports.agreement.alt_test_section import stand_in_section
from reports.agreement.matrices import matrices_section
from reports.document import Heat, Table
from tests.studies import settling
from tests.unit.reports.agreement.made_findings import findings


def way(title_of: str, made: object) -> str:
    heat = next(block for block in matrices_section(made).blocks if isinstance(block, Heat))  # type: ignore[arg-type]
    return heat.title.removeprefix(title_of)


def test_a_yes_where_the_clinician_says_no_is_lenient() -> None:
    """The scale lists YES, which counts 1, before NO, which counts 0."""
    people = [
        ("warm", unit, "Ann", label) for unit, label in enumerate(("NO", "NO", "YES", "YES", "NO"), start=1)
    ]
    agreement_findings = findings(
        people,
        [("warm", unit, label) for unit, label in enumerate(("YES", "YES", "NO", "YES", "NO"), start=1)],
    )
    assert (agreement_findings.beside[0].lenient, agreement_findings.beside[0].strict) == (
        2,
        1,
    ) and agreement_findings.beside[0].bias.value == pytest.approx(0.2)
    assert (
        way("Warm", agreement_findings)
        == ": when the judge differs, it is lenient in 2 pairs and strict in 1"
    )
    section = stand_in_section(agreement_findings)
    assert section is not None
    leaning = next(block for block in section.blocks if isinstance(block, Table) and block.key == "leaning")
    assert leaning.rows[0][1:3] == ("2", "1")


def test_more_on_an_ordered_scale_is_higher_and_levels_count_what_they_say() -> None:
    """0, 1, 2, 4: from 2 to 4 is two."""
    people = [("kind", unit, "Ann", label) for unit, label in enumerate(("2", "2", "1"), start=1)]
    agreement_findings = findings(
        people,
        [("kind", unit, label) for unit, label in enumerate(("4", "4", "0"), start=1)],
        instrument=settling.MIXED,
    )
    assert (agreement_findings.beside[0].lenient, agreement_findings.beside[0].strict) == (
        2,
        1,
    ) and agreement_findings.beside[0].bias.value == pytest.approx(1.0)
    assert agreement_findings.beside[0].question.scored or "higher in 2 pairs and lower in 1" in way(
        "Kind", agreement_findings
    )
