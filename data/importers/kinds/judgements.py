"""A judge's labels, as rows or in the published forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from data.importers import published_forms
from data.importers.file_sample import FileSample
from data.importers.report import ImportReport
from data.importers.row_importers import JudgementImporter, Rows


class JudgementFiles(JudgementImporter):
    name = "judgements"
    title = "A judge's labels"
    order = 20
    help = "Import a judge's labels from FILE: JSONL, CSV, judgments.json or assessment JSON."
    page_key = "judgements"
    layout = (
        "CSV or JSONL with conversation_id, criterion, label, reasoning (turn where a "
        "conversation has several replies to rate); "
        "judgments.json and assessment JSON are read as well. A failed call has a status instead of a label."
    )

    def rows(self, path: Path, report: ImportReport, answers: Mapping[str, Any]) -> Rows:
        """Yield (line, row) of the file; problems go into the report."""
        return published_forms.judged(path, report)

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return published_forms.holds_labels(sample, of_people=False)


IMPORTER = JudgementFiles
