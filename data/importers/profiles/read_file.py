"""What was read of a file of another tool, and what was left out of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from data.importers.report import ImportReport
from data.record.studies import Study
from words.plurals import count, inflect

MAX_SHOWN = 60  # characters of a value in a sentence
MAX_NAMED = 12


@dataclass
class ReadFile:
    """What was read: the number of rows by part, and of what was left out. `seen`: labels of people who had
    seen the judge. `repeated`: conversations whose reply began with the messages before it.
    """

    rows: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    undeclared: Counter[str] = field(default_factory=Counter)
    seen: int = 0
    repeated: int = 0

    def tell(self, study: Study, report: ImportReport) -> None:
        """Report what was left out as one notice, and what was repeated as another."""
        if self.repeated:
            outputs = count(self.repeated, "output repeats", "outputs repeat")
            its = inflect(self.repeated, "its input", "their inputs")
            report.notice(0, f"{outputs} the messages of {its}, which were kept once")
        named = [_counted(number, what) for what, number in self.left_out.items() if number]
        named += [
            f"{count(number, 'label', 'labels')} of {quote(name)}"
            for name, number in list(self.undeclared.items())[:MAX_NAMED]
        ]
        if len(self.undeclared) > MAX_NAMED:
            named.append(f"labels of {len(self.undeclared) - MAX_NAMED:,} more names")
        if named:
            why = f" ({study.instrument.title} has no such criterion)" if self.undeclared else ""
            report.notice(0, f"left out: {', '.join(named)}{why}")


def _counted(number: int, what: str) -> str:
    """Return a number with its noun; `what` is both forms as "reply | replies", or one for all numbers."""
    singular, _, plural = what.partition(" | ")
    return count(number, singular, plural or singular)


def quote(value: Any) -> str:
    """Return a value in quotes for a sentence, cut to MAX_SHOWN characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return repr(text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…")
