"""Answers to the same case with and without reasoning, or with a feature that must not matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import paired_runs
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.record.studies import Study
from data.store.trail import TrailEntry


class PairedRunFiles(Importer):
    name = "paired-runs"
    order = 90
    action = "import paired runs"
    help = (
        "Import paired answers from FILE: JSONL or CSV with id, mode (cot, direct, bias), model_name, "
        "output_text, gold_label."
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
        paired_runs.add(connection, entry, study, path, report)


IMPORTER = PairedRunFiles
