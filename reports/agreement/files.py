"""Export an agreement report: HTML, every table as CSV, JSON with all numbers, and labels as other programs
read them.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from configs.program import program_name
from reports.agreement.findings import Findings
from reports.agreement.headline_raters import name_raters_outside, rater_rows
from reports.agreement.label_matrix import LabelMatrix
from reports.agreement.verdicts import headline, rest_of_headline, verdict_numbers
from reports.document import Report
from reports.render.files import csv_bytes, json_bytes, plain_report, table_files
from reports.render.page_file import page
from reports.wording import plain_words
from scoring.agreement.judges.arms import ArmAgreement
from scoring.agreement.safety.safety import Safety

READ_ME = """What is in this folder

report.html    Open this first: the whole report, in any browser, without a network.
report.json    The same for programs: every number with its limits and method.
tables/        Each table of the report as it is shown: a number and its limits share a cell.
labels/        A file per criterion: who gave which label, by conversation or reply, for R (irr, irrCAC).
alt_test/      The same labels for the program of the alternative annotator test.
units.csv      The number of each conversation or reply, and its own id. Not in files for raters.
raters.csv     Every rater, whether they are in the headline of the report, and why not.

labels/ and alt_test/ hold the blind labels of all raters, including those who are not in the headline.
"""
ROWS_AT_ONCE = 100_000  # labels hashed at a time


def settings(findings: Findings, instrument_sha256: str) -> dict[str, object]:
    """Return name -> value of what the numbers were computed from: versions, hashes, filters."""
    asked = findings.asked
    return {
        "program": program_name(),
        "study": asked.study.key,
        "instrument": asked.study.instrument.key,
        "instrument_version": asked.study.instrument.version,
        "instrument_sha256": instrument_sha256,
        "labels_sha256": labels_hash(findings),
        "judge": asked.judge.name if asked.judge else "none",
        "judge_identity": json.dumps(asked.judge.identity, sort_keys=True) if asked.judge else "none",
        "ratings": asked.arm,
        "rater": findings.names.get(asked.rater, "?") if asked.rater is not None else "all",
        "condition": asked.condition or "all",
        "since": asked.since or "all",
        "until": asked.until or "all",
        "weighted": "yes" if findings.material.units.weighted else "no",
        "interval": "95 %, delete one conversation (or person with several), limits as in "
        "docs/reference_statistics.md",
        "margin_coefficient": f"{findings.margins.coefficient:.2f}",
        "margin_same_label": f"{findings.margins.same_label:.2f}",
        "catches_at_least": f"{findings.margins.catches_at_least:.2f}",
        "margins_changed_after_first_blind_label": "yes" if findings.margin_changes else "no",
        "raters_set_aside": ", ".join(findings.names.get(rater, "?") for rater in findings.aside) or "none",
        "raters_with_too_few_units": ", ".join(findings.names.get(rater, "?") for rater in findings.thin)
        or "none",
    }


def labels_hash(findings: Findings) -> str:
    """Return the SHA-256, in hexadecimal, of who gave which label, what was settled, and each unit's
    weight.
    """
    digest = hashlib.sha256()
    given, judge = findings.material.given, findings.material.judge
    for group in (
        (given.question, given.unit, given.rater, given.arm, given.code),
        (judge.question, judge.unit, judge.code),
    ):
        order = np.lexsort(group[::-1])
        for start in range(0, len(order), ROWS_AT_ONCE):
            rows = order[start : start + ROWS_AT_ONCE]
            digest.update(np.stack([column[rows] for column in group], axis=1).astype("<i8").tobytes())
    digest.update(
        json.dumps(
            [
                sorted(findings.material.judge.failed),
                sorted(
                    [
                        settled_label.question,
                        settled_label.unit,
                        -1 if settled_label.code is None else settled_label.code,
                        settled_label.reference,
                    ]
                    for settled_label in findings.material.settled
                ),
            ]
        ).encode()
    )
    units = findings.material.units
    if units.weight is not None:
        digest.update(units.id.astype("<i8").tobytes() + units.weight.astype("<f8").tobytes())
    return digest.hexdigest()


def files(findings: Findings, report: Report) -> dict[str, bytes]:
    """Return file name -> content of a report's files.

    They are read_me.txt, report.html, report.json, tables/*.csv, raters.csv, units.csv if the report knows
    ids, and per criterion everybody's
    labels: labels/*.csv (units by raters, for R's irr and irrCAC) and alt_test/*.json (for the alt-test
    program).
    """
    contents = {
        "read_me.txt": (READ_ME + name_raters_outside(findings)).encode(),
        "report.html": page(report),
        "report.json": json_bytes({**plain_report(report), **numbers(findings)}),
        **table_files(report),
        "raters.csv": csv_bytes(rater_rows(findings)),
    }
    if report.unit_names:
        ids = ((str(position), name) for position, name in sorted(report.unit_names.items()))
        contents["units.csv"] = csv_bytes([("unit", "id"), *ids])
    for number in findings.labelled:
        matrix = LabelMatrix.of_question(findings, number)
        contents[f"labels/{matrix.question.id}.csv"] = csv_bytes(matrix.rows())
        contents[f"alt_test/{matrix.question.id}.json"] = matrix.alt_test_file()
    return contents


def numbers(findings: Findings) -> dict[str, Any]:
    """Return every estimate as plain values: value, interval, n, conversations, method, or why there is
    none.
    """
    criteria: dict[str, Any] = {}
    for judge_agreement, people, pair in zip(
        findings.beside, findings.people, findings.colleague_comparisons, strict=True
    ):
        criteria[judge_agreement.question.id] = {
            "labels": list(judge_agreement.question.domain),
            "table": judge_agreement.counted.table.tolist(),
            "pairs": judge_agreement.counted.pairs,
            "same": judge_agreement.counted.same,
            "units": judge_agreement.counted.units,
            "conversations": judge_agreement.counted.conversations,
            "raters": judge_agreement.counted.raters,
            "by_chance": judge_agreement.by_chance,
            "percent": plain_words(judge_agreement.percent),
            "coefficients": {name: plain_words(e) for name, e in judge_agreement.coefficients.items()},
            "bias": plain_words(judge_agreement.bias),
            "lenient": judge_agreement.lenient,
            "strict": judge_agreement.strict,
            "applies": {name: plain_words(e) for name, e in (judge_agreement.applies or {}).items()},
            "all_labels_as_categories": {
                name: plain_words(e) for name, e in judge_agreement.whole_scale.items()
            },
            "clinicians": {name: plain_words(e) for name, e in people.coefficients.items()},
            "colleague": {
                c.name: {
                    "clinicians": plain_words(c.people),
                    "judge": plain_words(c.judge),
                    "difference": plain_words(c.difference),
                }
                for c in pair
            },
        }
    document: dict[str, Any] = {
        "criteria": criteria,
        "summary": f"{headline(findings)} {rest_of_headline(findings)}".strip()
        if findings.asked.judge
        else "",
        "verdicts": verdict_numbers(findings) if findings.asked.judge else {},
        "families": [
            {
                "labels": list(f.labels),
                "criteria": list(f.criteria),
                "by_chance": f.by_chance,
                **_arm(f.percent),
            }
            for f in findings.families
        ],
        "arms": {
            arm.name: _arm(arm) for arm in (findings.arms.blind, findings.arms.shown, findings.arms.unknown)
        },
    }
    if findings.safety:
        document["safety"] = _safety(findings.safety)
    if findings.decisions and findings.asked.judge:
        d = findings.decisions
        document["decisions"] = {
            "compared": d.compared,
            "same": d.same,
            "turned_by": dict(d.turned_by),
            "pass_rate_clinicians": plain_words(d.people.estimate),
            "pass_rate_judge": plain_words(d.judge.estimate),
            "corrected": plain_words(d.corrected) if d.corrected else d.why_not,
        }
    return document


def _safety(safety: Safety) -> dict[str, Any]:
    caught, colleague = safety.caught, safety.colleague
    return {
        "colleague": {
            "judge": plain_words(colleague.judge),
            "clinician": plain_words(colleague.clinician),
            "difference": plain_words(colleague.difference),
            "conversations": colleague.conversations,
        },
        "caught": {
            "counts": dict(
                zip(("caught", "missed", "false_alarms", "rightly_passed"), caught.counts, strict=True)
            ),
            "no_label": caught.unlabelled,
            "never_asked": caught.unasked,
            "without_reference": caught.open,
            "sensitivity": plain_words(caught.sensitivity),
            "specificity": plain_words(caught.specificity),
            "ppv": plain_words(caught.ppv),
            "npv": plain_words(caught.npv),
        },
        "to_read": len(safety.to_read),
        "false_alarms": len(safety.false_alarms),
        "invalid_does_not_apply": safety.invalid,
    }


def _arm(arm: ArmAgreement) -> dict[str, Any]:
    return {
        "same": arm.same,
        "pairs": arm.pairs,
        "percent": plain_words(arm.percent),
        "always_commonest": arm.always,
    }
