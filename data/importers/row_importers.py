"""Importers that turn a file into rows of one kind. The rows are checked and written here, the same way for
every file format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from configs.files.json_keys import read_typed_json
from data.importers import conversations, references
from data.importers.file_sample import FileSample
from data.importers.import_options import (
    SAME_PERSON,
    AnyImportOption,
    ImportOption,
    NewStudyOption,
    SameRatersOption,
    TurnsOption,
    exposure_options,
)
from data.importers.imported_judgements import add_judgements
from data.importers.imported_raters import SameRaters
from data.importers.imported_ratings import RatingProvenance, add_ratings, require_exposure
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.record.judgements import JudgeIdentity
from data.record.references import Kind
from data.record.studies import Study
from data.store.errors import StoreError
from data.store.trail import TrailEntry

Rows = Iterator[tuple[int, dict[str, Any]]]


class RowImporter(Importer):
    """Reads a file row by row: `read(path, report)` yields (line, row), lines counted from 1, and reports
    what it can't read with `report.error(line, message)`.
    """

    def read(self, path: Path, report: ImportReport) -> Iterable[tuple[int, dict[str, Any]]]:
        """Yield (line, row) of the file; problems go into the report."""
        raise NotImplementedError

    def rows(self, path: Path, report: ImportReport, answers: Mapping[str, Any]) -> Rows:
        """Yield the rows of the file. Any failure of the reader ends as an error of the report."""
        line = 0
        try:
            for line, row in self.read(path, report):
                json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8")
                yield index(line), dict(**row)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001  another package's reader may raise anything; its message may quote the file
            report.error(line, f"the importer {self.name!r} failed after this line ({type(error).__name__})")


class ConversationImporter(RowImporter):
    """Imports rows with id and messages (a list of role and content) or turns; other fields become facts."""

    action = "import conversations"
    options: tuple[AnyImportOption, ...] = (
        NewStudyOption(),
        SAME_PERSON,
    )

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; [] without one."""
        report = ImportReport(path.name)
        rows = conversations.usable_rows(self.rows(path, report, answers), report)
        return next((row.messages for row in rows), [])

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        return {"same_person": answers["same_person"]} if answers.get("same_person") else {}

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
        usable = conversations.usable_rows(self.rows(path, report, answers), report)
        conversations.add_all(connection, entry, study, usable, report, answers.get("same_person", ""))


class JudgementImporter(RowImporter):
    """Imports rows with conversation_id, criterion, label and reasoning; a failed call has a status instead
    of a label.
    """

    action = "import judgements"
    dry_run_help = None
    options = (
        ImportOption(
            name="judge",
            flag="--judge",
            required=True,
            help="The name of the judge that gave these labels.",
            label="Name of the judge",
            longest=80,
            key="import-judge",
            column=1,
        ),
        ImportOption(
            name="provider",
            flag="--provider",
            default="unknown",
            label="Provider",
            longest=80,
            key="import-provider",
            column=2,
        ),
        ImportOption(
            name="model",
            flag="--model",
            default="unknown",
            label="Model, as exactly as you know",
            key="import-model",
            column=1,
        ),
        ImportOption(
            name="prompt",
            flag="--prompt",
            default="unknown",
            help="The version or hash of the judge's prompt.",
            label="Version of the prompt",
            key="import-prompt",
            column=2,
        ),
        ImportOption(
            name="parameters", flag="--parameters", default="{}", help="Decoding parameters as JSON."
        ),
        TurnsOption(),
    )

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise StoreError if a required answer is missing."""
        if not str(answers.get("judge") or "").strip() and "identity" not in answers:
            raise StoreError("Name the judge: labels of different judges must not be mixed.")
        self.identity(answers)

    def identity(self, answers: Mapping[str, Any]) -> JudgeIdentity:
        """Return the judge that was named. Raises StoreError if the parameters are not JSON."""
        if "identity" in answers:
            identity: JudgeIdentity = answers["identity"]
            return identity
        try:
            decoding = read_typed_json(answers.get("parameters") or "{}")
        except ValueError as error:
            raise StoreError(f'--parameters must be JSON, such as {{"temperature": 0}}: {error}.') from None
        return JudgeIdentity(
            str(answers["judge"]),
            answers.get("provider") or "unknown",
            answers.get("model") or "unknown",
            answers.get("prompt") or "unknown",
            "unknown",
            decoding if isinstance(decoding, dict) else {"given": decoding},
        )

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        return {"judge": self.identity(answers).name, **_turns_detail(answers)}

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
        rows = self.rows(path, report, answers)
        source = answers.get("judgement_source") or path.name
        identity = self.identity(answers)
        add_judgements(connection, entry, study, rows, report, identity, source, answers.get("turns"))


class RatingImporter(RowImporter):
    """Imports rows with conversation_id, rater, criterion, label and note."""

    action = "import ratings"
    dry_run_help = None
    options = (
        *exposure_options("these raters", required=True),
        SameRatersOption(),
        TurnsOption(),
    )

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise StoreError if a required answer is missing."""
        require_exposure(answers)

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        return {
            "exposure": answers["exposure"],
            "source": answers["source"],
            **({"same_raters": sorted(answers["same_raters"])} if answers.get("same_raters") else {}),
            **_turns_detail(answers),
        }

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
        add_ratings(
            connection,
            entry,
            study,
            self.rows(path, report, answers),
            report,
            RatingProvenance(
                answers["exposure"],
                answers["source"],
                turns=answers.get("turns"),
                same_raters=SameRaters(frozenset(answers.get("same_raters") or ()), answers["actor"]),
            ),
        )


class ReferenceImporter(RowImporter):
    """Imports what conversations are measured against, by conversation_id, by condition, or for the whole
    study.

    A row holds a list under gold_steps or critical_entities, or a text under plan, as `reference` says.
    """

    reference: Kind = "gold_steps"
    page_note = "The numbers are then computed in a terminal: second-reader score {study}"

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
        rows = references.items(self.reference, self.rows(path, report, answers), report)
        references.add_rows(connection, entry, study, self.reference, rows, path, report)


def _turns_detail(answers: Mapping[str, Any]) -> dict[str, str]:
    return {} if answers.get("turns") is None else {"turns": str(answers["turns"])}
