"""How a plan and its time are said."""

from __future__ import annotations


def whom(scope: str) -> str:
    """For a lead only: names the conversation or the condition."""
    level, _, name = scope.partition(":")
    return f"{level} {name}" if name else "the whole study"


def saved_at(at: str) -> str:
    """2026-11-21T09:30:00.000+00:00 -> 2026-11-21 09:30"""
    return at[:16].replace("T", " ")
