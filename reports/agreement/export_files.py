"""The whole of it in one call: computed, written down, ready for files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from data.record import adoptions, judgements, studies
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.errors import NotFound
from data.store.store import Connection
from reports.agreement.agreement_data import gather_findings
from reports.agreement.files import files, settings
from reports.agreement.findings import Findings, ReportRequest
from reports.agreement.report import report
from reports.document import Paragraph, Report, Section
from reports.kinds import ReportChoices
from reports.unit_ids import name_units

REASONS_LEFT_OUT = Section(
    "reasons",
    "Does the conversation support the judge's reasons?",
    (Paragraph("This was left out when the report was written: the judge's reasons were not read."),),
)


def request_for(connection: Connection, study: Study, judge: str | None) -> ReportRequest:
    """Return the request for a report on the judge of this name or number.

    `judge` None means the one in use, else the first; without any judge the report is on people alone.
    Raise NotFound, with the names there are, for an unknown judge.
    """
    judges = judgements.judges(connection, study.id)
    chosen: Judge | None = judges[adoptions.default_judge(connection, study.id, judges)] if judges else None
    if judge is not None:
        chosen = next(
            (candidate for candidate in reversed(judges) if judge in (candidate.name, str(candidate.id))),
            None,
        )
        if chosen is None:
            raise NotFound(
                f"This study has no judge {judge!r}. There are: "
                f"{', '.join(candidate.name for candidate in judges) or 'none'}."
            )
    return ReportRequest(
        study, chosen, tuple(candidate for candidate in judges if chosen is None or candidate.id != chosen.id)
    )


def write_report(
    connection: Connection,
    findings: Findings,
    progress: Callable[[float, float], None] | None = None,
    *,
    ids: bool = False,
) -> Report:
    """Return the report with the settings it was computed from.

    `progress`, if given, is called with (sections done, all). `ids`: units are called by their
    conversations' ids, which no rater of the study may know.
    """
    document = report(findings, progress)
    left_out = () if findings.audit is not None or findings.asked.judge is None else (REASONS_LEFT_OUT,)
    if ids:
        positions = findings.everyone.units.position.tolist()
        document = name_units(connection, findings.asked.study, document, positions)
    return replace(
        document,
        sections=(*document.sections, *left_out),
        settings=settings(findings, studies.instrument_sha256(connection, findings.asked.study)),
    )


def export_files(
    connection: Connection,
    asked: ReportRequest,
    *,
    pseudonyms: bool = True,
    reasons: bool = True,
    progress: Callable[[float, float], None] | None = None,
) -> dict[str, bytes]:
    """Return file name -> content of a report's files.

    `reasons`: whether the judge's reasons are read and their quotations looked up, which takes most of the
    time.
    """
    findings = gather_findings(connection, asked, pseudonyms=pseudonyms, reasons=reasons)
    return files(findings, write_report(connection, findings, progress, ids=True))


def write_files(connection: Connection, study: Study, choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `export_files` does, of the judge `choices.judge`.
    Raise NotFound for a judge that the study does not have.
    """
    return export_files(
        connection,
        request_for(connection, study, choices.judge),
        pseudonyms=not choices.names,
        reasons=not choices.without_reasons,
        progress=choices.progress,
    )
