"""Write a table to a file as CSV, JSON Lines, Excel or Parquet, a batch of rows at a time."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from data.exporters.csv_cells import cell
from data.store.errors import Refused
from data.store.private_files import write_whole

Batches = Iterable[Sequence[Sequence[Any]]]  # rows; a cell is a text, a number or None
MAX_ROWS_OF_EXCEL = 1_048_576  # the header included
MAX_CHARACTERS_OF_EXCEL = 32_767  # in a cell


def check_table_file(path: Path, row_count: int) -> None:
    """Raise Refused if the ending of the name is not one of WRITERS, or Excel can't hold so many rows."""
    if path.suffix.lower() not in WRITERS:
        raise Refused("table_of_unknown_kind", name=path.name, endings=", ".join(WRITERS))
    if path.suffix.lower() == ".xlsx" and row_count >= MAX_ROWS_OF_EXCEL:
        raise Refused("table_too_long_for_excel", rows=row_count, most=MAX_ROWS_OF_EXCEL - 1)


def write_table(path: Path, columns: Mapping[str, type], batches: Batches) -> None:
    """Write a new file in the form that the ending of its name says; mode 0600, all of it or nothing.

    Args:
        columns: name -> type of its cells (str, int or float), in the order of the cells of a row.
        batches: some rows at a time.

    Raises:
        Refused: as `check_table_file`, and for a text that is too long for a cell of Excel.
        FileExistsError: the file is there.
    """
    check_table_file(path, 0)
    with write_whole(path) as part:
        WRITERS[path.suffix.lower()](part, columns, batches)


def write_explained_table(
    path: Path, columns: Mapping[str, type], batches: Batches, explanation: bytes
) -> Path:
    """Write a table as `write_table` does, and next to it NAME.columns.csv, which explains its columns;
    return that path.

    Raises:
        Refused: as `write_table`, and if that file exists with another explanation.
    """
    explained = path.with_name(f"{path.stem}.columns.csv")
    if explained.exists():
        if explained.read_bytes() != explanation:
            raise Refused("columns_file_differs", path=explained)
        write_table(path, columns, batches)
        return explained
    with write_whole(explained) as part:
        part.write_bytes(explanation)
        write_table(path, columns, batches)
    return explained


def _write_csv(path: Path, columns: Mapping[str, type], batches: Batches) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(columns)
        for rows in batches:
            out.writerows(_without_formulas(columns, rows))


def _write_json_lines(path: Path, columns: Mapping[str, type], batches: Batches) -> None:
    encode = json.JSONEncoder(ensure_ascii=False).encode

    def write_member(name: str) -> Callable[[Any], str]:
        start = f"{encode(name)}: "
        return lambda value: start + encode(value)

    members = [write_member(name) for name in columns]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for rows in batches:
            texts = map(_change_each, _transpose(columns, rows), members)
            file.writelines(f"{{{', '.join(line)}}}\n" for line in zip(*texts, strict=True))


def _write_excel(path: Path, columns: Mapping[str, type], batches: Batches) -> None:
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)
    sheet = book.create_sheet("table")
    sheet.freeze_panes = "A2"
    sheet.append(list(columns))
    try:
        for rows in batches:
            for row in _without_formulas(columns, rows):
                if any(len(text) > MAX_CHARACTERS_OF_EXCEL for text in row if isinstance(text, str)):
                    raise Refused("text_too_long_for_excel", most=MAX_CHARACTERS_OF_EXCEL)
                sheet.append(
                    [
                        ILLEGAL_CHARACTERS_RE.sub("\ufffd", cell_) if isinstance(cell_, str) else cell_
                        for cell_ in row
                    ]
                )
    finally:
        book.save(path)  # also after an error, because it removes openpyxl's own copy of the rows


def _write_parquet(path: Path, columns: Mapping[str, type], batches: Batches) -> None:
    import pyarrow
    from pyarrow import parquet

    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    form = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    with parquet.ParquetWriter(path, form) as out:
        for rows in batches:
            cells = [
                pyarrow.array(column, kind)
                for column, kind in zip(_transpose(columns, rows), form.types, strict=True)
            ]
            out.write_table(pyarrow.Table.from_arrays(cells, schema=form))


WRITERS: dict[str, Callable[[Path, Mapping[str, type], Batches], None]] = {
    ".csv": _write_csv,
    ".jsonl": _write_json_lines,
    ".parquet": _write_parquet,
    ".xlsx": _write_excel,
}


def _transpose(columns: Mapping[str, type], rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    return list(zip(*rows, strict=True)) or [() for _ in columns]


def _without_formulas(columns: Mapping[str, type], rows: Sequence[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    return zip(
        *(
            _change_each(column, lambda text: text and cell(text)) if kind is str else column
            for column, kind in zip(_transpose(columns, rows), columns.values(), strict=True)
        ),
        strict=True,
    )


def _change_each(column: Sequence[Any], change: Callable[[Any], Any]) -> Sequence[Any]:
    """Return the changed cells of a column; equal ones are changed once, because most are alike."""
    changed = {value: change(value) for value in set(column)}
    if all(before == after for before, after in changed.items()):
        return column
    return [changed[value] for value in column]
