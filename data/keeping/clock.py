"""Report times of the trail that run backwards.

A machine corrects its clock by itself, and then a later entry has an earlier time although nobody touched
anything. As the trail can't be changed, an error would stay for ever. So such times are remarks for a study
lead to judge; an entry's hash covers its time, and a later change is a problem of its own.
"""

from __future__ import annotations

from datetime import datetime

_MOST_NAMED = 20


class Clock:
    """Records every entry that is dated before the one before it."""

    def __init__(self) -> None:
        self._count = 0
        self._named: list[str] = []

    def went_back(self, entry: int, before: str, now: str) -> None:
        """Record entry `entry`; `before` and `now`: ISO 8601 times of the previous entry and this one."""
        self._count += 1
        if len(self._named) < _MOST_NAMED:
            self._named.append(
                f"entry {entry} is dated {_how_long(before, now)} before the entry that it follows ({now} "
                f"after {before})"
            )

    def remarks(self) -> list[str]:
        """Return sentences on entries dated before the one they follow; [] without any."""
        if not self._count:
            return []
        more = self._count - len(self._named)
        meaning = "correcting a machine's clock causes this; if nobody corrected it, ask who changed the time"
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
