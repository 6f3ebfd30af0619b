"""The conversations' own ids in a report, for readers who may know them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from data.record.studies import Study
from data.record.unit_names import read_unit_names
from data.store.store import Connection
from reports.document import Report


def name_units(connection: Connection, study: Study, report: Report, positions: Iterable[int] = ()) -> Report:
    """Return the report with the ids of the units in its tables, and of those at `positions`. Not for a rater
    of the study: an id may name the judge or the condition.
    """
    wanted = sorted({*report.positions(), *positions})
    return replace(report, unit_names=read_unit_names(connection, study, wanted))
