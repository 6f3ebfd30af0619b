"""Where a conversation is too short a rule decides, and what anybody said there is in no number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reports.agreement.alt_test_section import stand_in_section
from reports.agreement.findings import Findings
from reports.agreement.front import header
from reports.agreement.people import raters_section
from reports.document import Table
from scoring.agreement.safety.safety import safety
from tests.studies.small_study import INSTRUMENT
from tests.unit.reports.agreement.made_findings import findings

DEEP = 2  # of INSTRUMENT: takes two turns


def found(short: int) -> Findings:
    """Three clinicians and the judge on 40 conversations, of which the first `short` have one turn."""
    people = [
        ("deep", unit, rater, "NO" if unit % 3 else "YES")
        for unit in range(1, 41)
        for rater in ("Ann", "Ben", "Cleo")
    ]
    agreement_findings = findings(
        people, [("deep", unit, "YES") for unit in range(1, 41)], instrument=INSTRUMENT
    )
    turns = np.where(np.arange(1, 41) <= short, 1, 10)
    material = replace(
        agreement_findings.material, units=replace(agreement_findings.material.units, turns=turns)
    )
    return replace(agreement_findings, material=material, everyone=material)


def tables(made: Findings) -> set[str]:
    section = stand_in_section(made)
    assert section is not None
    return {block.key for block in section.blocks if isinstance(block, Table)}


def test_labels_there_are_not_free() -> None:
    assert set(found(10).material.labels_without_rule(DEEP).unit.tolist()) == set(range(11, 41))
    assert found(10).beside[DEEP].counted.pairs == 90 and found(10).people[DEEP].counted.units == 30


def test_no_failure_is_found_there() -> None:
    assert (
        sum(safety(found(40).material, [DEEP]).caught.counts) == 0
        and safety(found(0).material, [DEEP]).caught.counts[1] == 27
    )


def test_nobody_is_replaced_there() -> None:
    assert "alt_test" in tables(found(0)) and "alt_test" not in tables(found(40))


def test_nobody_is_strict_or_lenient_there_and_no_label_is_counted() -> None:
    counted = next(block for block in raters_section(found(40)).blocks if isinstance(block, Table))
    assert [row[1:3] for row in counted.rows] == [("0", "0")] * 3
    assert found(40).severity.raters == {} and {one.labels for one in found(10).severity.raters.values()} == {
        30
    }
    assert "0 blind labels" in " ".join(
        header(found(40))
    ) and "90 blind labels from 3 clinicians on 30 conversations" in " ".join(header(found(10)))
