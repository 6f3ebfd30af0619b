"""The kinds of report that a study has, each written as files by `second-reader report STUDY --of KIND`.
A kind is loaded when it is asked for: the list of them is read for every help text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from data.record.studies import Study
from data.store.store import Connection


@dataclass(frozen=True)
class ReportChoices:
    """What may be chosen of a report. `judge`: by name or number, None for the one in use, else the latest;
    `names`: raters by name and not under codes; `without_reasons`: nothing of what the judge wrote is read;
    `bands`: numbers are read by published bands, which are uncalibrated. `progress(parts, all)`: told by the
    report of agreement how far it is; no choice.
    """

    judge: str | None = None
    names: bool = False
    without_reasons: bool = False
    bands: bool = False
    progress: Callable[[float, float], None] | None = field(default=None, compare=False)


WriteFiles = Callable[[Connection, Study, ReportChoices], dict[str, bytes]]


@dataclass(frozen=True)
class ReportKind:
    """`module` has `write_files(connection, study, choices)`, which returns name -> content of every file,
    `report.html` and `report.json` among them, the same bytes for the same store; `choices`: the fields of
    ReportChoices that it reads.
    """

    module: str
    choices: frozenset[str] = frozenset()

    def write_files(self, connection: Connection, study: Study, choices: ReportChoices) -> dict[str, bytes]:
        """Return file name -> content of the report. Raise NotFound for a judge that the study does not
        have.
        """
        write: WriteFiles = import_module(self.module).write_files
        return write(connection, study, choices)


KINDS: dict[str, ReportKind] = {
    "agreement": ReportKind(
        "reports.agreement.export_files", frozenset({"judge", "names", "without_reasons"})
    ),
    "calibration": ReportKind("reports.calibration.report"),
    "drift": ReportKind("reports.drift.report"),
    "metrics": ReportKind("reports.metrics.report", frozenset({"bands"})),
    "judges": ReportKind("reports.judges.report"),
    "progress": ReportKind("reports.progress.report", frozenset({"names"})),
}
