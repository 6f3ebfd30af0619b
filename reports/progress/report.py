"""The progress report: what the Work and raters page says under How it stands, in one document and with every
row."""

from __future__ import annotations

from collections.abc import Iterator

from data.record.studies import Study
from data.store import trail
from data.store.store import Connection
from reports.document import Block, Paragraph, Report, Section
from reports.kinds import ReportChoices
from reports.progress.findings import ProgressFindings, gather_progress
from reports.progress.tables import (
    NO_PLAN,
    NOTHING_DRAWN,
    criteria_table,
    open_tables,
    raters_table,
    totals_words,
)
from reports.render.files import report_files
from reports.study_settings import study_settings
from reports.unit_ids import name_units
from words.figures import moment


def progress_report(connection: Connection, study: Study, named: bool = False) -> Report:
    """Return the report on progress as of the trail's last entry, so that the same store gives the same
    words.

    `named`: raters by name, not under codes.
    """
    at = trail.last_moment(connection)
    findings = gather_progress(connection, study, at)
    parts: tuple[tuple[str, str, Iterator[Block]], ...] = (
        ("totals", "All of it", _totals(findings)),
        ("raters", "The raters", raters_table(findings, named)),
        ("criteria", "The criteria", criteria_table(study, findings.criteria)),
        ("open", "What is still open", open_tables(findings, named)),
    )
    sections = ((key, title, tuple(blocks)) for key, title, blocks in parts)
    return Report(
        f"Progress: {study.title}",
        (_as_of(at),) if at else (),
        (),
        tuple(Section(key, title, blocks) for key, title, blocks in sections if blocks),
        {**study_settings(study), "as_of": at or "nothing was written yet"},
        study.noun,
    )


def write_files(connection: Connection, study: Study, choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `report_files` does; of the choices only `names`
    counts.
    """
    return report_files(name_units(connection, study, progress_report(connection, study, choices.names)))


def _as_of(at: str) -> str:
    return (
        f"This is the state of {moment(at)} (UTC), when the store was last written to. The last 7 days are "
        "the days before that moment."
    )


def _totals(findings: ProgressFindings) -> Iterator[Block]:
    if findings.totals is None:
        yield Paragraph(NO_PLAN)
    elif not findings.totals.drawn:
        yield Paragraph(NOTHING_DRAWN)
    else:
        yield totals_words(findings.totals, findings.noun)
