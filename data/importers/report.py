"""What an import found, line by line, in words for the person who made the file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

LISTED = 200


class ImportRefused(Exception):
    """The file was not imported; nothing of it was kept. `report` says what is wrong where."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__(report.summary())
        self.report = report


@dataclass(frozen=True)
class Problem:
    file: str
    line: int
    message: str
    fatal: bool


@dataclass
class ImportReport:
    """Counts of what was (or, in a dry run, would be) added, and the problems. Lists at most `listed` of each
    kind.

    `bad_cells`: of a wide table, how many cells hold no label.
    """

    file: str
    dry_run: bool = False
    added: Counter[str] = field(default_factory=Counter)
    already: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    errors: int = 0
    notices: int = 0
    listed: int = LISTED
    bad_cells: int = 0

    def error(self, line: int, message: str) -> None:
        self.errors += 1
        if self.errors <= self.listed:
            self.problems.append(Problem(self.file, line, message, True))

    def notice(self, line: int, message: str) -> None:
        self.notices += 1
        if self.notices <= self.listed:
            self.problems.append(Problem(self.file, line, message, False))

    def raise_if_wrong(self) -> None:
        if self.errors:
            raise ImportRefused(self)

    def lines(self, at_most: int | None = None) -> list[str]:
        """The problems as text, errors first, and how many more there are than those that are listed, or than
        `at_most`.
        """
        ordered = sorted(self.problems, key=lambda p: (not p.fatal, p.line))[:at_most]
        listed = [
            f"{p.file}, line {p.line}: {p.message}" if p.line else f"{p.file}: {p.message}" for p in ordered
        ]
        hidden = self.errors + self.notices - len(ordered)
        return [*listed, *([f"... and {hidden:,} more of the same kind."] if hidden else [])]

    def summary(self) -> str:
        if self.errors:
            return (
                f"Nothing was imported from {self.file}: {self.errors:,} "
                f"problem{'s' if self.errors != 1 else ''} to mend."
            )
        verb = "Would add" if self.dry_run else "Added"
        added = ", ".join(f"{n:,} {what}" for what, n in self.added.items()) or "nothing"
        already = ", ".join(f"{n:,} {what}" for what, n in self.already.items())
        bad = (
            f" {self.bad_cells:,} cell{'s hold' if self.bad_cells != 1 else ' holds'} no label."
            if self.bad_cells
            else ""
        )
        return f"{verb} {added} from {self.file}." + (f" Already there: {already}." if already else "") + bad
