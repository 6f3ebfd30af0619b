"""The name of the program."""

from __future__ import annotations

from importlib.metadata import version


def program_name() -> str:
    """Return name and version, such as "Second Reader 0.3.0"."""
    return f"Second Reader {version('second-reader')}"
