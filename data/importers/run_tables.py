"""Import run tables, with one row per run of an experiment, as CSV or JSON, and average recall curves of
models as JSON.

The published forms are read by the names of their fields, in any order: experiment_runs.csv (28 columns),
slice_depth_runs.csv (11 columns, some of the same numbers under other names), drift_metrics.json (model,
recall_curve). A blank cell is a missing number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import reading, run_curves
from data.importers.columns import MAX_COLUMNS_NAMED
from data.importers.report import ImportReport
from data.importers.run_numbers import (
    COUNT,
    ID,
    MESSAGES,
    SHARE,
    SIMILARITY,
    SLICE,
    TEMPERATURE,
    UnexpectedCell,
    number,
    whole,
)
from data.record.run_summaries import ConflictingValue, RunSummary, RunSummaryTable
from data.record.studies import Study
from data.store.trail import TrailEntry

# Name in a published table -> name here.
NAMES = {
    "jaccard": "jaccard_all",
    "jaccard_valid_only": "jaccard_valid",
    "alignment": "alignment_mean",
    "validity": "validity_rate",
    "modal_agreement": "modal_set_agreement",
}
TEXTS = ("model", "vignette", "mode", "tier")
WHOLE = {"slice": SLICE, "n_messages": MESSAGES, "n_trials": COUNT}
SHARES = ("validity_rate", "jaccard_all", "jaccard_valid", "modal_set_agreement", "alignment_mean")
SIMILARITIES = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
NUMBERS = (*SHARES, *SIMILARITIES)
STRATEGY = re.compile(r"(n|align)_(\w+)")
LONGEST = 200  # characters of a name


@dataclass
class _RunTableHeader:
    """The columns of a table by their names here, read from the first row."""

    columns: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    commas: bool = False


def add(connection: Connection, entry: TrailEntry, study: Study, path: Path, report: ImportReport) -> None:
    """Write every run or curve of a file; problems go into the report, and then the caller rolls back."""
    summaries, table, rows = RunSummaryTable(connection, study), _RunTableHeader(), 0
    for line, row in reading.table_rows(path, report):
        rows += 1
        curves = isinstance(row.get("recall_curve"), list)
        if not curves and (not table.columns or path.suffix.lower() in {".json", ".jsonl"}):
            _columns(row, line, table, report, first=rows == 1)
            if not table.columns:
                return
        run_summary = run_curves.curve(row, line, report) if curves else _run(row, line, table, report)
        if run_summary is None:
            continue
        before = table.lines.setdefault(f"{run_summary.source} {run_summary.run}", line)
        if before != line:
            report.error(
                line,
                f"{'the curve of the model' if curves else 'the run'} {run_summary.run!r} is already on line "
                f"{before}",
            )
            continue
        try:
            is_new = summaries.put(run_summary)
        except ConflictingValue as other:
            report.error(line, _otherwise(run_summary, other))
        else:
            (report.added if is_new else report.already)["average curves" if curves else "runs"] += 1
    if not rows and not report.errors:
        report.error(1, "the table has no rows")
    if table.commas:
        report.notice(0, "decimal commas were read as points: 0,5 is 0.5")
    if not report.errors:
        summaries.write(entry, path.name)


def _otherwise(run_summary: RunSummary, other: ConflictingValue) -> str:
    if run_summary.source == "curve":
        return (
            f"the study holds another curve of the model {run_summary.run!r} and keeps it. Give this one "
            "another model name"
        )
    return (
        f"the study holds the run {run_summary.run!r} with {other.name} {other.there} and keeps it, but the "
        f"file says {other.now}. Give a repeated run another run_id"
    )


def _columns(
    row: dict[str, Any], line: int, table: _RunTableHeader, report: ImportReport, first: bool
) -> None:
    """Read the header. Unknown columns are reported once and left out."""
    columns: dict[str, str] = {}
    others = []
    for written in row:
        plain = str(written).strip().lower()
        name = NAMES.get(plain, plain)
        if name in columns:
            report.error(
                line if not first else 1,
                f"the columns {columns[name]!r} and {written!r} mean the same; remove one of them",
            )
            return
        if (
            name == ID
            or name == "temperature"
            or name in TEXTS
            or name in WHOLE
            or name in NUMBERS
            or STRATEGY.fullmatch(name)
        ):
            columns[name] = written
        else:
            others.append(str(written)[:LONGEST])
    missing = next((name for name in (ID, "model") if name not in columns), None)
    if missing or not any(name in NUMBERS for name in columns):
        wanted = f"there is no column {missing}" if missing else "there is no column with a number of a run"
        report.error(
            1 if first else line,
            f"{wanted}. A run table has run_id, model, vignette, temperature, and numbers such as "
            "jaccard_all, bertscore_f1, "
            f"alignment_mean; found: {', '.join(map(str, list(row)[:8])) or 'nothing'}",
        )
        return
    if others and first:
        more = f" and {len(others) - MAX_COLUMNS_NAMED} more" if len(others) > MAX_COLUMNS_NAMED else ""
        report.notice(
            1,
            "left out, because a run table has no such column: "
            f"{', '.join(others[:MAX_COLUMNS_NAMED])}{more}",
        )
    table.columns = columns


def _run(row: dict[str, Any], line: int, table: _RunTableHeader, report: ImportReport) -> RunSummary | None:
    """Return one run; None if a cell is wrong. Every wrong cell is reported."""
    before = report.errors
    facts: dict[str, Any] = {}
    numbers: dict[str, float] = {}
    for name, written in table.columns.items():
        raw = row.get(written)
        if raw is None or (isinstance(raw, str) and not raw.strip()):
            continue
        try:
            if name == ID or name in TEXTS:
                facts[name] = _text(raw)
            elif name == "temperature":
                facts[name] = _read(raw, TEMPERATURE, table)
            elif name in WHOLE:
                facts[name] = whole(raw, WHOLE[name])
            elif name.startswith("n_"):
                numbers[name] = whole(raw, COUNT)
            else:
                numbers[name] = _read(raw, SIMILARITY if name in SIMILARITIES else SHARE, table)
        except UnexpectedCell as wrong:
            report.error(line, f"{written}: {wrong}")
    for name in (ID, "model"):
        if name not in facts and report.errors == before:
            report.error(line, f"there is no {name}")
    if report.errors > before:
        return None
    run = facts.pop(ID)
    if not any(name in NUMBERS for name in numbers):
        report.notice(line, f"the run {run!r} has no number", "it is kept and enters no comparison")
    return RunSummary(run, "table", **facts, numbers=numbers)


def _read(raw: Any, kind: Any, table: _RunTableHeader) -> float:
    table.commas = table.commas or (isinstance(raw, str) and "," in raw)
    return number(raw, kind)


def _text(raw: Any) -> str:
    if not isinstance(raw, str | int | float) or isinstance(raw, bool) or len(str(raw)) > LONGEST:
        raise UnexpectedCell(f"expected a name of at most {LONGEST} characters")
    if (sample := reading.mojibake(str(raw))) is not None:
        raise UnexpectedCell(
            f'the name looks wrongly decoded ("{sample}"); save the source as UTF-8 and import it again'
        )
    return str(raw).strip()
