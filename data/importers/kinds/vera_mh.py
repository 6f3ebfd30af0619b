"""A folder that the VERA-MH programs wrote."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import vera_mh_folders
from data.importers.import_options import ImportOption, NewStudyOption
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry


class VeraMhFolder(Importer):
    name = "vera-mh"
    order = 85
    takes_folder = True
    action = "import VERA-MH folder"
    dry_run_help = "Check the folder and say what would be added."
    help = (
        "Import what the VERA-MH programs wrote into FOLDER: conversations (.txt), results.csv, the ratings "
        "of each dimension, and with an instrument made by `import vera-mh-rubric` the answers to its "
        "questions."
    )
    options = (
        NewStudyOption(example="vera_mh"),
        ImportOption(
            name="judge",
            flag="--judge",
            default="VERA-MH judge",
            help="The name of the judge, if the files don't give it.",
        ),
        ImportOption(name="prompt", flag="--prompt", default="unknown", help="The version of its prompts."),
    )

    def identity(self, answers: Mapping[str, Any]) -> JudgeIdentity:
        """Return the identity of the judge that the answers name."""
        return JudgeIdentity(answers["judge"], prompt=answers.get("prompt") or "unknown")

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        return {"judge": self.identity(answers).name}

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
        vera_mh_folders.add(connection, entry, study, path, self.identity(answers), report)


IMPORTER = VeraMhFolder
