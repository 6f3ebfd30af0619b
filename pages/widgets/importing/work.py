"""What happens to the chosen file, and in whose name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from data.importers.report import ImportReport
from data.record.studies import Study
from data.store import actors
from pages.widgets import reader_session

Progress: TypeAlias = Callable[[str, float, float], None]
# Takes the file, whether to check only, and who hears of the progress; raises what the import raises.
Work: TypeAlias = Callable[[Path, bool, Progress], ImportReport]


def actor_of(study: Study | None) -> str:
    """Return who imports: the chosen name for an existing study, a study lead for a new one."""
    return reader_session.actor(study) if study else actors.LEAD
