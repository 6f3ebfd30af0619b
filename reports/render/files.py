"""A report as files: HTML, JSON, and every table as CSV. The same report gives the same bytes: nothing here
holds the moment at which it was made.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from data.exporters.csv_cells import cell
from reports.document import Block, Report, Table, UnitLink
from reports.render.page_file import page, text
from reports.wording import name_fields_of_files
from words.unit_nouns import UnitNoun

FIXED = (1980, 1, 1, 0, 0, 0)  # of every entry of a ZIP file


def report_files(report: Report) -> dict[str, bytes]:
    """Return file name -> content: report.html, report.json with every block, and tables/*.csv."""
    return {
        "report.html": page(report),
        "report.json": json_bytes(plain_report(report)),
        **table_files(report),
    }


def table_files(report: Report) -> dict[str, bytes]:
    """Return "tables/KEY.csv" -> content. Raise ValueError if two tables have the same key."""
    contents: dict[str, bytes] = {}
    for table in report.tables():
        name = f"tables/{table.key}.csv"
        if name in contents:
            raise ValueError(f"two tables in a report are both called {table.key}")
        contents[name] = table_csv(table, report.noun, report.unit_names)
    return contents


def table_csv(table: Table, noun: UnitNoun, names: Mapping[int, str] | None = None) -> bytes:
    """Return the table as a CSV file: its header, then its rows. With `names`, by position, a column with the
    id follows each column of units.
    """
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.header)
    written: list[tuple[str, ...]] = []
    for title, cells in zip(table.header, columns, strict=True):
        written.append((title, *(text(cell, noun) for cell in cells)))
        if names and any(isinstance(cell, UnitLink) for cell in cells):
            ids = (names.get(cell.position, "") if isinstance(cell, UnitLink) else "" for cell in cells)
            written.append((f"{title} id", *ids))
    return csv_bytes(zip(*written, strict=True))


def csv_bytes(rows: Iterable[Sequence[str]]) -> bytes:
    """Return the rows as CSV in UTF-8, lines ending with CR LF; cells that a spreadsheet would run as a
    formula get an apostrophe in front.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    # Letters and digits begin no formula; of very many cells most are such.
    writer.writerows([value if value.isalnum() else cell(value) for value in row] for row in rows)
    return out.getvalue().encode()


def json_bytes(value: object) -> bytes:
    """Return the value as JSON in UTF-8 with sorted keys, indented by one blank and ending with a line
    break. Raise ValueError for NaN or infinity.
    """
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False) + "\n").encode()


def zipped(contents: Mapping[str, bytes]) -> bytes:
    """Return a ZIP archive of the files, sorted by name and with a fixed date: the same bytes for the same
    content.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, FIXED), contents[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def plain_report(report: Report) -> dict[str, Any]:
    """Return the report as plain values for a program; each block has the name of its kind."""
    positions = report.positions()
    return {
        "title": report.title,
        "answer": list(report.answer),
        "header": list(report.header),
        "cautions": list(report.cautions),
        "settings": report.settings,
        "unit_names": {
            str(position): name for position, name in report.unit_names.items() if position in positions
        },
        "sections": [
            {
                "key": section.key,
                "title": section.title,
                "blocks": [_plain_block(block) for block in section.blocks],
            }
            for section in report.for_files().sections
        ],
    }


def _plain_block(block: Block) -> dict[str, Any]:
    kind = {"kind": type(block).__name__.lower()}
    if not isinstance(block, Table):
        return {**kind, **asdict(block, dict_factory=name_fields_of_files)}
    # Cell by cell and not by asdict, which takes seconds for a table of every conversation.
    rows = [[asdict(value) if isinstance(value, UnitLink) else value for value in row] for row in block.rows]
    return {**kind, **vars(block), "rows": rows}
