"""What is done with the file once it is chosen, and in whose name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from data.importers.report import ImportReport
from data.record.studies import Study
from data.store import actors
from pages.widgets import reader_session

Progress: TypeAlias = Callable[[str, float, float], None]
# Of the file, whether it is only checked, and who is told how far it is; raises what the import raises.
Work: TypeAlias = Callable[[Path, bool, Progress], ImportReport]


def actor_of(study: Study | None) -> str:
    """Who imports: into a study that is there, whoever sits here; a new one is made by a lead."""
    return reader_session.actor(study) if study else actors.LEAD
