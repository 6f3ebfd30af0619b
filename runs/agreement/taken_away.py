"""The whole of it in one call: computed, written down, ready for files."""

from __future__ import annotations

from dataclasses import replace

from data import adoptions, judgements, studies
from data.errors import NotFound
from data.judgements import Judge
from data.store import Connection
from data.studies import Study
from runs.agreement.document import Report
from runs.agreement.files import files, settings
from runs.agreement.findings import Asked, Findings, gather
from runs.agreement.report import report


def asked_of(connection: Connection, study: Study, judge: str | None) -> Asked:
    """A report on the judge of this name or number, or on the one in use, else the latest; on people alone
    where there is none.

    Raises NotFound, with the names there are.
    """
    judges = judgements.judges(connection, study.id)
    chosen: Judge | None = judges[adoptions.foremost(connection, study.id, judges)] if judges else None
    if judge is not None:
        chosen = next((one for one in reversed(judges) if judge in (one.name, str(one.id))), None)
        if chosen is None:
            raise NotFound(
                f"This study has no judge {judge!r}. There are: "
                f"{', '.join(one.name for one in judges) or 'none'}."
            )
    return Asked(study, chosen, tuple(one for one in judges if chosen is None or one.id != chosen.id))


def written(connection: Connection, found: Findings) -> Report:
    """The report with what it was computed from."""
    return replace(
        report(found), settings=settings(found, studies.instrument_sha256(connection, found.asked.study))
    )


def taken_away(connection: Connection, asked: Asked, *, pseudonyms: bool = True) -> dict[str, bytes]:
    """Name -> content of every file."""
    found = gather(connection, asked, pseudonyms=pseudonyms, reasons=True)
    return files(found, written(connection, found))
