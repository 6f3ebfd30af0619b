"""Check that no study continues itself, directly or through others."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from data.record import lineage


def lineage_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each circle of studies that continue each other."""
    for circle in lineage.find_circles(connection):
        through = f" through study {', '.join(map(str, circle[1:]))}" if circle[1:] else ""
        yield f"study {circle[0]} continues itself{through}"
