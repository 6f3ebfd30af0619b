"""People's labels, as rows or in the published forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from data.importers import published_forms
from data.importers.file_sample import FileSample
from data.importers.report import ImportReport
from data.importers.row_importers import RatingImporter, Rows


class RatingFiles(RatingImporter):
    name = "ratings"
    title = "People's labels"
    order = 30
    help = (
        "Import people's labels from FILE: JSONL or CSV with conversation_id, rater, criterion, label, or "
        "assessment JSON with a rater."
    )
    page_key = "ratings"
    layout = (
        "CSV or JSONL with conversation_id, rater, criterion, label, note; assessment JSON that names its "
        "rater is read as well."
    )

    def rows(self, path: Path, report: ImportReport, answers: Mapping[str, Any]) -> Rows:
        """Yield (line, row) of the file; problems go into the report."""
        return published_forms.rated(path, report, str(answers.get("exposure") or ""))

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return published_forms.holds_labels(sample, of_people=True)


IMPORTER = RatingFiles
