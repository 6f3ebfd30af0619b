"""The base class of an importer: which files it reads, what it asks about them, and how it writes them.

Our own importers are in data/importers/kinds. An importer of another package inherits from a class of
data/importers/row_importers.py and is named in an entry point of the group second_reader.importers: see
docs/add_importer.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers.file_sample import FileSample
from data.importers.import_options import AnyImportOption, NewStudyOption
from data.importers.report import ImportReport
from data.record.studies import Study
from data.store.trail import TrailEntry

LAST = 1_000  # the order of an importer that states none: after our own
ANY_FILE = ("json", "jsonl", "csv", "tsv", "txt")
CHECK_ONLY = "Check the file and say what would be added."


class Importer:
    """Reads one kind of file.

    `name`: its command, `second-reader import NAME`. `title` and `layout`: its name and file format on the
    Import page, which leaves it out if `title` is empty. `help`: of the command. `endings`: of its files.
    `action`: in the trail. `page_key`: of its widgets. `options`: the questions that it asks.
    """

    name: str = ""
    title: str = ""
    layout: str = ""
    help: str = ""
    order: int = LAST
    endings: tuple[str, ...] = ANY_FILE
    takes_folder: bool = False
    dry_run_help: str | None = CHECK_ONLY
    action: str = ""
    page_key: str = ""
    page_note: str = ""
    options: tuple[AnyImportOption, ...] = ()

    @property
    def makes_study(self) -> bool:
        """Tell whether a new study can be created with the file."""
        return any(isinstance(option, NewStudyOption) for option in self.options)

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this belongs to this importer.

        By default a file belongs to an importer only if no other importer takes its ending.
        """
        return False

    def describe(self, sample: FileSample) -> tuple[str, int, str]:
        """Return what a file that begins like this is, and the number and plural of what it holds, such as
        "people's labels", 12, "rows".
        """
        return self.title[:1].lower() + self.title[1:], len(sample.rows), "rows"

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; empty if there is none."""
        return []

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raise StoreError if a required answer is missing."""

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        return {}

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        """Write the contents of the file. If `report` has errors afterwards, the caller keeps nothing."""
        raise NotImplementedError
