"""What every report says of where it comes from."""

from __future__ import annotations

from configs.program import program_name
from data.record.studies import Study


def study_settings(study: Study) -> dict[str, object]:
    """Return name -> value of program, study and instrument; a report adds its own."""
    return {
        "program": program_name(),
        "study": study.key,
        "instrument": study.instrument.key,
        "instrument_version": study.instrument.version,
    }
