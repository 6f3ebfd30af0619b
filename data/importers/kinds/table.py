"""Labels of people and judges from one table with one row per item; the items too if the study has no
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import wide_tables
from data.importers.file_sample import FileSample
from data.importers.import_options import ImportOption, NewStudyOption, SamePersonOption, exposure_options
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.importers.wide_tables import WideTableOptions
from data.record.studies import Study
from data.store.trail import TrailEntry


class WideTableFiles(Importer):
    name = "table"
    title = "A wide table of labels"
    order = 40
    endings = ("csv", "tsv", "txt")
    action = "import wide table"
    page_key = "table"
    help = (
        "Import labels of people and judges from FILE: a CSV with one row per item and columns such as "
        "human_Empathy, gpt-4o_Empathy."
    )
    layout = (
        "CSV with one row per item and one column per rater or judge and criterion, such as human_Empathy "
        "and gpt-4o_Empathy; the other columns name the item. A new study from such a table has no "
        "conversation text to read. Cells without a label are listed, and the others are imported."
    )
    options = (
        ImportOption(
            name="people",
            flag="--person",
            several=True,
            help="A person, as the columns name them: human for human_Empathy. May be repeated.",
            label="People, as the columns name them, separated by commas",
            placeholder="human",
            longest=2000,
            key="import-people",
            place=1,
            column=1,
        ),
        ImportOption(
            name="judges",
            flag="--judge",
            several=True,
            help="A judge, as the columns name it. May be repeated.",
            label="Judges, as the columns name them",
            placeholder="gpt-4o, o4-mini",
            longest=2000,
            key="import-judges",
            place=2,
            column=2,
        ),
        ImportOption(
            name="keys",
            flag="--key",
            several=True,
            help="A column that names the item; several are joined. By default all columns without labels.",
            label="Columns that name the item",
            placeholder="empty: all columns without labels",
            longest=2000,
            key="import-keys",
            place=3,
        ),
        *exposure_options(place=1),
        NewStudyOption(
            help="Create the study first, from the table's items; their words stay elsewhere.",
            example="mentalalign",
            parts=("instrument", "title", "data_class"),
        ),
        SamePersonOption(
            column="column",
            metavar="COLUMN",
            help="The column that names the person behind an item, such as client_id; none if every item is "
            "from another person.",
            place=5,
        ),
        ImportOption(
            name="rater_column",
            flag="--rater-column",
            default="",
            metavar="COLUMN",
            help="The column that says who gave the people's labels of a row, if each person has their own "
            "rows; none if no column does.",
            label="The column that names the person",
            placeholder="empty: one row per item; a column: one row per item and person",
            key="import-table-rater",
            place=4,
        ),
    )

    def table_options(self, answers: Mapping[str, Any]) -> WideTableOptions:
        """Return the answers as options of a wide table."""
        return WideTableOptions(
            tuple(answers.get("people") or ()),
            tuple(answers.get("judges") or ()),
            tuple(answers.get("keys") or ()),
            answers.get("exposure") or "",
            answers.get("source") or "",
            answers.get("same_person") or "",
            answers.get("rater_column") or "",
        )

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        wide = self.table_options(answers)
        return {
            "people": list(wide.people),
            "judges": list(wide.judges),
            "exposure": wide.exposure,
            "source": wide.source,
            **({"same_person": wide.same_person} if wide.same_person else {}),
            **({"rater_column": wide.rater_column} if wide.rater_column else {}),
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
        wide_tables.add(connection, entry, study, path, self.table_options(answers), report)

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether several people or judges label one criterion, in columns such as human_Empathy."""
        by_criterion: dict[str, set[str]] = {}
        for column in sample.columns if sample.is_table else ():
            who, _, criterion = column.rpartition("_")
            if who and criterion.casefold() not in ("id", "turn", "at"):
                by_criterion.setdefault(criterion.casefold(), set()).add(who)
        return any(len(givers) > 1 for givers in by_criterion.values())


IMPORTER = WideTableFiles
