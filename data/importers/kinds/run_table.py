"""Runs of an experiment in numbers, or average curves of models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import run_tables
from data.importers.file_sample import FileSample
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.record.studies import Study
from data.store.trail import TrailEntry


class RunTableFiles(Importer):
    name = "run-table"
    title = "Runs in numbers"
    order = 100
    action = "import run table"
    page_key = "runs"
    help = (
        "Import runs in numbers from FILE: experiment_runs.csv, slice_depth_runs.csv, or average curves as "
        "drift_metrics.json."
    )
    layout = (
        "CSV with one row per run: run_id, model, vignette, temperature, slice or n_messages, and numbers "
        "such as jaccard_all, bertscore_f1, "
        "alignment_mean (experiment_runs.csv, slice_depth_runs.csv); an empty cell is a missing number. "
        "Or average curves: drift_metrics.json with model and recall_curve."
    )

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        """Write the contents of the file; problems go into the report, and then the caller rolls back."""
        run_tables.add(connection, entry, study, path, report)

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return bool({"run_id", "recall_curve"} & sample.plain_columns)


IMPORTER = RunTableFiles
