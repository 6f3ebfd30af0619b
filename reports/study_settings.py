"""What every report says of where it comes from."""

from __future__ import annotations

from importlib.metadata import version

from data.record.studies import Study


def study_settings(study: Study) -> dict[str, object]:
    """Program, study and instrument; a report adds its own."""
    return {
        "program": f"Second Reader {version('second-reader')}",
        "study": study.key,
        "instrument": study.instrument.key,
        "instrument_version": study.instrument.version,
    }
