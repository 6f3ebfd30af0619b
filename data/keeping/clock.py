"""Times of the trail that run backwards.

A machine sets its clock right by itself, and then a later entry bears an earlier time although nobody touched
anything; the trail cannot be mended either, so a store would never verify again. Such times are remarks for a
study lead to judge: an entry's time is covered by its hash, and what was changed afterwards is a problem of
its own.
"""

from __future__ import annotations

from datetime import datetime

_MOST_NAMED = 20


class Clock:
    """Takes note of every entry that is dated before the one before it."""

    def __init__(self) -> None:
        self._count = 0
        self._named: list[str] = []

    def went_back(self, entry: int, before: str, now: str) -> None:
        """`before`, `now`: the times of the entry before and of this one, ISO 8601."""
        self._count += 1
        if len(self._named) < _MOST_NAMED:
            self._named.append(
                f"entry {entry} is dated {_how_long(before, now)} before the entry that it follows ({now} "
                f"after {before})"
            )

    def remarks(self) -> list[str]:
        if not self._count:
            return []
        more = self._count - len(self._named)
        meaning = "a machine whose clock is set right does this; if nobody set it, ask who changed the time"
        return [
            *self._named,
            *([f"{more:,} more entries are dated before the one that they follow"] if more else []),
            f"times that run backwards: {meaning}",
        ]


def _how_long(before: str, now: str) -> str:
    try:
        seconds = (datetime.fromisoformat(before) - datetime.fromisoformat(now)).total_seconds()
    except (ValueError, TypeError):
        return "some time"
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.3f} seconds"
