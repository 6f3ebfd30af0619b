"""Import a set of anchors: settled labels of a study that were frozen, one row per label.

Columns: conversation_id, criterion, label; `turn` where a conversation has several units. As when a set is
frozen in the app, a label that is not settled in the study is refused. What judges answered to the anchors is
imported with their labels, in the columns round, replicate and at (imported_judgements.py).
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from data.importers import reading
from data.importers.columns import field
from data.importers.label_rows import moment_of
from data.importers.report import ImportReport
from data.importers.unit_lookup import UnitLookup
from data.record import anchors
from data.record.studies import Study
from data.store.trail import TrailEntry


def add(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    path: Path,
    report: ImportReport,
    frozen: str | None,
) -> None:
    """Freeze the labels of a file as anchors; problems go into `report`, and then nothing is kept.

    Args:
        frozen: when the set was frozen, as an ISO date or time; None means now.
    """
    at = moment_of(frozen)
    if frozen is not None and at is None:
        report.error(
            0,
            f"{frozen[:40]!r} is not a date or time such as 2026-03-01 or 2026-03-01T09:30:00+01:00; say "
            "when the set was locked",
        )
        return
    # Few files hold anchors, and importing this takes longer than reading most files.
    from data.labels import agreement_material
    from scoring.agreement.judges.reference import SettledLabels

    settled = SettledLabels(agreement_material.read_counted(connection, study, None))
    placer = UnitLookup(connection, study, report)
    chosen: dict[tuple[int, str], str] = {}
    for placed in (
        each for line, row in reading.table_rows(path, report) for each in placer.place(line, row)
    ):
        key = placed.unit.id, placed.criterion.id
        level = study.instrument.scale_of(placed.criterion).label(field(placed.row, "label"))
        if key not in settled:
            report.error(
                placed.line,
                f"{placed.criterion.id} is not settled in this study, so it can't be an anchor. Two "
                "clinicians must give the same label blind, or the disagreement must be settled",
            )
        elif level != settled[key]:
            report.error(
                placed.line,
                f"{placed.criterion.id} is settled as {settled[key]!r}, and the file says "
                f"{str(field(placed.row, 'label'))!r}",
            )
        else:
            chosen[key] = settled[key]
    if not chosen and not report.errors:
        report.error(0, "the file contains no label")
    if not report.errors:
        anchors.freeze(connection, entry, study, chosen, at)
        report.added["anchors"] += len(chosen)
