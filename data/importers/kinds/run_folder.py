"""A run folder of plan-output alignment: its trials, and the judge's scores where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import run_folders
from data.importers.import_options import ImportOption, NewStudyOption
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry


class RunFolder(Importer):
    name = "run-folder"
    order = 80
    takes_folder = True
    action = "import run folder"
    dry_run_help = "Check the folder and say what would be added."
    help = (
        "Import a run of plan-output alignment from FOLDER: trials/, judgments.json, frozen_history.json, "
        "metrics.json."
    )
    options = (
        NewStudyOption(
            flag="--taxonomy",
            help="Create the study first, with this taxonomy of strategies, such as dream_code_7.",
            instrument="plan_alignment",
            parts=("data_class", "raters"),
        ),
        ImportOption(
            name="judge",
            flag="--judge",
            default="judge of the run",
            help="The name of the judge whose scores are in judgments.json.",
        ),
        ImportOption(name="model", flag="--model", default="unknown"),
    )

    def identity(self, answers: Mapping[str, Any]) -> JudgeIdentity:
        """Return the identity of the judge that the answers name."""
        if "identity" in answers:
            identity: JudgeIdentity = answers["identity"]
            return identity
        return JudgeIdentity(answers["judge"], model=answers["model"])

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
        run_folders.add(connection, entry, study, path, self.identity(answers), report)


IMPORTER = RunFolder
