"""Run tables: a row a run of an experiment with its numbers, as CSV or JSON; and average recall curves of
models, as JSON.

Read are the published forms by the names of their fields, in any order: experiment_runs.csv (28 columns),
slice_depth_runs.csv (11 columns, which calls some of the same numbers otherwise), drift_metrics.json (model,
recall_curve). A blank cell is a number that is not there.
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

# What a column is called here, by the names that the published tables give it.
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
    """What the header says: each column by its name here. Read once, with the first row."""

    columns: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    commas: bool = False


def add(connection: Connection, entry: TrailEntry, study: Study, path: Path, report: ImportReport) -> None:
    """Keep every run of a table or every curve; what is wrong goes into the report, and then nothing of the
    file is kept.
    """
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
                f"{'the curve of the model' if curves else 'the run'} {run_summary.run!r} stands on line "
                f"{before} "
                "already",
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
        report.notice(0, "numbers with a decimal comma were read as with a point: 0,5 is 0.5")
    if not report.errors:
        summaries.write(entry, path.name)


def _otherwise(run_summary: RunSummary, other: ConflictingValue) -> str:
    if run_summary.source == "curve":
        return (
            f"another curve of the model {run_summary.run!r} is in the study; nothing that was kept is "
            "changed. "
            "Give this one another model name"
        )
    return (
        f"the run {run_summary.run!r} is in the study with {other.name} {other.there}, and here with "
        f"{other.now}; "
        "nothing that was kept is changed. Give a run that was made again another run_id"
    )


def _columns(
    row: dict[str, Any], line: int, table: _RunTableHeader, report: ImportReport, first: bool
) -> None:
    """Which column is what; what is no column of a run table is told once and left out."""
    columns: dict[str, str] = {}
    others = []
    for written in row:
        plain = str(written).strip().lower()
        name = NAMES.get(plain, plain)
        if name in columns:
            report.error(
                line if not first else 1,
                f"the columns {columns[name]!r} and {written!r} say the same; leave one of them out",
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
    """One run; what is wrong of it goes into the report, every cell of it."""
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
