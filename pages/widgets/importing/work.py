"""What is done with the file once it is chosen, and in whose name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from data import actors
from data.importers.report import Report
from data.studies import Study
from pages.widgets import place

# Of the file, and whether it is only checked; raises what the import raises.
Work = Callable[[Path, bool], Report]


def actor_of(study: Study | None) -> str:
    """Who imports: into a study that is there, whoever sits here; a new one is made by a lead."""
    return place.actor(study) if study else actors.LEAD
