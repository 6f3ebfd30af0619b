"""The words for a plan's scope."""

from __future__ import annotations


def whom(scope: str) -> str:
    """Name the conversation or the condition, for leads only."""
    level, _, name = scope.partition(":")
    return f"{level} {name}" if name else "the whole study"
