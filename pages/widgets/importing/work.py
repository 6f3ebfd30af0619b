"""What is done with the file once it is chosen, and in whose name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from data import actors
from data.importers.report import ImportReport
from data.studies import Study
from pages.widgets import reader_session

# Of the file, and whether it is only checked; raises what the import raises.
Work = Callable[[Path, bool], ImportReport]


def actor_of(study: Study | None) -> str:
    """Who imports: into a study that is there, whoever sits here; a new one is made by a lead."""
    return reader_session.actor(study) if study else actors.LEAD
