"""How a plan is called."""

from __future__ import annotations


def whom(scope: str) -> str:
    """For a lead only: names the conversation or the condition."""
    level, _, name = scope.partition(":")
    return f"{level} {name}" if name else "the whole study"
