"""The calibration report: what the Calibration page shows a study lead of every round, without transcripts
and without who said what.
"""

from __future__ import annotations

from data.record.studies import Study
from data.store.store import Connection
from data.work import calibration
from reports.calibration.round_agreement import round_agreement
from reports.document import Paragraph, Report, Section
from reports.kinds import ReportChoices
from reports.render.files import report_files
from reports.study_settings import study_settings

NO_ROUND = (
    "This study has no calibration round. A study lead can start one on the Work and raters page, under "
    "\u201cPractice\u201d."
)


def calibration_report(connection: Connection, study: Study) -> Report:
    """Return the report on calibration rounds, newest first; a round still rated blind shows nothing else."""
    sections = tuple(
        Section(
            f"calibration_{calibration_round.id}",
            calibration_round.title,
            tuple(
                round_agreement(
                    connection,
                    study,
                    calibration_round,
                    # As for a study lead: a person who still rates in the study was refused before.
                    calibration.repeats_shown(connection, calibration_round, None),
                )
            ),
        )
        for calibration_round in calibration.rounds(connection, study.id)
    )
    return Report(
        f"Calibration: {study.title}",
        (),
        (),
        sections or (Section("nothing", "Nothing yet", (Paragraph(NO_ROUND),)),),
        study_settings(study),
        study.noun,
    )


def write_files(connection: Connection, study: Study, _choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `report_files` does; the choices change nothing."""
    return report_files(calibration_report(connection, study))
