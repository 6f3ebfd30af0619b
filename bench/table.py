"""Small tables: what was measured, the floor of the same run, the ratio, the target."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

HEADER = ("what", "figure", "floor", "ratio", "target", "")


@dataclass(frozen=True)
class Line:
    """`met` None: shown for comparison, without a target."""

    what: str
    figure: str
    floor: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        verdict = "" if self.met is None else "met" if self.met else "MISSED"
        return (
            self.what,
            self.figure,
            self.floor,
            "" if self.ratio is None else f"{self.ratio:.2f}",
            self.target,
            verdict,
        )


def show(title: str, lines: Sequence[Line]) -> None:
    rows = [HEADER, *(line.cells() for line in lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    print(f"\n{title}   (load {' '.join(f'{x:.1f}' for x in os.getloadavg())})")
    for number, row in enumerate(rows):
        print(
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
        )
        if number == 0:
            print("  ".join("-" * width for width in widths))


def percentile(values: Sequence[float], share: float) -> float:
    """Nearest rank: a value that was measured."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered) + 0.5) - 1))]


def median(values: Sequence[float]) -> float:
    return percentile(values, 0.5)


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 0.01 else f"{seconds * 1000:.1f} ms"
