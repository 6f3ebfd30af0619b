"""How the program calls itself."""

from __future__ import annotations

from importlib.metadata import version


def program_name() -> str:
    """Name and version, as "Second Reader 0.3.0"."""
    return f"Second Reader {version('second-reader')}"
