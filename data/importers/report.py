"""What an import found, line by line, in words for the person who made the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from words.plurals import count

MAX_PROBLEMS_LISTED = 200
FACTS_LISTED = 12
# Plural -> singular, where removing the s is not enough.
SINGULAR = {"replies to rate": "reply to rate", "critical entities": "critical entity"}


class ImportRefused(Exception):
    """The file was not imported, and nothing of it was kept. `report` says what is wrong and where."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__(report.summary())
        report.problems = [replace(problem, kept="") for problem in report.problems]
        self.report = report

    def __reduce__(self) -> tuple[type[ImportRefused], tuple[ImportReport]]:
        return ImportRefused, (self.report,)  # so that it can be pickled


@dataclass(frozen=True)
class Problem:
    """A problem in a file. `kept`: what was kept nevertheless; empty if the file was refused. `rows`: how
    many rows share it.
    """

    file: str
    line: int
    message: str
    fatal: bool
    rows: int = 1
    kept: str = ""

    def describe(self) -> str:
        """Return what is wrong, without the place."""
        kept = f"; {self.kept}" if self.kept else ""
        more = f" ({self.rows:,} rows; this is the first)" if self.rows > 1 else ""
        return f"{self.message}{kept}{more}"

    def sentence(self) -> str:
        """Return the problem with its place: "FILE, line 3: what is wrong"."""
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.describe()}"


@dataclass
class ImportReport:
    """The counts of what an import added (or, in a dry run, would add), and its problems.

    At most `listed` errors and as many notices are listed. `bad_cells`: how many cells of a wide table hold
    no label. `facts`: fact of the conversations -> what it becomes. `detail`: what the trail keeps about the
    import besides the detail of its job. `progress(words, done, all)` receives the progress of reading; if it
    raises, the import ends and nothing is kept.
    """

    file: str
    dry_run: bool = False
    added: Counter[str] = field(default_factory=Counter)
    already: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)
    errors: int = 0
    notices: int = 0
    listed: int = MAX_PROBLEMS_LISTED
    bad_cells: int = 0
    facts: dict[str, str] = field(default_factory=dict)
    detail: dict[str, Any] = field(default_factory=dict)
    progress: Callable[[str, float, float], None] | None = field(default=None, repr=False)
    _of_rows: dict[tuple[str, str, bool], tuple[int, int]] = field(default_factory=dict, repr=False)
    _latest_error: tuple[str, int, str] = ("", 0, "")

    def tell(self, words: str, done: float, total: float) -> None:
        """Pass progress on, if anybody asked for it: what is being done, how much of it, of how much."""
        if self.progress is not None:
            self.progress(words, done, total)

    def error(self, line: int, message: str) -> None:
        """Report a problem that refuses the file; again for the same line, such as for each of its labels, it
        counts once. `line` 0: it concerns the whole file.
        """
        if line and self._latest_error == (self.file, line, message):
            return
        self._latest_error = self.file, line, message
        self.errors += 1
        if self.errors <= self.listed:
            self.problems.append(Problem(self.file, line, message, True))

    def notice(self, line: int, message: str, kept: str = "") -> None:
        """Report a problem that doesn't refuse the file. `kept`: what is kept nevertheless; left out if the
        file is refused.
        """
        self.notices += 1
        if self.notices <= self.listed:
            self.problems.append(Problem(self.file, line, message, False, kept=kept))

    def error_of_rows(self, line: int, message: str) -> None:
        """Report an error that many rows may share, such as a missing column: listed once, with the number of
        rows.
        """
        if not self._add_row(line, message, fatal=True):
            self.error(line, message)

    def notice_of_rows(self, line: int, message: str, kept: str = "") -> None:
        """Report a notice that many rows may share: listed once, with the number of rows."""
        if not self._add_row(line, message, fatal=False):
            self.notice(line, message, kept)

    def _add_row(self, line: int, message: str, fatal: bool) -> bool:
        """Tell whether the message was reported before; if so, count one more row for it."""
        key = (self.file, message, fatal)
        number, latest = self._of_rows.setdefault(key, (len(self.problems), 0))
        self._of_rows[key] = number, line
        if not latest:
            return False
        if line == latest:
            return True
        if number < len(self.problems) and self.problems[number].message == message:
            self.problems[number] = replace(self.problems[number], rows=self.problems[number].rows + 1)
        return True

    def raise_if_wrong(self) -> None:
        """Raise ImportRefused if there is any error."""
        if self.errors:
            raise ImportRefused(self)

    def lines(self, at_most: int | None = None) -> list[str]:
        """Return the problems as text, errors first, at most `at_most`, and how many more there are."""
        ordered = sorted(self.problems, key=lambda p: (not p.fatal, p.line))[:at_most]
        listed = [problem.sentence() for problem in ordered]
        hidden = self.errors + self.notices - len(ordered)
        return [*listed, *([f"... and {hidden:,} more of the same kind."] if hidden else [])]

    def facts_sentence(self) -> str:
        """Return a sentence that says what each fact of the conversations becomes; "" if there are no
        facts.
        """
        listed = [f"{name}: {meaning}" for name, meaning in [*self.facts.items()][:FACTS_LISTED]]
        more = len(self.facts) - len(listed)
        return f"Facts: {'; '.join(listed)}{f'; and {more} more' if more else ''}." if listed else ""

    def summary(self) -> str:
        """Return in a sentence or two what was added, or that nothing was."""
        if self.errors:
            return (
                f"Nothing was imported from {self.file}: {count(self.errors, 'problem', 'problems')} to fix."
            )
        verb = "Would add" if self.dry_run else "Added"
        added = ", ".join(counted(n, what) for what, n in self.added.items()) or "nothing"
        already = ", ".join(counted(n, what) for what, n in self.already.items())
        bad = f" {count(self.bad_cells, 'cell holds', 'cells hold')} no label." if self.bad_cells else ""
        return f"{verb} {added} from {self.file}." + (f" Already there: {already}." if already else "") + bad


def counted(number: int, what: str) -> str:
    """Return a number with its noun, such as "2 ratings"; `what` is the plural."""
    return count(number, SINGULAR.get(what, what.removesuffix("s")), what)
