"""What conversations are measured against, in the published forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import references
from data.importers.report import ImportReport
from data.importers.row_importers import ReferenceImporter
from data.record.studies import Study
from data.store.trail import TrailEntry


class ReferenceFiles(ReferenceImporter):
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
        references.add(connection, entry, study, self.reference, path, report)
