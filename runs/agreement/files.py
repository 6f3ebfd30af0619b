"""An agreement report to take away: HTML, every table as CSV, JSON with all numbers, and labels as other
programs read them.

The same data give the same bytes: nothing here holds the moment at which it was made.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from importlib.metadata import version
from typing import Any

import numpy as np

from data.exporters.csv_cells import cell
from runs.agreement.document import Report
from runs.agreement.findings import Findings
from runs.agreement.page_file import page, text
from runs.agreement.verdicts import headline, verdict_numbers
from runs.agreement.words import plain
from scoring.agreement.arms import InArm
from scoring.agreement.material import Question
from scoring.agreement.safety import Safety

FIXED = (1980, 1, 1, 0, 0, 0)  # of every entry of the ZIP file


def settings(found: Findings, instrument_sha256: str) -> dict[str, object]:
    """What the numbers were computed from: versions, hashes, filters."""
    asked = found.asked
    return {
        "program": f"Second Reader {version('second-reader')}",
        "study": asked.study.key,
        "instrument": asked.study.instrument.key,
        "instrument_version": asked.study.instrument.version,
        "instrument_sha256": instrument_sha256,
        "labels_sha256": labels_hash(found),
        "judge": asked.judge.name if asked.judge else "none",
        "judge_identity": json.dumps(asked.judge.identity, sort_keys=True) if asked.judge else "none",
        "ratings": asked.arm,
        "rater": found.names.get(asked.rater, "?") if asked.rater is not None else "all",
        "condition": asked.condition or "all",
        "since": asked.since or "all",
        "until": asked.until or "all",
        "weighted": "yes" if found.material.units.weighted else "no",
        "interval": "95 %, delete one conversation (or person with several), limits as in docs/statistics.md",
        "margin_coefficient": f"{found.margins.coefficient:.2f}",
        "margin_same_label": f"{found.margins.same_label:.2f}",
        "catches_at_least": f"{found.margins.catches_at_least:.2f}",
        "margins_changed_after_first_blind_label": "yes" if found.margin_changes else "no",
        "raters_set_aside": ", ".join(found.names.get(rater, "?") for rater in found.aside) or "none",
        "raters_with_too_few_units": ", ".join(found.names.get(rater, "?") for rater in found.thin) or "none",
    }


def labels_hash(found: Findings) -> str:
    """SHA-256 of everything that was counted: who said what of which unit, what was settled, and what each
    unit weighs.
    """
    made = hashlib.sha256()
    given, judge = found.material.given, found.material.judge
    for group in (
        (given.question, given.unit, given.rater, given.arm, given.code),
        (judge.question, judge.unit, judge.code),
    ):
        rows = np.stack(group, axis=1) if len(group[0]) else np.zeros((0, len(group)), dtype=np.int64)
        made.update(rows[np.lexsort(rows.T[::-1])].astype("<i8").tobytes())
    made.update(
        json.dumps(
            [
                sorted(found.material.judge.failed),
                sorted(
                    [one.question, one.unit, -1 if one.code is None else one.code, one.reference]
                    for one in found.material.settled
                ),
            ]
        ).encode()
    )
    units = found.material.units
    if units.weight is not None:
        made.update(units.id.astype("<i8").tobytes() + units.weight.astype("<f8").tobytes())
    return made.hexdigest()


def files(found: Findings, report: Report) -> dict[str, bytes]:
    """Name -> content: report.html, report.json, tables/*.csv, and per criterion labels/*.csv (units by
    raters, for R's irr and irrCAC) and alt_test/*.json (for the alt-test program).
    """
    made = {"report.html": page(report), "report.json": _json(numbers(found, report))}
    for table in report.tables():
        made[f"tables/{table.key}.csv"] = _csv(
            [table.header, *([text(one) for one in row] for row in table.rows)]
        )
    for number in found.used:
        name, rows, people, judge = _matrix(found, number)
        made[f"labels/{name}.csv"] = _csv(rows)
        asked = found.material.questions[number]
        made[f"alt_test/{name}.json"] = _json(
            {
                "humans": {who: _counted(asked, said) for who, said in people.items()},
                "llm": _counted(asked, judge),
            }
        )
    return made


def zipped(made: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(made):
            archive.writestr(zipfile.ZipInfo(name, FIXED), made[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def numbers(found: Findings, report: Report) -> dict[str, Any]:
    """Every estimate as numbers: value, interval, n, conversations, method, or why there is none."""
    criteria: dict[str, Any] = {}
    for one, people, pair in zip(found.beside, found.people, found.ceilings, strict=True):
        criteria[one.question.id] = {
            "labels": list(one.question.domain),
            "table": one.counted.table.tolist(),
            "pairs": one.counted.pairs,
            "same": one.counted.same,
            "units": one.counted.units,
            "conversations": one.counted.conversations,
            "raters": one.counted.raters,
            "by_chance": one.by_chance,
            "percent": plain(one.percent),
            "coefficients": {name: plain(e) for name, e in one.coefficients.items()},
            "bias": plain(one.bias),
            "lenient": one.lenient,
            "strict": one.strict,
            "applies": {name: plain(e) for name, e in (one.applies or {}).items()},
            "all_labels_as_categories": {name: plain(e) for name, e in one.whole_scale.items()},
            "clinicians": {name: plain(e) for name, e in people.coefficients.items()},
            "colleague": {
                c.name: {
                    "clinicians": plain(c.people),
                    "judge": plain(c.judge),
                    "difference": plain(c.difference),
                }
                for c in pair
            },
        }
    made: dict[str, Any] = {
        "settings": report.settings,
        "header": list(report.header),
        "cautions": list(report.cautions),
        "criteria": criteria,
        "summary": headline(found) if found.asked.judge else "",
        "verdicts": verdict_numbers(found) if found.asked.judge else {},
        "families": [
            {
                "labels": list(f.labels),
                "criteria": list(f.criteria),
                "by_chance": f.by_chance,
                **_arm(f.percent),
            }
            for f in found.families
        ],
        "arms": {arm.name: _arm(arm) for arm in (found.arms.blind, found.arms.shown, found.arms.unknown)},
    }
    if found.safety:
        made["safety"] = _safety(found.safety)
    if found.decisions and found.asked.judge:
        d = found.decisions
        made["decisions"] = {
            "compared": d.compared,
            "same": d.same,
            "turned_by": dict(d.turned_by),
            "pass_rate_clinicians": plain(d.people.estimate),
            "pass_rate_judge": plain(d.judge.estimate),
            "corrected": plain(d.corrected) if d.corrected else d.why_not,
        }
    return made


def _safety(safety: Safety) -> dict[str, Any]:
    caught, colleague = safety.caught, safety.colleague
    return {
        "colleague": {
            "judge": plain(colleague.judge),
            "clinician": plain(colleague.clinician),
            "difference": plain(colleague.difference),
            "conversations": colleague.conversations,
        },
        "caught": {
            "counts": dict(
                zip(("caught", "missed", "false_alarms", "rightly_passed"), caught.counts, strict=True)
            ),
            "no_label": caught.unlabelled,
            "never_asked": caught.unasked,
            "without_reference": caught.open,
            "sensitivity": plain(caught.sensitivity),
            "specificity": plain(caught.specificity),
            "ppv": plain(caught.ppv),
            "npv": plain(caught.npv),
        },
        "to_read": len(safety.to_read),
        "false_alarms": len(safety.false_alarms),
        "invalid_does_not_apply": safety.invalid,
    }


def _arm(one: InArm) -> dict[str, Any]:
    return {
        "same": one.same,
        "pairs": one.pairs,
        "percent": plain(one.percent),
        "always_commonest": one.always,
    }


def _matrix(
    found: Findings, number: int
) -> tuple[str, list[list[str]], dict[str, dict[str, str]], dict[str, str]]:
    """One question: rows of units by raters and judge with an empty cell where there is no label, and the
    same by who said it. Where a rule decides there is no row, as there is no pair in the report.
    """
    asked, labels, judge = (
        found.material.questions[number],
        found.material.free(number, found.asked.arm),
        found.material.said(number),
    )
    judge = judge.where(~found.material.by_rule(number, judge.unit))
    position = {
        int(unit): str(int(found.material.units.position[found.material.units.at(np.array([unit]))[0]]))
        for unit in np.union1d(labels.unit, judge.unit)
    }
    people: dict[str, dict[str, str]] = {}
    for unit, rater, code in zip(
        labels.unit.tolist(), labels.rater.tolist(), labels.code.tolist(), strict=True
    ):
        people.setdefault(found.names[rater], {})[position[unit]] = asked.domain[code]
    theirs = {
        position[unit]: asked.domain[code]
        for unit, code in zip(judge.unit.tolist(), judge.code.tolist(), strict=True)
    }
    columns = [name for name in found.names.values() if name in people]
    rows = [["unit", *(f"rater {name}" if name in {"unit", "judge"} else name for name in columns), "judge"]]
    for unit in sorted(position.values(), key=int):
        rows.append([unit, *(people[name].get(unit, "") for name in columns), theirs.get(unit, "")])
    return asked.id, rows, people, theirs


def _counted(asked: Question, said: dict[str, str]) -> dict[str, str | int]:
    """Labels as the alt-test compares them: on an ordered scale what they count, without "does not apply",
    which has no place in it.
    """
    if not asked.ordinal:
        return {**said}
    values = {
        label: value for label, value in zip(asked.domain, asked.values, strict=True) if value is not None
    }
    return {unit: values[label] for unit, label in said.items() if label in values}


def _csv(rows: list[Any]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([cell(str(one)) for one in row] for row in rows)
    return out.getvalue().encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()
