"""What opens on a part of the Drift page: tables with their files, each behind a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from data.record.studies import Study
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.csv_button import csv_button
from pages.widgets.long_table import show_table
from pages.widgets.opening_line import opening_line
from reports.document import Block, Table


def show_with_tables(study: Study, blocks: Iterable[Block]) -> None:
    """Sentences as they are, tables no longer than the screen."""
    for block in blocks:
        if isinstance(block, Table):
            show_table(study, block)
        else:
            show_blocks(study, [block])


def line_with_file(study: Study, title: str, name: str, make_table: Callable[[], Table]) -> None:
    """A table behind a line, and the same as a file. `name`: of the file."""
    line = opening_line(title, f"drift-{name}")
    if line.open:
        with line:
            table_with_file(study, name, make_table)


def table_with_file(study: Study, name: str, make_table: Callable[[], Table]) -> None:
    show_table(study, make_table())
    csv_button(name, study, make_table)
