"""The words for a plan's scope."""

from __future__ import annotations


def whom(scope: str) -> str:
    """Return in words whom a plan is for, such as "condition baseline" or "the whole study"; for leads
    only.
    """
    level, _, name = scope.partition(":")
    return f"{level} {name}" if name else "the whole study"
