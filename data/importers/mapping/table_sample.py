"""The beginning of a table, and the different cells of its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from data.importers.mapping.mapped_messages import split_transcript
from data.importers.mapping.meanings import RubricWords, ScaleGroup
from data.importers.mapping.raw_tables import guess_reading, sheet_names, table_rows
from data.importers.mapping.table_mapping import Reading, TableMapping
from data.importers.report import ImportReport

ROWS_KEPT = 200
TRANSCRIPTS_READ = 20
MAX_VALUES = 60  # different values of a column that are kept


@dataclass(frozen=True)
class TableSample:
    """The beginning of a table, and the different values of each column in all of it.

    `values`: column -> value -> how often; None for more than MAX_VALUES values. `problem`: why the table
    can't be read, "" if it can.
    """

    reading: Reading
    sheets: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[int, Mapping[str, str]], ...] = ()
    values: Mapping[str, Counter[str] | None] = field(default_factory=dict)
    problem: str = ""

    def different(self, column: str) -> list[str]:
        """Return the different values of a column that are not empty; [] if there are too many."""
        return [value for value in self.values.get(column) or () if value]

    def examples(self, column: str, most: int = 3) -> list[str]:
        """Return the first different values of a column that are not empty."""
        cells = (row.get(column, "").strip() for _, row in self.rows)
        return list(dict.fromkeys(cell for cell in cells if cell))[:most]


def read_table_sample(path: Path, reading: Reading | None = None, sheet: str = "") -> TableSample:
    """Read a table once. `reading`: as stated; by default guessed, of the sheet `sheet`."""
    report = ImportReport(path.name)
    how = reading or guess_reading(path, sheet)
    rows: list[tuple[int, Mapping[str, str]]] = []
    values: dict[str, Counter[str] | None] = {}
    for line, row in table_rows(path, how, report):
        if len(rows) < ROWS_KEPT:
            rows.append((line, row))
        for name, cell in row.items():
            counts = values.setdefault(name, Counter())
            if counts is not None:
                counts[cell.strip()] += 1
                if len(counts) > MAX_VALUES:
                    values[name] = None
    problem = next((each.sentence() for each in report.problems if each.fatal), "")
    return TableSample(how, tuple(sheet_names(path)), tuple(values), tuple(rows), values, problem)


def cells_by_scale(
    mapping: TableMapping, sample: TableSample, rubric: RubricWords
) -> list[tuple[ScaleGroup, list[list[str]]]]:
    """Return the different cells of each label column, the empty one too, by the criteria that share a
    scale.
    """
    labels = [(name, column) for name, column in mapping.columns.items() if column.role == "label"]
    named = [rubric.criterion(text) for name in mapping.names("criterion") for text in sample.different(name)]
    used = {column.criterion for _, column in labels if column.criterion} | {name for name in named if name}
    groups = []
    for group in rubric.scale_groups(used) if labels else ():
        of_group = [name for name, column in labels if column.criterion in ("", *group.criteria)]
        groups.append((group, [list(sample.values.get(name) or ()) for name in of_group]))
    return groups


def speakers_of(mapping: TableMapping, sample: TableSample) -> list[str]:
    """Return the different speakers of the table; of transcripts, those in its first rows."""
    speakers = [each for name in mapping.names("speaker") for each in sample.different(name)]
    for name in mapping.names("transcript"):
        for text in sample.examples(name, TRANSCRIPTS_READ):
            speakers += [speaker for speaker, _ in split_transcript(text, mapping)]
    return list(dict.fromkeys(speakers))
