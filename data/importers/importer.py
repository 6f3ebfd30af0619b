"""What an importer is: one class that says how its file looks, what has to be said beside it, and how it is
read.

Ours are in data/importers/kinds. One of another package inherits from a class of
data/importers/row_importers.py and is named in an entry point of the group second_reader.importers:
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

LAST = 1_000  # the place of an importer that names none: after ours
ANY_FILE = ("json", "jsonl", "csv", "tsv", "txt")
CHECK_ONLY = "Check the file and say what would be added."


class Importer:
    """`name`: its command, `second-reader import NAME`. `title` and `layout`: its name and the form of its
    file on the Import page; without a title it is not there. `help`: of the command. `endings`: of its
    files. `action`: in the trail. `page_key`: of its widgets. `options`: what has to be said beside a file.
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
        """Whether a new study can be made with the file."""
        return any(isinstance(option, NewStudyOption) for option in self.options)

    def recognises(self, sample: FileSample) -> bool:
        """Whether a file that begins like this is one of its own. Where an importer does not say, a file is
        its own only by an ending that no other one takes.
        """
        return False

    def recognises_part(self, sample: FileSample) -> bool:
        """Whether a file that nobody recognises is most likely one of its own, in which something is missing
        that can be said beside it.
        """
        return False

    def guesses(self, sample: FileSample) -> Mapping[str, str]:
        """What the file says of the options of `of_columns`, by their names."""
        return {}

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """(role, text) of the messages of the first conversation in a file; none where it holds none, or none
        that can be used.
        """
        return []

    def check(self, answers: Mapping[str, Any]) -> None:
        """Raises StoreError where something was not said that has to be."""

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """What the trail keeps of the answers."""
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
        """Write what the file holds; what is wrong goes into the report, and then nothing of the file is
        kept.
        """
        raise NotImplementedError
